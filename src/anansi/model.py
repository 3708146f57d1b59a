"""The values that flow from stage to stage.

A value is frozen. `Visit`, `Link`, `Skip` and `Outcome` cross process borders and are stored, so they are
msgspec structs written as arrays; an `Exchange` or a `Page` never leaves the worker that fetched it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from functools import cached_property
from typing import BinaryIO, NamedTuple

import msgspec

from anansi.state import PageHashes, ScoringInput, Watched

MAX_REDIRECTS = 10
"""In a row; browsers allow 20, robots.txt needs 5."""

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""Statuses of answers that lead elsewhere."""


class Hop(enum.StrEnum):
    """How a URL was reached; one letter a step makes the hop path (Heritrix's letters)."""

    LINK = "L"
    REDIRECT = "R"
    EMBED = "E"
    PREREQUISITE = "P"
    MANIFEST = "M"
    """To a list that the site keeps of its own content: a sitemap, a feed, an interface for programs."""
    POSTED = "S"
    """Not by a page: another process posted it while the crawl ran."""


# an enum's value costs a call, and this is asked for every link
_LINK = Hop.LINK.value


class Role(enum.IntEnum):
    """What a link leads to and a visit is for, which no score says. The number is stored."""

    PAGE = 0
    """A page of which nothing is known."""
    SEED = 1
    """Somebody named it, or it is where that redirects to."""
    CONTENT = 2
    """A page of what the site is about: a thread, an article."""
    LIST = 3
    """A page, or a feed, that lists such pages."""
    PROBE = 4
    """A sample of what knowledge of the site speaks against."""
    SHORTCUT = 5
    """A list that the site keeps of its own content for programs, asked for and read as that."""
    REQUISITE = 6
    """A part of a page (an image, a style, a script)."""
    ROBOTS = 7
    """A robots.txt."""
    MADE_UP = 8
    """Nobody linked to it: it is asked for to learn whether its site makes up pages."""
    ALIAS = 9
    """An address of content that most likely redirects to the one that the site lists, and is left out for that."""


BESIDE = (Role.REQUISITE, Role.ROBOTS, Role.SHORTCUT)
"""Roles of what is no page of a site, or was a guess."""

APART = {Role.SHORTCUT: "#shortcut", Role.ALIAS: "#other"}
"""Roles in which a URL is visited beside its visit as a page → what its identity ends in: no key has a fragment."""

_PROBE, _REQUISITE = Role.PROBE, Role.REQUISITE  # a member of an enum costs a look-up, and this is asked a link
_ROLES = {
    "": Role.SEED,
    Hop.EMBED.value: Role.REQUISITE,
    Hop.PREREQUISITE.value: Role.ROBOTS,
    Hop.MANIFEST.value: Role.SHORTCUT,
}


def identity_of(key: str, role: Role) -> str:
    """Return what frontier and archive know a visit by: its key, and its role where it may be a page, too."""
    return key if role not in APART else key + APART[role]


def parted(identity: str) -> tuple[str, Role | None]:
    """Return the key of a visit by its identity, and its role where that tells."""
    role = next((role for role, mark in APART.items() if identity.endswith(mark)), None)
    return (identity.removesuffix(APART[role]), role) if role is not None else (identity, None)


class CornerKind(enum.IntEnum):
    """Why the pages of a corner may be needless. The number is stored."""

    LISTS = 0
    """They list what other pages lead to."""
    FURTHER = 1
    """All but the first pages of such lists, which tell other news."""
    SHORT = 2
    """The further pages of lists that have room left."""
    LISTED = 3
    """Lists of what a shortcut has listed."""
    SAMPLES = 4
    """Knowledge of the site speaks against them."""
    LAST = 5
    """What is done meanwhile may lead to the same: they are visited after all else, whatever comes of it."""


class Corner(msgspec.Struct, frozen=True, array_like=True):
    """A kind of pages of a site that are visited only while they lead to news; see `frontier/corners.py`."""

    kind: CornerKind
    name: str = ""
    """Of lists the action that leads to them, of samples what their addresses have in common."""
    why: str = ""
    """What knowledge of the site says against samples."""

    def __str__(self) -> str:
        return _CORNERS[self.kind].format(name=self.name, why=self.why)


_CORNERS = {
    CornerKind.LISTS: "{name}",
    CornerKind.FURTHER: "{name}, further pages",
    CornerKind.SHORT: "{name}, further pages of short lists",
    CornerKind.LISTED: "listed otherwise: {name}",
    CornerKind.SAMPLES: "{why} · {name}",
    CornerKind.LAST: "after all else",
}


