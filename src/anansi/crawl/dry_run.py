"""A dry run: a few dozen pages through the real pipeline, and what a whole crawl would bring by them.

definition ─► a crawl of a few pages into a folder that is removed ─► lists are put first ─► a few more ─► estimate
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import msgspec

from anansi.archive.completeness import BOARD, SITE, Holder, holders
from anansi.archive.export import objects
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.report.estimate import Estimate, Range, Seen, Way, estimate
from anansi.crawl.run import Result, crawl
from anansi.crawl.site_memory import TRAIL
from anansi.fetch.credentials import NONE, Credentials
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import Queued
from anansi.frontier.site import Site
from anansi.frontier.store import Store
from anansi.knowledge import shelf
from anansi.knowledge.addresses import place
from anansi.knowledge.catalogue import Catalogue, specificity
from anansi.knowledge.entry import Kind, Type
from anansi.model import Corner, Reason, Role, Visit, parted
from anansi.pages.shortcut_asker import HOME
from anansi.pages.shortcuts import SAMPLE, Trail, number_of
from anansi.url import site_of

FIRST: Final = 15
"""Pages before lists are put first: enough to know what a site is."""
PAGES: Final = 40
"""Pages in all."""
PATIENCE: Final = 20.0
"""Seconds in which what is put off must fall due again to be waited for."""
LONG: Final = 3
"""Long threads among them."""
LOOKED: Final = 5
"""Lists of a level among them that a crawl visits last, as long as they tell news: a month, a tag."""
EXAMPLES: Final = 3
"""Addresses named of each kind."""
KINDS: Final = 12
"""Kinds of addresses named that are left out."""

FOREMOST, NEXT = 1.0, 0.95
"""Scores of what is put first in a trial, and behind that."""

_KNOWN: Final = (State.DONE, State.SCHEDULED, State.WAITING)
_THINGS: Final = ("thread", "article", "document", "question", "status")


def dry_run(definition: Definition, given: Credentials = NONE) -> dict[str, Any]:
    """Say what a crawl would bring, after a look at a few dozen pages; no collection is written."""
    with tempfile.TemporaryDirectory(prefix="anansi-dry-run-") as folder:
        collection = Collection(Path(folder) / "collection")
        catalogue = shelf.catalogue(shelf.personal()) if definition.strategy == "auto" else None
        most = min(PAGES, definition.scope.limit or PAGES)
        result = _look(_limited(definition, min(FIRST, most)), collection, given)
        if result.ended == "limit":
            _lists_first(collection, catalogue)
            result = _look(_limited(definition, most), collection, given)
        told = _told(result, _evidence(collection, catalogue, result.summary))
        return told if definition.scope.requisites else {**told, "files_so_far": 0}


def _look(definition: Definition, collection: Collection, given: Credentials) -> Result:
    """Fetch some pages; a host that does not answer is not waited for."""
    return crawl(definition, collection, until=time.time() + PATIENCE, quiet=True, given=given)


def _told(result: Result, evidence: dict[str, _Known]) -> dict[str, Any]:
    """Say what would come of every site that was looked at."""
    summary = result.summary
    return {
        "dry_run": True,
        "ended": result.ended,
        "whole": result.ended == "finished",
        "requests": summary["requests"],
        "seconds": summary["seconds"],
        "seeds": summary["seeds"],
        "failures": {code: count for code, count in summary["statuses"].items() if code == "429" or code >= "500"},
        "files_so_far": summary["skipped"].get(Reason.REQUISITE.value, 0),
        "sites": {name: _site(each, summary, summary["sites"][name]) for name, each in evidence.items()},
    }


def _limited(definition: Definition, pages: int) -> Definition:
    plain = msgspec.to_builtins(definition)
    plain["scope"] |= {"limit": pages, "requisites": False}
    plain["archive"] |= {"store": False}
    return msgspec.convert(plain, Definition)


# ── what was seen ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Known:
    """What is known of a site after a trial. Mutable while it is gathered."""

    types: tuple[Type, ...] = ()
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Level → addresses."""
    wholes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Level → what they are pages of."""
    numbered: Counter[str] = field(default_factory=Counter)
    """List → the number of its last page that is known."""
    unknown: int = 0
    """Addresses queued as content that no table knows."""
    probes: set[Corner] = field(default_factory=set)
    """Kinds of refused addresses of which samples are queued."""
    ahead: set[str] = field(default_factory=set)
    """Lists of which further pages are queued."""
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    things: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Level or kind → addresses of content that were found by what stands there, not by a table."""
    left_out: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    """List → content that was first found on it."""
    told: Counter[str] = field(default_factory=Counter)
    """The same by what the lists are pages of."""
    looked: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Level → lists that were visited, by what they are pages of."""
    beside: int = 0
    """Addresses queued that no table knows and nothing speaks for: a crawl visits them all the same."""
    trail: Trail = field(default_factory=Trail)
    boards: dict[str, Holder] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    site: dict[str, int] = field(default_factory=dict)
    a_page: int = 0


def _open(collection: Collection) -> Store:
    return Store(collection.state / "frontier", UPDATES["last"])


def _types(store: Store, site: Site, catalogue: Catalogue | None) -> tuple[Type, ...]:
    if catalogue is None:
        return ()
    told = store.memory.recalled(site, "types")
    names = msgspec.msgpack.decode(told, type=tuple[str, ...]) if told is not None else ()
    known = (catalogue.types.get(name) for name in names)
    return tuple(each for each in known if each is not None and specificity(each.id) >= 1)


def _leads(types: Iterable[Type], url: str) -> tuple[Type, str, str, str] | None:
    """Return the type, the level, the key and the whole that an address has by the tables of a site."""
    for entry in types:
        known = place(entry.addresses, url)
        if known is not None:
            return (entry, known.leads, known.key, known.whole) if known.leads else None
    return None


def _is_list(entry: Type, name: str) -> bool:
    level = entry.level(name)
    return level is not None and level.kind is Kind.INTERMEDIATE


def _lists_first(collection: Collection, catalogue: Catalogue | None) -> None:
    """Put the first pages of lists before content, for they say how much there is.

    A few of the longest threads come with them: they show how many posts a full page has.
    """
    sizes = {each.uri: each.stated["post"][1] for each in holders(collection) if "post" in each.stated and each.level}
    long = frozenset(sorted(sizes, key=lambda uri: -sizes[uri])[:LONG])
    store = _open(collection)
    try:
        for site in list(store.by_id.values()):
            types = _types(store, site, catalogue)
            if types:
                _advance(store, site, types, long)
        store.commit()
    finally:
        store.close()


def _advance(store: Store, site: Site, types: tuple[Type, ...], long: frozenset[str]) -> None:
    """Put lists and long threads of a site first; of lists that a crawl visits last, some."""
    last: dict[str, list[Visit]] = defaultdict(list)
    for visit in list(store.queued(site)):
        led = _leads(types, visit.url)
        if led is None or led[2] != led[3]:
            continue
        if visit.corner is None and (_is_list(led[0], led[1]) or led[3] in long):
            _put(store, visit, FOREMOST)
        elif _is_list(led[0], led[1]) and visit.role is not Role.PROBE:
            last[led[1]].append(visit)
    for visits in last.values():
        visits.sort(key=lambda visit: visit.url)
        for visit in visits[:: -(-len(visits) // LOOKED)]:
            _put(store, visit, NEXT)


def _put(store: Store, visit: Visit, score: float) -> None:
    queued = store.explain(visit.identity)
    if isinstance(queued, Queued):
        store.advance(msgspec.structs.replace(visit, score=score, corner=None), queued)


def _evidence(collection: Collection, catalogue: Catalogue | None, summary: dict[str, Any]) -> dict[str, _Known]:
    """Gather what a trial left: in the frontier, in the log of objects, among what was skipped."""
    known: dict[str, _Known] = {}
    store = _open(collection)
    try:
        for name in summary["sites"]:
            site = store.sites[name]
            each = known[name] = _Known(types=_types(store, site, catalogue))
            told = store.memory.recalled(site, TRAIL)
            each.trail = msgspec.msgpack.decode(told, type=Trail) if told is not None else Trail()
        _take_log(known, collection)
        for name, each in known.items():
            for visit in store.pending(store.sites[name]):
                _take_visit(each, visit)
        for identity, state in store.urls():
            key, role = parted(identity)
            if state in _KNOWN and role is not Role.SHORTCUT and (found := known.get(site_of(key))) is not None:
                _take_address(found, key)
                if not found.types:
                    found.things["page"].append(key)
    finally:
        store.close()
    for line in collection.skipped.read_text(encoding="utf-8").splitlines() if collection.skipped.exists() else ():
        _take_skip(known, json.loads(line))
    for thing in objects(collection, _THINGS):
        found = known.get(site_of(thing.uri))
        led = _leads(found.types, thing.uri) if found is not None else None
        level = led[1] if led is not None else thing.kind
        if found is not None and found.types and level not in found.keys:  # a key may have another form
            found.things[level].append(thing.uri)
    for holder in holders(collection):
        if (found := known.get(site_of(holder.uri))) is not None:
            _take_holder(found, holder)
    return known


def _take_log(known: dict[str, _Known], collection: Collection) -> None:
    """Take in the pages that were visited, in their order."""
    lines = [line.split() for line in collection.crawl_log.read_text(encoding="utf-8").splitlines()]
    for _, _, _, url, _, via, *_ in lines:
        found = known.get(site_of(url))
        led = _leads(found.types, url) if found is not None else None
        if found is not None and led is not None and _is_list(led[0], led[1]):
            found.looked[led[1]].add(led[3])
        if found is not None:
            _take_way(found, url, via)


def _take_way(known: _Known, url: str, via: str) -> None:
    """Count what was first found on a list."""
    led, source = _leads(known.types, url), _leads(known.types, via)
    if source is not None and _is_list(source[0], source[1]) and source[1] != HOME:
        found = led is None or not _is_list(led[0], led[1])
        known.shown[via] += found
        known.told[source[3]] += found


def _take_visit(known: _Known, visit: Visit) -> None:
    if visit.role is Role.CONTENT:
        _take_way(known, visit.url, visit.via)
    if visit.role is Role.PROBE and visit.corner is not None:
        known.probes.add(visit.corner)
        return
    led = _leads(known.types, visit.url)
    if led is not None and _is_list(led[0], led[1]) and led[2] != led[3]:
        known.ahead.add(led[3])
    elif led is None and visit.role is Role.CONTENT:
        known.unknown += 1
    elif led is None and visit.corner is None:
        known.beside += 1


def _take_address(known: _Known, key: str) -> None:
    led = _leads(known.types, key)
    if led is None:
        return
    entry, level, own, whole = led
    known.keys[level].add(own)
    known.wholes[level].add(whole)
    if len(known.examples[level]) < EXAMPLES:
        known.examples[level].append(key)
    if _is_list(entry, level):
        known.numbered[whole] = max(known.numbered[whole], number_of(own, whole))


def _take_skip(known: dict[str, _Known], line: dict[str, str]) -> None:
    found = known.get(site_of(line["url"]))
    if found is None or line["reason"] not in (Reason.NO_CONTENT, Reason.ROBOTS):
        return
    why = line["detail"] or line["reason"]
    found.counts[why] += 1
    if len(found.left_out[why]) < EXAMPLES:
        found.left_out[why].append(line["url"])


def _take_holder(known: _Known, holder: Holder) -> None:
    numbers = {kind: count for kind, (_, count) in holder.stated.items()}
    if holder.level == SITE:
        known.site.update(numbers)
    elif holder.level == BOARD:
        known.boards[holder.uri] = holder
    else:
        if "post" in numbers:
            known.sizes[holder.uri] = numbers["post"]
        if holder.kept["post"] and holder.pages:
            known.a_page = max(known.a_page, -(-holder.kept["post"] // len(holder.pages)))


# ── what follows from it ─────────────────────────────────────────────────────────────────────────────────────────


def _seen(known: _Known, summary: dict[str, Any]) -> Seen:
    levels = {level.name: level.kind for entry in known.types for level in entry.levels}
    terminal = [name for name, kind in levels.items() if kind is Kind.TERMINAL]
    lists = [name for name, kind in levels.items() if kind is Kind.INTERMEDIATE]
    visited: Counter[str] = Counter()
    for each in summary["types"].values():
        visited.update(each)
    # a board that stands in another one is counted by it, as most software does
    top = {uri: each for uri, each in known.boards.items() if not any(up in known.boards for up in each.parents)}
    stated = [each.stated["thread"][1] for each in top.values() if "thread" in each.stated]
    mute = known.looked[BOARD] - known.boards.keys() if stated else set()  # they say what they hold by showing it
    posts = [each.stated["post"][1] for each in top.values() if "post" in each.stated]
    there = sum(visited[name] for name in terminal)
    content = max(there, sum(len(known.keys[name]) for name in terminal)) + known.unknown
    things = sum(len(known.wholes[name]) for name in terminal) or there
    things += known.unknown
    trail = known.trail
    rows = trail.span or max(known.shown.values(), default=0) or len(trail.front)
    longest = max(known.numbered.values(), default=0)
    visited_lists = sum(visited[name] for name in lists)
    return Seen(
        done=summary["requests"],
        content=content or summary["pages"] + summary["queued"],
        things=things or summary["pages"] + summary["queued"],
        lists=sum(len(known.keys[name]) for name in lists),
        visited_lists=visited_lists,
        other=SAMPLE * len(known.probes) + len(trail.asked) + known.beside + 1,
        stated=next((known.site[kind] for kind in _THINGS if kind in known.site), None),
        stated_parts=sum(posts) if posts else known.site.get("post"),
        boards=(*stated, *(known.told[each] for each in mute)),
        silent=len(known.wholes[BOARD] - known.boards.keys() - mute) if stated else 0,
        sizes=tuple(known.sizes.values()),
        a_page=known.a_page,
        rows=rows,
        last_list=longest,
        ahead=len(known.ahead),
        ways=tuple(_ways(known, lists)),
        late=sum(len(known.wholes[name] - known.looked[name]) for name in lists if _is_late(known.types, name)),
        listed=bool(trail.complete or trail.sitemap),
        learned=not known.types,
    )


def _ways(known: _Known, lists: Iterable[str]) -> Iterator[Way]:
    """Say of each kind of list how many are left, and how much that was not known each of those visited told."""
    for name in lists:
        left = len(known.wholes[name] - known.looked[name])
        if left and known.looked[name] and name != HOME:
            yield Way(left, fmean(known.told[each] for each in known.looked[name]))


def _is_late(types: Iterable[Type], name: str) -> bool:
    levels = (entry.level(name) for entry in types)
    return any(level is not None and level.while_new for level in levels)


def _site(known: _Known, whole: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    seen = _seen(known, summary)
    found = estimate(seen)
    if whole["state"] == "finished":
        found = replace(found, requests=Range(*[seen.done] * 3))
    return {
        "type": known.types[0].id if known.types else None,
        "title": known.types[0].title if known.types else None,
        "holds": _holds(known, found),
        "requests": found.requests._asdict(),
        "pace": whole["seconds"] / max(1, seen.done),
        "answered": summary["requests"] > 0,
        "followed": {
            level: {"found": len(known.keys[level]), "examples": known.examples[level]} for level in known.keys
        }
        | {kind: {"found": len(each), "examples": each[:EXAMPLES]} for kind, each in known.things.items()},
        "left_out": {
            why: {"count": count, "examples": known.left_out[why]} for why, count in known.counts.most_common(KINDS)
        },
        "left_out_so_far": known.counts.total(),
        "left_out_about": round(known.counts.total() * found.requests.best / max(1, seen.done)),
        "gaps": summary["gaps"],
    }


def _holds(known: _Known, found: Estimate) -> dict[str, Any]:
    """Say in the site's own terms what it holds."""
    if not known.types:
        return {}
    forum = bool(known.boards or known.sizes or "thread" in known.wholes)
    held: dict[str, Range | int] = {"thread" if forum else "article": found.things}
    if forum and found.parts is not None:
        held["post"] = found.parts
    if known.wholes.get(BOARD) or known.boards:
        held[BOARD] = len(known.wholes.get(BOARD, set()) | known.boards.keys())
    return {name: each._asdict() if isinstance(each, Range) else each for name, each in held.items()}
