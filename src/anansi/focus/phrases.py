"""Words and phrases that a reference crawl is about: they stand often on some of its pages, and not on all alike.

A term's worth is the sum over pages of its tf·idf, by how unevenly it is spread (what a page is about it repeats,
other words stand everywhere alike), times how much more of the pages that count have it than of all.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from anansi.focus.corpus import Corpus, Support, Text, undated
from anansi.focus.page import DEFAULT_LANGUAGE
from anansi.focus.settings import SETTINGS
from anansi.text.folding import fold
from anansi.text.scripts import RUNS
from anansi.text.terms import terms, words

BY_LENGTH: Final = 0.75
"""How much the length of a page counts against what stands on it (b in BM25)."""

_CLAUSES: Final = re.compile(r"[,;:()\[\]{}\"“”„«»–—|/•·]+|\s-\s")

Gram = tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """What was counted of a word or phrase. Mutable while pages are read."""

    pages: int = 0
    count: int = 0
    squares: float = 0.0
    """The sum over pages of the squares of how often it stands there, by their lengths."""
    weighed: float = 0.0
    """The sum over pages of the logarithms of that, by the weights of the pages."""
    held: float = 0.0
    """The sum of the weights of the pages that have it."""
    forms: Counter[str] = field(default_factory=Counter)
    sentence: str = ""
    url: str = ""


def keywords(corpus: Corpus, known: Collection[str] = ()) -> list[tuple[str, Support]]:
    """Propose keywords, the best first; those that are `known` (folded) otherwise are left out."""
    tallies = _tallies(corpus)
    least = min(2, len(corpus.texts))
    kept = {gram: each for gram, each in tallies.items() if each.pages >= least and _holds_together(gram, tallies)}
    whole = _covered(kept)
    ranked = sorted(
        ((_worth(each, len(gram), corpus), gram, each) for gram, each in kept.items() if gram not in whole),
        key=lambda each: (-each[0], each[1]),
    )
    found: list[tuple[str, Support]] = []
    for _, _, tally in ranked:
        form = tally.forms.most_common(1)[0][0]
        # what a crawl does not read is not worth looking for
        if fold(form) not in known and terms(form, DEFAULT_LANGUAGE):
            found.append((form, Support(tally.pages, len(corpus.texts), tally.count, tally.sentence, tally.url)))
        if len(found) == SETTINGS.most_phrases:
            break
    return found


def _tallies(corpus: Corpus) -> dict[Gram, Tally]:
    tallies: dict[Gram, Tally] = {}
    usual = sum(len(text.terms) for text in corpus.texts) / max(1, len(corpus.texts))
    for text, weight in corpus.pairs():
        counts: Counter[Gram] = Counter()
        for sentence in text.sentences():
            for gram, form in _grams(sentence, text):
                counts[gram] += 1
                tally = tallies.setdefault(gram, Tally())
                tally.forms[form] += 1
                if len(tally.sentence) < SETTINGS.phrase_telling <= len(sentence) or not tally.sentence:
                    tally.sentence, tally.url = sentence, text.url
        length = 1 - BY_LENGTH + BY_LENGTH * len(text.terms) / usual
        for gram, count in counts.items():
            tally = tallies[gram]
            tally.squares += count * count / len(text.terms)
            tally.pages += 1
            tally.count += count
            tally.weighed += weight * math.log1p(count / length)
            tally.held += weight
    return tallies


def _grams(sentence: str, text: Text) -> Iterator[tuple[Gram, str]]:
    """Go through words and sequences of words that neither begin nor end with one that says nothing."""
    for clause in _CLAUSES.split(undated(sentence)):
        said = [(word, _term(word, text.language)) for word in words(clause)]
        for start, (_, first) in enumerate(said):
            if not first:
                continue
            for end in range(start + 1, min(len(said), start + SETTINGS.phrase_longest) + 1):
                part = said[start:end]
                if part[-1][1]:
                    yield tuple(term or word for word, term in part), _written([word for word, _ in part])


def _term(word: str, language: str) -> str:
    if len(word) < SETTINGS.phrase_shortest and not RUNS.match(word):
        return ""
    return "".join(terms(word, language))


def _written(parts: Sequence[str]) -> str:
    """Join words as their script does."""
    text = parts[0]
    for before, word in pairwise(parts):
        text += word if RUNS.match(before) and RUNS.match(word) else f" {word}"
    return text


def _holds_together(gram: Gram, tallies: dict[Gram, Tally]) -> bool:
    """Tell whether a phrase is more than words that stand beside each other by chance."""
    if len(gram) == 1:
        return True
    count = tallies[gram].count
    rarest = min(tallies[term,].count for term in gram if (term,) in tallies)
    return count >= 3 and count >= SETTINGS.phrase_together * rarest and len(set(gram)) == len(gram)


def _covered(kept: dict[Gram, Tally]) -> set[Gram]:
    """Find what is nearly always part of one longer phrase."""
    found: set[Gram] = set()
    for gram, tally in kept.items():
        for size in range(1, len(gram)):
            for start in range(len(gram) - size + 1):
                part = gram[start : start + size]
                if part in kept and tally.count >= SETTINGS.phrase_covered * kept[part].count:
                    found.add(part)
    return found


def _worth(tally: Tally, size: int, corpus: Corpus) -> float:
    of = len(corpus.texts)
    rarity = math.log(1 + of / tally.pages)
    lift = (tally.held / math.fsum(corpus.weights)) / (tally.pages / of)
    square = _dispersion(tally, corpus) ** 2
    return tally.weighed * rarity * lift * square / (square + (SETTINGS.phrase_clumped / size**2) ** 2)


def _dispersion(tally: Tally, corpus: Corpus) -> float:
    """Return how unevenly a word is spread: 1 where chance would put it so, more where some pages are about it."""
    length = sum(len(text.terms) for text in corpus.texts)
    return max(0.0, (tally.squares * length / tally.count - tally.count) / len(corpus.texts))
