"""Every crawl of a site, measured by the blind one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from anansi.errors import UserError
from anansi.evaluate.content import choose
from anansi.evaluate.pages import PageReader
from anansi.evaluate.reference import read_blind
from anansi.evaluate.score import Score, Share, score_blind, score_other
from anansi.evaluate.source import Crawl, open_crawl
from anansi.url import site_of

Tell = Callable[[str], None]
"""Where to say what is being read; reading a large collection takes minutes."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One site: its blind crawl and the others."""

    name: str
    type: str
    """The application that most recognised pages were made by."""
    content_by: str
    blind: Score
    others: tuple[Score, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """All crawls, the blind one first."""
        return self.blind, *self.others


def pair_up(blind: Sequence[Path], against: Sequence[Path]) -> list[tuple[Path, tuple[Path, ...]]]:
    """Give each blind crawl its share of the others, in the order named: the same number to each."""
    if not blind or not against:
        raise UserError("name a collection crawled blindly with --blind and at least one other with --against")
    each, rest = divmod(len(against), len(blind))
    if rest or not each:
        raise UserError(
            f"{len(against)} collections cannot be shared out evenly among {len(blind)} blind ones; "
            "give each --blind the same number of --against"
        )
    return [(one, tuple(against[number * each : (number + 1) * each])) for number, one in enumerate(blind)]


def compare(blind: Path, against: Sequence[Path], tell: Tell = lambda _: None) -> Compared:
    """Read the crawls of a site and measure all by the blind one."""
    crawls = []
    for folder in (blind, *against):
        tell(f"opening {folder} …")
        crawls.append(open_crawl(folder))
    first, *others = crawls
    basis, judge = choose(first.captures, (capture for crawl in others for capture in crawl.captures))
    reader = PageReader()
    tell(f"reading {blind} …")
    reference = read_blind(first, reader, judge)
    scores = []
    for crawl in others:
        tell(f"reading {crawl.folder} …")
        scores.append(score_other(crawl, reader, reference, first))
    return Compared(_name(first), _type(crawls), basis.value, score_blind(first, reference), tuple(scores))


def _name(crawl: Crawl) -> str:
    """Name a site by its registered domain; one that has an address only, by its folder."""
    sites = Counter(site_of(capture.url) for capture in crawl.captures if capture.page)
    name = sites.most_common(1)[0][0]
    return crawl.folder.resolve().name if name.startswith("[") or name.rpartition(".")[2].isdigit() else name


def _type(crawls: Iterable[Crawl]) -> str:
    types = Counter(capture.type for crawl in crawls for capture in crawl.captures if capture.type)
    return types.most_common(1)[0][0] if types else ""


def to_json(sites: Iterable[Compared]) -> dict[str, Any]:
    """Write everything as what JSON can hold."""
    return {"sites": [_site(site) for site in sites]}


def _site(site: Compared) -> dict[str, Any]:
    kept = {"name": site.name, "type": site.type, "content_by": site.content_by}
    return {**kept, "blind": _plain(site.blind), "against": [_plain(score) for score in site.others]}


def _plain(score: Score) -> dict[str, Any]:
    plain = asdict(score)
    for name in ("grams", "own_grams", "links", "own_links", "content"):
        share: Share = getattr(score, name)
        plain[name]["share"] = share.share
    return plain
