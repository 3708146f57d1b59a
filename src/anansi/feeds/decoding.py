"""Bytes of a feed → text.

What names an encoding is asked in turn (the byte order mark, the HTTP header, the XML declaration), and believed when
the bytes can be read so. What stands before the first element is left out, so that no parser ever meets a document
type: of its entities those with a short plain text are kept, as a table.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple

LONGEST_ENTITY: Final = 200
"""Characters of an entity's text. What is longer is no special character, but a way to make much of little."""

MOST_ENTITIES: Final = 300
"""Entities of a document; HTML's own are known already."""

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that no document may hold."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    ("<?xm".encode("cp037"), "cp037"),
    ("<".encode("utf-32-le"), "utf-32-le"),
    ("<".encode("utf-32-be"), "utf-32-be"),
    ("<?".encode("utf-16-le"), "utf-16-le"),
    ("<?".encode("utf-16-be"), "utf-16-be"),
)
_GUESSES: Final = ("utf-8", "windows-1252", "iso-8859-2")
_WIDE: Final = ("utf-16", "utf-32", "utf16", "utf32", "ucs-2", "ucs-4", "u16", "u32", "iso-10646")
_DECLARED: Final = re.compile(rb"<\?[^<>]{0,200}?encoding\s*=\s*['\"]([\w.:-]{1,40})['\"]")
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
_SUPERSETS: Final = {"gb2312": "gb18030", "gbk": "gb18030", "us-ascii": "utf-8", "ascii": "utf-8"}
_START: Final = re.compile(r"<!--.*?(?:-->|\Z)|<(?=[A-Za-z_])", re.DOTALL)
_ENTITY: Final = re.compile(r"<!ENTITY\s+(\w{1,40})\s+(?:\"(&#\w{1,8};|[^&\"<]*)\"|'(&#\w{1,8};|[^&'<]*)')\s*>")


class Source(NamedTuple):
    """The text of a document from its first element on, and what its prolog says."""

    text: str
    prolog: str
    entities: dict[str, str]


def decode(data: bytes, content_type: str = "") -> str:
    """Return the text of bytes; characters that no document may hold are left out."""
    text = next(_readings(data, content_type), None)
    if text is None:
        text = data.decode("utf-8", "replace")
    return CONTROL.sub("", text.removeprefix("\ufeff"))


def _readings(data: bytes, content_type: str) -> Iterator[str]:
    """Yield the text by each encoding that the bytes can be read in, the likeliest first."""
    for name in dict.fromkeys(_encodings(data, content_type)):
        try:
            codec = codecs.lookup(_SUPERSETS.get(name.lower(), name))
            if not getattr(codec, "_is_text_encoding", True):  # rot13, zip: nothing that a feed is written in
                continue
            text, _ = codec.decode(data)
        except (LookupError, ValueError):
            continue
        if "<" in text or "{" in text:
            yield text


def _encodings(data: bytes, content_type: str) -> Iterator[str]:
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if marked:
        yield marked
    declared = _DECLARED.search(data[:1024])
    charset = _CHARSET.search(content_type)
    for name in (charset[1] if charset else "", declared[1].decode("ascii") if declared else ""):
        if name and not (name.lower().startswith(_WIDE) and not marked.startswith(_WIDE)):
            yield name
    yield from _GUESSES


def opened(text: str) -> Source:
    """Cut the prolog off, keeping the entities that it declares."""
    start = next((found.start() for found in _START.finditer(text) if found[0] == "<"), len(text))
    prolog = text[:start]
    entities: dict[str, str] = {}
    for found in _ENTITY.finditer(prolog):
        value = found[2] if found[2] is not None else found[3]
        if len(value) <= LONGEST_ENTITY and len(entities) < MOST_ENTITIES:
            entities.setdefault(found[1], unescape(value))
    return Source(text[start:], prolog, entities)
