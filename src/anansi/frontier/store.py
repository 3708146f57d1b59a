"""Every URL and every queue on disk: what happens to them.

A queue key holds the score, so a new score is one delete and one put: O(log n), as ARCOMEM 4.4 asks.
The sequence number is given once, when a URL is scheduled, and stays: what has one score is taken first in first out.

Mutable state, besides that of `Queues`: `_shorter` (token → site and a shorter way, found while the visit was
claimed), `_banned` (tokens of claimed visits that were blacklisted meanwhile), both emptied with the claim; `found`
(keys that nobody knew before the latest `discover`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeGuard

import msgspec

from anansi.frontier.lifecycle import NOT_THERE, Event, State, after, ending, happen
from anansi.frontier.priority import UPDATES, Update, single
from anansi.frontier.queues import Queues
from anansi.frontier.record import (
    DUE,
    SITE,
    Done,
    Queued,
    Refused,
    decode_visit,
    encode_visit,
    nearer,
    read_queued,
    read_record,
)
from anansi.frontier.site import Site
from anansi.knowledge.kinds import shape
from anansi.model import Corner, Link, Outcome, Reason, Role, Skip, Visit, parted
from anansi.url import origin_of, site_of

MOST_TRIES = 3  # other addresses that are tried when a URL is not there
POSTED = "posted to be left out"
FOLLOWED = (Role.CONTENT, Role.SEED, Role.SHORTCUT)  # roles that speak for what knowledge of a site refused
SAMPLED = 0.03  # score of what was refused and is visited all the same: after all else


class Store(Queues):
    """The URLs of one collection on disk."""

    def __init__(self, path: Path, update: Update, *, writable: bool = True):
        super().__init__(path, writable=writable)
        self._update = update
        self._banned: set[bytes] = set()
        self._shorter: dict[bytes, tuple[str, Visit]] = {}
        self.found: set[str] = set()

    # ── verbs ────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, visits: Iterable[tuple[str, Visit]], *, limited: bool = False) -> int:
        """Schedule what is new, rescore what is scheduled; return how many were new. Takes (site, visit) pairs.

        Where hops are limited, a page that was visited on a longer way is scheduled anew: what it links to was too
        far then.
        """
        pairs = list(visits)
        keys = [visit.identity.encode() for _, visit in pairs]
        known = self._urls.get_all(keys)
        standing = self._standing(pairs, known)
        new = 0
        self.found.clear()
        for (site, visit), key, before in zip(pairs, keys, known, strict=True):
            # a key may stand twice among the pairs, and the first of them has changed its record
            raw = self._urls.fresh.get(key, before)
            if raw is None:
                happen(State.NEW, Event.DISCOVER)
                self._schedule(self.site(site), visit, times=1)
                self.found.add(visit.identity)
                new += 1
            elif raw[0] == State.SCHEDULED:
                self._find_again(site, visit, read_queued(raw), standing, limited=limited)
            elif raw[0] == State.WAITING:
                self._shorten(visit, read_queued(raw))
            else:
                new += self._wake(site, visit, raw, limited=limited)
        return new

    def _wake(self, site: str, visit: Visit, raw: bytes, *, limited: bool) -> int:
        """Schedule a URL anew that had come to its end, where what was found speaks for it; return how many."""
        record = read_record(raw)
        if isinstance(record, Refused):
            return self._reconsider(site, visit, record)
        done = _done(record)
        event = self._found_after(raw[0], done, visit, limited=limited)
        if happen(raw[0], event) is not State.SCHEDULED:
            return 0
        tries = done.tries + 1 if event is Event.FIND_ELSEWHERE else visit.tries
        self._schedule(self.site(site), msgspec.structs.replace(visit, tries=tries), times=1)
        return 1

    def _found_after(self, state: int, done: Done, visit: Visit, *, limited: bool) -> Event:
        """Say what it means for a URL that was visited to be found."""
        if state == State.DONE and limited and visit.depth < done.depth and not visit.requisite:
            return Event.FIND_NEARER
        elsewhere = done.tries < MOST_TRIES and _path(visit.url) != _path(done.url or visit.key)
        return Event.FIND_ELSEWHERE if state == State.MISSING and elsewhere else Event.FIND_AGAIN

    def refuse(self, skip: Skip) -> bool:
        """Remember that a URL will not be fetched and why; return whether that is news."""
        key = skip.key.encode()
        raw = self._urls.get(key)
        state = State(raw[0]) if raw else State.NEW
        if state is State.SKIPPED or after(state, Event.REFUSE) is not State.SKIPPED:
            return False
        if raw and skip.reason == Reason.REQUISITE:
            return False  # who does not want it as a part of a page may want it for itself
        if raw and state in (State.SCHEDULED, State.WAITING):
            queued = read_queued(raw)
            if queued.requisite or queued.token in self.claimed or self._is_wanted(queued, skip):
                return False
            self._withdraw(queued)
        self._put_refused(skip.key, Refused(reason=skip.reason, detail=skip.detail, never=skip.never))
        return True

    def readmit(self, where: Visit, corner: Corner, most: int) -> int:
        """Schedule up to `most` URLs of a site that were refused and are of a corner's kind; return how many."""
        origin, found = origin_of(where.url) + "/", 0
        for key, raw in self._scan(self._urls, origin.encode(), origin.encode()):
            if found == most:
                break
            if raw[0] != State.SKIPPED or key in self._urls.fresh:
                continue
            refused, url = read_record(raw), key.decode()
            if _is_admissible(refused) and refused.detail == corner.why and shape(url) == corner.name:
                visit = where.child(Link(url, url, role=Role.PROBE, score=SAMPLED, corner=corner))
                found += self._reconsider(site_of(url), visit, refused, opened=True)
        return found

    def settle(self, token: bytes, outcome: Outcome, now: float, revisit_after: float | None = None) -> Visit | None:
        """Record how a claimed visit ended; return the visit, or None when the claim is no longer held."""
        stored = self.claimed.pop(token, None)
        if stored is None:
            return None
        visit = decode_visit(stored)
        site = self.by_id[SITE.unpack_from(token)[0]]
        del site.claims[token]
        site.again.pop(token, None)
        self._queue.delete(token)
        self._count(site, queued=-1, requisite=visit.requisite)
        self._settle_as(outcome, visit, site, now, revisit_after)
        self._let_go(token, visit)
        return visit

    def _settle_as(self, outcome: Outcome, visit: Visit, site: Site, now: float, revisit_after: float | None) -> None:
        event = ending(outcome, revisited=revisit_after is not None)
        state = happen(State.SCHEDULED, event)
        if state is State.WAITING:
            wait = revisit_after if event is Event.COME_BACK and outcome.again is None else outcome.again
            self._wait(site, _next_visit(visit, outcome, event), now + (outcome.wait if wait is None else wait))
        elif state is State.SKIPPED:
            self._put_refused(visit.identity, Refused(reason=outcome.reason, detail=outcome.detail))
        else:
            self._urls.put(visit.identity.encode(), Done.of(visit, outcome, site.id, now).pack(state))
        if state is State.MISSING and visit.other:
            other = msgspec.structs.replace(visit, url=visit.other, other="")
            self.discover([(site.row.name, other)])  # it got another title
        self.account(site, outcome, requisite=visit.requisite)

    def _put_refused(self, key: str, refused: Refused) -> None:
        self._urls.put(key.encode(), refused.pack())
        self.totals.skip(refused.reason)

    def account(self, site: Site, outcome: Outcome, *, requisite: bool = False) -> None:
        """Count what a visit cost and brought."""
        row = site.row
        row.requests += outcome.requests
        row.pages += outcome.page
        row.content += outcome.seen is not None and outcome.seen.terminal
        row.lost += outcome.lost
        row.bytes += outcome.size
        self._touched.add(site)
        self.totals.add(outcome, requisite=requisite)

    def finish(self, site: Site, visit: Visit, outcome: Outcome, now: float) -> None:
        """Record a visit that was made without a claim (its capture was found in the archive)."""
        raw = self._urls.get(visit.identity.encode())
        if raw and raw[0] == State.SCHEDULED:
            self._withdraw(read_queued(raw))
        elif raw and raw[0] == State.SKIPPED and isinstance(refused := read_record(raw), Refused):
            self.totals.unskip(refused.reason)
        ended = State.MISSING if outcome.status in NOT_THERE else State.DONE
        self._urls.put(visit.identity.encode(), Done.of(visit, outcome, site.id, now).pack(ended))
        self.account(site, outcome, requisite=visit.requisite)

    def release(self, tokens: Iterable[bytes]) -> None:
        """Give claimed URLs back: they are due again."""
        for token in tokens:
            stored = self.claimed.pop(token, None)
            if stored is not None:
                site = self.by_id[SITE.unpack_from(token)[0]]
                del site.claims[token]
                site.cursor = min(site.cursor, token)
                self._let_go(token, decode_visit(stored) if token in self._banned else None)

    def take_back(self, tokens: Sequence[bytes]) -> None:
        """Give back claims of a worker that is gone: they are made before all else, and their guides count on it."""
        lost = [(token, decode_visit(self.claimed[token]).identity) for token in tokens]
        self.release(tokens)
        for token, key in lost:
            self.by_id[SITE.unpack_from(token)[0]].again[token] = key

    def fall_due(self, now: float, most: int = 10_000) -> dict[Site, list[tuple[bytes, str]]]:
        """Move waiting URLs whose time has come to their queues; return them by site, as (token, key).

        They become durable with the next commit."""
        sites: dict[Site, list[tuple[bytes, str]]] = {}
        if (due := self.next_due()) is None or due > now:
            return sites
        for moved, (token, value) in enumerate(self._scan(self._waiting, b"\0")):
            if moved == most or DUE.unpack(token)[0] > now * 1000:
                break
            site = self.by_id[SITE.unpack_from(value)[0]]
            visit = decode_visit(value[4:])
            happen(State.WAITING, Event.FALL_DUE)
            self._waiting.delete(token)
            self._count(site, waiting=-1, requisite=visit.requisite)
            sites.setdefault(site, []).append((self._schedule(site, visit, times=1), visit.identity))
        return sites

    def reopen(self, key: str) -> None:
        """Let a URL that answered with a redirect be discovered anew (it asked for a cookie, which we have now)."""
        raw = self._urls.get(key.encode())
        if raw is None or raw[0] != State.DONE:
            return
        done = read_record(raw)
        if isinstance(done, Done) and 300 <= done.status < 400:
            self._urls.delete(key.encode())

    def hasten(self, visit: Visit, since: float) -> bool:
        """Let a URL that changed be visited now, unless it was captured after that; return whether it will be."""
        raw = self._urls.get(visit.identity.encode())
        if raw is None or after(State(raw[0]), Event.CHANGE) is not State.SCHEDULED:
            return False
        known = read_record(raw)
        again = self._waiting_visit(known) if isinstance(known, Queued) else _done(known).visit(visit.key)
        captured = again.validators.date if again.validators is not None else 0.0
        if again.attempt or captured >= since:
            return False
        if isinstance(known, Queued):
            self._withdraw(known)
        watched = again.watched.with_news(visit.watched) if again.watched is not None else visit.watched
        self._schedule(self.site(site_of(again.url)), msgspec.structs.replace(again, watched=watched), times=1)
        return True

    def lose(self, key: str) -> bool:
        """Make a URL due whose capture is gone, to be asked for as if it were new; return whether it will be."""
        raw = self._urls.get(key.encode())
        if raw is None or after(State(raw[0]), Event.LOSE) is not State.SCHEDULED:
            return False
        known = read_record(raw)
        if isinstance(known, Queued):
            visit = self._stored(known) if known.state == State.SCHEDULED else self._waiting_visit(known)
            self._withdraw(known)
        else:
            visit = _done(known).visit(parted(key)[0])
        site = known.site if isinstance(known, Queued) else _done(known).site
        anew = msgspec.structs.replace(visit, via="", validators=None)  # whatever led there, it is asked for now
        self._schedule(self.by_id[site], anew, times=1)
        return True

    def score(self, visit: Visit, queued: Queued) -> float:
        """Let a URL that is scheduled or waits have one more say on its score; return the one that it has then."""
        score = single(self._update(queued.score, queued.times, visit.score))
        if queued.token in self.claimed:
            return queued.score
        known = queued._replace(times=queued.times + 1)
        if queued.state == State.WAITING:
            self._weigh(known, score)
        elif score != queued.score:
            self._move(queued, self._stored(queued), score, known.times)
        else:
            self._urls.put(visit.identity.encode(), known.pack())
        return score

    def advance(self, visit: Visit, queued: Queued) -> None:
        """Have a URL that is scheduled visited as a visit says."""
        if queued.state == State.SCHEDULED and queued.token not in self.claimed:
            self._move(queued, visit, visit.score, queued.times)

    def blacklist(self, key: str) -> bool:
        """Never fetch a URL, or never again; return whether that is news. One that is under way is the last time."""
        raw = self._urls.get(key.encode())
        known = read_record(raw) if raw else None
        if isinstance(known, Refused) and known.reason == Reason.BLACKLISTED:
            return False
        if isinstance(known, Queued):
            if known.token in self.claimed:
                self._banned.add(known.token)
                return False
            self._withdraw(known)
        if isinstance(known, Refused):
            self.totals.unskip(known.reason)
        happen(raw[0] if raw else State.NEW, Event.BLACKLIST)
        self._put_refused(key, Refused(reason=Reason.BLACKLISTED, detail=POSTED))
        return True

    def recrawl(self) -> int:
        """Schedule every URL that was visited once more, with what is needed for conditional requests."""
        count = 0
        for key, raw in self._scan(self._urls, b"\0"):
            if after(State(raw[0]), Event.RECRAWL) is State.SCHEDULED:
                done = read_record(raw)
                assert isinstance(done, Done)
                self._schedule(self.by_id[done.site], done.visit(parted(key.decode())[0]), times=1)
                count += 1
                if count % 1000 == 0:
                    self.commit()
        self.commit()
        return count

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────

    def _standing(self, pairs: list[tuple[str, Visit]], known: list[bytes | None]) -> dict[bytes, bytes | None]:
        """Read what the queue holds of the URLs that will move: all at once, much faster than one by one."""
        found = zip(pairs, known, strict=True)
        again = ((visit, read_queued(raw)) for (_, visit), raw in found if raw and raw[0] == State.SCHEDULED)
        tokens = [queued.token for visit, queued in again if self._moved(visit, queued)[1]]
        return dict(zip(tokens, self._queue.get_all(tokens), strict=True))

    def _moved(self, visit: Visit, queued: Queued) -> tuple[float, bool]:
        """Say which score a URL has that was found again, and whether that or a shorter way moves it."""
        update = UPDATES["max"] if visit.corner else self._update
        score = update(queued.score, queued.times, visit.score)
        score = single(score) if score != queued.score else score
        return score, score != queued.score or _is_better(visit, queued)

    def _find_again(
        self, site: str, visit: Visit, queued: Queued, standing: dict[bytes, bytes | None], *, limited: bool
    ) -> None:
        if limited and queued.token in self.claimed:
            self._note_shorter(queued, site, visit)
        if visit.url != visit.key and queued.token not in self.claimed:
            self._note_other(visit, queued)
        score, moved = self._moved(visit, queued)
        counts = self._update(0.0, 1, 1.0) == 0.5  # AVG weighs by how often a URL was found
        if not (moved or counts) or queued.token in self.claimed:
            return
        if moved:
            changed = queued.token in self._queue.fresh  # by another of the pairs that has the same key
            stored = self._stored(queued, None if changed else standing.get(queued.token))
            way = nearer(stored, visit) if _is_better(visit, queued) else stored
            self._move(queued, way, score, queued.times + 1)
        else:
            self._urls.put(visit.identity.encode(), queued._replace(times=queued.times + 1).pack())

    def _shorten(self, visit: Visit, queued: Queued) -> None:
        """Let a URL that waits be on the shorter way when its time comes."""
        better = visit.depth < queued.depth and visit.requisite == queued.requisite
        stored = self._waiting.get(queued.token) if better else None
        if stored is not None:
            way = nearer(decode_visit(stored[SITE.size :]), visit)
            self._waiting.put(queued.token, stored[: SITE.size] + encode_visit(way))
            self._urls.put(visit.identity.encode(), queued._replace(depth=visit.depth).pack())

    def _note_shorter(self, queued: Queued, site: str, visit: Visit) -> None:
        """Remember the shortest way to a page that is being visited."""
        known = self._shorter.get(queued.token)
        if not visit.requisite and visit.depth < (known[1].depth if known else queued.depth):
            self._shorter[queued.token] = site, visit

    def _let_go(self, token: bytes, visit: Visit | None) -> None:
        """Take up what happened to a URL while it was claimed: a shorter way to it was found, it was blacklisted."""
        if found := self._shorter.pop(token, None):
            self.discover([found], limited=True)
        if token in self._banned and visit is not None:
            self._banned.discard(token)
            self.blacklist(visit.identity)

    def _reconsider(self, site: str, visit: Visit, refused: Refused, *, opened: bool = False) -> int:
        """Schedule a URL that was refused, where what spoke against it holds no more.

        A shorter way was found to what only the hop limit had kept out; what knowledge took for no content is pointed
        to as worth following, or is of a kind that turned out to lead to content; what was refused as a link is part
        of a page, or the other way round.
        """
        followed = not visit.corner and visit.role in FOLLOWED
        as_part = visit.requisite and refused.reason in (Reason.SCOPE, Reason.NO_CONTENT) and not refused.never
        if refused.reason == Reason.HOPS:
            event = Event.FIND_NEARER
        elif (
            refused.reason == Reason.REQUISITE
            or as_part
            or (_is_admissible(refused) and (followed or opened) and not self.site(site).led)
        ):
            event = Event.FIND_WORTHY
        else:
            event = Event.FIND_AGAIN
        if happen(State.SKIPPED, event) is not State.SCHEDULED:
            return 0
        self.totals.unskip(refused.reason)
        self._schedule(self.site(site), visit, times=1)
        return 1

    def _is_wanted(self, queued: Queued, skip: Skip) -> bool:
        """Tell whether a URL is visited though such are left out: as a sample, or as no page led to it.

        A person named that, or it was kept before and its capture is lost.
        """
        if skip.reason != Reason.NO_CONTENT or queued.state != State.SCHEDULED:
            return False
        visit = self._stored(queued)
        return not visit.via or visit.role is Role.PROBE

    def _note_other(self, visit: Visit, queued: Queued) -> None:
        """Keep another path to a scheduled URL, in case that nothing is found at the first one."""
        stored = self._stored(queued)
        if not stored.other and _path(visit.url) != _path(stored.url):
            self._queue.put(queued.token, encode_visit(msgspec.structs.replace(stored, other=visit.url)))


def _next_visit(visit: Visit, outcome: Outcome, event: Event) -> Visit:
    """Return the visit that is made when a URL's time has come again."""
    if event is not Event.COME_BACK:
        return msgspec.structs.replace(visit, attempt=visit.attempt + (event is Event.RETRY))
    if outcome.again is None:
        return msgspec.structs.replace(visit, attempt=0, validators=outcome.validators)
    kept = outcome.validators or visit.validators
    return msgspec.structs.replace(visit, attempt=0, validators=kept, watched=outcome.watched)


def _is_better(visit: Visit, queued: Queued) -> bool:
    """Tell whether a URL was found on a better way: a shorter one, or as a page where it was part of one."""
    if visit.requisite != queued.requisite:
        return queued.requisite
    return visit.depth < queued.depth


def _is_admissible(record: Queued | Done | Refused) -> TypeGuard[Refused]:
    """Tell whether a URL was refused because of its kind, and may be visited should that be wrong."""
    return isinstance(record, Refused) and record.reason == Reason.NO_CONTENT and not record.never


def _path(url: str) -> str:
    return url.partition("?")[0]


def _done(record: Queued | Done | Refused) -> Done:
    assert isinstance(record, Done)
    return record
