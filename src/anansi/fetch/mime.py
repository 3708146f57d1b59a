"""What a body is: the declared type, unless its first bytes say otherwise.

After WHATWG MIME Sniffing, with two differences that an archive needs: a binary signature corrects any declared type
that cannot carry it (a PDF called `text/html`), and markup is recognised under types that browsers leave alone.
Signatures and markup are tables; `sniff` asks them in order.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import msgspec

HEAD: Final = 4096
"""Bytes looked at; WHATWG takes 1,445, but licence comments push the first tag of some pages beyond that."""

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
BINARY: Final = "application/octet-stream"
TEXT: Final = "text/plain"

_HTML_TYPES: Final = frozenset({HTML, XHTML, "application/vnd.wap.xhtml+xml"})
_XML_TYPES: Final = frozenset({"text/xml", "application/xml"})
_UNKNOWN: Final = frozenset(
    {
        "",
        "*/*",
        BINARY,
        "application/download",
        "application/force-download",
        "application/unknown",
        "application/x-download",
        "application/x-unknown-content-type",
        "binary/octet-stream",
        "unknown/unknown",
    }
)
"""Types by which a server says that it does not know."""


class _Signature(NamedTuple):
    """Bytes that a binary format begins with, its type, and the declared types that may well be such a file."""

    start: re.Pattern[bytes]
    mime: str
    also: re.Pattern[str]


def _signature(start: bytes, mime: str, also: str = "") -> _Signature:
    return _Signature(re.compile(start, re.DOTALL), mime, re.compile(also or re.escape(mime)))


_SIGNATURES: Final = (
    _signature(
        rb"\s{0,64}%PDF-", "application/pdf", r"application/(x-)?pdf|application/(vnd\.)?adobe.*|.*illustrator"
    ),
    _signature(rb"\x89PNG\r\n\x1a\n", "image/png", r"image/(x-|vnd\.mozilla\.a)?a?png"),
    _signature(rb"GIF8[79]a", "image/gif"),
    _signature(rb"\xff\xd8\xff", "image/jpeg", r"image/(p?jpe?g|jpg|mpo)"),
    _signature(rb"RIFF....WEBPVP", "image/webp"),
    _signature(rb"RIFF....WAVE", "audio/wav", r"audio/(x-|vnd\.)?wave?"),
    _signature(rb"RIFF....AVI ", "video/x-msvideo", r"video/.*avi|video/(x-)?msvideo"),
    _signature(rb"\x00\x00\x01\x00[^\x00]", "image/x-icon", r"image/.*ico.*"),
    _signature(rb"BM....\x00\x00\x00\x00", "image/bmp", r"image/.*bmp"),
    _signature(rb"II\*\x00|MM\x00\*", "image/tiff", r"image/(tiff|x-|dng).*"),
    _signature(rb"....ftyp(avif|avis)", "image/avif", r"image/(avif|hei[cf]).*"),
    _signature(rb"....ftyp(hei|hev|mif1|msf1)", "image/heic", r"image/(avif|hei[cf]).*"),
    _signature(rb"....ftypM4[AB]", "audio/mp4", r"(audio|video)/.*"),
    _signature(rb"....ftypqt", "video/quicktime", r"(audio|video)/.*"),
    _signature(rb"....ftyp", "video/mp4", r"(audio|video)/.*|application/mp4|image/(avif|hei[cf]).*"),
    _signature(rb"\x1a\x45\xdf\xa3.{0,60}webm", "video/webm", r"(audio|video)/.*"),
    _signature(rb"\x1a\x45\xdf\xa3", "video/x-matroska", r"(audio|video)/.*"),
    _signature(rb"OggS\x00", "application/ogg", r"(audio|video|application)/.*(ogg|opus|speex|vorbis|theora).*"),
    _signature(rb"ID3[\x02-\x04]|\xff[\xfb\xf3\xf2\xfa]", "audio/mpeg", r"audio/.*"),
    _signature(rb"fLaC", "audio/flac", r"audio/.*"),
    _signature(rb"MThd\x00\x00\x00\x06", "audio/midi", r"audio/.*"),
    _signature(rb"FLV\x01", "video/x-flv", r"video/.*"),
    _signature(rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-asf", r"(audio|video)/.*"),
    _signature(rb"\x00\x00\x01[\xba\xb3]", "video/mpeg", r"video/.*"),
    _signature(rb"[CFZ]WS[\x01-\x32]", "application/x-shockwave-flash"),
    _signature(rb"wOFF", "font/woff", r"(application|font)/.*woff.*"),
    _signature(rb"wOF2", "font/woff2", r"(application|font)/.*woff.*"),
    _signature(rb"OTTO\x00", "font/otf", r"(application|font)/.*(font|otf|opentype|ttf|truetype).*"),
    _signature(rb"\x00\x01\x00\x00\x00", "font/ttf", r"(application|font)/.*(font|otf|opentype|ttf|truetype).*"),
    _signature(rb"ttcf\x00", "font/collection", r"(application|font)/.*(font|otf|ttf|ttc).*"),
    _signature(rb"PK\x03\x04|PK\x05\x06", "application/zip", r"application/(?!pdf|(.*\+)?(json|xml)$).*"),
    _signature(rb"\x1f\x8b\x08", "application/gzip", r"application/(?!pdf|(.*\+)?(json|xml)$).*|image/svg.*"),
    _signature(rb"BZh[1-9]1AY&SY", "application/x-bzip2", r"application/(?!pdf).*"),
    _signature(rb"\xfd7zXZ\x00", "application/x-xz", r"application/(?!pdf).*"),
    _signature(rb"\x28\xb5\x2f\xfd", "application/zstd", r"application/(?!pdf).*"),
    _signature(rb"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    _signature(rb"Rar!\x1a\x07", "application/vnd.rar", r"application/.*(rar|cbr).*"),
    _signature(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage", r"application/(?!pdf).*"),
    _signature(rb"\{\\rtf", "application/rtf", r"(application|text)/(rtf|msword|richtext)"),
    _signature(rb"%!PS-Adobe", "application/postscript", r"application/.*"),
    _signature(rb"\x00asm", "application/wasm"),
    _signature(rb"\x7fELF|MZ.{58}[\x40-\xff]\x00\x00\x00", BINARY, r"application/.*"),
)

_EXTENSIONS: Final = {
    "apk": "application/vnd.android.package-archive",
    "css": "text/css",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "doc": "application/msword",
    "jar": "application/java-archive",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Types whose bytes look like something more general: an extension decides when the server does not know."""

