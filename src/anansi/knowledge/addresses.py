"""A type's table of addresses: what stands where, and which addresses are one.

    a row      match · has                    which addresses it is about
               leads, or skip · never         the level they lead to, or why they are not followed, not even to see
               keep · drop · default · write  how their key is written: addresses with one key are fetched once
               whole · part                   the key of what they are pages of; whether that tells which there are

The first row that fits counts. Only the key is rewritten; the address is requested as it was found, unless the row
says what to request instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

SHAPES: Final = 5000
"""Shapes of addresses remembered a table, about 200 bytes each."""
LATEST: Final = 100
"""Answers remembered a table: about a page's own address it is asked several times, with its links in between."""
TABLES: Final = 1000
"""Tables kept ready: those of the sites at hand."""

_SPLIT = re.compile(r"[&;]")
_REFERENCE: Final = re.compile(r"\\(?:g<(\d+)>|([1-9]\d?))")
_ALIKE: Final = bytes.maketrans(b"123456789", b"000000000")
_DIGIT: Final = re.compile("[0-9]")
_ALL_DIGITS: Final = re.compile(r"\\d|\{\d+(?:,\d*)?\}|0-9")
"""What an expression says of digits without telling one from another."""
_EXPLICIT: Final = re.compile(r"\\.|\{\d+(?:,\d*)?\}|0-9|(\[[0-9-]+\]|[0-9])")
"""In its group, what names digits."""
_ANYTHING: Final = re.compile("")
_NEVER: Final = "\0"
"""A character that no address has."""
_REFUSAL: Final = re.compile(r"(?<!\\)\(\?<?!")
_REFUSED_DIGITS: Final = re.compile(r"\(\?<?!|\[\^[^\]]*[0-9]")
_PIECE: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.S)


@dataclass(frozen=True, slots=True)
class Address:
    """A row of the table."""

    leads: str = ""
    skip: str = ""
    match: re.Pattern[str] | None = None
    """Looked for in path and query, as in `/viewtopic.php?t=3`."""
    has: tuple[tuple[str, re.Pattern[str] | None], ...] = ()
    """Parameters of the query that must be there, and what their whole value must look like."""
    keep: tuple[str, ...] | None = None
    drop: frozenset[str] = frozenset()
    default: frozenset[tuple[str, str]] = frozenset()
    """Parameters that say nothing when they have that value."""
    write: str = ""
    """Path and query of the key, with the groups of `match`."""
    whole: str = ""
    """How to write the key of what the page is one of several pages of: parameters to keep, or groups of `match`."""
    request: str = ""
    """Path and query to request instead, with the groups of `match`: the thread of the post that a link is to."""
    never: bool = False
    """Whether not even a sample is visited of what is skipped (who visits it does something)."""
    lists: bool = False
    """Whether it is a list of what other lists tell of, which is skipped unless all lists are to be kept."""
    part: bool = False
    """Whether a link leads to the whole, unless it stands there: the whole tells which of its parts it shows."""
    line: int = field(default=0, compare=False)


class Place(NamedTuple):
    """What a table says about an address."""

    leads: str
    skip: str
    key: str
    whole: str
    """The key of what it is a page of (a thread of several pages); the key itself when it is all there is."""
    request: str = ""
    """The address to request instead; empty when that is the address itself."""
    never: bool = False
    """Whether not even a sample of such addresses is visited."""
    part: bool = False
    """Whether it is one of the parts that the pages of its whole tell of."""
    lists: bool = False
    """Whether it is a list of what other lists tell of."""


def shape_of(text: str) -> bytes:
    """Return what addresses that differ in numbers alone have in common: every digit is a zero.

    Bytes, for `str.translate` looks up each character: 5 µs an address, and this is done per link.
    """
    return text.encode("utf-8", "surrogatepass").translate(_ALIKE)


def place(rows: tuple[Address, ...], url: str) -> Place | None:
    """Look an address up; None when no row is about it."""
    start = url.find("/", 8)
    return _first(rows, url, start) if start >= 0 else None


def _first(rows: Iterable[Address], url: str, start: int) -> Place | None:
    target = url[start:]
    query = target.partition("?")[2]
    parameters = _parameters(query) if query else {}
    for row in rows:
        if row.has and not (parameters and _has(row, parameters)):
            continue
        found = row.match.search(target) if row.match is not None else None
        if row.match is None or found is not None:
            return _placed(row, found, url, start)
    return None


def _placed(row: Address, found: re.Match[str] | None, url: str, start: int) -> Place:
    """Write down what a row says about an address that it fits."""
    origin, target = url[:start], url[start:]
    query = target.partition("?")[2]
    parameters = _parameters(query) if query else {}
    written = _written(row, found, target, parameters)
    key = url if written is target else _at(origin, written)
    whole = _at(origin, _whole(row, found, target, parameters)) if row.whole else key
    request = _at(origin, _expanded(found, row.request)) if row.request and found is not None else ""
    return Place(row.leads, row.skip, key, whole, request, row.never, row.part, row.lists)


