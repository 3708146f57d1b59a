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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples, RdfFormat, Store

from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.archive.loaded import progress, remember, store_of, waiting
from anansi.archive.objects import PIECE, Piece, folder, pieces, segments
from anansi.archive.statements import sound
from anansi.errors import CollectionError, DamagedError, DiskError, UserError
from anansi.knowledge.vocabulary import PREFIXES

PATIENCE: Final = 30.0
"""Seconds to wait for another process that loads."""
BULK: Final = 1 << 20
"""Bytes from which on writing files of their own is faster than a transaction."""
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
_TEXTS: Final = re.compile(r"""<[^<>\s]*+>|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|\#[^\n]*+""")
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
    try:
        _put_lines(store, piece.data)
    except SyntaxError:
        _put_lines(store, sound(piece.data))


def _put_lines(store: Store, lines: bytes) -> None:
    put = store.bulk_load if len(lines) >= BULK else store.load
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


def _load_if_free(collection: Collection) -> bool:
    try:
        load(collection, patience=0.0)
    except BusyError:
        return False
    return True


def ask(store: Store, sparql: str) -> Answer:
    """Run a query that reads; the prefixes of the vocabulary need no declaration."""
    _refuse_monsters(sparql)
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
    """Refuse what no one writes: Oxigraph's parser recurses, and the process would go down with it."""
    words = _TEXTS.sub(" ", sparql)
    depth = deepest = 0
    for bracket in _BRACKETS.findall(words):
        depth = max(depth + (1 if bracket in "([{" else -1), 0)
        deepest = max(deepest, depth)
    if deepest > DEEPEST or len(_OPERATORS.findall(words)) > OPERATORS:
        raise UserError(f"the query nests more than {DEEPEST} levels deep or has more than {OPERATORS:,} operators")


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
