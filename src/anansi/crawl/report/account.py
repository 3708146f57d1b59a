"""What the pages of a site turned out to be: its application, levels, objects, gaps and doubts.

An account stands beside the site's queue on disk and becomes durable with the commit that settles its pages, so it is
right after a kill. It is bounded, whatever a site sends: so many names, so many examples of each.

Mutable state of `Accounts`: `_known` (sites whose accounts are in memory, the latest last), `_touched` (those that
changed, emptied by `write`), `whole` (the account of the crawl), `seeds`, `_moved` (seed → where it redirects to; no
more than `SEEDS`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from anansi.crawl.settings import SETTINGS
from anansi.frontier.memory import Memory
from anansi.frontier.site import Site
from anansi.model import BESIDE, Ended, Fault, Gap, Hop, Link, Outcome, Reason, Seen, Skip, Visit
from anansi.url import site_of

EXAMPLES: Final = 5
"""Addresses named for each gap and doubt."""
NAMES: Final = 40
"""Types, levels of a type, kinds of objects, doubts; what comes after is counted as `OTHERS`."""
LONGEST: Final = 500
"""Characters of an address or a sentence that are kept."""
SEEDS: Final = 1000
"""Seeds remembered that are gaps."""
SITES: Final = 2000
"""Accounts in memory, about 1 kB each; the others rest on disk."""
OTHERS: Final = "others"

BUSY: Final = frozenset((429, 503, 529))
FORBIDDEN: Final = frozenset((401, 403, 407, 451))
FAILING: Final = 500
"""Statuses from here on are failures of the server."""
UNCHANGED: Final = 304
UNMARKED: Final = frozenset((Gap.HOST.value, Gap.UNANSWERED.value))
"""Gaps that leave nothing with what is known of a URL, for nothing came."""
HOPELESS: Final = frozenset((Fault.URL.value, Fault.ADDRESS.value))
"""Faults of a link, not of what answers."""

_NAME: Final = "account"
_SEEDS: Final = "seeds with gaps"
_MOVED: Final = "seeds that redirect"

LEARNED_SINCE: Final = "rules were learned since, and such pages are read again by them when the crawl ends"


class Count(msgspec.Struct, array_like=True):
    """How often something was met, and where for example."""

    count: int = 0
    examples: list[str] = []
    detail: str = ""
    """What was said of the first."""
    pages: int = 0
    """How many of them are among the pages that were captured: a wall is one, a refusal is none."""

    def add(self, url: str, detail: str = "", *, page: bool = False) -> None:
        """Count one more."""
        self.count += 1
        self.pages += page
        if len(self.examples) < EXAMPLES:
            self.examples.append(url[:LONGEST])
            self.detail = self.detail or detail[:LONGEST]


class Account(msgspec.Struct, array_like=True):
    """What the pages of a site, or of a crawl, turned out to be."""

    types: dict[str, dict[str, int]] = {}
    """Type → level → pages."""
    objects: dict[str, int] = {}
    """Kind → objects, of the first capture of each page."""
    gaps: dict[str, Count] = {}
    doubts: dict[str, Count] = {}
    complete: dict[str, dict[str, int]] = {}
    """What the site states of itself, the newest number counting: address → kind → how many."""

    def note(self, url: str, seen: Seen) -> None:
        """Count what a page turned out to be."""
        if seen.type:
            _add(self.types.setdefault(_room(self.types, seen.type), {}), seen.level or OTHERS, 1)
        for kind, count in seen.objects.items():
            _add(self.objects, kind, count)
        for doubt in seen.doubts:
            self.doubt(url, doubt)

    def state(self, seen: Seen) -> None:
        """Take in what a page states of the whole site."""
        for each in seen.stated:
            if not each.level and each.kind and (each.of in self.complete or len(self.complete) < NAMES):
                self.complete.setdefault(each.of[:LONGEST], {})[each.kind] = each.count

    def gap(self, url: str, kind: str, detail: str, *, page: bool) -> bool:
        """Count a gap; return whether it is the first of its kind."""
        first = kind not in self.gaps
        self.gaps.setdefault(kind, Count()).add(url, detail, page=page)
        return first

    def take_back(self, url: str, kind: str) -> None:
        """Take back a gap: the page was captured this time, or withholds its content by something else."""
        met = self.gaps.get(kind)
        if met is None:
            return
        met.count -= 1
        met.pages = min(met.pages, met.count)
        met.examples = [each for each in met.examples if each != url[:LONGEST]]
        if met.count <= 0:
            del self.gaps[kind]

    def doubt(self, url: str, words: str) -> None:
        """Count a doubt about how a page was read."""
        self.doubts.setdefault(_room(self.doubts, words[:LONGEST]), Count()).add(url)

    @property
    def missed(self) -> int:
        """Count the pages whose content could not be captured."""
        return sum(each.count for each in self.gaps.values())


class Accounts:
    """The accounts of all sites of a crawl, and that of the whole."""

    def __init__(self, memory: Memory):
        self._memory = memory
        self._known: OrderedDict[Site, Account] = OrderedDict()
        self._touched: dict[Site, Account] = {}
        self.whole = _read_noted(memory, _NAME, Account) or Account()
        self.seeds: dict[str, str] = _read_noted(memory, _SEEDS, dict[str, str]) or {}
        """Seed → the gap that it is."""
        self._moved: dict[str, str] = _read_noted(memory, _MOVED, dict[str, str]) or {}

    def of(self, site: Site) -> Account:
        """Return the account of a site, an empty one if nothing is known of it."""
        account = self._known.get(site)
        if account is None:
            kept = self._memory.kept(site, _NAME)
            account = msgspec.msgpack.decode(kept, type=Account) if kept is not None else Account()
            self._known[site] = account
            if len(self._known) > SITES:
                self._rest()
        else:
            self._known.move_to_end(site)
        return account

    def note(self, site: Site, visit: Visit, outcome: Outcome) -> str:
        """Count what a visit brought; return a gap that is the first of its kind at the site, or nothing."""
        if not _tells(visit, outcome):
            return ""
        seed = _is_seed(visit)
        gap, detail = gap_of(outcome, seed=seed)
        seen, before = outcome.seen, _gap_before(visit)
        first = (visit.validators is None or before != "") and not outcome.duplicate
        if not gap and not before and (seen is None or not first):
            if seed and self.seeds:
                self._mend(visit)
            return ""
        account = self._touched[site] = self.of(site)
        if seen is not None:
            account.state(seen)
        for each in (account, self.whole):
            if seen is not None and first:
                each.note(visit.url, seen)
        if seed:
            self._note_seed(visit, gap)
        if gap == before or not _counts(visit):
            return ""
        for each in (account, self.whole) if before else ():
            each.take_back(visit.url, before)
        if not gap:
            return ""
        self.whole.gap(visit.url, gap, detail, page=outcome.page)
        return gap if account.gap(visit.url, gap, detail, page=outcome.page) else ""

    def learned(self, site: Site) -> None:
        """Say with the doubts about a site's pages that rules were learned since, by which they are read again."""
        account = self.of(site)
        if not account.doubts:
            return
        self._touched[site] = account
        for words, doubt in account.doubts.items():
            doubt.detail = LEARNED_SINCE
            if words in self.whole.doubts:
                self.whole.doubts[words].detail = LEARNED_SINCE

    def begin_anew(self, sites: Iterable[Site]) -> None:
        """Forget what stays unanswered, for all of it is asked for again; other gaps are taken back one by one."""
        for site in sites if not UNMARKED.isdisjoint(self.whole.gaps) else ():
            account = self.of(site)
            if not UNMARKED.isdisjoint(account.gaps):
                account.gaps = _without_unmarked(account.gaps)
                self._touched[site] = account
        self.whole.gaps = _without_unmarked(self.whole.gaps)
        self.write()

    def nowhere(self, visit: Visit, status: int, links: Iterable[Link], skips: Iterable[Skip]) -> str:
        """Say why a seed's redirects lead nowhere, if they do: in a circle, on and on, or to no address."""
        if not _is_seed(visit) or not 300 <= status < 400 or status == UNCHANGED:
            return ""
        onward = next((link for link in links if link.hop == Hop.REDIRECT), None)
        if onward is None:
            return next(
                (f"a redirect, and not followed: {each.reason}" for each in skips), "a redirect to no address"
            )
        # with the cookie that came with it, the same address may be answered otherwise
        if not onward.cookie and len(self._moved) < SEEDS:
            self._moved[visit.url] = onward.url
            self._memory.note(_MOVED, [msgspec.json.encode(self._moved).decode()])
        return "redirects in a circle" if self._comes_back(visit.url) else ""

    def _comes_back(self, seed: str) -> bool:
        met, at = {seed}, self._moved.get(seed, "")
        while at and at not in met:
            met.add(at)
            at = self._moved.get(at, "")
        return at != ""

    def take_back_forms(self, sites: Mapping[str, Site]) -> None:
        """Take back that a form is the only way in, of seeds behind which more pages were found than they link to."""
        for url in [url for url, gap in self.seeds.items() if gap == Gap.FORM]:
            site = sites.get(site_of(url))
            if site is not None and site.row.pages > SETTINGS.ways:
                account = self._touched[site] = self.of(site)
                for each in (account, self.whole):
                    each.gaps.pop(Gap.FORM.value, None)
                self._forget(url)
        self.write()

    def write(self) -> None:
        """Put what changed beside the queues, for the commit that settles what it tells of."""
        if not self._touched:
            return
        for site, account in self._touched.items():
            self._memory.keep(site, _NAME, msgspec.msgpack.encode(account))
        self._touched.clear()
        self._memory.note(_NAME, [msgspec.json.encode(self.whole).decode()])

    def _note_seed(self, visit: Visit, gap: str) -> None:
        if not gap:
            self._mend(visit)
        elif len(self.seeds) < SEEDS:
            self.seeds[visit.url] = gap
            self._memory.note(_SEEDS, [msgspec.json.encode(self.seeds).decode()])

    def _mend(self, visit: Visit) -> None:
        """Take back that a seed was a gap: it was captured this time."""
        self._forget(visit.url)

    def _forget(self, seed: str) -> None:
        if self.seeds.pop(seed, None) is not None:
            self._memory.note(_SEEDS, [msgspec.json.encode(self.seeds).decode()])

    def _rest(self) -> None:
        """Let the account that was not asked for longest, and is written, rest on disk."""
        site = next((site for site in self._known if site not in self._touched), None)
        if site is not None:
            del self._known[site]


