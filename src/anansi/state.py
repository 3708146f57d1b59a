"""What visits leave behind, as values: to the next visit of what is watched, to who learns a site, and to who
scores URLs.

A frontier keeps them with the visit itself, so that whoever makes the next one knows all of it, and nothing is lost
that a crash of the crawl would lose. What they mean, and how one follows from another, say `feeds`,
`learn` and `focus`.
"""

from __future__ import annotations

from typing import Final

import msgspec

# ── what feeds say ───────────────────────────────────────────────────────────────────────────────────────────────

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


def _best(dates: tuple[Stamp, ...], elements: tuple[str, ...]) -> float | None:
    known = {stamp.element: stamp.at for stamp in reversed(dates) if stamp.at is not None}
    return next((known[name] for name in elements if name in known), None)


# ── what is watched ──────────────────────────────────────────────────────────────────────────────────────────────

SCALES: Final = 6
"""Time scales on which publications bring further ones; `feeds.rhythm` has their lengths."""
SLOTS: Final = 48
"""Half-hours of a day."""
MOST_ITEMS: Final = 50
"""Items that may be told of one page."""

Floats = tuple[float, ...]


class Rhythm(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """What is known of when one URL publishes. It packs to less than 1 KB."""

    last: float
    """The last visit."""
    moments: tuple[float, ...] = ()
    """The latest publications, in order."""
    left: Floats = (0.0,) * SCALES
    """Influence of earlier publications, by scale, a second: at `last`."""
    caused: Floats = (0.0,) * SCALES
    offered: Floats = (0.0,) * SCALES
    slots: tuple[int, ...] = (0,) * SLOTS
    days: tuple[int, ...] = (0,) * 7
    """From Monday."""
    publications: float = 0.0
    items: float = 0.0
    """Older ones count less, as of `publications`; the two say how many items come at once."""
    window: int = 0
    """Items that the feed shows; 0 where no list of items is shown."""
    full: bool = False
    """Whether items fell out of it, so that others can be lost."""
    span: float = 0.0
    """The shortest time in which most of a window was published; 0 when that never happened."""
    visits: tuple[tuple[float, float], ...] = ()
    """Of the latest visits: seconds since the one before, and what it brought."""
    made: int = 0
    """Visits in all."""
    gaps: int = 0
    """Visits that shared no item with the one before: items were possibly lost."""

    @property
    def latest(self) -> float | None:
        """The latest publication that is known."""
        return self.moments[-1] if self.moments else None


class Version(msgspec.Struct, frozen=True, array_like=True):
    """The fingerprint of a page's objects."""

    form: int
    by: str
    """How the objects were found: versions that were found otherwise are not alike."""
    page: bytes
    """Of the bytes."""
    title: bytes
    text: bytes
    references: bytes
    makers: bytes
    """Authors and tags."""
    date: bytes
    """Empty where the page words it as seen from today."""
    count: int
    """Parts."""
    parts: bytes
    """Of all parts together, in any order."""
    sample: bytes
    """Of parts, one after the other: who it is, what it says."""


class Watched(msgspec.Struct, frozen=True, array_like=True):
    """What is known of an address that is watched, or that a feed tells of."""

    kind: str = ""
    """What it is to its feed: see `feeds.past`."""
    items: tuple[Item, ...] = ()
    """What feeds say of the page."""
    whole: str = ""
    """Of a feed of comments: the page of the article."""
    rhythm: Rhythm | None = None
    seen: dict[int, int] = {}
    """The items of a feed: hash of the name → of what is said."""
    hints: Hints = Hints()
    """What a feed last said of when to come back."""
    version: Version | None = None
    """What stood on the page."""
    failures: int = 0
    """Visits in a row that brought nothing."""

    def with_news(self, news: Watched | None) -> Watched:
        """Add what was said of it since."""
        if news is None:
            return self
        mine = {item.id: item for item in (*self.items, *news.items)}
        items = tuple(mine.values())[-MOST_ITEMS:]
        kind, whole = self.kind or news.kind, self.whole or news.whole
        return msgspec.structs.replace(self, kind=kind, items=items, whole=whole)


# ── what is learned ──────────────────────────────────────────────────────────────────────────────────────────────


class PageHashes(msgspec.Struct, frozen=True, array_like=True):
    """What a page says at a site that is being learned: hashes of 32 bits, four bytes each, as an array has them."""

    items: bytes = b""
    """Of what it says; nothing of a page whose site is not known well enough yet."""
    names: bytes = b""
    """Of how it is named."""


# ── what is scored ───────────────────────────────────────────────────────────────────────────────────────────────


class Block(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A region with links in it, as terms."""

    terms: tuple[str, ...]
    """Its terms, each once."""
    size: int
    """Its terms, each as often as it stands there."""
    main: bool
    """Whether it is text of the page's own: neither its frame nor a list of links."""
    framed: bool = False


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link as it stands on a page."""

    key: str
    anchor: tuple[str, ...]
    address: tuple[str, ...]
    """Terms of the last part of its path."""
    block: int
    """Number of the block it stands in."""
    group: int
    """Number of the list, table or paragraph that it shares with other links."""
    label: str
    """The way from the root to it, in tags and classes."""


class PageTerms(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A page as scoring sees it."""

    key: str
    blocks: tuple[Block, ...] = ()
    references: tuple[Reference, ...] = ()
    terms: dict[str, int] = {}
    """All terms of the page, as often as they stand there."""
    own: dict[str, int] = {}
    """Those of its main text."""


class Appraisal(msgspec.Struct, frozen=True, array_like=True):
    """What modules say of a page, added up: their part of its relevance."""

    total: float = 0.0
    """Scores times weights."""
    weight: float = 0.0
    """Weights of the modules that have an opinion."""
    left: float = 1.0
    """What spam, the blacklist and words of what is not sought leave of its worth."""

    def with_terms(self, relevance: float, weight: float) -> float:
        """Return the relevance of a page whose terms say this much."""
        whole = self.weight + weight
        return self.left * (self.total + weight * relevance) / whole if whole else 0.0


class ScoringInput(msgspec.Struct, frozen=True, array_like=True):
    """What a page gives to be scored by."""

    page: PageTerms
    verdict: Appraisal
    authors: dict[str, str] = {}
    """Key of a link → who wrote the post that it stands in."""
