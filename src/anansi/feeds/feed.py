"""A feed and its items as values; whatever a feed leaves out is empty."""

from __future__ import annotations

from typing import Final

import msgspec

PUBLISHED: Final = ("pubDate", "published", "issued", "dcterms:issued", "dc:date", "created", "dcterms:created")
"""Elements that say when something was published, those that say it best first."""

UPDATED: Final = ("updated", "modified", "dcterms:modified", "lastModified", "lastBuildDate")
"""Elements that say when something was changed."""


class Stamp(msgspec.Struct, frozen=True):
    """A date: the element that gives it, its text, and what moment that is."""

    element: str
    text: str
    at: float | None
    """Seconds since 1970; None when the text is no date."""


class Enclosure(msgspec.Struct, frozen=True):
    """A file that belongs to an item."""

    url: str
    type: str = ""
    length: int | None = None


class Comments(msgspec.Struct, frozen=True):
    """Where the comments of an item are."""

    link: str = ""
    """The page that shows them."""
    feed: str = ""
    """Their own feed."""
    count: int | None = None
    reply_to: str = ""
    """The id of what the item itself answers."""


class Item(msgspec.Struct, frozen=True):
    """What a feed says of one article, post, comment, file …"""

    id: str
    """Its own name of itself, else its link, else a hash of what it says: never empty."""
    link: str = ""
    """Absolute, with its fragment; empty when it has none that leads into the Web."""
    title: str = ""
    """Without markup."""
    description: str = ""
    """Mostly HTML, as all texts here: as it stands in the feed."""
    content: str = ""
    """The full text (`content:encoded`, Atom's `content`)."""
    author: str = ""
    dates: tuple[Stamp, ...] = ()
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    comments: Comments = Comments()

    @property
    def published(self) -> float | None:
        """When it was published; when it was changed where nothing else is said."""
        return _best(self.dates, (*PUBLISHED, *UPDATED))

    @property
    def updated(self) -> float | None:
        """When it was last changed, if that is said."""
        return _best(self.dates, UPDATED)


class Hints(msgspec.Struct, frozen=True):
    """What a feed says of when to come back."""

    ttl: int | None = None
    """Minutes."""
    skip_hours: tuple[int, ...] = ()
    """Of GMT, 0 to 23."""
    skip_days: tuple[int, ...] = ()
    """Monday is 0."""
    period: str = ""
    """`sy:updatePeriod`: hourly, daily, weekly, monthly or yearly."""
    frequency: int | None = None
    """`sy:updateFrequency`: updates a period."""
    start: Stamp | None = None
    """`sy:updateBase`."""

    @property
    def interval(self) -> float | None:
        """Seconds between two updates, as period and frequency say."""
        seconds = PERIODS.get(self.period or ("daily" if self.frequency else ""))
        return seconds / max(1, self.frequency or 1) if seconds else None


PERIODS: Final = {
    "hourly": 3600.0,
    "daily": 86400.0,
    "weekly": 7 * 86400.0,
    "monthly": 30 * 86400.0,
    "yearly": 365 * 86400.0,
}


class Cloud(msgspec.Struct, frozen=True):
    """Who tells of updates (RSS `cloud`)."""

    domain: str = ""
    port: int | None = None
    path: str = ""
    procedure: str = ""
    protocol: str = ""


class Feed(msgspec.Struct, frozen=True):
    """A feed."""

    kind: str
    """`rss`, `rdf`, `atom`, `json`, `cdf`; empty where there are items and nothing says of what."""
    version: str = ""
    title: str = ""
    link: str = ""
    """The channel: the page that the feed is about."""
    description: str = ""
    language: str = ""
    dates: tuple[Stamp, ...] = ()
    hints: Hints = Hints()
    hubs: tuple[str, ...] = ()
    """Of WebSub."""
    self_link: str = ""
    next_link: str = ""
    cloud: Cloud | None = None
    items: tuple[Item, ...] = ()
    well_formed: bool = True
    cut: bool = False
    """More was there than is read: see `reading.LARGEST` and `reading.MOST_ITEMS`."""

    @property
    def type(self) -> str:
        """The kind and version as people write them."""
        name = {"rss": "RSS", "rdf": "RDF", "atom": "Atom", "json": "JSON Feed", "cdf": "CDF"}.get(
            self.kind, "unknown"
        )
        return f"{name} {self.version}".strip()

    @property
    def temporal(self) -> tuple[str, ...]:
        """Names of the channel's elements about time that are there."""
        hints = self.hints
        given = {
            "ttl": hints.ttl is not None,
            "skipHours": bool(hints.skip_hours),
            "skipDays": bool(hints.skip_days),
            "sy:updatePeriod": bool(hints.period),
            "sy:updateFrequency": hints.frequency is not None,
            "sy:updateBase": hints.start is not None,
        }
        return (
            *dict.fromkeys(stamp.element for stamp in self.dates),
            *(name for name, there in given.items() if there),
        )


def _best(dates: tuple[Stamp, ...], elements: tuple[str, ...]) -> float | None:
    known = {stamp.element: stamp.at for stamp in reversed(dates) if stamp.at is not None}
    return next((known[name] for name in elements if name in known), None)