_CONTAINERS: Final = frozenset({"application/zip", "application/x-ole-storage"})

_SOURCE: Final = re.compile(
    r"\.(txt|text|md|markdown|rst|log|diff|patch|c|h|cc|cpp|cs|css|go|java|js|jsx?|kt|lua|m|php\ds|phps|pl|pm|py|rb|rs"
    r"|scala|sh|sql|swift|tex|tsx?|vue|xsl|ya?ml)$|/raw/",
    re.IGNORECASE,
)
"""Paths of plain text that may well begin with the markup it talks about."""

_PROLOG: Final = re.compile(
    rb"(?>[\x00\s]+|<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*+(?>\[.*?\]\s*+)?>)*+", re.DOTALL | re.IGNORECASE
)
_DOCTYPE: Final = re.compile(rb"<!doctype\s+html", re.IGNORECASE)
_ROOT: Final = re.compile(rb"<([a-z][a-z0-9:._-]*)(?=[\s/>])", re.IGNORECASE)
_TAGS: Final = frozenset(
    b"""a abbr article aside b base blockquote body br button center code dd div dl dt em fieldset figure font footer
    form frameset h1 h2 h3 h4 h5 h6 head header hr i iframe img input li link main map meta nav noscript ol p pre
    script section select small span strong style table tbody td title tr tt u ul""".split()
)
_ROOTS: Final = {
    b"rss": "application/rss+xml",
    b"feed": "application/atom+xml",
    b"rdf:rdf": "application/rdf+xml",
    b"svg": "image/svg+xml",
    b"opml": "text/x-opml",
    b"urlset": "application/xml",
    b"sitemapindex": "application/xml",
}
_RSS_1: Final = b"http://purl.org/rss/1.0/"
_JSON: Final = re.compile(
    rb'\s*(?>\{\s*"(?>[^"\\]|\\.)*"\s*:|\[\s*\{\s*"(?>[^"\\]|\\.)*"\s*:|\[\s*"(?>[^"\\]|\\.)*"\s*,)', re.DOTALL
)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_ESSENCE: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+")


def is_html(mime: str) -> bool:
    """Tell whether a type is parsed as HTML."""
    return mime in _HTML_TYPES


def may_be_feed(essence: str) -> bool:
    """Tell whether a body of a type may be a feed or a list of feeds."""
    return essence.endswith(("xml", "json", "opml", "rss", "atom", "rdf")) or essence == "text/plain"


def sniff(declared: str, head: bytes, url_path: str = "") -> str:
    """Return the type of a body from its `Content-Type`, its first bytes (content decoded) and its path."""
    essence = _essence(declared)
    head = head[:HEAD]
    if not head:
        return essence or BINARY
    signed = _signed(essence, head, url_path)
    if signed:
        return signed
    head = _as_bytes_of_ascii(head)
    return _marked(essence, head, url_path) or _unmarked(essence, head, url_path)


def _essence(declared: str) -> str:
    """Return type and subtype in lower case, or nothing when they are malformed."""
    essence = declared.split(";", 1)[0].split(",", 1)[0].strip().lower()
    return essence if _ESSENCE.fullmatch(essence) else ""