class Table:
    """Rows that are asked about many addresses.

    Most addresses of a site differ in numbers alone. A row whose expressions name no digit takes every digit alike:
    whether it fits is found out once for all addresses of one shape. Mutable: `_shapes`, shape → the rows that may
    fit, and `_latest`, address → what was answered; each dropped when full.
    """

    __slots__ = ("_latest", "_of_paths", "_particular", "_shapes", "_strict", "has_parts", "rows")

    def __init__(self, rows: tuple[Address, ...]) -> None:
        self.rows = rows
        self.has_parts = any(row.part for row in rows)
        # to look at the parts of a row takes as long as to look for its expression
        self._of_paths = [((row.match or _ANYTHING).search, row) for row in rows if not row.has]
        self._particular = {number: _loosened(row) for number, row in enumerate(rows) if _names_digits(row)}
        self._strict = {number: _strict(rows[number]) for number in self._particular}
        self._shapes: dict[bytes, tuple[tuple[Address, ...], bool] | None] = {}
        self._latest: dict[str, Place | None] = {}

    def place(self, url: str) -> Place | None:
        """Look an address up; None when no row is about it."""
        if url in self._latest:
            return self._latest[url]
        start = url.find("/", 8)
        if len(self._latest) >= LATEST:
            self._latest.clear()
        found = self._latest[url] = self._found(url, start) if start >= 0 else None
        return found

    def _found(self, url: str, start: int) -> Place | None:
        target = url[start:]
        rows = self._fitting(target)
        if rows is not self.rows or "?" in target:
            return _first(rows, url, start)
        for search, row in self._of_paths:
            if (found := search(target)) is not None:
                return _placed(row, found if row.match is not None else None, url, start)
        return None

    def alike(self, url: str) -> bool:
        """Tell whether one row, or none, is about all addresses that differ from this one in numbers alone."""
        start = url.find("/", 8)
        shape = shape_of(url[start:])
        return start >= 0 and b"0" in shape and (self._shapes.get(shape) or self._known(shape))[1]

    def _fitting(self, target: str) -> tuple[Address, ...]:
        """Return the rows that may fit an address; for the first of its shape, as most are, all of them."""
        shape = shape_of(target)
        if b"0" in shape:
            if shape in self._shapes:
                return (self._shapes[shape] or self._known(shape))[0]
            self._make_room()
            self._shapes[shape] = None
        return self.rows

    def _known(self, shape: bytes) -> tuple[tuple[Address, ...], bool]:
        """Find out which rows may fit addresses of a shape, and whether the same one fits all of them."""
        self._make_room()
        text = shape.decode("utf-8", "surrogatepass")
        numbers = list(self._candidates(text))
        rows = tuple(self.rows[number] for number in numbers)
        doubtful = not self._particular.keys().isdisjoint(numbers[:-1]) or (
            numbers and numbers[-1] in self._particular and not self._fits_all(numbers[-1], text)
        )
        known = self._shapes[shape] = rows, not doubtful and not any(_may_be_default(row, text) for row in rows)
        return known

    def _make_room(self) -> None:
        if len(self._shapes) >= SHAPES:
            self._shapes.clear()

    def _fits_all(self, number: int, shape: str) -> bool:
        """Tell whether a row that names digits fits all addresses of a shape by what it says beside them."""
        strict = self._strict.get(number)
        return strict is not None and strict.search(shape) is not None

    def _candidates(self, shape: str) -> Iterator[int]:
        """Go through the rows that may fit addresses of a shape, up to the first that fits all of them."""
        parameters = _parameters(shape.partition("?")[2])
        for number, row in enumerate(self.rows):
            if number in self._particular:
                loose = self._particular[number]
                if loose is None or loose.search(shape) is not None:
                    yield number
                    if self._fits_all(number, shape):
                        return
            elif (row.match is None or row.match.search(shape) is not None) and _has(row, parameters):
                yield number
                return


def _names_digits(row: Address) -> bool:
    """Tell whether a row may take one digit otherwise than another."""
    texts = [each.pattern for _, each in row.has if each is not None] + [name for name, _ in row.has]
    texts += [row.match.pattern] if row.match is not None else []
    return any(_DIGIT.search(_ALL_DIGITS.sub("", text)) for text in texts)


def _loosened(row: Address) -> re.Pattern[str] | None:
    """Return an expression that fits whatever the row fits, and the same with other digits; None if there is none."""
    if row.match is None:
        name = row.has[0][0]
        return None if _DIGIT.search(name) else re.compile(rf"[?&;]{re.escape(name)}(?![^=&;])")
    pattern = _without_refusals(row.match.pattern)
    if _REFUSED_DIGITS.search(pattern) is not None:
        return None
    try:
        return re.compile(_EXPLICIT.sub(_any_digit, pattern), row.match.flags)
    except re.error:
        return None


