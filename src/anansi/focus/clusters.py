"""Pages of a reference crawl that are about the same: the most alike are joined, until no two groups are alike."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from anansi.config import Topic
from anansi.focus.corpus import Corpus, Support, Text
from anansi.focus.settings import SETTINGS
from anansi.focus.topic import Rarity
from anansi.focus.vectors import Vector, dot, norm, total
from anansi.text.terms import terms, words

LONGEST_URL: Final = 2_000
"""Characters of the URL of an example."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pages, by their numbers, and the sum of their vectors."""

    pages: tuple[int, ...]
    vector: Vector
    length: float


def topics(corpus: Corpus) -> list[tuple[Topic, Support]]:
    """Propose topics, the largest first."""
    vectors = _vectors(corpus.texts)
    groups = [each for each in _groups(vectors) if 1 < len(each.pages) <= SETTINGS.topic_whole * len(vectors)]
    groups.sort(key=lambda each: (-sum(corpus.weights[page] for page in each.pages), each.pages))
    found: dict[str, tuple[Topic, Support]] = {}
    for group in groups:
        topic, witness = _topic(group, vectors, corpus.texts)
        if topic.terms and topic.name not in found:
            found[topic.name] = topic, witness
        if len(found) == SETTINGS.most_topics:
            break
    return list(found.values())


def _vectors(texts: Sequence[Text]) -> list[Vector]:
    """Weigh the terms of pages by tf·idf; what only one page has joins nothing."""
    rarity, pages = Rarity(), [Counter(each.terms) for each in texts]
    for counts in pages:
        rarity.add(counts)
    held = Counter(term for counts in pages for term in counts)
    vectors: list[Vector] = []
    for counts in pages:
        vector = rarity.vector({term: count for term, count in counts.items() if held[term] > 1})
        kept = dict(heapq.nlargest(SETTINGS.topic_said, vector.items(), key=lambda each: (each[1], each[0])))
        length = norm(kept)
        vectors.append({term: value / length for term, value in kept.items()} if length else {})
    return vectors


def _groups(vectors: Sequence[Vector]) -> list[Group]:
    """Join the two groups that are most alike, again and again."""
    groups = {number: Group((number,), vector, norm(vector)) for number, vector in enumerate(vectors) if vector}
    heap = [
        (-alike, one, two)
        for one in groups
        for two in groups
        if one < two and (alike := _alike(groups[one], groups[two])) >= SETTINGS.topic_alike
    ]
    heapq.heapify(heap)
    number = len(vectors)
    while heap:
        _, one, two = heapq.heappop(heap)
        if one not in groups or two not in groups:
            continue
        first, second = groups.pop(one), groups.pop(two)
        vector = total((first.vector, second.vector))
        new = Group(tuple(sorted(first.pages + second.pages)), vector, norm(vector))
        for other, group in groups.items():
            if (alike := _alike(group, new)) >= SETTINGS.topic_alike:
                heapq.heappush(heap, (-alike, other, number))
        groups[number] = new
        number += 1
    return list(groups.values())


def _alike(one: Group, two: Group) -> float:
    small, large = (one, two) if len(one.vector) <= len(two.vector) else (two, one)
    return dot(small.vector, large.vector) / (one.length * two.length)


def _topic(group: Group, vectors: Sequence[Vector], texts: Sequence[Text]) -> tuple[Topic, Support]:
    """Name a group by its heaviest terms, as they are written; its examples are the pages nearest to it."""
    shared = Counter(term for page in group.pages for term in vectors[page])
    common = {term: value for term, value in group.vector.items() if shared[term] > 1}
    best = [
        term for term, _ in heapq.nlargest(SETTINGS.topic_terms, common.items(), key=lambda each: (each[1], each[0]))
    ]
    near = sorted(group.pages, key=lambda page: (-dot(vectors[page], group.vector), page))
    written = _written(best, [texts[page] for page in near])
    said = [written[term] for term in best if term in written]
    urls = [texts[page].url for page in near if len(texts[page].url) <= LONGEST_URL][: SETTINGS.topic_examples]
    title = next((each.text for each in texts[near[0]].regions), "")
    topic = Topic(name=" ".join(said[: SETTINGS.topic_named])[:200], terms=list(dict.fromkeys(said)), examples=urls)
    return topic, Support(len(group.pages), len(texts), 0, title, texts[near[0]].url)


def _written(wanted: Sequence[str], texts: Sequence[Text]) -> dict[str, str]:
    """Return how terms are written most often."""
    forms: dict[str, Counter[str]] = {term: Counter() for term in wanted}
    for text in texts[:20]:
        for word in (word for region in text.regions for word in words(region.text)):
            for term in terms(word, text.language):
                if term in forms:
                    forms[term][word] += 1
    return {term: counts.most_common(1)[0][0] for term, counts in forms.items() if counts}