def _signed(essence: str, head: bytes, url_path: str) -> str:
    """Return the type that a binary signature proves, or the declared one if it may carry that signature."""
    if head.startswith(b"<"):  # no signature begins so, and most pages do
        return ""
    for signature in _SIGNATURES:
        if signature.start.match(head):
            known = essence not in _UNKNOWN and signature.also.fullmatch(essence)
            return essence if known else _contained(signature.mime, head, url_path)
    return ""


def _contained(mime: str, head: bytes, url_path: str) -> str:
    """Look into a container: EPUB and OpenDocument name their type first, others by extension."""
    if mime not in _CONTAINERS:
        return mime
    if head[30:38] == b"mimetype":
        return _essence(head[38:120].split(b"PK", 1)[0].decode("ascii", "replace")) or mime
    return _EXTENSIONS.get(_extension(url_path), mime)


def _extension(url_path: str) -> str:
    return url_path.rpartition("/")[2].rpartition(".")[2].lower()


def _as_bytes_of_ascii(head: bytes) -> bytes:
    """Drop a byte order mark, and bring UTF-16 to a form in which tags can be read."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            return head[2:].decode(codec, "replace").encode()
    for start, codec in ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be")):
        if head.startswith(start):
            return head.decode(codec, "replace").encode()
    return head


class _Markup(NamedTuple):
    """What the beginning of a text shows."""

    doctype: bool
    xml: bool
    root: bytes
    rest: bytes


def _markup(head: bytes) -> _Markup:
    prolog = _PROLOG.match(head)
    start = prolog[0] if prolog else b""
    root = _ROOT.match(head, len(start))
    xml = start.lstrip().startswith(b"<?xml")
    return _Markup(_DOCTYPE.search(start) is not None, xml, root[1].lower() if root else b"", head[len(start) :])


def _marked(essence: str, head: bytes, url_path: str) -> str:
    """Return the type that markup proves, or nothing."""
    if essence in _HTML_TYPES or essence in _XML_TYPES or essence in _UNKNOWN:
        return _marked_weakly(essence, _markup(head))
    if essence == TEXT and _SOURCE.search(url_path):
        return ""
    if essence == TEXT or essence.startswith(("image/", "audio/", "video/", "font/")) or essence == "application/pdf":
        return _marked_strongly(_markup(head)) if essence != "image/svg+xml" else ""
    return ""


def _marked_strongly(markup: _Markup) -> str:
    """Recognise a document whose first tag leaves no doubt."""
    if markup.root == b"html" or markup.doctype:
        return HTML
    if markup.xml or markup.root in (b"rss", b"svg"):
        return _vocabulary(markup)
    return ""


def _marked_weakly(essence: str, markup: _Markup) -> str:
    """Recognise any markup, where the declared type already speaks of it or says nothing."""
    vocabulary = _vocabulary(markup)
    if vocabulary:
        return vocabulary if essence != "text/html" or markup.root != b"svg" or markup.xml else HTML
    if essence in _HTML_TYPES:
        return essence if markup.root or markup.doctype else ""
    if markup.root == b"html" and markup.xml:
        return XHTML
    if markup.root == b"html" or markup.doctype:
        return XHTML if essence in _XML_TYPES and b"http://www.w3.org/1999/xhtml" in markup.rest else HTML
    if essence in _XML_TYPES:
        return essence
    if markup.xml:
        return "application/xml"
    return HTML if markup.root in _TAGS else ""


def _vocabulary(markup: _Markup) -> str:
    """Return the type of an XML vocabulary that has its own."""
    if markup.root == b"rdf:rdf" and _RSS_1 in markup.rest:
        return "application/rss+xml"
    return _ROOTS.get(markup.root, "")


def _unmarked(essence: str, head: bytes, url_path: str) -> str:
    """Return the type of what has neither signature nor markup."""
    if essence in (HTML, TEXT) or essence in _UNKNOWN:
        if _is_json(head) and not (essence == TEXT and _SOURCE.search(url_path)):
            return "application/json"
        if _is_binary(essence, head):
            return BINARY
    if essence not in _UNKNOWN:
        return essence
    if _CONTROL.search(head):
        return BINARY
    return _EXTENSIONS.get(_extension(url_path), TEXT) if essence == "" else TEXT


def _is_binary(essence: str, head: bytes) -> bool:
    """Tell binary from text; HTML may hold stray control characters, plain text may not (WHATWG)."""
    found = len(_CONTROL.findall(head))
    return found * 10 > len(head) if essence == HTML else found > 0


def _is_json(head: bytes) -> bool:
    """Tell whether a text is JSON: by reading it when it is short, by its beginning otherwise."""
    if head.lstrip()[:1] not in (b"{", b"["):
        return False
    if len(head) < HEAD:
        try:
            msgspec.json.decode(head)
        except (msgspec.DecodeError, RecursionError):
            return False
        return True
    return _JSON.match(head) is not None
