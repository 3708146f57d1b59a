"""One crawl, measured by what the blind crawl brought."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from anansi.errors import UserError
from anansi.evaluate.pages import PageReader, Text
from anansi.evaluate.reference import REPEATED, DistinctPage, Payload, Point, Reference, text_key
from anansi.evaluate.settings import SETTINGS
from anansi.evaluate.source import Crawl
from anansi.evaluate.words import grams
from anansi.url import canonical

POINTS: Final = 200
"""Points of a curve that are kept; more cannot be told apart in a figure."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    found: int
    of: int

    @property
    def share(self) -> float | None:
        """The share, or None where there was nothing to find."""
        return self.found / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Score:
    """What a crawl brought and cost."""

    folder: str
    strategy: str
    state: str
    requests: int
    saving: float | None
    """Requests of the blind crawl by its own."""
    pages: int
    """Distinct texts fetched."""
    grams: Share
    own_grams: Share
    links: Share
    own_links: Share
    content: Share
    beyond: int
    """Distinct 2-grams that the blind crawl does not have."""
    curve: tuple[Point, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What was met so far of the reference. Mutable state, filled page by page."""

    grams: bytearray
    links: bytearray
    count: int = 0
    beyond: set[int] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)
    curve: list[Point] = field(default_factory=list)

    def recall(self, payload: Payload) -> None:
        """Tick off what a page holds that the blind crawl fetched, too, to the byte."""
        for number in payload.links:
            self.links[number] = 1
        if payload.key not in self.texts:
            self.texts.add(payload.key)
            self._tick(payload.page.grams)

    def take(self, text: Text, reference: Reference) -> None:
        """Tick off what a page holds."""
        for link in text.links:
            if (number := reference.links.get(link)) is not None:
                self.links[number] = 1
        key = text_key(text)
        if key not in self.texts:
            self.texts.add(key)
            held = grams(text.words)
            known = {gram for gram in held if gram in reference.grams}
            self.beyond |= held - known
            self._tick(map(reference.grams.__getitem__, known))

    def _tick(self, numbers: Iterable[int]) -> None:
        ticked = self.grams
        for number in numbers:
            if not ticked[number]:
                ticked[number] = 1
                self.count += 1


def score_blind(crawl: Crawl, reference: Reference) -> Score:
    """Measure the blind crawl by itself: everything is found."""
    seen = _Seen(bytearray(b"\1" * len(reference.grams)), bytearray(b"\1" * len(reference.links)))
    seen.texts.update(reference.pages)
    seen.curve = reference.curve
    return _score(crawl, seen, reference, crawl.requests)


def score_other(crawl: Crawl, reader: PageReader, reference: Reference, blind: Crawl) -> Score:
    """Measure a crawl by the blind one, in the order in which it fetched."""
    seen = _Seen(bytearray(len(reference.grams)), bytearray(len(reference.links)))
    digests: set[str] = set()
    for request, capture in enumerate(crawl.captures, 1):
        if not capture.page or (capture.digest and capture.digest in digests):
            continue
        payload = reference.payloads.get(capture.digest)
        text = reader.read(capture) if payload is None else None
        if payload is not None:
            seen.recall(payload)
        elif text is not None:
            seen.take(text, reference)
        else:
            continue
        digests.add(capture.digest)
        seen.curve.append((request, seen.count))
    if not _akin(crawl, blind, seen, reference):
        raise UserError(
            f"{crawl.folder} and {blind.folder} have no page in common; "
            "name collections of the same site, crawled at about the same time"
        )
    return _score(crawl, seen, reference, blind.requests)


def _akin(crawl: Crawl, blind: Crawl, seen: _Seen, reference: Reference) -> bool:
    """Tell whether two crawls have a page in common: its text, counters aside, or its address."""
    told = (page for page in reference.pages.values() if reference.own(page))
    if any(_captured(page, seen.grams, reference) for page in told):
        return True
    addresses = {canonical(capture.url) for capture in blind.captures if capture.page}
    return any(capture.page and canonical(capture.url) in addresses for capture in crawl.captures)


def _score(crawl: Crawl, seen: _Seen, reference: Reference, blind_requests: int) -> Score:
    content = [page for page in reference.pages.values() if page.content and reference.own(page)]
    return Score(
        folder=str(crawl.folder),
        strategy=crawl.strategy,
        state=crawl.state,
        requests=crawl.requests,
        saving=blind_requests / crawl.requests if crawl.requests else None,
        pages=len(seen.texts),
        grams=Share(sum(seen.grams), len(seen.grams)),
        own_grams=_without(seen.grams, reference.gram_flags),
        links=Share(sum(seen.links), len(seen.links)),
        own_links=_without(seen.links, reference.link_flags),
        content=Share(sum(_captured(page, seen.grams, reference) for page in content), len(content)),
        beyond=len(seen.beyond),
        curve=thinned(seen.curve, crawl.requests),
        notes=crawl.notes,
    )


def _without(seen: bytearray, flags: bytearray) -> Share:
    """Count without boilerplate."""
    kept = bytes(found for found, flag in zip(seen, flags, strict=True) if not flag & REPEATED)
    return Share(sum(kept), len(kept))


def _captured(page: DistinctPage, seen: bytearray, reference: Reference) -> bool:
    own = reference.own(page)
    return sum(seen[number] for number in own) >= SETTINGS.captured * len(own)


def thinned(curve: list[Point], requests: int) -> tuple[Point, ...]:
    """Keep points at even distances, the last one always, and draw the line on to the last request."""
    step = max(1, -(-len(curve) // POINTS))
    kept = [*curve[:-1:step], *curve[-1:]]
    if kept and kept[-1][0] < requests:
        kept.append((requests, kept[-1][1]))
    return tuple(kept)
