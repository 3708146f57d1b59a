"""What a crawl asks of a frontier, whatever it is made of.

    discover ─► claim ─► (a worker visits) ─► settle, which discovers what the page leads to ─► …

A URL is known by its key and belongs to one site. A site is with one worker at a time. What is settled together is
durable together: a page never without its links. `tests/frontier/test_contract.py` and `test_worlds.py` say in full
what each verb promises, and every implementation must pass them.

`now` is the time of the run (`anansi.clock`), which no clock that is set can turn back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from anansi.frontier.memory import Memory
from anansi.frontier.policy import Policy
from anansi.frontier.record import Done, Queued, Refused, Totals
from anansi.frontier.site import Site
from anansi.frontier.turn import Settled, Settlement, Turn
from anansi.model import Outcome, Skip, Visit


class Frontier(Protocol):
    """The plug: which URL is due, for whom, and what became of it."""

    memory: Memory
    """What is remembered of sites and of the crawl; durable with the next commit."""
    policy: Policy
    unresolved: list[str]
    """Hosts whose address a claim needs; filled by the frontier, emptied by who resolves them."""
    refused: list[Settled]
    """Visits that the frontier itself refused; filled by it, emptied by who explains them."""
    explain_refused: Callable[[], None]
    """Logs `refused` and empties it, before a commit makes it true."""
    horizon: float | None
    """What falls due later is left to the next run."""

    # ── workers come and go ──────────────────────────────────────────────────────────────────────────────────

    def join(self, worker: int) -> None:
        """Let a worker take turns."""
        ...

    def leave(self, worker: int, now: float) -> None:
        """Take back all that a worker held; it is made by others, before all else at its sites."""
        ...

    # ── verbs ────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, visits: Iterable[Visit], now: float) -> int:
        """Schedule URLs, or let them have their say about what is known of them; return how many were new."""
        ...

    def claim(self, now: float) -> list[tuple[int, Turn]]:
        """Hand out turns of all sites that are due, as (worker, turn)."""
        ...

    def top_up(self, now: float) -> list[tuple[int, Turn]]:
        """Hand out more visits of sites that workers have nearly done."""
        ...

    def settle(self, worker: int, settlements: Iterable[Settlement], now: float) -> list[Settled]:
        """Record how visits ended together with what they found, all or nothing, and free their sites."""
        ...

    def settle_aside(self, visit: Visit, outcome: Outcome, now: float) -> None:
        """Count an exchange that is no visit of the crawl's (robots.txt), and what it says of its host."""
        ...

    def refuse(self, skip: Skip) -> bool:
        """Remember that a URL is not to be fetched; return whether that is news."""
        ...

    def blacklist(self, key: str) -> bool:
        """Never fetch a URL, or never again; return whether that is news."""
        ...

    def score(self, visit: Visit, queued: Queued) -> float:
        """Let a URL that is scheduled or waits have one more say on its score; return the one that it has then."""
        ...

    def rescore(self, scores: Mapping[str, float]) -> int:
        """Give URLs that are scheduled or wait other scores, by their keys; return how many had others before."""
        ...

    def remember(self, site: int, name: str, value: bytes) -> str | None:
        """Keep what a worker learned about a site for who holds it next; return its name, None when it has none."""
        ...

    def resolved(self, host: str, now: float) -> None:
        """Go on with the sites that waited for a host's address."""
        ...

    def tick(self, now: float) -> None:
        """Let waiting URLs fall due."""
        ...

    def change(self, policy: Policy, now: float) -> None:
        """Go by another policy from now on."""
        ...

    def forget_idle(self, now: float) -> None:
        """Forget what need not be remembered."""
        ...

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def totals(self) -> Totals:
        """What was counted since the collection began."""
        ...

    @property
    def finished(self) -> bool:
        """Tell whether there is nothing left to do in this run, now or later."""
        ...

    @property
    def full(self) -> bool:
        """Tell whether the page limit is reached."""
        ...

    @property
    def limited(self) -> bool:
        """Tell whether the page limit was reached with work left."""
        ...

    def sites(self) -> Iterable[Site]:
        """Go through all sites."""
        ...

    def site(self, name: str) -> Site | None:
        """Return the site of that name, if there is one."""
        ...

    def site_of(self, token: bytes) -> Site:
        """Return the site that a visit in hand belongs to."""
        ...

    def stopped(self, site: Site) -> str:
        """Say why a site is not visited any more, or nothing."""
        ...

    def enough(self, site: Site) -> bool:
        """Tell whether what chooses among a site's URLs has seen enough of it."""
        ...

    def unseen(self, site: Site) -> dict[str, list[str]]:
        """Return what is refused at a site and may hold content, but was not looked at: why → some addresses."""
        ...

    def everything(self) -> Iterator[tuple[bytes, Visit]]:
        """Go through all that is scheduled, then all that waits, as it stood when this began: (score, visit)."""
        ...

    def waiting(self) -> Iterator[tuple[float, Visit]]:
        """Go through all that waits for its time, as (due, visit), the soonest first."""
        ...

    @property
    def merging(self) -> bool:
        """Tell whether the disk is busy with what was written before."""
        ...

    def pending(self, site: Site) -> Iterator[Visit]:
        """Go through all that is left of a site: what is queued, then what waits."""
        ...

    def in_hand(self, worker: int, token: bytes) -> Visit | None:
        """Return a visit that a worker has in hand; None when its lease ran out: someone else has it, or had it."""
        ...

    def is_claimed(self, token: bytes) -> bool:
        """Tell whether somebody has a visit in hand."""
        ...

    def explain(self, key: str) -> Queued | Done | Refused | None:
        """Return all that is known about a URL."""
        ...

    def waits(self, most: int) -> list[tuple[str, str, float]]:
        """Say of a few sites that nobody holds why they wait and until when, 0 if unknown, as (site, why, until)."""
        ...

    def next_time(self) -> float | None:
        """Return when something falls due by itself."""
        ...

    # ── durability ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> None:
        """Make everything since the last commit durable, all or nothing."""
        ...

    def hold(self, told: Callable[[], None] | None) -> None:
        """Hold back from the disk what is committed from now on, and tell of each commit; None ends it."""
        ...

    def seal(self) -> None:
        """Let all that changed up to now be the next to be written."""
        ...

    def write(self) -> None:
        """Write what was sealed: what it tells of is on the disk."""
        ...

    @property
    def held(self) -> int:
        """Count the changes that wait in memory."""
        ...

    def sync(self) -> None:
        """Push what was written to the disk itself, against power loss."""
        ...

    def close(self) -> None:
        """Write everything and let the files go."""
        ...
