"""A feed as a value, with the items that `anansi.state` has; whatever a feed leaves out is empty."""

from __future__ import annotations

import msgspec

from anansi.state import Hints, Item, Stamp


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
