"""A type's table of addresses: what stands where, and which addresses are one.

    a row      match · has                    which addresses it is about
               leads, or skip · never         the level they lead to, or why they are not followed, not even to see
               keep · drop · default · write  how their key is written: addresses with one key are fetched once
               whole                          the key of what they are pages of

The first row that fits counts. Only the key is rewritten; the address is requested as it was found, unless the row
says what to request instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_SPLIT = re.compile(r"[&;]")


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


def place(rows: tuple[Address, ...], url: str) -> Place | None:
    """Look an address up; None when no row is about it."""
    start = url.find("/", 8)
    if start < 0:
        return None
    target = url[start:]
    query = target.partition("?")[2]
    parameters = _parameters(query) if query else {}
    for row in rows:
        found = row.match.search(target) if row.match is not None else None
        if row.match is not None and found is None:
            continue
        if row.has and not _has(row, parameters):
            continue
        key = _written(row, found, target, parameters)
        whole = _whole(row, found, target, parameters) if row.whole else key
        request = _at(url[:start], found.expand(row.request)) if row.request and found is not None else ""
        return Place(row.leads, row.skip, _at(url[:start], key), _at(url[:start], whole), request, row.never)
    return None


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
        return found.expand(row.write)
    if row.keep is None and not row.drop and not row.default:
        return target
    names = row.keep if row.keep is not None else tuple(sorted(parameters))
    left = [(name, parameters[name]) for name in names if name in parameters and name not in row.drop]
    return _with_query(target, [pair for pair in left if pair not in row.default])


def _whole(row: Address, found: re.Match[str] | None, target: str, parameters: dict[str, str]) -> str:
    if found is not None and "\\" in row.whole:
        return found.expand(row.whole)
    return _with_query(target, [(name, parameters[name]) for name in row.whole.split() if name in parameters])


def _with_query(target: str, pairs: list[tuple[str, str]]) -> str:
    query = "&".join(f"{name}={value}" if value else name for name, value in pairs)
    path = target.partition("?")[0]
    return f"{path}?{query}" if query else path
