"""Objects out of their segments: one row an object, or Turtle, streamed and in bounded memory.

An object that was captured more than once comes out once. Each property is as the newest capture that has it says, of
those that have its text, whole ones before incomplete ones: an empty page that came later replaces nothing, nor does
the beginning of an article. What stands on several pages is joined.

    segments ─► one line an object and capture ─ sort by object, newest first ─► merge ─► rows
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Collection as Group
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from anansi.archive.layout import Collection
from anansi.archive.objects import pieces, segments
from anansi.archive.parts import MOST_PARTS, joined
from anansi.archive.readings import current, replaced
from anansi.archive.sort import merged, whole, write_runs
from anansi.archive.statements import statements
from anansi.errors import UserError
from anansi.knowledge.vocabulary import (
    CAPTURE,
    DATES,
    INCOMPLETE,
    KEYWORD,
    NUMBERS,
    OBJECTS,
    PREFIXES,
    PROPERTIES,
    STATUS,
    WHOLES,
    term,
)

Row = dict[str, Any]

BATCH: Final = 5000
"""Rows of a group in a Parquet file."""

_COUNTED: Final = tuple(name for name in PROPERTIES if name in NUMBERS)
_REPEATED: Final = ("author", "account", "quote", "tag", "link", "image", "reference", "media")
_SINGLE: Final = (
    *("uri", "type", "part_of", "id", "title", "name", "date", "date_as_written", "modified", "modified_as_written"),
    *("text", "summary", "section", "reply_to", "signature", "incomplete"),
)
_ORIGIN: Final = ("page", "captured", "capture")
COLUMNS: Final = (*_SINGLE, *_COUNTED, *_REPEATED, *_ORIGIN)

_MEANING: Final = {
    **{term(each): "part_of" for terms in WHOLES.values() for each in terms},
    **{term(each): name.replace("-", "_") for name, each in PROPERTIES.items() if each},
    **{term(each): f"{name}_as_written" for name, each in DATES.items()},
    term(PROPERTIES["author"]): "account",
    term(KEYWORD): "tag",
    term(STATUS): "incomplete",
    term("foaf:accountName"): "name",
    term("schema:description"): "signature",
    term("sioc:note"): "signature",
}
"""Term → column."""

_KINDS: Final = sorted(
    ((frozenset(map(term, terms)), kind) for kind, terms in OBJECTS.items()), key=lambda each: -len(each[0])
)
_TYPE: Final = term("rdf:type")
_NAME: Final = term("foaf:accountName")
_CONTENT: Final = f"<{term(PROPERTIES['text'])}>"
_JOINED: Final = frozenset(
    f"<{each}>" for each, name in _MEANING.items() if name in ("quote", "tag", "image", "reference", "media")
)
"""What each part of an object has of its own."""
_PAGE, _DATE = term(CAPTURE["page"]), term(CAPTURE["date"])
_TITLE: Final = f"<{term(PROPERTIES['title'])}>"
_STATUS: Final = f"<{term(STATUS)}>"
_NEWEST_FIRST: Final = bytes.maketrans(b"0123456789", b"9876543210")


@dataclass(frozen=True, slots=True)
class Found:
    """An object, as its captures tell."""

    uri: str
    kind: str
    statements: list[Triple]
    names: dict[str, str]
    """The names of the accounts that it names."""
    page: str
    captured: str
    capture: str

    def row(self) -> Row:
        """Return its properties by name; those it has."""
        row: Row = {"uri": self.uri, "type": self.kind}
        for each in self.statements:
            column = _MEANING.get(each.predicate.value)
            if column is None or not isinstance(each.object, NamedNode | Literal):
                continue
            text = each.object.value
            if column in _REPEATED:
                row.setdefault(column, []).append(text)
            else:
                row.setdefault(column, _number(text) if column in _COUNTED else text)
        names = [self.names[account] for account in row.get("account", ()) if account in self.names]
        if names:
            row["author"] = names
        if row.pop("incomplete", "") == INCOMPLETE:
            row["incomplete"] = True
        return {**row, "page": self.page, "captured": self.captured, "capture": self.capture}


def _number(text: str) -> int | None:
    return int(text) if text.removeprefix("-").isdigit() and len(text) <= 18 else None


# ── from segments to objects ─────────────────────────────────────────────────────────────────────────────────────


def objects(collection: Collection, kinds: Group[str] = ()) -> Iterator[Found]:
    """Yield the objects of some kinds (of all by default), each once, in the order of their addresses."""
    with tempfile.TemporaryDirectory(prefix="anansi-objects-") as folder:
        where = Path(folder)
        runs = write_runs(_lines(collection, kinds), where, whole)
        for uri, lines in groupby(merged(runs, where, whole), key=_uri):
            yield _merged(uri.decode(), lines)


def _lines(collection: Collection, kinds: Group[str]) -> Iterator[bytes]:
    """Write a line for each object of each capture."""
    stale = replaced(collection)
    for segment in segments(collection):
        for piece in current(pieces(segment), stale.get(segment.name)):
            for graph, quads in groupby(statements(piece), key=lambda quad: quad.graph_name):
                yield from _capture_lines(str(getattr(graph, "value", "")), quads, kinds)


def _capture_lines(graph: str, quads: Iterable[Quad], kinds: Group[str]) -> Iterator[bytes]:
    subjects: dict[str, list[Quad]] = {}
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            subjects.setdefault(quad.subject.value, []).append(quad)
    names = {uri: value for uri, said in subjects.items() if (value := _value(said, _NAME))}
    about = subjects.get(graph, [])
    page, date = _value(about, _PAGE), _value(about, _DATE)
    for uri, said in subjects.items():
        kind = _kind({_text(quad) for quad in said if quad.predicate.value == _TYPE})
        if kind and (not kinds or kind in kinds):
            named = {_text(quad): names[_text(quad)] for quad in said if _text(quad) in names}
            statements = [[str(quad.predicate), str(quad.object)] for quad in said]
            record = json.dumps([kind, graph, page, date, named, statements])
            yield b"%b\t%b\t%b\n" % (uri.encode(), date.encode().translate(_NEWEST_FIRST), record.encode())


def _value(quads: Iterable[Quad], predicate: str) -> str:
    return next((_text(quad) for quad in quads if quad.predicate.value == predicate), "")


def _text(quad: Quad) -> str:
    return quad.object.value if isinstance(quad.object, NamedNode | Literal) else ""


def _kind(types: set[str]) -> str:
    """Return the kind that has these types, or the most special one that has some of them."""
    return next((kind for terms, kind in _KINDS if terms == types), "") or next(
        (kind for terms, kind in _KINDS if terms <= types), ""
    )


def _uri(line: bytes) -> bytes:
    return line.partition(b"\t")[0]


Statements = list[list[str]]
"""Predicates and objects, as N-Triples has them."""


@dataclass(slots=True)
class _Whole:
    """An object whose captures are put together, the newest first. Mutable: all of it."""

    statements: Statements = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    """Predicates that a newer capture has spoken of."""
    texts: dict[str, str] = field(default_factory=dict)
    """Page → what its newest capture says."""
    pages: set[str] = field(default_factory=set)
    partial: set[str] = field(default_factory=set)
    """Those of them that have an incomplete text so far."""

    def take(self, page: str, said: Statements) -> bool:
        """Take in an older capture; return whether it is the one that speaks for the object."""
        text = _text_of(said)
        partial = any(predicate == _STATUS for predicate, _ in said)
        mends = not partial and page in self.partial
        first = not self.statements or bool(text and (not self.texts or mends))
        before = self.statements
        if first:  # what a newer one without a text says is taken only where this one is silent
            self.statements, said, self.known = list(said), before, {predicate for predicate, _ in said}
        part = page not in self.pages and len(self.pages) < MOST_PARTS
        joined_too = _JOINED if part and not first else frozenset()
        fresh = [pair for pair in said if pair[0] not in self.known or pair[0] in joined_too]
        fresh = [pair for pair in fresh if pair[0] != _STATUS]
        self.statements += [pair for pair in fresh if pair not in self.statements]
        self.known |= {predicate for predicate, _ in fresh}
        if part:
            self.pages.add(page)
        if text and (mends or page not in self.texts) and len(self.texts) < MOST_PARTS:
            self.texts[page] = text
            self.partial = self.partial | {page} if partial else self.partial - {page}
        return first

    def triples(self, uri: str) -> list[Triple]:
        """Return the statements about the object, its text whole."""
        lines = "".join(f"<{uri}> {predicate} {value} .\n" for predicate, value in self.statements)
        triples = [quad.triple for quad in parse(lines, RdfFormat.N_TRIPLES)]
        if len(set(self.texts.values())) <= 1:
            return triples
        parts = {page: _literal(value) for page, value in self.texts.items()}
        return [_with_text(each, joined(parts, uri)) if str(each.predicate) == _CONTENT else each for each in triples]


def _text_of(said: Statements) -> str:
    """Return what a capture says of an object; the title alone, where the text should stand, is no text."""
    text = next((value for predicate, value in said if predicate == _CONTENT), "")
    return "" if any(value == text for predicate, value in said if predicate == _TITLE) else text


def _literal(written: str) -> str:
    (quad,) = parse(f"<urn:x> {_CONTENT} {written} .", RdfFormat.N_TRIPLES)
    return _text(quad)


def _with_text(triple: Triple, text: str) -> Triple:
    return Triple(triple.subject, triple.predicate, Literal(text))


def _merged(uri: str, lines: Iterable[bytes]) -> Found:
    """Put the captures of an object together, the newest first: it decides what it speaks of."""
    whole = _Whole()
    names: dict[str, str] = {}
    kind = graph = page = date = ""
    for line in lines:
        record = json.loads(line.split(b"\t", 2)[2])
        if whole.take(record[2], record[5]):
            kind, graph, page, date = record[:4]
        names = {**record[4], **names}
    return Found(uri, kind, whole.triples(uri), names, page, date, graph)


# ── formats ──────────────────────────────────────────────────────────────────────────────────────────────────────


def write_jsonl(found: Iterable[Found], output: BinaryIO) -> int:
    """Write one JSON object a line."""
    count = 0
    for each in found:
        output.write(json.dumps(each.row(), ensure_ascii=False).encode() + b"\n")
        count += 1
    return count


def write_csv(found: Iterable[Found], output: BinaryIO) -> int:
    """Write a table, in UTF-8; values of a property that has several stand on lines of their own in one cell."""
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    table = csv.DictWriter(text, COLUMNS)
    table.writeheader()
    count = 0
    for each in found:
        row = each.row()
        table.writerow({name: "\n".join(value) if isinstance(value, list) else value for name, value in row.items()})
        count += 1
    text.detach()
    return count


def write_turtle(found: Iterable[Found], output: BinaryIO) -> int:
    """Write the statements, with the prefixes of the vocabulary."""
    count = 0

    def triples() -> Iterator[Triple]:
        nonlocal count
        for each in found:
            yield from each.statements
            count += 1

    serialize(triples(), output, RdfFormat.TURTLE, prefixes=PREFIXES)
    return count


def write_parquet(found: Iterable[Found], output: BinaryIO) -> int:
    """Write a Parquet file, group after group."""
    try:
        pyarrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise UserError("Parquet needs pyarrow, which is not installed: `pip install anansi[parquet]`") from None
    kinds = {
        "incomplete": pyarrow.bool_(),
        **dict.fromkeys(_COUNTED, pyarrow.int64()),
        **dict.fromkeys(_REPEATED, pyarrow.list_(pyarrow.string())),
    }
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    count = 0
    with parquet.ParquetWriter(output, schema, compression="zstd") as writer:
        source = iter(found)
        while batch := [each.row() for each in islice(source, BATCH)]:
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


FORMATS: Final[dict[str, Callable[[Iterable[Found], BinaryIO], int]]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "ttl": write_turtle,
}
"""How objects can be written; each returns how many there were."""