def _strict(row: Address) -> re.Pattern[str] | None:
    """Return an expression that fits only where the row fits whatever the digits are; None if there is none.

    Where it refuses something, or writes what it found, digits may tell all the same.
    """
    if row.match is None or row.has or row.write or "\\" in row.whole or row.request:
        return None
    if _REFUSAL.search(row.match.pattern) is not None or _REFUSED_DIGITS.search(row.match.pattern) is not None:
        return None
    try:
        return re.compile(
            _EXPLICIT.sub(lambda found: _NEVER if found[1] else found[0], row.match.pattern), row.match.flags
        )
    except re.error:
        return None


def _may_be_default(row: Address, shape: str) -> bool:
    """Tell whether addresses of a shape may have a parameter with the value that says nothing."""
    parameters = _parameters(shape.partition("?")[2])
    return any(
        parameters.get(name) == shape_of(value).decode("utf-8", "surrogatepass") for name, value in row.default
    )


def _any_digit(found: re.Match[str]) -> str:
    return r"\d" if found[1] else found[0]


def _without_refusals(pattern: str) -> str:
    """Take out what must not stand before or behind."""
    while (found := _REFUSAL.search(pattern)) is not None:
        end, depth = found.end(), 1
        for token in _PIECE.finditer(pattern, end):
            depth += (token[0] == "(") - (token[0] == ")")
            end = token.end()
            if not depth:
                break
        pattern = pattern[: found.start()] + pattern[end:]
    return pattern


class Tables:
    """The tables of several types. Mutable: `_known`, by the identity of their rows."""

    def __init__(self) -> None:
        self._known: dict[int, Table] = {}

    def place(self, rows: tuple[Address, ...], url: str) -> Place | None:
        """Look an address up; None when no row is about it."""
        return self.of(rows).place(url)

    def of(self, rows: tuple[Address, ...]) -> Table:
        """Return the table of some rows."""
        table = self._known.get(id(rows))
        if table is None or table.rows is not rows:
            if len(self._known) >= TABLES:
                self._known.clear()
            table = self._known[id(rows)] = Table(rows)
        return table


def _expanded(found: re.Match[str], template: str) -> str:
    """Write a template with the groups of a match; `re` reads the template every time."""
    parts = _parts(template)
    if not parts:
        return found.expand(template)
    return "".join([each if isinstance(each, str) else found[each] or "" for each in parts])


@lru_cache(2000)
def _parts(template: str) -> tuple[str | int, ...]:
    """Cut a template into texts and numbers of groups; nothing when it holds more than those."""
    parts: list[str | int] = []
    end = 0
    for found in _REFERENCE.finditer(template):
        parts += (template[end : found.start()], int(found[1] or found[2]))
        end = found.end()
    parts.append(template[end:])
    return () if any("\\" in each for each in parts if isinstance(each, str)) else tuple(parts)


def _at(origin: str, target: str) -> str:
    """Join an origin and a path, which groups of an expression may write without its slash."""
    return f"{origin}{target}" if target.startswith("/") else f"{origin}/{target}"


def _parameters(query: str) -> dict[str, str]:
    """Read a query; the separator of old forums is the semicolon, and a part without `=` is a name."""
    pairs = (part.partition("=") for part in _SPLIT.split(query) if part)
    return {name: value for name, _, value in pairs}


def _has(row: Address, parameters: dict[str, str]) -> bool:
    for name, shape in row.has:
        value = parameters.get(name)
        if value is None or (shape is not None and shape.fullmatch(value) is None):
            return False
    return True


def _written(row: Address, found: re.Match[str] | None, target: str, parameters: dict[str, str]) -> str:
    if row.write and found is not None:
        return _expanded(found, row.write)
    if row.keep is None and not row.drop and not row.default:
        return target
    names = row.keep if row.keep is not None else tuple(sorted(parameters))
    left = [(name, parameters[name]) for name in names if name in parameters and name not in row.drop]
    return _with_query(target, [pair for pair in left if pair not in row.default])


def _whole(row: Address, found: re.Match[str] | None, target: str, parameters: dict[str, str]) -> str:
    if found is not None and "\\" in row.whole:
        return _expanded(found, row.whole)
    return _with_query(target, [(name, parameters[name]) for name in row.whole.split() if name in parameters])


def _with_query(target: str, pairs: list[tuple[str, str]]) -> str:
    query = "&".join(f"{name}={value}" if value else name for name, value in pairs)
    path = target.partition("?")[0]
    return f"{path}?{query}" if query else path
