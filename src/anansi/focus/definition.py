"""What the archive is about, made ready for the analysis modules: compiled once, used for every page.

The definition says words; pages are read in their own languages. So the term vectors of a subject are made for each
language that pages turn out to be in, with the stems of that language.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from anansi.config import Address, Entity, Event, Focus, Keyword, Weights
from anansi.focus.addresses import Known, known
from anansi.focus.entities import Names, names_of
from anansi.focus.events import Happening
from anansi.focus.settings import SETTINGS
from anansi.focus.spam import Blacklist, blacklist_of
from anansi.text.stopwords import STOP_WORDS, TELLING
from anansi.text.terms import terms, words

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Said:
    """Some words of the definition, and how much they count."""

    text: str
    weight: float
    topic: str = ""
    """The topic they are of; empty for what the whole archive is about."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the archive is about. Mutable: vectors that were made, which are the same every time."""

    said: tuple[Said, ...]
    learned: Mapping[str, tuple[str, ...]]
    """Of each topic, the texts of its examples."""
    topics: Mapping[str, float]
    names: Names
    entities: Mapping[int, tuple[str, float]]
    """Number of a name → the entity it is of and its weight, from 0 to 1."""
    kinds: Mapping[int, str]
    refused: Mapping[int, tuple[str, float]]
    """Number of a name → words of what the archive is not about."""
    happenings: tuple[Happening, ...]
    languages: frozenset[str]
    addresses: tuple[Known, ...]
    blacklist: Blacklist
    weights: Weights
    decay: float
    reach: int
    _vectors: dict[tuple[str, str], Vector] = field(default_factory=dict, compare=False, repr=False)

    def vector(self, language: str = "", topic: str = "") -> Vector:
        """Return the terms of the whole subject, or of a topic, in a language: term → weight, of length 1."""
        key = (language, topic)
        if key not in self._vectors:
            self._vectors[key] = _scaled(_vector(self, language, topic))
        return self._vectors[key]


def subject_of(focus: Focus, *, examples: Mapping[str, str] | None = None) -> Subject:
    """Compile a definition; `examples` has the texts that its topics name, by file or URL (`config.texts_of`)."""
    texts = examples or {}
    numbers = _Numbers()
    entities = {numbers.add(each.name, *each.aliases): each for each in (*focus.entities, *_numbered(focus))}
    refused = {numbers.add(each): (each, 1.0) for each in focus.exclude}
    happenings = tuple(_happening(each, numbers.add) for each in focus.events)
    most = max((each.weight for each in entities.values()), default=0.0) or 1.0
    return Subject(
        said=tuple(_said(focus)),
        learned={each.name: tuple(texts[one] for one in each.examples if one in texts) for each in focus.topics},
        topics={each.name: each.weight for each in focus.topics},
        names=names_of(numbers.spellings),
        entities={number: (each.name, each.weight / most) for number, each in entities.items()},
        kinds={number: each.kind for number, each in entities.items()},
        refused=refused,
        happenings=happenings,
        languages=frozenset(focus.languages),
        addresses=known(_patterns(focus)),
        blacklist=blacklist_of(focus.blacklist),
        weights=focus.weights,
        decay=focus.decay,
        reach=focus.reach,
    )


def _numbered(focus: Focus) -> Iterator[Entity]:
    """Make entities of keywords with numbers."""
    for keyword, weight in map(_weighted, focus.keywords):
        if _has_digits(keyword):
            yield Entity(name=keyword, weight=weight)


class _Numbers:
    """Gives out numbers for names. Mutable: the spellings so far."""

    def __init__(self) -> None:
        self.spellings: list[tuple[str, ...]] = []

    def add(self, *spellings: str) -> int:
        self.spellings.append(spellings)
        return len(self.spellings) - 1


def _happening(event: Event, add: Callable[..., int]) -> Happening:
    return Happening(
        name=event.name,
        named=add(event.name, *event.aliases),
        places=frozenset(add(each) for each in event.places),
        actors=frozenset(add(each) for each in event.actors),
        begins=event.begins,
        ends=event.ends,
        weight=min(1.0, event.weight),
    )


def _patterns(focus: Focus) -> Iterator[tuple[str, float]]:
    for each in focus.addresses:
        yield (each.pattern, each.score) if isinstance(each, Address) else (each, 1.0)


def _said(focus: Focus) -> Iterator[Said]:
    """Go through all words of a definition that pages may be compared with."""
    for keyword in focus.keywords:
        yield Said(*_weighted(keyword))
    for topic in focus.topics:
        for term in topic.terms:
            text, weight = _weighted(term)
            yield Said(text, weight * topic.weight, topic.name)
    for entity in focus.entities:
        yield Said(entity.name, SETTINGS.words_of_names * entity.weight)
    for event in focus.events:
        for text in (event.name, *event.places, *event.actors):
            yield Said(text, SETTINGS.words_of_names * event.weight)


def _weighted(keyword: str | Keyword) -> tuple[str, float]:
    return (keyword, 1.0) if isinstance(keyword, str) else (keyword.term, keyword.weight)


def _vector(subject: Subject, language: str, topic: str) -> dict[str, float]:
    """Add up weights; the words of a phrase share its weight, so that long names do not outweigh short ones."""
    vector: dict[str, float] = {}
    for said in subject.said:
        if topic and said.topic != topic:
            continue
        found = terms(said.text, language)
        for term in found:
            vector[term] = vector.get(term, 0.0) + said.weight / math.sqrt(len(found))
    for name, texts in subject.learned.items():
        if not topic or name == topic:
            for term, weight in _frequent(texts, language):
                vector[term] = vector.get(term, 0.0) + weight * subject.topics[name]
    return vector


def _frequent(texts: Iterable[str], language: str) -> Iterator[tuple[str, float]]:
    """Go through the most frequent terms of examples, each text counting the same."""
    counts: Counter[str] = Counter()
    for text in texts:
        found = Counter(terms(text, language))
        most = max(found.values(), default=1)
        counts.update({term: count / most for term, count in found.items()})
    highest = max(counts.values(), default=1)
    for term, count in counts.most_common(SETTINGS.learned_terms):
        yield term, SETTINGS.learned_weight * count / highest


def _scaled(vector: Mapping[str, float]) -> Vector:
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {term: value / length for term, value in vector.items() if value} if length else {}


# ── what may be meant, and may be not ─────────────────────────────────────────────────────────────────────────────


def doubts(focus: Focus) -> list[str]:
    """Return what few people mean: words that are looked for and that every page has."""
    silent = frozenset().union(*(STOP_WORDS.get(code, frozenset()) for code in focus.languages or TELLING))
    keywords = [
        f"`focus.keywords`: {keyword!r} stands on every page and says nothing; take another word"
        for keyword, _ in map(_weighted, focus.keywords)
        if not _has_digits(keyword) and all(word in silent for word in words(keyword))
    ]
    names = [
        f"`focus.entities`: {name!r} is also a common word; in capitals it counts as written only"
        for entity in focus.entities
        for name in (entity.name, *entity.aliases)
        if name.lower() in silent and not name.isupper()
    ]
    return keywords + names


def _has_digits(keyword: str) -> bool:
    """Tell whether a keyword has numbers, which no term has: `G20` is looked for as a name."""
    return any(map(str.isdigit, keyword))
