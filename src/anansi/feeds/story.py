"""A page whose type nobody knows: its article with headline and byline, what readers said, and what else is told.

Where a feed or the page's own head says what the article is, it is found by that. Of all other lines those count that
stand neither in a part whose name is of the template nor in links: comments whatever their markup is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree

from anansi.feeds.article import Article, article_of, remarks
from anansi.feeds.choice import own_context
from anansi.feeds.context import Context
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import container, find
from anansi.feeds.noise import is_noise, said
from anansi.feeds.settings import SETTINGS
from anansi.feeds.wrapper import Wrapper, refined
from anansi.induce.names import of_byline, of_template
from anansi.text.elements import is_furniture, names_of

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

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
    if not known.description:  # found by its title alone it may hold more than the article
        article = replace(article, text=said(article.text))
    start, text = _start(lines, article, match.node)
    if lines.blocks[start].tag in HEADINGS and text:  # the headline stands in what was taken
        article = replace(article, text=text)
        head: int | None = start
        start, _ = _start(lines, article, match.node)
    else:
        head = _head(lines, known, start)
    above = range(head + 1, start) if head is not None else range(0)
    apart = _apart(lines, match.node)
    used = {*range(*lines.spans[match.node]), *above, *((head,) if head is not None else ())}
    return Story(
        article,
        lines.texts[head] if head is not None else "",
        tuple(_byline(lines, match.node, above, apart)),
        () if article.comments else tuple(_told(lines, used - apart, match.node)),
    )


def _apart(lines: Lines, node: Any) -> set[int]:
    """Return the lines that stand in a node and are called comments."""
    return {line for each in remarks(node) if each in lines.spans for line in range(*lines.spans[each])}


def _start(lines: Lines, article: Article, node: Any) -> tuple[int, str]:
    """Return the line at which the text of an article begins, and the text behind it."""
    beginning, _, text = article.text.partition("\n")
    first, end = lines.spans[node]
    return next((line for line in range(first, end) if lines.texts[line] == beginning), first), text


def _head(lines: Lines, context: Context, start: int) -> int | None:
    """Return the line of the headline: what the title says, or the nearest heading above the text."""
    above = range(start - 1, max(-1, start - 1 - SETTINGS.before_headline), -1)
    title = " ".join(context.title)
    for line in above:
        words = lines.words(line, line + 1).strip()
        if words and title and (words == title or (len(words) > len(title) / 3 and f" {words} " in f" {title} ")):
            return line
    return next((line for line in above if lines.blocks[line].tag in ("h1", "h2")), None)


def _byline(lines: Lines, node: Any, above: Iterable[int], apart: set[int]) -> Iterator[str]:
    """Go through what says who wrote a text and when: above it, or in parts that are named so."""
    first, end = lines.spans[node]
    named = (
        line for line in range(first, min(end + SETTINGS.beyond, len(lines.texts))) if _says_who(lines.blocks[line])
    )
    for line in dict.fromkeys((*above, *(each for each in named if each not in apart))):
        if len(lines.texts[line].split()) <= SETTINGS.byline and not _in_furniture(lines.blocks[line]):
            yield lines.texts[line]


def _says_who(block: Any) -> bool:
    around = (block, *(above for above, _ in zip(block.iterancestors(), range(2), strict=False)))
    return any(of_byline(names_of(each)) for each in around)


def _in_furniture(element: Any) -> bool:
    return any(is_furniture(each) or each.tag in ("nav", "form") for each in (element, *element.iterancestors()))


def _told(lines: Lines, used: set[int], article: Any = None) -> Iterator[str]:
    """Go through what is told elsewhere on a page, the lines of one container together."""
    around = {article, *article.iterancestors()} if article is not None else set()
    verdicts: dict[Any, bool] = {}
    groups: dict[Any, list[str]] = {}
    for line, text in enumerate(lines.texts):
        block = lines.blocks[line]
        if (
            line in used
            or len(text.split()) < SETTINGS.told
            or is_noise(text)
            or _is_template(block, around, verdicts)
        ):
            continue
        if block.tag not in _HEADS and not _is_linked(block, text):
            node = container(block)
            if node not in groups:
                groups[node] = [*_above(lines, line, node, used)]
            groups[node].append(text)
    yield from ("\n".join(each) for each in groups.values())


def _above(lines: Lines, line: int, node: Any, used: set[int]) -> Iterator[str]:
    """Go through the short lines above what is told in the same part: who tells it."""
    part = node.getparent()
    for at in range(max(0, line - SETTINGS.above), line) if part is not None and part.tag != "body" else ():
        block, text = lines.blocks[at], lines.texts[at]
        beside = block is part or part in block.iterancestors()
        if at not in used and beside and len(text.split()) <= SETTINGS.who and block.tag not in HEADINGS:
            yield text


def _is_template(element: Any, around: set[Any], verdicts: dict[Any, bool]) -> bool:
    """Tell whether an element stands in a part of the template; what holds the article as well is none."""
    if element is None or element in around:
        return False
    known = verdicts.get(element)
    if known is None:
        own = element.tag in _TAGS or of_template(names_of(element))
        known = verdicts[element] = own or _is_template(element.getparent(), around, verdicts)
    return known


def _is_linked(block: Any, text: str) -> bool:
    linked = sum(len(" ".join("".join(each.itertext()).split())) for each in _ANCHORS(block))
    return linked > SETTINGS.linked * len(text)
