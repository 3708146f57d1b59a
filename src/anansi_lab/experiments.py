"""The experiments of the ACEBot paper on recorded sites: sample size, patterns, attributes, completion ratio, levels.

Each learns with one parameter changed and crawls the recorded site along what was learned, without HTTP.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Final

from anansi.evaluate.recorded import Recorded, complete, sampled
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, learn, pattern_of
from anansi.learn.selection import without_parts
from anansi.learn.sitemap import SiteMap
from anansi_lab.strategies import Measure, followed

SIZES: Final = (100, 250, 500, 1000, 1500, 2000, 2500, 3000)
RATIOS: Final = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)
LEVELS: Final = (2, 3, 4)
LEVEL_RATIOS: Final = (0.85, 0.9, 0.95)
PATTERNS: Final = 30
"""Patterns up to which Figure 8 goes."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Studied:
    """A site to experiment on."""

    name: str
    measure: Measure

    @property
    def site(self) -> Recorded:
        """The site itself."""
        return self.measure.site


@dataclass(frozen=True, slots=True)
class Size:
    """Figure 6: a sample size, averaged over sites and runs."""

    pages: int
    share: float
    best: int
    """Runs out of all that brought the most items this site ever gave (within a thousandth)."""
    runs: int


@dataclass(frozen=True, slots=True)
class Selected:
    """Figure 8: what the first patterns cost and bring, in all sites together."""

    patterns: int
    requests: int
    share: float


@dataclass(frozen=True, slots=True)
class Setting:
    """Figure 9: attributes, kind of site map and continuity; the shares of all sites."""

    attributes: str
    dynamic: bool
    limited: bool
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Figure 10: a completion ratio, averaged over sites."""

    ratio: float
    share: float
    requests: int


@dataclass(frozen=True, slots=True)
class Depth:
    """Table 2: a number of steps and a completion ratio, over all sites."""

    steps: int
    ratio: float
    requests: int
    items: float
    links: float


@dataclass(frozen=True, slots=True)
class Results:
    """All experiments."""

    sites: tuple[tuple[str, int, int], ...]
    """Name, requests of the blind crawl, distinct items without boilerplate."""
    sizes: tuple[Size, ...]
    selected: tuple[Selected, ...]
    settings: tuple[Setting, ...]
    ratios: tuple[Ratio, ...]
    depths: tuple[Depth, ...]

    def to_json(self) -> dict[str, Any]:
        """Write all as what JSON can hold."""
        return asdict(self)


def run(sites: Sequence[Studied], seed: int, runs: int, tell: Tell = lambda _: None) -> Results:
    """Run all experiments."""
    maps = _Maps(seed)
    told = (
        ("sample sizes (Figure 6)", lambda: sizes(sites, seed, runs)),
        ("patterns selected (Figure 8)", lambda: selected(sites, maps)),
        ("attributes (Figure 9)", lambda: settings(sites, maps)),
        ("completion ratios (Figure 10)", lambda: ratios(sites, maps)),
        ("levels (Table 2)", lambda: depths(sites, maps)),
    )
    found: list[Any] = []
    for what, experiment in told:
        tell(f"{what} …")
        found.append(tuple(experiment()))
    known = tuple((each.name, len(each.measure.order), len(each.measure.own)) for each in sites)
    return Results(known, *found)


class _Maps:
    """Site maps, made once. Mutable: those made so far."""

    def __init__(self, seed: int):
        self._seed = seed
        self._made: dict[tuple[str, Attributes, bool], SiteMap] = {}

    def of(self, each: Studied, attributes: Attributes = Attributes.ID, *, dynamic: bool = True) -> SiteMap:
        key = (each.name, attributes, dynamic)
        if key not in self._made:
            rng = Random(self._seed)
            self._made[key] = sampled(each.site, attributes, rng)[0] if dynamic else complete(each.site, attributes)
        return self._made[key]


def sizes(sites: Sequence[Studied], seed: int, runs: int) -> Iterable[Size]:
    """Learn from samples of several sizes, several times each."""
    shares: dict[int, dict[str, list[float]]] = {}
    for size in SIZES:
        for each in sites:
            for number in range(runs):
                sitemap, _ = sampled(each.site, Attributes.ID, Random(seed + number), most=size)
                share = _share(each, sitemap, Parameters())[1]
                shares.setdefault(size, {}).setdefault(each.name, []).append(share)
    most = {each.name: max(max(found[each.name]) for found in shares.values()) for each in sites}
    for size, found in shares.items():
        every = [share for each in found.values() for share in each]
        best = sum(share >= most[name] - 0.001 for name, each in found.items() for share in each)
        yield Size(size, statistics.fmean(every), best, len(every))


def _share(each: Studied, sitemap: SiteMap, parameters: Parameters) -> tuple[int, float]:
    brought = each.measure.of(followed(each.site, learn(sitemap, parameters).patterns))
    return brought.requests, brought.items


def selected(sites: Sequence[Studied], maps: _Maps) -> Iterable[Selected]:
    """Follow the first pattern alone, then the first two, and so on."""
    courses = []
    for each in sites:
        sitemap = maps.of(each)
        ways = learn(sitemap, replace(Parameters(), ratio=1.0)).chosen[:PATTERNS]
        course = []
        for number in range(1, len(ways) + 1):
            first = [pattern_of(one.way, sitemap) for one in without_parts(list(ways[:number]))]
            brought = each.measure.of(followed(each.site, first))
            course.append((brought.requests, brought.items))
        courses.append(course or [(1, 0.0)])
    for number in range(max(map(len, courses), default=0)):
        points = [course[min(number, len(course) - 1)] for course in courses]
        yield Selected(number + 1, sum(point[0] for point in points), statistics.fmean(point[1] for point in points))


def settings(sites: Sequence[Studied], maps: _Maps) -> Iterable[Setting]:
    """Learn with each combination of attributes, kind of site map and continuity."""
    for dynamic in (False, True):
        for limited in (False, True):
            for attributes in Attributes:
                parameters = Parameters(limited=limited, attributes=attributes)
                shares = [_share(each, maps.of(each, attributes, dynamic=dynamic), parameters)[1] for each in sites]
                yield Setting(attributes.value, dynamic, limited, tuple(shares))


def ratios(sites: Sequence[Studied], maps: _Maps) -> Iterable[Ratio]:
    """Learn up to several completion ratios."""
    for ratio in RATIOS:
        found = [_share(each, maps.of(each), Parameters(ratio=ratio)) for each in sites]
        yield Ratio(ratio, statistics.fmean(share for _, share in found), sum(requests for requests, _ in found))


def depths(sites: Sequence[Studied], maps: _Maps) -> Iterable[Depth]:
    """Learn patterns of several lengths, up to several completion ratios."""
    for steps in LEVELS:
        for ratio in LEVEL_RATIOS:
            parameters = Parameters(steps=steps, ratio=ratio)
            found = [
                each.measure.of(followed(each.site, learn(maps.of(each), parameters).patterns)) for each in sites
            ]
            requests = sum(one.requests for one in found)
            items, links = (statistics.fmean(getattr(one, name) for one in found) for name in ("items", "links"))
            yield Depth(steps, ratio, requests, items, links)