def marked(visit: Visit, outcome: Outcome) -> Outcome:
    """Leave with what is known of a URL that it is counted as a gap, for its next visit."""
    if outcome.validators is None or not _tells(visit, outcome) or not _counts(visit):
        return outcome
    gap, _ = gap_of(outcome, seed=_is_seed(visit))
    if gap == outcome.validators.gap:
        return outcome
    return msgspec.structs.replace(outcome, validators=msgspec.structs.replace(outcome.validators, gap=gap))


def _tells(visit: Visit, outcome: Outcome) -> bool:
    """Tell whether a visit says anything new of a page: it came to an end, and the page changed if it was known."""
    return (
        visit.role not in BESIDE and outcome.ended not in (Ended.RETRY, Ended.DEFER) and outcome.status != UNCHANGED
    )


def _counts(visit: Visit) -> bool:
    """Tell whether a visit that meets a gap misses something: nothing was captured there before."""
    return visit.validators is None or visit.validators.gap != ""


def _gap_before(visit: Visit) -> str:
    return visit.validators.gap if visit.validators is not None else ""


def _is_seed(visit: Visit) -> bool:
    return not visit.hops.strip(Hop.REDIRECT.value)


def gap_of(outcome: Outcome, *, seed: bool) -> tuple[str, str]:
    """Say which gap a visit met, by its page or by how it ended; nothing for none."""
    seen, status = outcome.seen, outcome.status
    if seen is not None and seen.gap:
        return seen.gap, seen.gap_detail
    if outcome.ended == Ended.DONE and status in BUSY:
        return Gap.RATE.value, f"status {status} to the last attempt"
    if outcome.ended == Ended.DONE and status in FORBIDDEN:
        return Gap.REFUSED.value, f"status {status}"
    if outcome.ended == Ended.DONE and status >= FAILING:
        return Gap.FAILING.value, f"status {status} to the last attempt"
    if outcome.ended == Ended.FAILED and not seed and outcome.fault not in HOPELESS:
        return Gap.UNANSWERED.value, outcome.fault
    if not seed:
        return "", ""
    if outcome.reason == Reason.ROBOTS:
        return Gap.ROBOTS.value, outcome.detail
    if outcome.ended == Ended.FAILED:
        return Gap.HOST.value, outcome.fault
    return (Gap.ERROR.value, f"status {status}") if status >= 400 else ("", "")


def _room(names: dict[str, Any], name: str) -> str:
    """Return the name to count under: its own, or the one for all that there is no room for."""
    return name if name in names or len(names) < NAMES else OTHERS


def _add(counts: dict[str, int], name: str, count: int) -> None:
    name = _room(counts, name)
    counts[name] = counts.get(name, 0) + count


def _without_unmarked(gaps: dict[str, Count]) -> dict[str, Count]:
    return {kind: met for kind, met in gaps.items() if kind not in UNMARKED}


def _read_noted(memory: Memory, name: str, kind: Any) -> Any:
    noted = memory.noted(name)
    return msgspec.json.decode(noted[0], type=kind) if noted else None
