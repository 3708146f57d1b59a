"""What an item says of its object: its concepts, and its sequences of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from anansi.feeds.lines import flattened, text_of
from anansi.feeds.settings import SETTINGS
from anansi.markup import bounded
from anansi.text.stopwords import is_stop_word
from anansi.text.words import language_of, stem

LONGEST: Final = 100_000
"""Characters of a title or description that are read."""

_MARKUP: Final = re.compile(r"<[a-zA-Z/!]|&#?\w+;")
_MORE: Final = re.compile(r"\s*[\[(]?\s*(?:…|\.\.\.)\s*[\])]?\s*$")


@dataclass(frozen=True, slots=True)
class Context:
    """The semantic context of an item."""

    title: tuple[str, ...]
    """Its words, as they follow each other."""
    description: tuple[str, ...]
    concepts: tuple[str, ...]
    """Stems of title and description, the most frequent first."""
    told: tuple[str, ...]
    """Those of the description alone."""
    language: str = ""
    forms: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Of each concept, the words it stands for."""

    def grams(self, count: int) -> tuple[str, ...]:
        """Return the sequences of so many words of the description, each once, the first first."""
        return _grams(self.description, count)

    def title_grams(self, count: int) -> tuple[str, ...]:
        """Return the sequences of so many words of the title."""
        return _grams(self.title, count)


def context_of(title: str, description: str, *, language: str = "") -> Context:
    """Read the title and the description of an item, whose markup does not count."""
    head = tuple(flattened(plain(title)).split()[: SETTINGS.most_words])
    text = tuple(flattened(_MORE.sub("", plain(description))).split()[: SETTINGS.most_words])
    spoken = language_of((*head, *text), declared=language)
    forms: dict[str, list[str]] = {}
    for word in (*head, *text):
        if not is_stop_word(word, spoken):
            forms.setdefault(stem(word, spoken), []).append(word)
    counts = Counter({concept: len(each) for concept, each in forms.items()})
    concepts = tuple(concept for concept, _ in counts.most_common(SETTINGS.most_concepts))
    own = set(text)
    told = tuple(each for each in concepts if not own.isdisjoint(forms[each]))
    return Context(head, text, concepts, told, spoken, {each: tuple(dict.fromkeys(forms[each])) for each in concepts})


def plain(text: str) -> str:
    """Return a text without its markup."""
    if not _MARKUP.search(text):
        return text[:LONGEST]
    tree = fragment(text)
    return text_of(tree) if tree is not None else ""


def fragment(text: str) -> Any | None:
    """Parse a piece of HTML; None when there is nothing in it."""
    parser = etree.HTMLParser(recover=True, no_network=True, remove_comments=True, remove_pis=True)
    cleaned = bounded(text.replace("\0", "").encode("utf-8", "replace"), "utf-8").data
    try:
        return etree.fromstring(b"<meta charset=utf-8><body><div>" + cleaned, parser).find("body")
    except (etree.XMLSyntaxError, AttributeError):
        return None


def _grams(words: Iterable[str], count: int) -> tuple[str, ...]:
    each = tuple(words)
    return tuple(dict.fromkeys(" ".join(each[at : at + count]) for at in range(len(each) - count + 1)))
