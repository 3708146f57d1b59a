"""Corners of a site: kinds of pages that are visited only as long as they lead to content that was not known.

Two kinds. *Lists* repeat what other pages lead to (a blog's months and tags): one after another is visited while they
tell news. *Probes* are samples of what knowledge of the site speaks against (members, searches, forms): one of each
kind shows whether the knowledge is right here, too, and more follow where a page lists content; so a board that no
list names is found through those who post there.

A corner is open while its worth, the news a visit that can be expected of it, is above a floor:

    worth = (news + promise) ÷ (visits + 1), what was long ago counting less

Where something is missing, more is worth a visit. Lists that broke off (an error in place of page 21) make samples of
other ways worth it, as if the site were larger by what they would have told of. A list goes on without news while the
numbers of its pages say that it holds more than is known. And a kind that leads to content found nowhere else is
open: all that was refused of it is visited, as long as it does.

A site with no more pages of content than kinds of links that are not followed, or next to none beside what is not
followed, was most likely misunderstood: some of each kind are visited, and what itself says something new is content.

Frozen tables of numbers, and a record that the frontier keeps for each site. No clock, no disk.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from anansi.model import Corner, CornerKind

FLOOR: Final = 0.25
"""News a visit, below which a corner is closed: a list that costs more than four requests a new page is not worth it.
Re-run `bench/strategies.py` on several sites when it changes, as for the numbers below."""

LISTING: Final = 1.5
"""Promise of a corner whose pages list content: closed after seven visits without news."""

KNOWN_OTHERWISE: Final = 0.7
"""Promise of lists whose content the site has listed otherwise: closed after two visits without news."""

UNKNOWN: Final = 0.4
"""Promise of a probe: closed after one visit, unless that shows a list or the way to other corners."""

FORKING: Final = 0.75
"""Promise of a probe that led to other corners: closed after three visits."""

HOPEFUL: Final = 1.75
"""Promise of a probe that shows a list: closed after nine visits without news."""

FADE: Final = 0.9
"""What a visit counts after the next one; so ten visits are remembered."""

MOST_NEWS: Final = 3
"""News of one visit that count; a long list does not keep its corner open for ever."""

LIKE_A_LIST: Final = 3
"""Links to content, beyond those of the barest page, that make a page a list."""

SMALL: Final = 150
"""Pages of a site that is too small for samples of all that it refuses."""

MANY: Final = 5
"""Addresses of a kind from which on one of them is looked at, however small the site: much may be behind them."""

PROBE_SHARE: Final = 0.03
"""Probes without news that a site may cost, a page that it has more than that."""

LIST_SHARE: Final = 0.04
"""The same of those whose kind lists content: what is there may be there only."""

DEEPEST: Final = 3
"""Corners in a row that lead to one that lists content and are visited for its sake."""

MOST: Final = 500
"""Corners of a site; of more, nothing is visited."""

SAMPLES: Final = CornerKind.SAMPLES
PROMISES: Final = {SAMPLES: UNKNOWN, CornerKind.LISTED: KNOWN_OTHERWISE}
"""What to expect of a corner that nobody has seen, by its kind; `LISTING` of others."""


FEW: Final = 3
"""Pages of content, beside the first, below which knowledge of a site led to next to nothing, whatever there is."""

NEXT_TO_NOTHING: Final = 0.1
"""The same, an address that is not followed."""

IN_NEED: Final = FLOOR / 2
"""The same of probes, where lists broke off, or where knowledge led to next to nothing: other ways are worth more."""


class Holdings(NamedTuple):
    """What a site is known to have, and to lack."""

    content: int = 0
    """Pages of content that were visited."""
    lost: int = 0
    """Content that lists which broke off would have told of."""
    refused: int = 0
    """Addresses that are left when all else was visited."""


ENOUGH: Final = Holdings(MOST)
"""Of a site that lacks nothing."""


class Tally(msgspec.Struct, array_like=True):
    """What came of a corner. Mutable: everything."""

    visits: float = 0.0
    news: float = 0.0
    promise: float = LISTING
    claimed: int = 0
    """Content that its latest list says it holds, by the numbers of its pages."""
    shown: int = 0
    """Content that its lists showed since the last news."""
    found: bool = False
    """Whether it ever led to something new."""

    @property
    def worth(self) -> float:
        """News that the next visit can be expected to bring."""
        return (self.news + self.promise) / (self.visits + 1)


class Corners(msgspec.Struct, array_like=True):
    """The corners of one site. Mutable: everything, by `note`."""

    tallies: dict[Corner, Tally] = {}
    in_vain: int = 0
    """Probes that brought nothing, of kinds that list nothing."""
    of_lists: int = 0
    """Probes that brought nothing, of kinds that list content or lead to such."""
    barest: int = -1
    """Links to content on the probe that had fewest: what stands on every page; -1 before the first."""
    found_in: dict[Corner, Corner] = {}
    """Corner → the other one that its first address was found in."""
    kinds: set[Corner] = set()
    """Corners that are samples."""
    sampled: int = 0
    """Visits to them."""
    again: set[Corner] = set()
    """Samples whose kinds were looked at again since lists broke off."""
    met: dict[Corner, list[str]] = {}
    """Corner that is a sample, of no lists that repeat others → the first addresses of its kind."""

    def closed(self, corner: Corner, pages: int, known: Holdings = ENOUGH) -> str:
        """Say why a corner is not worth a visit any more, or nothing; `pages` were visited at its site."""
        tally = self.tallies.get(corner)
        if tally is None:
            if len(self.tallies) >= MOST:
                return "too many kinds of addresses"
        elif tally.worth < self._floor(corner, known) and not _goes_on(corner, tally, known):
            return "led to nothing new"
        if corner.kind is SAMPLES and (tally is None or tally.news < 1):
            promising = tally is not None and tally.promise >= FORKING
            spent, share = (self.of_lists, LIST_SHARE) if promising else (self.in_vain, PROBE_SHARE)
            if spent >= max(share * (pages + known.lost - SMALL), self._unseen(known)):
                return "enough samples"
        return ""

    def _has_many(self, corner: Corner) -> bool:
        return len(self.met.get(corner, ())) >= MANY

    def unseen(self) -> dict[Corner, list[str]]:
        """Return the kinds of many addresses of which not one was looked at, each with some of them."""
        return {name: urls for name, urls in self.met.items() if self._has_many(name) and name not in self.tallies}

    def misread(self, known: Holdings) -> bool:
        """Tell whether knowledge of the site is most likely wrong: it led to less than there are kinds it refuses."""
        return self._unseen(known) > 0

    def _unseen(self, known: Holdings) -> int:
        """Count the kinds that may hold what a site is about, where hardly anything else does."""
        return MOST if self._led_to_nothing(known) else len(self.kinds) - _led_to(known)

    def _led_to_nothing(self, known: Holdings) -> bool:
        return bool(self.kinds) and _led_to(known) < max(FEW, NEXT_TO_NOTHING * (known.refused + self.sampled))

    def _floor(self, corner: Corner, known: Holdings) -> float:
        return IN_NEED if corner.kind is SAMPLES and (known.lost or self._led_to_nothing(known)) else FLOOR

    def tells_news(self, corner: Corner) -> bool:
        """Tell whether the latest visits to a corner brought something."""
        tally = self.tallies.get(corner)
        return tally is not None and tally.news >= 1 and corner.kind is not SAMPLES

    def note(self, corner: Corner, *, news: int, listed: int | None, claimed: int = 0) -> None:
        """Take notice of a visit: how much content its page lists (None without a page), and how much is news."""
        probe = corner.kind is SAMPLES
        tally = self.tallies.setdefault(corner, Tally(promise=PROMISES.get(corner.kind, LISTING)))
        tally.claimed, tally.shown = claimed, 0 if news else tally.shown + (listed or 0)
        tally.visits = tally.visits * FADE + 1
        tally.news = tally.news * FADE + min(news, MOST_NEWS)
        if not probe:
            return
        self.sampled += 1
        tally.found = tally.found or bool(news)
        if tally.promise >= FORKING:
            self.of_lists += not news
        else:
            self.in_vain += not news
        if tally.promise < FORKING and corner in self.found_in.values():
            tally.promise = FORKING
        if listed is not None:
            self.barest = listed if self.barest < 0 else min(self.barest, listed)
            if listed >= self.barest + LIKE_A_LIST:
                self._promise(corner)

    def credit(self, corner: Corner) -> None:
        """Take notice that a page says something new to which only a sample has led."""
        tally = self.tallies.get(corner)
        if tally is None:
            return
        if tally.news < 1:  # the visit that found it was none in vain
            self.of_lists -= tally.promise >= FORKING and self.of_lists > 0
            self.in_vain -= tally.promise < FORKING and self.in_vain > 0
        tally.news, tally.found = min(tally.news + 1, MOST_NEWS * (tally.visits + 1)), True
        self._promise(corner)

    def opened(self, pages: int, known: Holdings) -> list[Corner]:
        """Return the kinds that were refused and turned out to lead to content, as long as they do."""
        kinds = (each for each, tally in self.tallies.items() if each.kind is SAMPLES and tally.found)
        return [each for each in kinds if not self.closed(each, pages, known)]

    def in_need(self, pages: int, known: Holdings) -> list[Corner]:
        """Return, once, the kinds that were given up before lists broke off, and are worth another look since."""
        if not known.lost:
            return []
        found = {each for each, tally in self.tallies.items() if tally.found}
        fresh = sorted(self.kinds - self.again - found, key=str)
        kinds = [each for each in fresh if not self.closed(each, pages, known)]
        self.again.update(kinds)
        return kinds

    def count(self, corner: Corner, url: str) -> bool:
        """Take notice of an address of a sample's kind; return whether that is news."""
        met = self.met.setdefault(corner, []) if len(self.met) < MOST else self.met.get(corner, [])
        fresh = len(met) < MANY and url not in met
        if fresh:
            met.append(url)
        return fresh

    def meet(self, corner: Corner, where: Corner) -> None:
        """Take notice that an address of a corner was found on a page of another one."""
        if corner != where and corner not in self.tallies and len(self.found_in) < MOST:
            self.found_in.setdefault(corner, where)

    def _promise(self, corner: Corner) -> None:
        """Expect content of a corner, and of those that lead to it: members lead to what they wrote."""
        for _ in range(DEEPEST):
            self.tallies[corner].promise = HOPEFUL
            leads = self.found_in.get(corner)
            if leads is None or leads not in self.tallies:
                return
            corner = leads


def _goes_on(corner: Corner, tally: Tally, known: Holdings) -> bool:
    """Tell whether a list without news has more, by what it claims.

    One that has shown as much as is known, and nothing else, claims too much.
    """
    return corner.kind is not SAMPLES and tally.claimed > known.content >= tally.shown


def _led_to(known: Holdings) -> int:
    """Count the content that knowledge led to: the first page was given."""
    return max(0, known.content - 1)
