"""The words by which templates name things, as the knowledge base has them: what an element's name says it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from anansi.knowledge.entry import Type

_WORD: Final = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}")
_EMPTY: Final = frozenset(
    ("post", "item", "the", "box", "block", "wrap", "inner", "content", "http", "www", "php", "html")
)
"""Words that say nothing by themselves."""

_ALWAYS: Final[dict[str, frozenset[str]]] = {
    "author": frozenset(
        ("author", "username", "poster", "writer", "byline", "creator", "nickname", "user", "member")
    ),
    "date": frozenset(("date", "time", "published", "datetime", "timestamp", "posted", "created")),
    "modified": frozenset(("modified", "updated", "edited")),
    "title": frozenset(("title", "headline", "subject", "heading", "topic")),
    "text": frozenset(("content", "body", "text", "message", "copy", "entry", "description")),
    "signature": frozenset(("signature", "sig")),
    "quote": frozenset(("quote", "blockquote", "cite")),
    "tag": frozenset(("tag", "tags", "label", "keyword")),
    "link": frozenset(("permalink", "bookmark")),
    "each": frozenset(("comment", "reply", "response", "answer", "message", "entry", "postbit", "post")),
}


@dataclass(frozen=True)
class NameWords:
    """Names by what they are used for: those of all rules, and words by property."""

    names: frozenset[str] = frozenset()
    words: dict[str, frozenset[str]] = field(default_factory=dict)

    def says(self, name: str, names: Iterable[str]) -> bool:
        """Tell whether one of an element's names says that it is a property."""
        wanted = self.words.get(name, frozenset()) | _ALWAYS.get(name, frozenset())
        return any(word in wanted for each in names for word in (each, *words_of(each)))


def words_of(name: str) -> set[str]:
    """Return the words of a name: `post-author`, `postAuthor`, `post_author`."""
    return {word.lower() for word in _WORD.findall(name)}


def name_words(types: Iterable[Type]) -> NameWords:
    """Gather the names that types use in their actions."""
    names: set[str] = set()
    words: dict[str, set[str]] = {}
    for entry in types:
        for action in (action for level in entry.levels for action in level.extraction):
            for prop in action.properties:
                said = set(prop.expression.strings())
                names |= said
                found = words.setdefault(prop.name, set())
                found |= said | ({word for each in said for word in words_of(each)} - _EMPTY)
            for each in action.each:
                names |= set(each.strings())
    return NameWords(frozenset(names), {name: frozenset(each) for name, each in words.items()})