def role_of(hops: str) -> Role:
    """Return what a visit was for, as far as its hop path tells: all that an archive says of it."""
    return _ROLES.get(hops.rstrip(Hop.REDIRECT.value)[-1:], Role.PAGE)


class Reason(enum.StrEnum):
    """Why a URL was not fetched; the words of `skipped.jsonl` and of the summary."""

    SCOPE = "out of scope"
    ROBOTS = "robots"
    TRAP = "trap"
    BUDGET = "budget"
    GIVEN_UP = "host given up"
    HOPS = "hop limit"
    DUPLICATE = "duplicate"
    BLACKLISTED = "blacklisted"
    ADDRESS = "private address"
    REDIRECTS = "too many redirects"
    NO_CONTENT = "no content"
    REQUISITE = "page requisite"
    """A part of a page (an image, a style, a script) that was not wanted."""


class Fault(enum.StrEnum):
    """What the web did wrong in an exchange. `fetch/retry.py` says what follows from each."""

    DNS = "name not resolved"
    CONNECT = "connection refused or failed"
    TLS = "certificate or TLS handshake not valid"
    TIMEOUT = "no answer in time"
    RESET = "connection closed before the headers were complete"
    PROTOCOL = "answer is not HTTP"
    HEADERS = "headers larger than allowed"
    ADDRESS = "private address refused"
    URL = "address cannot be requested"


class Cut(enum.StrEnum):
    """Why a body is incomplete; the values of `WARC-Truncated`."""

    LENGTH = "length"
    TIME = "time"
    DISCONNECT = "disconnect"


