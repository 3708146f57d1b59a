"""What templates call things: what the names of an element say it is, and what addresses say of whom they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from anansi.knowledge.entry import Type
from anansi.text.elements import NAMES, is_named_so

SIGNED: Final = re.compile(r"author|byline|creator|writer|vcard|'fn'", re.I)
"""Says so plainly that someone is the author, that there may be only one."""

PEOPLE: Final = re.compile(r"author|user|member|poster|byline|creator|writer|vcard|profile|name|nick", re.I)
"""Says that someone is meant."""

PERSON: Final = re.compile(r"user|member|profile|author|account|people|[?&;]u(?:id)?=|/u/|/@", re.I)
"""Stands in addresses of people."""

COMMENT: Final = re.compile(r"comment|repl(?:y|ies)|response|review|answer|pingback", re.I)
QUOTE: Final = re.compile(r"^blockquote|quot", re.I)
SIGNATURE: Final = re.compile(r"signature|[^a-z]sig[^a-z]|edited|lastedit|postedit", re.I)
"""Signatures, and notes of changes."""

QUOTING: Final = frozenset(("blockquote", "aside", "cite"))
"""Elements that hold what others say."""

_COMMENTS: Final = re.compile(
    r"(?:^|[\s_-])(?:comments?(?:-?(?:area|list|wrapper|section|thread|form|s))?|commentlist|respond|disqus_thread)(?:$|\s)",
    re.I,
)
_FURNITURE: Final = re.compile(
    r"(?:^|[\s_-])(?:share|sharing|sharedaddy|share-?buttons?|social(?:-\w+)?|addtoany\w*|addthis\w*|jp-relatedposts"
    r"|related(?:-?(?:posts?|articles?))?|nav-?links|(?:post-)?navigation|pagination|tag(?:s)?-?links|cat-links"
    r"|post-?tags|meta|(?:entry|post)-?(?:meta|footer|tags|utility)|byline|author-?(?:box|bio|info)|newsletter\w*"
    r"|subscribe\w*|breadcrumbs?|screen-reader-text|print-?(?:link|friendly)|edit-link)(?:$|\s)",
    re.I,
)
_TEMPLATE: Final = re.compile(
    r"(?:^|[\s_-])(?:side-?bar\w*|widgets?|menu\w*|nav\w*|header|head|masthead|top-?bar|foot(?:er)?|bottom|copyright"
    r"|imprint|colophon|legal|disclaimer|terms|site-?info"
    r"|banner\w*|ticker|recent\w*|related\w*|popular\w*|trending|latest\w*|most-?\w*|archives?|tag-?cloud|blogroll|cookies?"
    r"|login\w*|search\w*|breadcrumbs?|pag(?:er|ination)|share\w*|social\w*|newsletter\w*|subscribe\w*|toolbar|stats?"
    r"|statistics|counters?|online|whos?-?online|weather|poll\w*|quote-?of-?\w*|teasers?|promo\w*|sponsor\w*|partners?"
    r"|author-?(?:box|bio|info)|profile|signature|next|prev(?:ious)?|modal|popup|notice|debug|generated|respond|clock"
    r"|today|date-?line|see-?also|read-?(?:more|next)|recommend\w*|hot|shout\w*|left-?col\w*|right-?col\w*)(?:$|[\s_-])",
    re.I,
)
_BYLINE: Final = re.compile(
    r"(?:^|[\s_-])(?:by-?line|meta|submitted|posted(?:-on|-by)?|author(?:-name)?|date-?line|pub-?date|published"
    r"|(?:entry|post|article)-?(?:meta|info|date|author|footer))(?:$|\s)",
    re.I,
)
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


@lru_cache(NAMES)
def of_comments(names: str) -> bool:
    """Tell by its names whether an element is a comment, or a part for comments."""
    return _COMMENTS.search(names) is not None


@lru_cache(NAMES)
def of_furniture(names: str) -> bool:
    """Tell by its names whether an element in or around a text is of its template, or about comments."""
    return _FURNITURE.search(names) is not None or of_comments(names) or is_named_so(names)


@lru_cache(NAMES)
def of_template(names: str) -> bool:
    """Tell by its names whether an element is a part of a page that is no content."""
    return _TEMPLATE.search(names) is not None or is_named_so(names)


@lru_cache(NAMES)
def of_byline(names: str) -> bool:
    """Tell by its names whether an element says who wrote something and when."""
    return _BYLINE.search(names) is not None


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
