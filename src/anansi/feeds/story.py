"""A page whose type nobody knows: its article with headline and byline, what readers said, and what else is told.

Where a feed or the page's own head says what the article is, it is found by that. Of all other lines those count that
stand neither in a part whose name is of the template nor in links: comments whatever their markup is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from anansi.feeds.article import Article, article_of, remarks
from anansi.feeds.choice import own_context
from anansi.feeds.context import Context
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import container, find
from anansi.feeds.noise import is_noise
from anansi.feeds.wrapper import Wrapper, refined
from anansi.knowledge.furniture import is_furniture

BEFORE: Final = 25
"""Lines above a text among which its headline is looked for."""
BYLINE: Final = 40
"""Words of a line that says who wrote a text and when."""
TOLD: Final = 5
"""Words of a line outside of the article that tells something; those of menus and boxes are shorter or links."""
LINKED: Final = 0.5
"""Share of a line's letters in links, above which it leads elsewhere and tells nothing."""

_TEMPLATE: Final = re.compile(
    r"(?:^|[\s_-])(?:side-?bar\w*|widgets?|menu\w*|nav\w*|header|head|masthead|top-?bar|foot(?:er)?|bottom|copyright"
    r"|banner\w*|ticker|recent\w*|related\w*|popular\w*|trending|latest\w*|most-?\w*|archives?|tag-?cloud|blogroll|cookies?"
    r"|login\w*|search\w*|breadcrumbs?|pag(?:er|ination)|share\w*|social\w*|newsletter\w*|subscribe\w*|toolbar|stats?"
    r"|statistics|counters?|online|whos?-?online|weather|poll\w*|quote-?of-?\w*|teasers?|promo\w*|sponsor\w*|partners?"
    r"|author-?(?:box|bio|info)|profile|signature|next|prev(?:ious)?|modal|popup|notice|debug|generated|respond|clock"
    r"|today|date-?line|see-?also|read-?(?:more|next)|recommend\w*|hot|shout\w*|left-?col\w*|right-?col\w*)(?:$|[\s_-])",
    re.I,
)
_TAGS: Final = frozenset(("nav", "footer", "header", "aside", "form", "figcaption"))
_HEADS: Final = frozenset(("h1", "h2", "h3", "b", "strong"))
_ANCHORS: Any = etree.XPath("descendant::a[@href]", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Story:
    """What stands on a page."""

    article: Article
    headline: str = ""
    byline: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    """What is told outside of the article and of comments with names."""


def story_of(lines: Lines, context: Context | None = None, wrappers: Iterable[Wrapper] = ()) -> Story:
    """Read a page, by what is known of its article; without, by what it says of itself."""
    known = context or own_context(lines)
    match = find(lines, known)
    if match is None:
        return Story(Article(""), rest=tuple(_told(lines, set())))
    match, without = refined(lines, match, known, wrappers)
    article = article_of(lines, match, known, without=without)
    first, end = lines.spans[match.node]
    start = _start(lines, article, first, end)
    head = _head(lines, known, start)
    apart = {line for each in remarks(match.node) if each in lines.spans for line in range(*lines.spans[each])}
    used = {*range(first, end), *(range(head, start) if head is not None else ())} - apart
    rest = [] if article.comments else list(_told(lines, used, match.node))
    return Story(
        article,
        lines.texts[head] if head is not None else "",
        tuple(_byline(lines, range(head + 1, start))) if head is not None else (),
        tuple(rest),
    )


def _start(lines: Lines, article: Article, first: int, end: int) -> int:
    """Return the line at which the text of an article begins."""
    beginning = article.text.partition("\n")[0]
    return next((line for line in range(first, end) if lines.texts[line] == beginning), first)


def _head(lines: Lines, context: Context, start: int) -> int | None:
    """Return the line of the headline: what the title says, or the nearest heading above the text."""
    above = range(start - 1, max(-1, start - 1 - BEFORE), -1)
    title = " ".join(context.title)
    for line in above:
        words = lines.words(line, line + 1).strip()
        if words and title and (words == title or (len(words) > len(title) / 3 and f" {words} " in f" {title} ")):
            return line
    return next((line for line in above if lines.blocks[line].tag in ("h1", "h2")), None)


def _byline(lines: Lines, between: Sequence[int]) -> Iterator[str]:
    for line in between:
        if len(lines.texts[line].split()) <= BYLINE and not _in_furniture(lines.blocks[line]):
            yield lines.texts[line]


def _in_furniture(element: Any) -> bool:
    return any(is_furniture(each) or each.tag in ("nav", "form") for each in (element, *element.iterancestors()))


def _told(lines: Lines, used: set[int], article: Any = None) -> Iterator[str]:
    """Go through what is told elsewhere on a page, the lines of one container together."""
    around = {article, *article.iterancestors()} if article is not None else set()
    verdicts: dict[Any, bool] = {}
    groups: dict[Any, list[str]] = {}
    for line, text in enumerate(lines.texts):
        block = lines.blocks[line]
        if line in used or len(text.split()) < TOLD or is_noise(text) or _is_template(block, around, verdicts):
            continue
        if block.tag not in _HEADS and not _is_linked(block, text):
            groups.setdefault(container(block), []).append(text)
    yield from ("\n".join(each) for each in groups.values())


def _is_template(element: Any, around: set[Any], verdicts: dict[Any, bool]) -> bool:
    """Tell whether an element stands in a part of the template; what holds the article as well is none."""
    if element is None or element in around:
        return False
    known = verdicts.get(element)
    if known is None:
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        own = element.tag in _TAGS or is_furniture(element) or _TEMPLATE.search(names) is not None
        known = verdicts[element] = own or _is_template(element.getparent(), around, verdicts)
    return known


def _is_linked(block: Any, text: str) -> bool:
    linked = sum(len(" ".join("".join(each.itertext()).split())) for each in _ANCHORS(block))
    return linked > LINKED * len(text)
