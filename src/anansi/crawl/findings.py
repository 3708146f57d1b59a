"""What is known of a page so far: each stage of a crawl takes it and returns it with more.

Every field is filled by the stage it stands under, and says nothing before. Later stages may take back what earlier
ones said of links and objects: a watched page leads only to what is new, a wall holds no objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from anansi.archive.exchange import Kept
from anansi.frontier.traps import Traps
from anansi.model import EMPTY, Body, Exchange, Link, Page, Recognition, Seen, Skip, Stated, Validators, WebObject
from anansi.state import PageHashes, ScoringInput, Watched

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.pages.document import Document
    from anansi.pages.interpreter import Understanding
    from anansi.pages.shortcuts import Answered
    from anansi.text.page_model import PageModel


class Captured(msgspec.Struct, frozen=True):
    """Where an exchange stands in the archive, and what a later visit needs."""

    identity: str = ""
    """`WARC-Record-ID` of its response, without angle brackets."""
    duplicate: bool = False
    validators: Validators | None = None
    kept: Kept | None = None


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What the stages found; `replace` makes the next one."""

    # of the visit
    retry: bool = False
    """Whether the answer is worth another attempt, and no content."""
    traps: Traps = msgspec.field(default_factory=Traps)
    """Those of the page's site."""

    # unpack
    payload: Body = EMPTY
    whole: bool = True
    """Whether its transfer coding was."""

    # sniff
    mime: str = ""

    # capture
    captured: Captured = Captured()

    # parse
    charset: str = ""
    title: str = ""
    model: PageModel | None = None
    """The page as all stages read it; None for what is no page."""
    data: bytes = b""
    """The payload of what is no page, where somebody reads it."""
    bomb: bool = False
    unread: str = ""
    """What of it was not read, for there is too much of it, in words for people."""
    paid: bool = False
    """Whether it may say of itself that it is not free."""

    made_up: bool = False
    """Whether nobody linked to it: it was asked for to learn whether its site makes up pages."""
    loaded_by: str = ""
    """The page whose loading took this exchange, which is not its own."""

    # recognise
    document: Document | None = None
    recognition: Recognition | None = None

    # act
    links: list[Link] = []
    skips: list[Skip] = []
    """Links that knowledge of the site speaks against."""
    objects: list[WebObject] = []
    stated: tuple[Stated, ...] = ()
    """Numbers that the page states of what its site holds."""
    answer: Answered | None = None
    """What the page answered, if it is a shortcut."""
    done: Understanding | None = None
    unknown: bool = False
    """Whether its site is, and may be learned from it."""
    left_out: int = 0
    """Links of the page that were not taken, for there are too many of them."""

    # watch
    again: float | None = None
    """Seconds before the next visit, of what is watched."""
    watched: Watched | None = None
    """What is left to the next visit."""

    # focus
    to_score: ScoringInput | None = None
    """What the page gives to be scored by."""

    # see, gaps
    seen: Seen | None = None

    # learn
    placed: bool = False
    """Whether the links are those that are news where they stand on the page."""
    said: PageHashes | None = None
    """What the page says; None at a site that is known."""

    # judge
    onward: list[Link] = []
    """What is to be visited."""
    refused: list[Skip] = []

    # weigh
    listed: int = 0
    novel: bool = False
    lost: int = 0
    claimed: int = 0

    # traps
    closed: str | None = None
    """A pattern of addresses that turned out to be a trap."""

    notes: tuple[str, ...] = ()
    """For crawl.log."""

    @property
    def tree(self) -> Any:
        """The tree of the page, as lxml parsed it."""
        return self.model.tree if self.model is not None else None

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What reading found, for the page's metadata record."""
        found = self.recognition.fields if self.recognition is not None else ()
        found = (*found, ("madeUp", "yes")) if self.made_up else found
        found = (*found, ("loadedBy", self.loaded_by)) if self.loaded_by else found
        return (*found, ("leftOutOfReading", self.unread)) if self.unread else found


Stage = Callable[[Page, Findings], Findings]
"""Looks at a page and what was found before, and adds to it."""

BytesStage = Callable[[Exchange, Findings], Findings]
"""One that needs no more than an exchange, the page's own or another that loading it took."""

replace = msgspec.structs.replace


def noted(found: Findings, *notes: str) -> Findings:
    """Add words for crawl.log."""
    return replace(found, notes=(*found.notes, *filter(None, notes))) if any(notes) else found


def only(found: Findings, links: list[Link], objects: list[WebObject] | None = None) -> Findings:
    """Take back where a page leads and what stands on it, but for these."""
    return replace(
        found, links=links, objects=objects or [], skips=[], stated=(), answer=None, done=None, unknown=False
    )
