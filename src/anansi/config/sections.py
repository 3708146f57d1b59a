"""What a crawl can be told, stage by stage: one frozen struct a stage.

Each setting is declared once, here or in `focus`, with its default, its bounds and its meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from anansi.config.focus import Address, Entity, Event, Focus, Keyword, Topic, Weights
from anansi.config.setting import Count, Pattern, Seconds, Section, Size, meaning


class Scope(Section, frozen=True):
    """Which URLs belong to the crawl."""

    kind: Annotated[
        Literal["page", "prefix", "host", "domain", "custom"],
        meaning("how far from the seeds: the pages alone, their folder, host, registered domain, or `include` only"),
    ] = "host"
    include: Annotated[
        list[Pattern], meaning("regular expressions; a URL that one matches is in scope whatever the kind")
    ] = []
    exclude: Annotated[
        list[Pattern],
        meaning(
            "regular expressions; a URL that one matches is never fetched, even if scheduled before; "
            "may be changed while the crawl runs"
        ),
    ] = []
    max_hops: Annotated[Annotated[int, Meta(ge=0)] | None, meaning("links followed from a seed at the most")] = None
    limit: Annotated[Count | None, meaning("pages fetched at the most, all sites together")] = None
    site_budget: Annotated[Count | None, meaning("requests a site at the most")] = None
    requisites: Annotated[
        bool, meaning("also fetch what pages need to be shown: images, styles, scripts, fonts, wherever they stand")
    ] = True
    lists: Annotated[
        bool, meaning("keep all lists of a known application, also those that lead to nothing new, for replay")
    ] = False


class Politeness(Section, frozen=True):
    """How a site is treated."""

    floor: Annotated[Seconds, meaning("least wait between two requests to a site, in seconds")] = 1.0
    factor: Annotated[
        Annotated[float, Meta(ge=0, le=1000)],
        meaning("the wait as a multiple of the last response time, between floor and ceiling"),
    ] = 5.0
    ceiling: Annotated[Seconds, meaning("longest wait that the factor can ask for, in seconds")] = 30.0
    connections: Annotated[
        Annotated[int, Meta(ge=1, le=64)], meaning("requests that a worker makes to one site at a time")
    ] = 1
    robots: Annotated[Literal["obey", "ignore"], meaning("what robots.txt is worth")] = "obey"
    robots_deadline: Annotated[
        Seconds,
        meaning(
            "how long a host whose robots.txt cannot be had is waited for before its URLs are skipped, in seconds"
        ),
    ] = 3600.0


class Fetch(Section, frozen=True):
    """How an exchange is made and where it is cut."""

    user_agent: Annotated[
        str | None, meaning("the User-Agent header; by default Anansi's name, version and the contact")
    ] = None
    timeout: Annotated[
        Annotated[float, Meta(gt=0, le=86_400)], meaning("longest time for a whole exchange, in seconds")
    ] = 120.0
    max_body: Annotated[
        Size, meaning("largest body kept, in bytes; a longer one is cut and marked `WARC-Truncated`")
    ] = 1024**3
    verify_tls: Annotated[bool, meaning("check certificates; recorded in the WARC when off")] = True
    http2: Annotated[
        bool, meaning("offer HTTP/2; responses are then stored as HTTP/1.1 text with `WARC-Protocol: h2`")
    ] = False
    proxy: Annotated[str | None, meaning("proxy URL; credentials in it are used and never written down")] = None
    resolve: Annotated[list[Pattern], meaning("fixed addresses, HOST:PORT:ADDRESS as curl's --resolve")] = []
    private_addresses: Annotated[
        Literal["seeds", "allow"],
        meaning("loopback and private addresses may be requested only where a seed is, or anywhere"),
    ] = "seeds"


class Frontier(Section, frozen=True):
    """In which order URLs are taken."""

    update: Annotated[
        Literal["first", "last", "max", "sum", "avg"],
        meaning("how a new score changes that of a URL that is already scheduled"),
    ] = "first"
    per_turn: Annotated[
        Annotated[int, Meta(ge=1, le=1000)],
        meaning(
            "URLs taken from a site's queue in one turn (`bl`), fewer where they would last longer than 8 seconds"
        ),
    ] = 32
    batch: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)],
        meaning("pages whose links are scored together before any of them is scheduled"),
    ] = 1
    revisit_after: Annotated[
        Seconds | None, meaning("visit a page again after this many seconds; by default never")
    ] = None
    traps: Annotated[bool, meaning("close URL patterns that lead nowhere new")] = True


class Watch(Section, frozen=True):
    """How often to come back to feeds and pages."""

    what: Annotated[
        Literal["nothing", "feeds", "pages"],
        meaning("come back to feeds and what they tell of, or to every page, when news is expected there"),
    ] = "nothing"
    shortest: Annotated[
        Annotated[float, Meta(ge=1, le=31_536_000)], meaning("least time between two visits, in seconds")
    ] = 300.0
    longest: Annotated[
        Annotated[float, Meta(ge=1, le=31_536_000)],
        meaning("longest time between two visits to a feed or list, in seconds"),
    ] = 604_800.0
    budget: Annotated[
        Count | None, meaning("requests a day for looking again, all feeds and pages together; by default no limit")
    ] = None


class Archive(Section, frozen=True):
    """What is written about the crawl."""

    prefix: Annotated[
        Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.]{1,60}$")], meaning("first part of WARC file names")
    ] = "anansi"
    warc_size: Annotated[Size, meaning("bytes after which a WARC file is closed and the next begun")] = 10**9
    store: Annotated[
        bool,
        meaning("load objects into the store for queries while the crawl runs; if not, the next query does"),
    ] = True
    operator: Annotated[str | None, meaning("who crawls; written to warcinfo")] = None
    contact: Annotated[str | None, meaning("e-mail address or URL where webmasters reach the operator")] = None


class Override(Section, frozen=True):
    """What holds for one site instead; may be changed in the collection's `crawl.yaml` while the crawl runs."""

    delay: Annotated[Seconds | None, meaning("fixed wait between requests, in seconds")] = None
    budget: Annotated[Count | None, meaning("requests at the most")] = None
    paused: Annotated[bool, meaning("leave the site alone for now")] = False


