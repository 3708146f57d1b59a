"""A scripted blog: posts over simulated weeks, pages in several templates, and captures of them at some times.

It knows what its front page showed at any moment, so what is rebuilt can be held against the truth.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from pathlib import Path

from anansi.archive.exchange import Notes
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from tests.archive.exchanges import answer

HOST = "http://blog.example"
START = 1_600_000_000.0
DAY = 86_400.0
WEEKS = 8
_WORDS = """harbour heron ledger timber lantern orchard saddle velvet walnut quarry meadow copper anchor barley candle
    drum ember falcon garnet hazel island juniper kettle linen marble nettle otter pebble quill river sparrow thistle
    umber violet willow yarrow zephyr bridge cellar dapple engine""".split()  # noqa: SIM905 - a word list
_AUTHORS = ("Ada Lowell", "Ben Okri", "Cleo Marsh")
_TAGS = ("boats", "birds", "books", "tools")


@dataclass(frozen=True, slots=True)
class Post:
    """A post of the blog."""

    number: int
    at: float
    title: str
    slug: str
    author: str
    tag: str
    text: str

    @property
    def when(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def summary(self) -> str:
        return " ".join(self.text.split()[:18])


Page = Callable[["Blog", Sequence[Post], float], str]


@dataclass(frozen=True, slots=True)
class Blog:
    """A blog, and how it shows itself."""

    name: str
    posts: tuple[Post, ...]
    page: Page
    entry: str
    """XPath of the entries of its list."""
    link: str = ".//a[1]"
    """XPath of the link to the post, from an entry."""
    date: str = "string(.//time)"
    """XPath of the date, from an entry."""
    window: int = 8
    form: str = "%Y-%m-%d"
    feed: str = "rss"
    """`rss`, `undated` or nothing."""
    feed_items: int = 10
    sticky: int | None = None
    """The post that stays on top."""
    address: str = "/{number}/{slug}"
    gone: tuple[int, float] | None = None
    """A post that is taken away, and when."""

    def url(self, post: Post) -> str:
        return HOST + self.address.format(number=post.number, slug=post.slug)

    def listed(self, at: float) -> list[Post]:
        """Say what the front page shows at a moment."""
        out = [post for post in self.posts if post.at <= at and not self._is_gone(post, at)]
        newest = sorted(out, key=lambda post: -post.at)
        if self.sticky is None:
            return newest[: self.window]
        top = [post for post in newest if post.number == self.sticky]
        return top + [post for post in newest if post.number != self.sticky][: self.window]

    def _is_gone(self, post: Post, at: float) -> bool:
        return self.gone is not None and post.number == self.gone[0] and at >= self.gone[1]

    def front(self, at: float) -> str:
        return self.page(self, self.listed(at), at)

    def rss(self, at: float) -> str:
        newest = sorted(
            (post for post in self.posts if post.at <= at and not self._is_gone(post, at)), key=lambda post: -post.at
        )
        items = "".join(self._item(post) for post in newest[: self.feed_items])
        return (
            '<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
            f"<title>{self.name}</title><link>{HOST}/</link>{items}</channel></rss>"
        )

    def _item(self, post: Post) -> str:
        date = f"<pubDate>{format_datetime(post.when)}</pubDate>" if self.feed == "rss" else ""
        return (
            f"<item><title>{escape(post.title)}</title><link>{self.url(post)}</link>{date}"
            f"<dc:creator>{post.author}</dc:creator><category>{post.tag}</category>"
            f"<description>{escape(post.summary)} [...]</description></item>"
        )


def posts(seed: int, *, rate: float = 0.9) -> tuple[Post, ...]:
    """Write posts, some of them in bursts of a day."""
    rng = random.Random(seed)
    found, at, number = [], START - 20 * DAY, 1
    while at < START + WEEKS * 7 * DAY:
        title = " ".join(rng.sample(_WORDS, 4)).capitalize()
        text = " ".join(rng.choices(_WORDS, k=60))
        slug = title.lower().replace(" ", "-")
        found.append(Post(number, at, title, slug, rng.choice(_AUTHORS), rng.choice(_TAGS), text))
        number += 1
        at += 3 * 3600 if rng.random() < 0.25 else rng.expovariate(rate) * DAY + 1800
    return tuple(found)


# ── templates ────────────────────────────────────────────────────────────────────────────────────────────────────


def _around(blog: Blog, body: str, at: float, side: str = "") -> str:
    named = f'<link rel="alternate" type="application/rss+xml" href="{HOST}/feed">' if blog.feed else ""
    recent = "".join(f'<li><a href="{blog.url(post)}">{escape(post.title)}</a></li>' for post in blog.listed(at)[:5])
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{blog.name}</title>{named}<script>var x=1;</script>'
        f'</head><body><div id="top"><h1><a href="/">{blog.name}</a></h1><ul class="menu"><li><a href="/about">About'
        f'</a></li><li><a href="/contact">Contact</a></li></ul></div>{body}<div class="sidebar"><h3>Recent posts</h3>'
        f'<ul>{recent}</ul>{side}</div><div id="end">All rights reserved</div></body></html>'
    )


def wordpress(blog: Blog, shown: Sequence[Post], at: float) -> str:
    parts = []
    for post in shown:
        top = " sticky" if post.number == blog.sticky else ""
        url = blog.url(post)
        parts.append(
            f'<article id="post-{post.number}" class="post-{post.number} post hentry category-{post.tag}{top}">'
            f'<header><h2 class="entry-title"><a href="{url}" rel="bookmark">{escape(post.title)}</a></h2>'
            f'<div class="entry-meta">Posted on <a href="{url}"><time datetime="{post.when:%Y-%m-%dT%H:%M:%S+00:00}">'
            f'{post.when.strftime(blog.form)}</time></a> by <span class="author"><a href="/author/{post.author[:3]}">'
            f'{post.author}</a></span></div></header><div class="entry-content"><p>{post.summary} [...]</p>'
            f'<p><a class="more-link" href="{url}">Continue reading</a></p></div><footer>Posted in '
            f'<a href="/category/{post.tag}">{post.tag}</a></footer></article>\n'
        )
    older = '<nav class="navigation"><a href="/page/2" rel="next">Older posts</a></nav>'
    return _around(
        blog, f'<div id="primary"><main id="main" class="site-main">\n{"".join(parts)}{older}</main></div>', at
    )


def handmade(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """Tables and paragraphs, relative links, the date in the line of the title."""
    parts = [
        f'<p><b><a href="{blog.url(post).removeprefix(HOST + "/")}">{escape(post.title)}</a></b>'
        f" <i>{post.when.strftime(blog.form)}</i><br>\n{post.summary} [...]</p>\n"
        for post in shown
    ]
    rows = f'<td valign="top" width="80%"><h2>News</h2>\n{"".join(parts)}<hr><p>Write to me.</p></td>'
    return _around(blog, f'<table><tr>{rows}<td><a href="links.html">Links</a></td></tr></table>', at)


def blogger(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """Posts in groups of a day, whose heading says the date."""
    parts, last = [], ""
    for post in shown:
        day = post.when.strftime(blog.form)
        if day != last:
            end = "</div></div>\n" if last else ""
            parts.append(
                f'{end}<div class="date-outer"><h2 class="date-header"><span>{day}</span></h2>'
                '<div class="date-posts">'
            )
        last = day
        parts.append(
            f'<div class="post-outer"><div class="post hentry"><a name="{post.number}"></a><h3 class="post-title">'
            f'<a href="{blog.url(post)}">{escape(post.title)}</a></h3><div class="post-body">{post.text}</div>'
            f'<div class="post-footer">Posted by <span class="fn">{post.author}</span> at <a href="{blog.url(post)}">'
            f"{post.when:%H:%M}</a></div></div></div>"
        )
    return _around(blog, f'<div id="Blog1" class="blog-posts hfeed">{"".join(parts)}</div></div></div>', at)


def redesigned(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """Another template from the middle of the time on."""
    return (wordpress if at < START + WEEKS * 3.5 * DAY else daily)(blog, shown, at)


def headlines(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """A definition list: a title, then what it is about."""
    parts = [
        f'<dt><a href="{blog.url(post)}">{escape(post.title)}</a></dt><dd><em>{post.when.strftime(blog.form)}</em> '
        f"{post.summary}</dd>\n"
        for post in shown
    ]
    return _around(blog, f'<div class="content"><h2>Latest</h2><dl>\n{"".join(parts)}</dl></div>', at)


def daily(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """Posts below the heading of their day, all in one block, and an advertisement in the middle."""
    parts, last = [], ""
    for number, post in enumerate(shown):
        day = post.when.strftime(blog.form)
        parts += [f'<h3 class="day">{day}</h3>\n'] if day != last else []
        last = day
        parts.append(
            f'<div class="item"><h4><a href="{blog.url(post)}">{escape(post.title)}</a></h4><div>{post.summary}</div>'
            f'<span class="by">{post.author}</span></div>\n'
        )
        parts += ['<div class="ad">Buy a kite</div>'] if number == 3 else []
    return _around(blog, f'<section class="stream">\n{"".join(parts)}</section>', at)


def magazine(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """A lead of its own, then cards in rows of three; the link is around all of a card."""

    def card(post: Post, name: str) -> str:
        return (
            f'<article class="{name}"><a href="{blog.url(post).removeprefix(HOST)}"><img src="/i/{post.number}.jpg" '
            f'alt=""><h3>{escape(post.title)}</h3><p>{post.summary}</p></a><p class="meta">{post.author}'
            f" · <time>{post.when.strftime(blog.form)}</time></p></article>"
        )

    cells = [f'<div class="cell">{card(post, "card")}</div>' for post in shown[1:]]
    grid = "".join(f'<div class="row">{"".join(cells[at : at + 3])}</div>\n' for at in range(0, len(cells), 3))
    lead = f'<section class="lead">{card(shown[0], "card big")}</section>' if shown else ""
    return _around(blog, f'<main><div class="wrap">{lead}<div class="grid">\n{grid}</div></div></main>', at)


def ranked(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """A table of three rows an entry, numbered, that says how old each is."""
    rows = "".join(
        f'<tr class="thing"><td>{number}.</td><td><a href="{blog.url(post)}">{escape(post.title)}</a></td></tr>'
        f'<tr><td></td><td class="sub">{post.author} | {int((at - post.at) // DAY) or 1} days ago | '
        f'<a href="{blog.url(post)}#c">discuss</a></td></tr><tr class="spacer"></tr>\n'
        for number, post in enumerate(shown, 1)
    )
    return _around(blog, f'<table class="all"><tbody>{rows}</tbody></table>', at)


_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()  # noqa: SIM905


def portal(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """A few long entries, then the titles of older ones in a list of their own, with French dates."""
    long = "".join(
        f'<div class="news"><a class="pic" href="{blog.url(post)}"><img src="/t/{post.number}.png"></a>'
        f'<a class="title" href="{blog.url(post)}">{escape(post.title)}</a><div class="text">{post.summary}...</div>'
        f'<span class="info">le {post.when.day} {_MONTHS[post.when.month - 1]} {post.when.year}</span></div>\n'
        for post in shown[:4]
    )
    short = "".join(
        f'<li class="title"><a href="{blog.url(post)}">{escape(post.title)}</a></li>\n' for post in shown[4:]
    )
    body = (
        f'<div class="col">{long}<div class="pub">Publicité</div><h4>Et aussi</h4><ul class="more">{short}</ul></div>'
    )
    return _around(blog, body, at)


def notes(blog: Blog, shown: Sequence[Post], at: float) -> str:
    """Notes without titles; what leads to one is its date."""
    parts = "".join(
        f'<li class="note" data-id="{post.number}"><p>{post.summary}</p><footer><a href="{blog.url(post)}">'
        f"<time>{post.when.strftime(blog.form)}</time></a> · <i>{post.author}</i></footer></li>\n"
        for post in shown
    )
    return _around(blog, f'<ol class="notes" reversed>\n{parts}</ol>', at)


# ── captures ─────────────────────────────────────────────────────────────────────────────────────────────────────


def times(seed: int, every: float) -> list[float]:
    """Choose times of captures, about so many days apart."""
    rng = random.Random(seed)
    found, at = [], START
    while at < START + WEEKS * 7 * DAY:
        found.append(at)
        at += every * DAY * rng.uniform(0.6, 1.4)
    return found


def write(root: Path, captures: Sequence[tuple[str, float, str, str]], *, status: str = "200 OK") -> Path:
    """Archive captures: address, time, text and media type."""
    collection = Collection(root)
    collection.create()
    writer = WarcWriter(collection, "test", "host.example", {})
    for url, at, text, mime in captures:
        page = answer(
            url, text.encode(), status=status, headers=(("Content-Type", f"{mime}; charset=utf-8"),), started=at
        )
        writer.write_page(page, page.body, Notes(mime=mime, digest=payload_digest(page.body)))
    writer.close()
    merge(collection)
    return root


def archive(blog: Blog, root: Path, *, pages: float = 9.0, feeds: float = 3.0, seed: int = 5) -> Path:
    """Capture a blog's front page every some days, and its feed more often."""
    captures = [(f"{HOST}/", at, blog.front(at), "text/html") for at in times(seed, pages)]
    if blog.feed:
        captures += [(f"{HOST}/feed", at, blog.rss(at), "application/rss+xml") for at in times(seed + 1, feeds)]
    return write(root, sorted(captures, key=lambda each: each[1]))
