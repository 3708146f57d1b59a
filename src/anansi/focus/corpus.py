"""The pages of a reference crawl as texts: what stands on many of them is left out, the rest is sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from anansi.focus.page import Region, own, text_of
from anansi.focus.settings import SETTINGS
from anansi.text.folding import fold
from anansi.text.language import identify
from anansi.text.months import MONTHS
from anansi.text.terms import terms, words

_SENTENCES: Final = re.compile(r"(?<=[.!?…])\s+(?=\S)|(?<=[。！？])|\s[|·•»]\s")
_TITLE_PARTS: Final = re.compile(r"\s+[|·•»–—:-]+\s+")
_MONTH: Final = r"(?<![^\W\d_])([^\W\d_]{3,20})(?![^\W\d_])"
_DATED: Final = re.compile(rf"(\d\.?\s+){_MONTH}|{_MONTH}(?=\.?\s+\d)")
_CODE: Final = re.compile(r"(?:^|/)pre\b")
_ADDRESSES: Final = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)


@dataclass(frozen=True)
class Text:
    """A page's own text."""

    url: str
    language: str
    regions: tuple[Region, ...]

    @cached_property
    def terms(self) -> list[str]:
        """Its terms, in its language, without those of dates."""
        return terms(undated(text_of(self.regions)), self.language)

    def sentences(self, *, titles: bool = True) -> Iterator[str]:
        """Go through its sentences; headings are such, and capitals say nothing in them."""
        for region in self.regions:
            if titles or region.kind not in ("title", "heading"):
                yield from _SENTENCES.split(region.text)


@dataclass(frozen=True)
class Corpus:
    """Texts, and how much each of them counts."""

    texts: tuple[Text, ...]
    weights: tuple[float, ...]

    def pairs(self) -> Iterator[tuple[Text, float]]:
        """Go through texts with their weights."""
        return zip(self.texts, self.weights, strict=True)


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence for a proposal."""

    pages: int
    of: int
    count: int = 0
    """How often it stands there; 0 where that is not counted."""
    sentence: str = ""
    url: str = ""


def corpus_of(
    pages: Iterable[tuple[str, Sequence[Region], str]], given: Sequence[str], seeds: Sequence[str]
) -> Corpus:
    """Make a corpus of pages: URL, regions and declared language of each; `given` are words to look for."""
    every = _evenly(list(pages))
    split = [
        [part for each in found if not _CODE.search(each.place) for part in _parts(each)] for _, found, _ in every
    ]
    shown = Counter(text for found in split for text in {each.text for each in found})
    most = max(SETTINGS.corpus_seldom, SETTINGS.corpus_repeated * len(every))
    texts = []
    for (url, _, declared), found in zip(every, split, strict=True):
        mine = _cut(each for each in own(found) if each.text and shown[each.text] <= most)
        text = Text(url, identify(text_of(mine), declared=declared).code, mine)
        if len(text.terms) >= SETTINGS.corpus_least:
            texts.append(text)
    return Corpus(tuple(texts), tuple(_weight(each, given, seeds) for each in texts))


def _cut(found: Iterable[Region]) -> tuple[Region, ...]:
    """Leave out what is too long to be read."""
    kept, left = [], SETTINGS.corpus_longest
    for each in found:
        if left <= 0:
            break
        kept.append(replace(each, text=each.text[:left]))
        left -= len(each.text)
    return tuple(kept)


def _parts(region: Region) -> list[Region]:
    """Leave out addresses, and part a title: what it shares with others is the name of the site."""
    text = _ADDRESSES.sub(" ", region.text).strip()
    parts = _TITLE_PARTS.split(text) if region.kind == "title" else [text]
    return [replace(region, text=each) for each in parts]


def undated(text: str) -> str:
    """Leave out the months of dates, which every page may have; alone they may be meant otherwise (March, Mars)."""
    return _DATED.sub(lambda found: found[1] or "" if fold(found[2] or found[3]) in MONTHS else found[0], text)


def _evenly(pages: list[tuple[str, Sequence[Region], str]]) -> list[tuple[str, Sequence[Region], str]]:
    step = len(pages) / SETTINGS.corpus_pages
    return pages if step <= 1 else [pages[int(number * step)] for number in range(SETTINGS.corpus_pages)]


def _weight(text: Text, given: Sequence[str], seeds: Sequence[str]) -> float:
    if not given or text.url in seeds:
        return 1.0
    held = frozenset(text.terms)
    return 1.0 if any(_has(held, each, text.language) for each in given) else SETTINGS.corpus_without


def _has(held: frozenset[str], phrase: str, language: str) -> bool:
    wanted = terms(phrase, language)
    return bool(wanted) and all(term in held for term in wanted)


def holding(corpus: Corpus, phrase: str) -> Support:
    """Say where words stand that the archivist gave."""
    met = [each for each in corpus.texts if _has(frozenset(each.terms), phrase, each.language)]
    first = fold((words(phrase) or [phrase])[0])[:4]
    said = next(((each, line) for each in met for line in each.sentences() if first in fold(line)), None)
    if said is None:
        return Support(len(met), len(corpus.texts))
    return Support(len(met), len(corpus.texts), 0, said[1], said[0].url)
