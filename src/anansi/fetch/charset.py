"""How the text of a body is written.

The order is HTTP → byte order mark → meta → detection, with the one exception of the WHATWG Encoding standard
(section 6, "decode"): a byte order mark overrides everything. Where the header and the mark agree, the order makes
no difference; where they do not, a file of some editor was put behind a server's default, and the mark is right.

Names returned are known to Python's codecs and to libxml2 alike, and are WHATWG's choice among those that are
confused on the web: `iso-8859-1` is read as `windows-1252`, `gb2312` as `gb18030`, `ks_c_5601-1987` as `cp949`.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

FALLBACK: Final = "windows-1252"
"""What text is taken for that is not UTF-8, not declared and not detected: WHATWG's default for most locales."""

_META: Final = 4096
"""Bytes searched for a declaration; WHATWG asks for 1,024, browsers go on while the head does."""

_CHECKED: Final = 65536
"""Bytes that must be UTF-8 for an undeclared text to be taken as such."""

_DETECTED: Final = 16384
"""Bytes shown to the detector from the first that is not ASCII: 3 ms in the worst case, 12 ms for 64 KiB."""

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))

_NAMES: Final[dict[str, str]] = {
    "big5": "big5hkscs",
    "cp866": "ibm866",
    "euc_jp": "euc-jp",
    "euc_kr": "cp949",
    "gb18030": "gb18030",
    "gbk": "gb18030",
    "iso-8859-8": "iso-8859-8",
    "iso2022_jp": "iso-2022-jp",
    "iso8859-11": "cp874",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "mac-roman": "macintosh",
    "shift_jis": "cp932",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
    "utf-8": "utf-8",
    **{f"cp125{digit}": f"windows-125{digit}" for digit in range(9)},
    **{f"iso8859-{part}": f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}
"""From the names of the label table to those that Python and libxml2 share; the larger set where one holds another
(`cp949` all of `euc-kr`)."""

_LABELS: Final = {
    "cp932": "cp932",
    "cp936": "gb18030",
    "cp949": "cp949",
    "cp950": "big5hkscs",
    "mac-cyrillic": "maccyrillic",
    "uhc": "cp949",
    "utf8mb4": "utf-8",
    "x-mac-cyrillic": "maccyrillic",
    "x-mac-ukrainian": "maccyrillic",
}
"""Labels that WHATWG's table lacks (or resiliparse's copy of it), met in headers and given by the detector."""

_CODECS: Final = frozenset({*_NAMES.values(), *_LABELS.values()})

_HTTP: Final = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]{1,64})", re.IGNORECASE)
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_IN_META: Final = re.compile(
    rb"<meta[\s/][^>]{0,1024}?charset\s*=\s*[\"']?\s*([^\s\"'/>;]{1,64})", re.IGNORECASE | re.DOTALL
)
_IN_XML: Final = re.compile(rb"\s{0,64}<\?xml\s[^>]{0,256}?encoding\s*=\s*[\"']\s*([^\s\"'>]{1,64})", re.IGNORECASE)
_IN_CSS: Final = re.compile(rb'@charset "([^"]{1,64})";')
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]|\x1b[$(]")


def detect(content_type: str, data: bytes) -> str:
    """Return the encoding of a text from its `Content-Type` and its bytes."""
    return _marked(data) or _in_http(content_type) or _in_markup(data) or _detected(data)


def decode_text(data: bytes, charset: str) -> str:
    """Decode any bytes, without a byte order mark; what cannot be read becomes U+FFFD."""
    name = charset if charset in _CODECS else label(charset) or "utf-8"
    for mark, marked in _MARKS:
        if marked == name and data.startswith(mark):
            data = data[len(mark) :]
    return data.decode(name, "replace")


@lru_cache(maxsize=256)
def label(name: str) -> str:
    """Return the encoding that a label stands for, or nothing (UTF-7 and its like are not read on the web)."""
    name = name.strip().lower()
    if not name.isascii():
        return ""
    mapped = map_encoding_to_html5(name, fallback_utf8=False)
    return _NAMES.get(mapped.lower(), "") if mapped else _LABELS.get(name, "")


def _marked(data: bytes) -> str:
    return next((name for mark, name in _MARKS if data.startswith(mark)), "")


def _in_http(content_type: str) -> str:
    found = _HTTP.search(content_type[:1024])
    return label(found[1]) if found else ""


def _in_markup(data: bytes) -> str:
    """Read the declaration of XML or CSS, or the first meta element, that names an encoding."""
    head = data[:_META]
    for start, wide in ((b"<\x00?\x00", "utf-16le"), (b"\x00<\x00?", "utf-16be")):
        if head.startswith(start):
            return wide
    found = _IN_XML.match(head) or _IN_CSS.match(head)
    metas = _IN_META.finditer(_COMMENT.sub(b"", head) if b"<!--" in head else head)
    named = (label(match[1].decode("ascii", "replace")) for match in (*([found] if found else ()), *metas))
    name = next(filter(None, named), "")
    # A declaration that can be read byte by byte is not in UTF-16, whatever it says (WHATWG prescan, step 15).
    return "utf-8" if name.startswith("utf-16") else name


def _detected(data: bytes) -> str:
    """Guess: UTF-8 if the bytes allow it, else what their frequencies say."""
    found = None if data.isascii() and b"\x1b" not in data else _NOT_ASCII.search(data)
    if found is None:
        return "utf-8"
    start = found.start()
    escaped = data[start] < 0x80
    if not escaped and _is_utf8(data[start : start + _CHECKED], whole=len(data) <= start + _CHECKED):
        return "utf-8"
    guess = detect_encoding(data[start : start + _DETECTED], max_len=_DETECTED, html5_compatible=False)
    return label(guess or "") or ("utf-8" if escaped else FALLBACK)


def _is_utf8(data: bytes, *, whole: bool) -> bool:
    """Tell whether bytes are UTF-8 but for a few: one broken character does not make a page Western European."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data, whole)
    return text.count("\ufffd") * 20 <= len(data) - len(text)
