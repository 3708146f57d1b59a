"""A magazine made by hand that goes on publishing: a channel, its feed, articles, and a feed of comments for each."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from email.utils import formatdate
from html import escape

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

RSS = ("Content-Type", "application/rss+xml; charset=UTF-8")
MISSING = Reply(404, (HTML,), b"<html><title>Not found</title></html>")
_WORDS = (
    "harbour winter council lantern orchard railway meadow granite copper velvet thunder saddle kettle marble"
    " ribbon anchor basket candle feather glacier hollow island jasmine ladder mirror needle pepper quarry"
)


@dataclass
class Article:
    """What was published."""

    number: int
    title: str
    paragraphs: list[str]
    published: float
    comments: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Newsroom:
    """A behaviour for `/*`. Mutable: `articles`, `advertisement` and how it answers; a test changes them."""

    shown: int = 10
    """Articles that the feed and the channel show."""
    dates: bool = True
    advertisement: str = "Buy our tea."
    feed_at: str = "/feed.xml"
    comment_feeds: bool = True
    articles: list[Article] = field(default_factory=list)
    extra: str = ""
    """What else stands in the channel of the feed."""

    def publish(self, at: float) -> Article:
        """Write an article."""
        number = len(self.articles) + 1
        chance = random.Random(number)
        title = " ".join(chance.sample(_WORDS.split(), 4)).capitalize()
        made = [" ".join(chance.choices(_WORDS.split(), k=45)).capitalize() + "." for _ in range(4)]
        self.articles.append(Article(number, title, made, at))
        return self.articles[-1]

    @property
    def latest(self) -> list[Article]:
        """The articles that are shown, the newest first."""
        return self.articles[::-1][: self.shown]

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer, or say that nothing changed."""
        reply = self._reply(request.path)
        if reply.status == 200:
            tag = f'"{hashlib.sha1(reply.body).hexdigest()[:12]}"'
            known = request.headers.get("if-none-match") == tag
            reply = Reply(304, (("ETag", tag),)) if known else Reply(200, (*reply.headers, ("ETag", tag)), reply.body)
        await reply(request, connection)

    def _reply(self, path: str) -> Reply:
        if path == "/":
            return self._page("The Daily Thread", "".join(map(_teaser, self.latest)))
        if path == self.feed_at:
            return Reply(200, (RSS,), self._feed().encode())
        name, _, rest = path.removeprefix("/story/").partition("/")
        found = self.articles[int(name) - 1] if name.isdigit() and 0 < int(name) <= len(self.articles) else None
        if found is None:
            return MISSING
        if rest == "comments.xml":
            return Reply(200, (RSS,), _comments_feed(found).encode())
        return self._page(found.title, _story(found))

    def _page(self, title: str, main: str) -> Reply:
        feed = f'<link rel="alternate" type="application/rss+xml" href="{self.feed_at}">'
        text = (
            f"<!DOCTYPE html><html lang='en'><head><title>{escape(title)}</title>{feed}</head><body>"
            "<div class='masthead'><a href='/'>Front page</a> <a href='/about'>About us and our readers</a></div>"
            f"<div class='column'>{main}</div><div class='promo'>{escape(self.advertisement)}</div>"
            "<div class='imprint'>Printed on the web since 1999</div></body></html>"
        )
        return Reply(200, (HTML,), text.encode())

    def _feed(self) -> str:
        items = "".join(self._item(each) for each in self.latest)
        return (
            "<?xml version='1.0'?><rss version='2.0' xmlns:wfw='http://wellformedweb.org/CommentAPI/'><channel>"
            f"<title>The Daily Thread</title><link>/</link><language>en</language>{self.extra}{items}</channel></rss>"
        )

    def _item(self, article: Article) -> str:
        date = f"<pubDate>{formatdate(article.published, usegmt=True)}</pubDate>" if self.dates else ""
        feed = f"<wfw:commentRss>/story/{article.number}/comments.xml</wfw:commentRss>" if self.comment_feeds else ""
        about = " ".join(article.paragraphs[0].split()[:30])
        return (
            f"<item><title>{article.title}</title><link>/story/{article.number}</link><guid>{article.number}</guid>"
            f"<author>reporter{article.number % 3}</author><description>{about} …</description>{date}{feed}</item>"
        )


def _teaser(article: Article) -> str:
    return f"<div class='teaser'><h3><a href='/story/{article.number}'>{article.title}</a></h3></div>"


def _story(article: Article) -> str:
    paragraphs = "".join(f"<p>{each}</p>" for each in article.paragraphs)
    return f"<h1>{article.title}</h1><div class='story-text'>{paragraphs}</div>"


def _comments_feed(article: Article) -> str:
    items = "".join(
        f"<item><title>By: {who}</title><link>/story/{article.number}#comment-{number}</link>"
        f"<guid>c{article.number}-{number}</guid><description>{text}</description></item>"
        for number, (who, text) in enumerate(article.comments, 1)
    )
    return f"<rss version='2.0'><channel><title>Comments on: {article.title}</title>{items}</channel></rss>"
