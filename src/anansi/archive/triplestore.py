"""The embedded store: segments loaded into Oxigraph, and asked in SPARQL.

Each capture is a named graph; the default graph holds what all of them say, once. A union of graphs at query time
would count a post as often as it was captured.

    segments ─ load ─► store ─ read only ─► queries
                │
                └─► loaded.json: how far each segment is in the store

A statement that is loaded twice is still one statement, so what a crash left unrecorded is loaded again. The lock is
of its own: a crawl never holds it, and never waits for it.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from pyoxigraph import DefaultGraph, NamedNode, Quad, QueryBoolean, QuerySolutions, QueryTriples, RdfFormat, Store

from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.archive.loaded import progress, remember, store_of, waiting
from anansi.archive.objects import PIECE, Piece, folder, pieces, segments
from anansi.archive.readings import latest_in
from anansi.archive.settings import SETTINGS
from anansi.archive.statements import sound
from anansi.errors import CollectionError, DamagedError, DiskError, UserError
from anansi.knowledge.vocabulary import PREFIXES

PATIENCE: Final = 30.0
"""Seconds to wait for another process that loads."""
DEEPEST: Final = 100
"""Brackets of a query that are open at a time; Oxigraph 0.5 falls over 1,000 (`IF(1,1,IF(…`)."""
OPERATORS: Final = 2000
"""Operators of a query; Oxigraph 0.5 falls over 20,000."""

_GRAPH: Final = re.compile(rb" <[^<> ]*> \.\n")
_UPDATE: Final = re.compile(
    r"(?:\s|#[^\n]*\n|(?:PREFIX\s+\S*\s*|BASE\s*)<[^>]*>)*+"
    r"(?:INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b",
    re.I,
)
_TEXTS: Final = re.compile(
    r"""<[^<>"{}|^`\\\x00-\x20]*+>"""  # addresses
    r"""|"{3}(?:"{0,2}+(?:[^"\\]|\\.))*+"{3}|'{3}(?:'{0,2}+(?:[^'\\]|\\.))*+'{3}"""  # texts of several lines
    r"""|"(?:[^"\\\n\r]|\\.)*+"|'(?:[^'\\\n\r]|\\.)*+'"""
    r"""|\\.|\#[^\n\r]*+""",  # a character of a name, which may be a quote or begin no comment
    re.DOTALL,
)
_CODE_POINT: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SERVICE: Final = re.compile("SERVICE", re.I)
_BRACKETS: Final = re.compile(r"[()\[\]{}]")
_OPERATORS: Final = re.compile(r"[-+*/|&!^]|\b(?:UNION|OPTIONAL|FILTER|MINUS|BIND)\b", re.I)
_SHOWN: Final = 6
_LONGEST: Final = 500

Answer = QuerySolutions | QueryBoolean | QueryTriples


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did."""

    bytes: int
    """Of segments."""
    pieces: int


# ── loading ──────────────────────────────────────────────────────────────────────────────────────────────────────


def load(collection: Collection, *, patience: float = PATIENCE, most: int | None = None, least: int = 0) -> Loaded:
    """Load what the store does not have yet; safe in any thread or process, beside a crawl and after a crash.

    With `most`, so many pieces are loaded, and the rest is left for later; with `least`, a segment that is being
    written is left alone until so many of its bytes wait.
    """
    if not waiting(collection, least):
        return Loaded(0, 0)
    with _locked(collection, fcntl.LOCK_EX, patience):
        return _load(collection, most, least)


def _load(collection: Collection, most: int | None, least: int) -> Loaded:
    done = progress(collection)
    size = count = 0
    store: Store | None = None
    for segment, piece in islice(_pieces(collection, done, least), most):
        with _translated(collection):
            store = Store(store_of(collection)) if store is None else store
            _put(store, piece)
            store.flush()
        size += piece.end - done.get(segment.name, 0)
        count += 1
        done[segment.name] = piece.end
        remember(collection, done)
    return Loaded(size, count)


def _pieces(collection: Collection, done: dict[str, int], least: int) -> Iterator[tuple[Path, Piece]]:
    for segment in waiting(collection, least):
        for piece in pieces(segment, done.get(segment.name, 0), PIECE):
            yield segment, piece


def _put(store: Store, piece: Piece) -> None:
    """Load the statements of some pages into their graphs and into the default graph."""
    lines, again = latest_in(piece.data)
    for graph in again:
        _withdraw(store, NamedNode(graph[1:-1].decode()))
    try:
        _put_lines(store, lines)
    except SyntaxError:
        _put_lines(store, sound(lines))


def _withdraw(store: Store, graph: NamedNode) -> None:
    """Take back what an earlier reading of a capture said, and what no other capture says from the default graph."""
    for quad in list(store.quads_for_pattern(None, None, None, graph)):
        store.remove(quad)
        said = store.quads_for_pattern(quad.subject, quad.predicate, quad.object, None)
        if all(isinstance(each.graph_name, DefaultGraph) for each in said):
            store.remove(Quad(quad.subject, quad.predicate, quad.object, DefaultGraph()))


def _put_lines(store: Store, lines: bytes) -> None:
    put = store.bulk_load if len(lines) >= SETTINGS.bulk else store.load
    put(lines, RdfFormat.N_QUADS)
    put(_GRAPH.sub(b" .\n", lines), RdfFormat.N_TRIPLES)


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Opened:
    """The store, open for reading."""

    store: Store
    complete: bool
    """Whether everything was loaded; another process that reads at the same time prevents it."""


@contextmanager
def opened(collection: Collection, *, patience: float = PATIENCE) -> Iterator[Opened]:
    """Offer the store for reading, with what could be loaded into it; several processes may read at once."""
    collection.require()
    if not segments(collection):
        yield Opened(Store(), complete=True)
        return
    complete = _load_if_free(collection)
    with _locked(collection, fcntl.LOCK_SH, patience):
        with _translated(collection):
            store = Store.read_only(str(store_of(collection))) if store_of(collection).is_dir() else Store()
        yield Opened(store, complete)


def readable(collection: Collection) -> None:
    """Read everything in the store once; what cannot be read ends in a `DamagedError`."""
    with _locked(collection, fcntl.LOCK_SH, PATIENCE), _translated(collection):
        for _ in Store.read_only(str(store_of(collection))):
            pass


def _load_if_free(collection: Collection) -> bool:
    try:
        load(collection, patience=0.0)
    except BusyError:
        return False
    return True


def ask(store: Store, sparql: str) -> Answer:
    """Run a query that reads; the prefixes of the vocabulary need no declaration."""
    _refuse_monsters(sparql)
    _refuse_service(sparql)
    try:
        return store.query(sparql, prefixes=PREFIXES)
    except SyntaxError as error:
        if _UPDATE.match(sparql):
            raise UserError(
                "the query is an update, and objects are only read: use SELECT, ASK, CONSTRUCT or DESCRIBE"
            ) from None
        raise UserError(f"the query is not valid SPARQL: {_in_words(error)}") from None
    except (ValueError, RuntimeError, OSError) as error:
        raise UserError(f"the query cannot be run: {error}") from None


def _refuse_monsters(sparql: str) -> None:
    """Refuse what no one writes: Oxigraph's parser recurses, and would fall over."""
    words = _TEXTS.sub(" ", _CODE_POINT.sub(_character, sparql))
    depth = deepest = 0
    for bracket in _BRACKETS.findall(words):
        depth = max(depth + (1 if bracket in "([{" else -1), 0)
        deepest = max(deepest, depth)
    if deepest > DEEPEST or len(_OPERATORS.findall(words)) > OPERATORS:
        raise UserError(f"the query nests more than {DEEPEST} levels deep or has more than {OPERATORS:,} operators")


