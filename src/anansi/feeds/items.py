"""The items of a feed, as far as extraction needs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anansi.feeds.reading import read

MOST_ITEMS: Final = 10_000
"""Items of a feed that are read."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed."""

    title: str
    description: str
    """With its markup; cut, in most feeds."""
    link: str = ""
    content: str = ""
    """The whole text with its markup, where the feed has it."""
    language: str = ""
    published: str = ""
    """As the feed writes it."""
    comments: str = ""
    """The address of the feed of its comments."""


def items_of(data: bytes) -> list[Item]:
    """Read a feed of any kind; what is none has no items."""
    feed = read(data)
    if feed is None:
        return []
    return [
        Item(
            title=each.title,
            description=each.description or each.content,
            link=each.link,
            content=each.content,
            language=feed.language,
            published=each.dates[0].text if each.dates else "",
            comments=each.comments.feed,
        )
        for each in feed.items[:MOST_ITEMS]
    ]
