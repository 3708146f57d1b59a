"""What an earlier capture of a page held: its objects, read back from the segments.

An index of the pages in the segments is made when a page is first asked for: only a crawl whose rules fail asks. It
holds where the latest statements of each page stand, not what they say.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Final

from anansi.archive.iri import iri
from anansi.archive.layout import Collection
from anansi.archive.objects import pieces, segments
from anansi.archive.quads import END
from anansi.errors import DiskError
from anansi.knowledge.vocabulary import CAPTURE, DATES, INCOMPLETE, NUMBERS, OBJECTS, PROPERTIES, STATUS, WHOLES, term
from anansi.model import Value, WebObject

PAGES: Final = 300_000
"""Pages in the index, 100 bytes each; of more, the latest segments count."""

BYTES: Final = 2 << 30
"""Bytes of segments that are indexed, the latest first: a second each gigabyte."""

CLOSING: Final = 20_000
"""Bytes before the end of a page's statements in which its address stands; the longest address has 8,192."""

_PAGE: Final = re.compile(rb"<" + re.escape(term(CAPTURE["page"]).encode()) + rb"> <([^>]*)>")
_BODIES: Final = frozenset(("text", "quote", "signature", "summary"))
_LINKS: Final = frozenset(("link", "image", "reference", "media"))
_NOT_BY_RULES: Final = frozenset(("reference", "media"))
"""What no rule finds again: where a text leads is taken with it."""
_NAMES: Final = {term(each): name for name, each in PROPERTIES.items() if each}
_WORDINGS: Final = {term(each): name for name, each in DATES.items()}
_KINDS: Final = [(kind, {term(each) for each in terms}) for kind, terms in OBJECTS.items()]
_WHOLES: Final = {term(each) for terms in WHOLES.values() for each in terms}
_ACCOUNT_NAME: Final = term("foaf:accountName")
_TYPE: Final = term("rdf:type")
_KEYWORD: Final = term("schema:keywords")
_STATUS: Final = term(STATUS)


class KnownObjects:
    """The objects of pages as they were captured before. Mutable: the index, once made."""

    def __init__(self, collection: Collection):
        self._collection = collection
        self._index: dict[str, tuple[Path, int, int]] | None = None

    def __call__(self, url: str) -> Sequence[WebObject]:
        """Return the objects of the latest capture of a page that is in the segments; none when there is none."""
        if self._index is None:
            self._index = _indexed(self._collection)
        place = self._index.get(iri(url))
        return _read(*place) if place is not None else ()


def _indexed(collection: Collection) -> dict[str, tuple[Path, int, int]]:
    found: dict[str, tuple[Path, int, int]] = {}
    left = BYTES
    for segment in reversed(segments(collection)):
        if left <= 0 or len(found) >= PAGES:
            break
        mine: dict[str, tuple[Path, int, int]] = {}
        try:
            for piece in pieces(segment):
                left -= len(piece.data)
                for url, begin, end in pages_in(piece.data):
                    offset = piece.end - len(piece.data)
                    mine[url] = segment, offset + begin, offset + end
        except DiskError:
            continue  # what is lost is not known
        found = {**mine, **found}
    return found


def pages_in(data: bytes) -> Iterable[tuple[str, int, int]]:
    """Go through the pages of some lines: the address, and where its lines begin and end."""
    begin = at = 0
    while (at := data.find(END, at)) >= 0:
        line = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at) + 1
        if not end:
            return
        at += 1
        if b" " in data[line:at] or not data.startswith(b"<", line):
            continue  # someone wrote it in a text
        found = list(_PAGE.finditer(data, max(begin, line - CLOSING), line))
        if found:
            yield found[-1][1].decode("utf-8", "replace"), begin, end
        begin = at = end


def _read(segment: Path, begin: int, end: int) -> Sequence[WebObject]:
    try:
        with segment.open("rb") as file:
            file.seek(begin)
            data = file.read(end - begin)
    except OSError:
        return ()
    return objects_in(data, without=_NOT_BY_RULES)


def dated(data: bytes) -> str:
    """Return when the statements of a page were made, as its last line says."""
    at = data.rfind(END)
    return data[at + len(END) :].partition(b'"')[2].partition(b'"')[0].decode("ascii", "replace") if at >= 0 else ""


def objects_in(data: bytes, *, without: Container[str] = ()) -> list[WebObject]:
    """Read the statements of one page back into objects, some properties left out."""
    from pyoxigraph import RdfFormat, parse  # here: it costs every worker 11 MB

    try:
        quads = list(parse(data, RdfFormat.N_QUADS))
    except SyntaxError:
        return []
    said: dict[str, list[tuple[str, str, bool]]] = {}
    for quad in quads:
        value = getattr(quad.object, "value", "")
        is_link = type(quad.object).__name__ == "NamedNode"
        said.setdefault(getattr(quad.subject, "value", ""), []).append((quad.predicate.value, value, is_link))
    accounts = {subject: name for subject, each in said.items() for key, name, _ in each if key == _ACCOUNT_NAME}
    objects = [_object(subject, each, accounts, without) for subject, each in said.items()]
    return [each for each in objects if each is not None]


def _object(
    subject: str, said: Sequence[tuple[str, str, bool]], accounts: dict[str, str], without: Container[str]
) -> WebObject | None:
    if any(key == _STATUS and value == INCOMPLETE for key, value, _ in said):
        return None  # what the rules missed is not known
    types = {value for key, value, _ in said if key == _TYPE}
    kind = max((kind for kind, terms in _KINDS if terms <= types), key=lambda kind: len(OBJECTS[kind]), default="")
    if not kind or kind in ("account", "forum"):
        return None
    wordings = {_WORDINGS[key]: value for key, value, _ in said if key in _WORDINGS}
    properties: dict[tuple[str, Value], None] = {}
    whole = ""
    for key, value, is_link in said:
        name = _NAMES.get(key, "tag" if key == _KEYWORD else "")
        if key in _WHOLES and is_link and not whole:
            whole = value
        elif name == "author" and is_link:
            properties.update(dict.fromkeys(_author(value, accounts)))
        elif name and name != "reply-to" and name not in without:
            properties[name, _value(name, value, wordings, is_link=is_link)] = None
    return WebObject(kind, subject, tuple(properties), whole)


def _author(account: str, accounts: dict[str, str]) -> Iterable[tuple[str, Value]]:
    if account in accounts:
        yield "author", Value(accounts[account])


def _value(name: str, text: str, wordings: dict[str, str], *, is_link: bool) -> Value:
    if name in DATES:
        return Value(text, "date", wordings.get(name, ""))
    if is_link or name in _LINKS:
        return Value(text, "link")
    if name in NUMBERS:
        return Value(text, "number", text)
    return Value(text, "body" if name in _BODIES else "text")