def _refuse_service(sparql: str) -> None:
    """Refuse what asks other machines: a query that is none with another word in the place of SERVICE.

    Oxigraph's own parser tells, for it reads `?o.SERVICE<x>`, `1SERVICE:x` and `?o<'>'` as no expression of ours
    does; a word in a text, a name or an address may be any other.
    """
    words = _CODE_POINT.sub(_letter, sparql)
    if _SERVICE.search(words) is None:
        return
    try:
        Store().query(_SERVICE.sub("SERVIXE", words), prefixes=PREFIXES)
    except SyntaxError as error:
        raise UserError(
            "the query asks another server (SERVICE), and objects are asked on this machine only: leave that part "
            f"out; or it is not valid SPARQL: {_in_words(error)}"
        ) from None


def _character(escape: re.Match[str]) -> str:
    """Decode what SPARQL decodes before it looks for words: `\\u0053ERVICE` is SERVICE."""
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code <= sys.maxunicode else " "


def _letter(escape: re.Match[str]) -> str:
    """Decode letters only: a quote would end the text that it is part of."""
    character = _character(escape)
    return character if character.isalpha() else escape[0]


def _in_words(error: SyntaxError) -> str:
    """Say what was wrong without the parser's list of character classes."""
    text = " ".join(str(error).split())
    place, _, expected = text.partition(": expected ")
    if "Prefix not found" in expected:
        return f"{place}: a prefix that is not declared; known without declaration: {', '.join(PREFIXES)}"
    wanted = [each for each in expected.removeprefix("one of ").split(", ") if not each.startswith(("[", "'", "|"))]
    return f"{place}: expected {', '.join(wanted[:_SHOWN])}" if expected else text[:_LONGEST]


# ── the folder ───────────────────────────────────────────────────────────────────────────────────────────────────


class BusyError(CollectionError):
    """Another process has the store."""


@contextmanager
def _locked(collection: Collection, kind: int, patience: float) -> Iterator[None]:
    """Hold the store's lock, alone to load or together to read."""
    path = folder(collection) / "store.lock"
    with guarded(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _seize(descriptor, kind, patience, path)
        if kind == fcntl.LOCK_EX:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        os.close(descriptor)


def _seize(descriptor: int, kind: int, patience: float, path: Path) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
                what = "is being loaded" if kind == fcntl.LOCK_SH else "is in use"
                raise BusyError(f"{path.parent}: the store {what} (process {holder}); try again later") from None
            time.sleep(0.05)


@contextmanager
def _translated(collection: Collection) -> Iterator[None]:
    """Say what Oxigraph could not do with its files."""
    where = store_of(collection)
    try:
        yield
    except (OSError, RuntimeError) as error:
        if "No space left" in str(error):
            raise DiskError(f"{where}: {error}; free some space on the disk, then ask again") from None
        raise DamagedError(
            f"{where}: {error}; remove that folder: the next query makes it anew from the segments"
        ) from None
