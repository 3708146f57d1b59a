"""The object itself: text, references, images and media, without its template and without its comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree

from anansi.feeds.context import Context
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import Match
from anansi.feeds.settings import SETTINGS
from anansi.induce.names import of_comments, of_furniture
from anansi.text.elements import image_address, names_of

MOST_REFERENCES: Final = 10_000
"""References, images or comments of an object."""

_COMMENT: Final = re.compile(r"^(?:li-|div-)?comment-?\d+$", re.I)
_NAMED: Any = etree.XPath("descendant::*[@class or @id]", smart_strings=False)
_NUMBERED: Any = etree.XPath("descendant::*[contains(@id, 'omment')]", smart_strings=False)
_PLAIN_TAGS: Any = etree.XPath("descendant::nav|descendant::footer|descendant::form", smart_strings=False)
_LINKS: Any = etree.XPath("descendant::a[@href]", smart_strings=False)
_IMAGES: Any = etree.XPath("descendant::img", smart_strings=False)
_MEDIA: Any = etree.XPath(
    "descendant::*[self::video or self::audio or self::source or self::iframe or self::embed][@src]"
    "|descendant::object[@data]",
    smart_strings=False,
)


@dataclass(frozen=True, slots=True)
class Article:
    """A data object as it stands on a page."""

    text: str
    """One line a paragraph."""
    references: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    """The texts of its comments, where they stand on the same page."""
    anchors: tuple[str, ...] = ()
    """The names of their places on the page, in the same order; empty where they have none."""


def article_of(lines: Lines, match: Match, context: Context, *, without: Iterable[Any] = ()) -> Article:
    """Take the object out of its wrapper node."""
    start = _start(lines, match, context)
    article = taken(lines, match.node, start=start, without=without)
    return with_comments(article, lines, match.node)


def taken(lines: Lines, node: Any, *, start: int = 0, without: Iterable[Any] = ()) -> Article:
    """Take an object out of a node, from a line on, what is not of it left out; its comments are not looked for."""
    first, end = lines.spans[node]
    left_out = [*furniture(node), *without]
    hidden = {line for each in left_out for line in _range(lines, each)}
    shown = [line for line in range(max(first, start), end) if line not in hidden]
    return Article(
        "\n".join(lines.texts[line] for line in shown),
        _addresses(_LINKS(node), _named("href"), left_out),
        _addresses(_IMAGES(node), image_address, left_out),
        _addresses(_MEDIA(node), _named("src", "data"), left_out),
    )


def furniture(node: Any) -> list[Any]:
    """Return what stands in a node and is of its template or a comment."""
    found = [each for each in _NAMED(node) if is_furniture(each)]
    return [*found, *_PLAIN_TAGS(node)]


def is_furniture(element: Any) -> bool:
    """Tell by its names whether an element is of the template, or about comments."""
    return of_furniture(names_of(element))


def remarks(node: Any) -> list[Any]:
    """Return what stands in a node and is called a comment, or a part for comments."""
    return [each for each in _NAMED(node) if of_comments(names_of(each))]


def with_comments(article: Article, lines: Lines, node: Any) -> Article:
    """Add the comments on the page to what was taken out of a node."""
    found = list(comments(lines, node))
    return replace(article, comments=tuple(text for _, text in found), anchors=tuple(name for name, _ in found))


def comments(lines: Lines, node: Any) -> Iterator[tuple[str, str]]:
    """Go through the comments on the page, name and text, unless the object is one itself."""
    if any(_is_comment(each) for each in (node, *node.iterancestors())):
        return
    found = [each for each in _NUMBERED(lines.root) if _is_comment(each) and each in lines.spans][:MOST_REFERENCES]
    owner = {line: number for number, each in enumerate(found) for line in _range(lines, each)}  # the innermost
    texts: dict[int, list[str]] = {}
    for line, number in sorted(owner.items()):
        texts.setdefault(number, []).append(lines.texts[line])
    for number in sorted(texts):
        yield found[number].get("id"), "\n".join(texts[number])


def _is_comment(element: Any) -> bool:
    return _COMMENT.match(element.get("id") or "") is not None


def _start(lines: Lines, match: Match, context: Context) -> int:
    """Return the line at which the text begins: where the description does, or behind the title."""
    first, end = lines.spans[match.node]
    if match.begins and lines.words(first, match.first).count(" ") <= SETTINGS.before_text * 2:
        return match.first
    title = " ".join(context.title)
    for line in range(first, min(end, first + 3)):
        if title and lines.words(line, line + 1).strip() == title:
            return line + 1
    return first


def _range(lines: Lines, element: Any) -> range:
    """Return the lines of an element; those of one that stands in a line are none of its own."""
    return range(*lines.spans[element]) if element in lines.spans else range(0)


def _named(*names: str) -> Callable[[Any], str]:
    return lambda element: next((value for name in names if (value := (element.get(name) or "").strip())), "")


def _addresses(elements: Iterable[Any], address: Callable[[Any], str], left_out: list[Any]) -> tuple[str, ...]:
    apart = set(left_out)
    found = (address(element) for element in elements if not any(above in apart for above in element.iterancestors()))
    return tuple(dict.fromkeys(each for each in found if each))[:MOST_REFERENCES]