LED = ("learn", "patterns", "sample")
"""Strategies by which all sites are led through by what was or is being learned, whatever is known about them."""


class Definition(Section, frozen=True):
    """What to crawl and how: the whole of `crawl.yaml`."""

    seeds: Annotated[list[Pattern], meaning("where to begin")] = []
    strategy: Annotated[
        Literal["auto", "learn", "patterns", "sample", "blind"],
        meaning(
            "follow what leads to content (by knowledge and learning, learning alone, learned patterns), "
            "a random sample, or all links"
        ),
    ] = "auto"
    chance: Annotated[
        Annotated[int, Meta(ge=0, le=1 << 62)], meaning("where chance begins when sites are learned")
    ] = 0
    workers: Annotated[
        Annotated[int, Meta(ge=1, le=256)] | None, meaning("worker processes; by default one a core")
    ] = None
    scope: Scope = Scope()
    politeness: Politeness = Politeness()
    fetch: Fetch = Fetch()
    frontier: Frontier = Frontier()
    archive: Archive = Archive()
    watch: Watch = Watch()
    focus: Focus = Focus()
    sites: Annotated[dict[str, Override], meaning("site → what holds for it instead")] = {}


def sections() -> list[tuple[str, type[Section]]]:
    """List the sections with their names in the file, in order, for the generated reference."""
    return [
        ("", Definition),
        ("scope", Scope),
        ("politeness", Politeness),
        ("fetch", Fetch),
        ("frontier", Frontier),
        ("archive", Archive),
        ("watch", Watch),
        ("sites.<site>", Override),
        ("focus", Focus),
        ("focus.keywords", Keyword),
        ("focus.entities", Entity),
        ("focus.topics", Topic),
        ("focus.events", Event),
        ("focus.addresses", Address),
        ("focus.weights", Weights),
    ]
