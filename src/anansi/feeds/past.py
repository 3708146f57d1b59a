"""What is carried from one visit of a watched address to the next, and from a feed to what it tells of.

It stands in the frontier with the visit itself, so that whoever makes the next visit knows all of it, and nothing is
lost that a crash of the crawl would lose.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgspec

from anansi.feeds.feed import Feed
from anansi.state import Item

FEED: Final = "feed"
CHANNEL: Final = "channel"
"""The page that a feed is about: it is asked for anew when the feed has news."""
ARCHIVE: Final = "archive"
"""An earlier part of a feed, read once."""
ITEM: Final = "item"
"""What an item of a feed links to."""

WORDS: Final = 100
"""Words of an item's description that are carried; it is looked for by the first of them."""
MOST_SEEN: Final = 1000
"""Items of a feed that are remembered."""
MOST_NAMED: Final = 50
"""Dates, categories and files of an item that are carried, each."""
LONGEST: Final = 2000
"""Characters of an address, and of the name of an item or a category."""


def short(item: Item) -> Item:
    """Return an item as it is carried: the beginning of what it says, of which no part is long."""
    words = (item.description or item.content).split(None, WORDS)[:WORDS]
    return msgspec.structs.replace(
        item,
        id=item.id[:LONGEST],
        link=item.link if len(item.link) <= LONGEST else "",
        title=item.title[:1000],
        description=" ".join(words)[:5000],
        content="",
        author=item.author[:500],
        dates=tuple(each for each in item.dates[:MOST_NAMED] if len(each.text) <= LONGEST),
        categories=tuple(each[:LONGEST] for each in item.categories[:MOST_NAMED]),
        enclosures=tuple(each for each in item.enclosures[:MOST_NAMED] if len(each.url) <= LONGEST),
    )


class News(msgspec.Struct, frozen=True):
    """What a feed says that it did not say before."""

    new: tuple[Item, ...]
    changed: tuple[Item, ...]
    seen: dict[int, int]
    """What to remember."""
    overlap: bool
    """Whether it still shows an item of last time: then none came and went between."""


def news(feed: Feed, seen: dict[int, int]) -> News:
    """Hold the items of a feed against those that were seen before; one that stands twice counts once."""
    items = {_hash(item.id): item for item in reversed(feed.items)}
    now = {name: _said(item) for name, item in items.items()}
    old = {name: said for name, said in seen.items() if name not in now}
    return News(
        new=tuple(item for name, item in items.items() if name not in seen),
        changed=tuple(item for name, item in items.items() if seen.get(name, now[name]) != now[name]),
        seen=dict([*old.items(), *now.items()][-max(MOST_SEEN, len(now)) :]),
        overlap=not seen or any(name in seen for name in now),
    )


def is_comments(feed: Feed, url: str) -> bool:
    """Tell whether a feed is one of comments."""
    if "/comments/" in url or "comments=1" in url or "withcomments" in url:
        return True
    marks = [bool(item.comments.reply_to) or "#comment" in item.link for item in feed.items]
    return len(marks) > 0 and sum(marks) > len(marks) / 2


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _said(item: Item) -> int:
    stamp = item.updated or 0.0
    text = "\0".join((item.title, item.link, item.content or item.description, str(stamp)))
    return _hash(text) >> 32
