"""What extraction found and what a feed says of it → objects, as recognised pages have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

from anansi.feeds.article import Article, taken
from anansi.feeds.context import fragment, plain
from anansi.feeds.feed import Feed
from anansi.feeds.lines import lines_of
from anansi.model import Value, WebObject
from anansi.state import Item, Stamp
from anansi.url import resolve

MOST_REFERENCES: Final = 200
"""References, images or media of an object, as in those of recognised pages."""

Said = list[tuple[str, Value]]


def objects_of(
    url: str, article: Article, item: Item | None = None, *, title: str = "", base: str = ""
) -> list[WebObject]:
    """Return the article of a page and its comments, those of the page as far as it shows them.

    What the page says goes before what the feed says: a feed keeps the title that an article had when it was new.
    """
    where = base or url
    said = [("title", Value(each)) for each in (title or (item.title if item else ""),) if each]
    said += _told(item) if item is not None else []
    said += [("text", Value(article.text, "body"))] if article.text else []
    said += _addresses("reference", article.references, where)
    said += _addresses("image", article.images, where)
    said += _addresses("media", article.media, where)
    said += _addresses("media", (each.url for each in item.enclosures), where) if item is not None else []
    whole = WebObject("article", url, tuple(dict.fromkeys(said)))
    return [whole, *_comments(url, article)]


def objects_of_feed(feed: Feed) -> list[WebObject]:
    """Return what a feed alone says of its items that have a link; one that answers another is a comment."""
    found = []
    for item in feed.items:
        if item.link:
            said = [*_title(item), *_told(item), *_text(item)]
            kind = "comment" if item.comments.reply_to else "article"
            found.append(WebObject(kind, item.link, tuple(said), item.comments.reply_to))
    return found


def comment_objects(feed: Feed, article_uri: str) -> list[WebObject]:
    """Return the items of a feed of comments as parts of the article that they are about."""
    found = []
    for item in feed.items:
        said = [*_title(item), *_told(item), *_text(item)]
        uri = item.link if "#" in item.link else f"{article_uri}#{_anchor(item.id)}"
        found.append(WebObject("comment", uri, tuple(said), article_uri))
    return found


def moment(seconds: float) -> str:
    """Write a moment as dates are written everywhere."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _title(item: Item) -> Said:
    return [("title", Value(item.title))] if item.title else []


def _told(item: Item) -> Said:
    """Return what an item says beside title and text."""
    said: Said = [("id", Value(item.id))]
    said += [("author", Value(item.author))] if item.author else []
    said += _date("date", item.dates, item.published)
    said += _date("modified", item.dates, item.updated)
    return [*said, *(("tag", Value(each)) for each in dict.fromkeys(item.categories) if each)]


def _date(name: str, stamps: Iterable[Stamp], at: float | None) -> Said:
    if at is None:
        return []
    wording = next((each.text for each in stamps if each.at == at), "")
    return [(name, Value(moment(at), "date", wording))]


def _text(item: Item) -> Said:
    """Return the text of an item and where it leads."""
    markup = item.content or item.description
    tree = fragment(markup) if "<" in markup else None
    if tree is None:
        text = plain(markup)
        return [("text", Value(text, "body"))] if text else []
    article = taken(lines_of(tree), tree)
    said: Said = [("text", Value(article.text, "body"))] if article.text else []
    said += _addresses("reference", article.references, item.link)
    said += _addresses("image", article.images, item.link)
    return [*said, *_addresses("media", (*article.media, *(each.url for each in item.enclosures)), item.link)]


def _comments(url: str, article: Article) -> Iterator[WebObject]:
    """Go through the comments of a page; those whose place has no name are counted."""
    names: tuple[Any, ...] = article.anchors or ("",) * len(article.comments)
    for number, (name, text) in enumerate(zip(names, article.comments, strict=True), start=1):
        said = [("id", Value(name))] if name else []
        said.append(("text", Value(text, "body")))
        yield WebObject("comment", f"{url}#{_anchor(name or f'comment-{number}')}", tuple(said), url)


def _addresses(name: str, found: Iterable[str], base: str) -> Said:
    links = dict.fromkeys(resolve(each, base or None) for each in found if not each.startswith(("#", "data:")))
    return [(name, Value(link, "link")) for link in links if link is not None][:MOST_REFERENCES]


def _anchor(name: str) -> str:
    return "".join(each if each.isalnum() or each in "-._~" else "-" for each in name)
