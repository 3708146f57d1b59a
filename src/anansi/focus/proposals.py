"""What a definition might look for, found in a reference crawl: each proposal with its evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from anansi.config import Entity, Topic
from anansi.focus.clusters import topics
from anansi.focus.corpus import Corpus, Support, holding
from anansi.focus.naming import Recognise, capitals, entities
from anansi.focus.phrases import keywords
from anansi.focus.settings import SETTINGS
from anansi.text.folding import fold

Key = Literal["keywords", "entities", "topics", "languages"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something to look for."""

    key: Key
    """Where it goes in the definition."""
    value: str | Entity | Topic
    witness: Support
    given: bool = False
    """Whether the archivist said it, and nobody needs to be asked."""
    edited: bool = False
    """Whether the archivist changed it."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.value if isinstance(self.value, str) else self.value.name


def propose(corpus: Corpus, given: Sequence[str] = (), recognise: Recognise | None = None) -> list[Proposal]:
    """Make proposals: the archivist's own words first, then keywords, entities, topics and languages."""
    found = entities(corpus, recognise)
    known = {fold(each) for entity, _ in found for each in (entity.name, *entity.aliases)}
    known |= capitals(corpus.texts) | set(map(fold, given))
    return [
        *(Proposal("keywords", each, holding(corpus, each), given=True) for each in dict.fromkeys(given)),
        *(Proposal("keywords", term, witness) for term, witness in keywords(corpus, known)),
        *(Proposal("entities", entity, witness) for entity, witness in found),
        *(Proposal("topics", topic, witness) for topic, witness in topics(corpus)),
        *_languages(corpus),
    ]


def _languages(corpus: Corpus) -> Iterator[Proposal]:
    counts = Counter(each.language for each in corpus.texts if len(each.language) == 2)
    for code, count in counts.most_common():
        if count >= SETTINGS.language_spoken * len(corpus.texts):
            first = next(each for each in corpus.texts if each.language == code)
            sentence = next(first.sentences(titles=False), "")
            yield Proposal("languages", code, Support(count, len(corpus.texts), 0, sentence, first.url))