class Validators(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What an earlier capture of the same URL left behind, for conditional requests and revisit records."""

    etag: str = ""
    modified: str = ""
    digest: str = ""
    """Payload digest as WARC writes it, `sha1:…`."""
    date: float = 0.0
    """When the earlier capture was made, seconds since the epoch."""
    gap: str = ""
    """What kept its content from being captured, if anything did: a later visit may bring it."""


class Visit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A URL that is due."""

    url: str
    key: str
    """The canonical form: two URLs with one key are fetched once."""
    hops: str = ""
    depth: int = 0
    """Links followed from the seed; redirects and embeds are free."""
    via: str = ""
    score: float = 0.5
    """A priority, and nothing else."""
    role: Role = Role.PAGE
    attempt: int = 0
    seed: str = ""
    validators: Validators | None = None
    address: str = ""
    """The IP address to connect to, when the name was resolved beforehand."""
    corner: Corner | None = None
    """The corner of the site that it is visited for."""
    other: str = ""
    """Another address of the same key, with another path; tried when nothing is found at this one."""
    tries: int = 0
    """Other addresses of the same key where nothing was found."""
    label: str = ""
    """Where the link to it stood (root-to-link path), at a site that is being learned."""
    watched: Watched | None = None
    """What feeds say of it, and what its earlier visits leave to the next: how often it changes, and how it was."""
    outside: int = 0
    """Links followed since the way to it left the scope, where a crawl may reach beyond."""
    behind: Corner | None = None
    """The corner on a sample of which it was found first."""

    @property
    def identity(self) -> str:
        """What it is known by: its key, and its role where it may be a page, too."""
        return self.key if self.role not in APART else identity_of(self.key, self.role)

    @property
    def requisite(self) -> bool:
        """Tell whether it is a part of a page (an image, a style, a script), not a page."""
        return self.role is _REQUISITE

    @property
    def asked_for(self) -> bool:
        """Tell whether someone asked for it, not a link: a seed, or a URL whose capture is gone."""
        return not self.via and self.validators is None

    def child(self, link: Link) -> Visit:
        """Return the visit that a link found here asks for."""
        return Visit(
            url=link.url,
            key=link.key,
            hops=extend(self.hops, link.hop),
            depth=self.depth + (link.hop == _LINK),
            via=self.url,
            score=link.score,
            role=link.role,
            seed=self.seed,
            corner=link.corner,
            label=link.path,
            watched=link.watched,
            outside=link.outside,
            behind=self.corner if self.role is _PROBE and link.corner is None else None,
        )


HOPS_SHOWN = 50
"""Length from which a hop path is abbreviated, as Heritrix does: `123+LLLL…` is 123 steps and then these."""


def extend(hops: str, hop: str) -> str:
    """Append a step to a hop path, abbreviating long ones from the front."""
    count, plus, shown = hops.rpartition("+")
    shown += hop
    if len(shown) <= HOPS_SHOWN:
        return f"{count}{plus}{shown}"
    return f"{int(count or 0) + 1}+{shown[1:]}"


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A URL found on a page, with what is known about where it stood."""

    url: str
    key: str
    hop: str = Hop.LINK.value
    role: Role = Role.PAGE
    score: float = 0.5
    """A priority, and nothing else."""
    anchor: str = ""
    path: str = ""
    """Root-to-link path (tags with id or class), for learning."""
    action: str = ""
    """The navigation action that yielded it."""
    corner: Corner | None = None
    """The corner of the site that it belongs to, if one that is visited only while it leads to news."""
    watched: Watched | None = None
    """What a feed says of it here, for who reads its page."""
    since: float | None = None
    """It changed then: who captured it before is to ask for it anew."""
    outside: int = 0
    repeats: bool = False
    """Whether it is a sample of lists that tell what others tell, by what is known of such sites."""
    cookie: bool = False
    """Whether it is a redirect that came with a cookie: the way back to where it came from is open once more."""

    @property
    def identity(self) -> str:
        """What it is known by: its key, and its role where it may be a page, too."""
        return self.key if self.role not in APART else identity_of(self.key, self.role)


class Skip(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A URL that will not be fetched, and why."""

    url: str
    key: str
    """What it is known by: the identity of a link, which for one to a page is its key."""
    reason: str
    detail: str = ""
    never: bool = False
    """Whether not even a sample of such URLs is to be visited."""
    repeats: bool = False
    """Whether it is a list of what other lists tell of."""

    @property
    def identity(self) -> str:
        """What it is known by."""
        return self.key


class Posted(msgspec.Struct, frozen=True, array_like=True):
    """A URL that another process posted while the crawl runs."""

    url: str
    key: str
    score: float
    blacklist: bool = False
    """Whether it is never to be fetched."""
    via: str = ""


class Became(enum.StrEnum):
    """What became of a URL that was posted."""

    SCHEDULED = "scheduled"
    RESCORED = "rescored"
    UNDER_WAY = "under way"
    FETCHED = "fetched"
    FAILED = "failed"
    REFUSED = "refused"
    BLACKLISTED = "blacklisted"


class PostedFate(msgspec.Struct, frozen=True, array_like=True):
    """What became of a posted URL, and why."""

    state: str
    score: float | None = None
    """The one that it has now."""
    detail: str = ""


class Ended(enum.StrEnum):
    """How a visit ended, for the frontier."""

    DONE = "done"
    RETRY = "retry"
    DEFER = "defer"
    """Not attempted yet: something else must be known first."""
    FAILED = "failed"
    SKIPPED = "skipped"


class Gap(enum.StrEnum):
    """What keeps content from being captured; the words of the summary; `report/remedies.py` says what to do."""

    SHELL = "needs scripts"
    """An empty page that scripts fill."""
    PARTLY = "content by script"
    """A page with a frame of its own, whose content scripts fetch."""
    LOGIN = "login"
    AGE = "age check"
    CONSENT = "consent"
    PAYWALL = "paywall"
    ROBOT = "robot check"
    FORM = "form only"
    """A form is the only way in."""
    SOFT_404 = "soft 404"
    """Success, says the server; nothing is here, says the page."""
    PARKED = "parked domain"
    EMPTY = "empty answer"
    LARGE = "too large to read"
    RATE = "rate limit"
    """The server asked to be left alone until the last attempt."""
    REFUSED = "refused"
    """The server forbids it to us."""
    FAILING = "server error"
    """The server failed at it to the last attempt, or broke off its answer."""
    UNANSWERED = "no answer"
    """The host answers, but not for this page."""
    ERROR = "error"
    """A seed that is not there, or leads nowhere."""
    ROBOTS = "robots"
    """A seed that robots.txt forbids."""
    HOST = "host given up"


WALLS = frozenset((Gap.LOGIN, Gap.AGE, Gap.CONSENT, Gap.ROBOT, Gap.SOFT_404, Gap.PARKED))
"""Gaps that stand where content should: nothing of such a page is an object."""


class Stated(msgspec.Struct, frozen=True, array_like=True):
    """A number that a site itself states of what it holds: replies of a thread, topics of a board, comments."""

    kind: str
    """What is counted: the kind of object, as extraction names it; empty where a list only says what stands in it."""
    count: int
    of: str = ""
    """The address of what holds them (a thread, a board, an article), as objects name what they are part of."""
    level: str = ""
    """The level that what holds them is of; empty for the whole site."""
    within: str = ""
    """The address of the list that says so of something that stands in it."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """What a page turned out to be, for the account of its site."""

    type: str = ""
    level: str = ""
    terminal: bool = False
    """Whether it is content."""
    objects: dict[str, int] = {}
    """Kind → how many objects of it were read here."""
    gap: str = ""
    """What keeps content from being captured here, if anything; a kind of `Gap`."""
    gap_detail: str = ""
    stated: tuple[Stated, ...] = ()
    doubts: tuple[str, ...] = ()
    """What speaks against how it was read, in words for people."""
    incomplete: int = 0
    """How many of the objects lack something without which no such object is."""


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """How a visit ended and what it cost."""

    ended: str
    status: int = 0
    """HTTP status, or Heritrix's negative code for a fault."""
    fault: str = ""
    reason: str = ""
    detail: str = ""
    wait: float = 0.0
    """Seconds before the next attempt (retry) or visit (revisit)."""
    slow: float = 0.0
    """Seconds the whole site asks to be left alone (429, 503, Retry-After)."""
    strike: bool = False
    """Whether the fault counts against the host, which is given up after several in a row."""
    requests: int = 0
    page: bool = False
    listed: int = 0
    """Links to content on the page, known ones included."""
    duplicate: bool = False
    size: int = 0
    mime: str = ""
    validators: Validators | None = None
    started: float = 0.0
    seconds: float = 0.0
    ip: str = ""
    annotations: str = ""
    said: PageHashes | None = None
    """What its page says, at a site that is being learned; None at one that is known."""
    again: float | None = None
    """Seconds before the next visit, of what is watched."""
    watched: Watched | None = None
    """What this visit leaves to the next."""
    to_score: ScoringInput | None = None
    """What its page gives to be scored by, where the crawl is about something."""
    seen: Seen | None = None
    """What its page turned out to be."""
    novel: bool = False
    """Whether a page that was found on a sample says something new."""
    lost: int = 0
    """Content that a list would have told of that is not there."""
    claimed: int = 0
    """Content that a list says it holds, by the numbers of its pages."""


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes of a body as they came over the wire: in memory, or in a file above a threshold."""

    size: int
    data: bytes = b""
    file: BinaryIO | None = None

    def read(self, limit: int = -1) -> bytes:
        """Return the first `limit` bytes (all of them by default)."""
        if self.file is None:
            return self.data if limit < 0 else self.data[:limit]
        self.file.seek(0)
        return self.file.read(limit)


EMPTY = Body(0)


@dataclass(frozen=True)
class Exchange:
    """One request and what came of it: the exact bytes of both, or the fault that prevented it."""

    visit: Visit
    started: float
    seconds: float
    request: bytes = b""
    sent: int = 0
    """How often the request went out: again on a fresh connection when a kept one turned out to be closed."""
    head: bytes = b""
    """Status line and header lines with the empty line that ends them, exactly as received."""
    body: Body = EMPTY
    ip: str = ""
    protocol: str = "http/1.1"
    fault: Fault | None = None
    detail: str = ""
    cut: Cut | None = None
    status: int = 0
    headers: tuple[tuple[str, str], ...] = field(default=())

    def header(self, name: str, default: str = "") -> str:
        """Return the first header of that (lower-case) name."""
        return self._first_of_name.get(name, default)

    @cached_property
    def _first_of_name(self) -> dict[str, str]:
        return dict(reversed(self.headers))

    @property
    def ok(self) -> bool:
        """Tell whether the server answered with content."""
        return self.fault is None and 200 <= self.status < 300


@dataclass(frozen=True)
class Page(Exchange):
    """What a visit brought: the exchange that the page is read from, and the others that loading it took."""

    loaded: tuple[Exchange, ...] = ()
    """In the order they were made, each with a visit of its own: what a browser or an interface asked for besides."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """Which application made a page, and what kind of page it is."""

    type: str
    """A path in the hierarchy of the knowledge base: `forum/phpbb`."""
    level: str = ""
    terminal: bool = False
    """Whether the page is content."""
    pattern: str = ""
    """The detection pattern of the type that fired."""
    level_pattern: str = ""
    adapted: bool = False
    """Whether a mended rule was needed."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What a page was recognised as, for its metadata record."""
        return (
            ("recognisedType", self.type),
            ("recognisedLevel", self.level),
            ("recognisedTerminal", "yes" if self.terminal else "no"),
        )


class Value(NamedTuple):
    """A value of a property."""

    text: str
    read_as: str = "text"
    original: str = ""
    """As it stood on the page, where it was read as something else (a date)."""


@dataclass(frozen=True, slots=True)
class WebObject:
    """A post, a comment, an article, a thread …, as it stands on a page."""

    kind: str
    uri: str
    properties: tuple[tuple[str, Value], ...] = ()
    part_of: str = ""
    """The URI of the object that it belongs to."""
    incomplete: bool = False
    """Whether it lacks something without which no such object is: the rules do not fit the page."""

    def get(self, name: str) -> str:
        """Return the first value of a property, or nothing."""
        return next((value.text for key, value in self.properties if key == name), "")
