"""`anansi extract`: the article of a page, free of its template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urljoin

import typer

from anansi.cli.output import Json, as_json, say
from anansi.cli.target import Address, Target, document_of
from anansi.config import Definition
from anansi.crawl.run import agent_of, check_seeds
from anansi.errors import UserError
from anansi.feeds.article import Article, article_of
from anansi.feeds.choice import context_of_item, item_about, own_context
from anansi.feeds.context import Context, context_of
from anansi.feeds.items import Item, items_of
from anansi.feeds.lines import Lines, lines_of
from anansi.feeds.nodes import find
from anansi.fetch.single import LARGEST, bytes_at
from anansi.pages.document import Document
from anansi.url import canonical

_TITLE = "The title of the article, as a feed gives it."
_ABOUT = "Its description, as a feed gives it: the first words, or a summary."
_FEED = "An address or a file; its item that links to the page says what the article is."

Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help=_TITLE, show_default=False)]
About = Annotated[str | None, typer.Option("--description", metavar="TEXT", help=_ABOUT, show_default=False)]
Feed = Annotated[str | None, typer.Option("--feed", metavar="FEED", help=_FEED, show_default=False)]


def command(
    target: Target,
    title: Title = None,
    description: About = None,
    feed: Feed = None,
    url: Address = None,
    json: Json = False,
) -> None:
    """Take the article out of one page: its text, references, images and media, and the comments apart.

    What the article is about is said by you, by an item of a feed, or, if neither, by the head of the page itself.
    """
    if feed is not None and (title is not None or description is not None):
        raise UserError("`--feed` and `--title`/`--description` both say what the article is; name one of them")
    document = document_of(target, url)
    lines = lines_of(document.tree)
    item = _item(feed, document, lines) if feed is not None else None
    article = _article(lines, _context(lines, item, title, description), document.url)
    if json:
        as_json(_plain(article, document.url, item))
    else:
        _print(article)


def _context(lines: Lines, item: Item | None, title: str | None, description: str | None) -> Context:
    if item is not None:
        return context_of_item(item, lines)
    if title is None and description is None:
        return own_context(lines)
    return context_of(title or "", description or "")


def _article(lines: Lines, context: Context, url: str) -> Article:
    match = find(lines, context)
    if match is None:
        raise UserError(
            f"{url}: nothing on the page is about that article; say more of it with `--title` and `--description`"
        )
    return article_of(lines, match, context)


def _item(feed: str, document: Document, lines: Lines) -> Item:
    items = items_of(_feed_bytes(feed))
    if not items:
        raise UserError(f"{feed} has no items; is it an RSS or Atom feed?")
    found = item_about(items, document.url, lines, key=_key)
    if found is None:
        raise UserError(
            f"none of the {len(items):,} items of {feed} is about {document.url}; say where a saved page stood with "
            "`--url`, or use `--title` and `--description`"
        )
    return found


def _key(url: str) -> str:
    return canonical(url.partition("#")[0])


def _feed_bytes(feed: str) -> bytes:
    path = Path(feed)
    if "://" in feed:
        (where,) = check_seeds([feed])
        return bytes_at(where, agent_of(Definition()))[1]
    try:
        with path.open("rb") as file:
            return file.read(LARGEST)
    except OSError as error:
        raise UserError(f"{feed} cannot be read: {error.strerror}; name a feed's file or address") from None


def _plain(article: Article, url: str, item: Item | None) -> dict[str, Any]:
    return {
        "url": url,
        "title": item.title if item is not None else None,
        "published": item.published or None if item is not None else None,
        "text": article.text,
        "references": [urljoin(url, each) for each in article.references],
        "images": [urljoin(url, each) for each in article.images],
        "media": [urljoin(url, each) for each in article.media],
        "comments": list(article.comments),
        "comments_feed": item.comments or None if item is not None else None,
    }


def _print(article: Article) -> None:
    say(article.text)
    for name, each in (("references", article.references), ("images", article.images), ("media", article.media)):
        if each:
            say("")
            say(f"{name}: {len(each):,}")
            for address in each:
                say(f"  {address}")
    if article.comments:
        say("")
        say(f"comments: {len(article.comments):,} (--json has them)")
