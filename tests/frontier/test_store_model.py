"""Whatever happens to a store, in whatever order, it stays what a plain dictionary would be."""

from __future__ import annotations

import contextlib
import copy
import shutil
import tempfile
import time
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from anansi.frontier.lifecycle import TABLE, State
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import Done, Queued, Refused, decode_visit
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Reason, Skip, Visit
from tests.frontier.model import Model

SITES = ("ant.org", "bee.org", "cat.org")
KEYS = tuple(f"http://{site}/{number}" for site in SITES for number in range(5))

keys = st.sampled_from(KEYS)
sites = st.sampled_from(SITES)
scores = st.sampled_from((0.0, 0.1, 0.3, 0.5, 0.7, 1.0))  # few, so that they meet; most are not exact in four bytes
depths = st.integers(0, 4)
found = st.tuples(keys, scores, depths)
endings = st.sampled_from((Ended.DONE, Ended.DONE, Ended.RETRY, Ended.DEFER, Ended.FAILED, Ended.SKIPPED))
reasons = st.sampled_from((Reason.HOPS, Reason.SCOPE, Reason.TRAP))


def site_of(key: str) -> str:
    return key.split("/")[2]


def snapshot(source: Path, target: Path) -> None:
    """Copy a database as it is at one instant: again, when its own housekeeping changed files meanwhile."""
    for _ in range(100):
        before = files(source)
        shutil.rmtree(target, ignore_errors=True)
        with contextlib.suppress(shutil.Error):
            shutil.copytree(source, target)
            if files(source) == before == files(target):
                return
        time.sleep(0.01)
    raise AssertionError("the database never came to rest")


def files(folder: Path) -> dict[str, int]:
    """List files with their sizes, without RocksDB's own chatter."""
    found = {}
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if not path.name.startswith("LOG"):
                found[path.name] = path.stat().st_size
    return found


class StoreMachine(RuleBasedStateMachine):
    """A store and its model; `committed` is the model as it was at the last commit."""

    @initialize(update=st.sampled_from(sorted(UPDATES)), limited=st.booleans())
    def begin(self, update: str, limited: bool) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="anansi-store-"))
        self.lives = 0
        self.update = update
        self.store = Store(self.path, UPDATES[update])
        self.model = Model(update, limited)
        self.committed = copy.deepcopy(self.model)
        self.claims: dict[bytes, str] = {}
        self.old_tokens: list[bytes] = []
        self.now = 1_700_000_000.0
        self.states: dict[str, State] = {}
        self.reopened = ""

    @property
    def path(self) -> Path:
        return self.folder / str(self.lives)

    # ── what happens ─────────────────────────────────────────────────────────────────────────────────────────

    @rule(batch=st.lists(found, min_size=1, max_size=8))
    def discover(self, batch: list[tuple[str, float, int]]) -> None:
        visits = [(site_of(key), Visit(url=key, key=key, score=score, depth=depth)) for key, score, depth in batch]
        new = sum(self.model.discover(site_of(key), key, score, depth) for key, score, depth in batch)
        assert self.store.discover(visits, limited=self.model.limited) == new

    @rule(key=keys, reason=reasons)
    def refuse(self, key: str, reason: Reason) -> None:
        assert self.store.refuse(Skip(key, key, reason)) == self.model.refuse(site_of(key), key, reason)

    @rule(key=keys, score=scores)
    def rescore(self, key: str, score: float) -> None:
        assert self.store.rescore({key: score}) == self.model.rescore(key, score)

    @rule(key=keys, score=scores)
    def score(self, key: str, score: float) -> None:
        known = self.store.explain(key)
        if isinstance(known, Queued):
            assert self.store.score(Visit(url=key, key=key, score=score), known) == self.model.score(key, score)

    @rule(key=keys)
    def blacklist(self, key: str) -> None:
        assert self.store.blacklist(key) == self.model.blacklist(site_of(key), key)

    @rule(site=sites, most=st.integers(1, 6))
    def take(self, site: str, most: int) -> None:
        expected = self.model.claimable(site)[:most]
        taken = self.store.take(self.store.site(site), most)
        visits = [decode_visit(raw) for _, raw in taken]
        assert [visit.key for visit in visits] == expected
        for (token, _), visit in zip(taken, visits, strict=True):
            entry = self.model.urls[visit.key]
            assert token not in self.claims, "a URL was claimed twice"
            assert (visit.depth, visit.attempt, visit.url) == (entry.depth, entry.attempt, visit.key)
            entry.claimed = True
            self.claims[token] = visit.key
        self.note_commit()

    @precondition(lambda self: self.claims)
    @rule(
        data=st.data(), ended=endings, wait=st.sampled_from((0.0, 1.0, 60.0)), revisit=st.sampled_from((None, 30.0))
    )
    def settle(self, data: st.DataObject, ended: Ended, wait: float, revisit: float | None) -> None:
        token = data.draw(st.sampled_from(sorted(self.claims)))
        key = self.claims.pop(token)
        self.old_tokens.append(token)
        status = data.draw(st.sampled_from((200, 302, 404)))
        reason = Reason.ROBOTS if ended is Ended.SKIPPED else ""
        outcome = Outcome(ended=ended, status=status, reason=reason, wait=wait, requests=1)
        visit = self.store.settle(token, outcome, self.now, revisit)
        assert visit is not None
        assert visit.key == key
        self.model.settle(key, ended, self.now, wait, revisit, status)

    @precondition(lambda self: self.old_tokens)
    @rule(data=st.data())
    def settle_too_late(self, data: st.DataObject) -> None:
        token = data.draw(st.sampled_from(self.old_tokens))
        if token not in self.claims:
            assert self.store.settle(token, Outcome(ended=Ended.DONE, status=200, requests=1), self.now) is None

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        for token in data.draw(st.lists(st.sampled_from(sorted(self.claims)), unique=True)):
            self.store.release([token])
            self.model.release(self.claims.pop(token))
            self.old_tokens.append(token)

    @rule(seconds=st.sampled_from((0.0, 0.5, 1.0, 30.0, 100.0)))
    def let_time_pass(self, seconds: float) -> None:
        self.now += seconds
        expected = self.model.fall_due(self.now)
        assert {site.row.name for site in self.store.fall_due(self.now)} == expected
        self.store.commit()
        self.note_commit()

    @rule(key=keys)
    def reopen(self, key: str) -> None:
        self.store.reopen(key)
        self.model.reopen(key)
        self.reopened = key

    @rule()
    def recrawl(self) -> None:
        assert self.store.recrawl() == self.model.recrawl()
        self.note_commit()

    @rule()
    def commit(self) -> None:
        self.store.commit()
        self.note_commit()

    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.note_commit()
        self.wake_up()

    @rule()
    def crash(self) -> None:
        """The process dies: what is on disk now is all there is."""
        snapshot(self.path, self.folder / str(self.lives + 1))
        self.store.close()
        self.lives += 1
        self.wake_up()

    def wake_up(self) -> None:
        self.store = Store(self.path, UPDATES[self.update])
        self.model = copy.deepcopy(self.committed)
        self.model.forget_claims()
        self.old_tokens += self.claims
        self.claims.clear()
        self.states = {key: entry.state for key, entry in self.model.urls.items()}

    def note_commit(self) -> None:
        self.committed = copy.deepcopy(self.model)

    # ── what must hold ───────────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def every_url_is_where_it_should_be(self) -> None:
        for key in KEYS:
            entry = self.model.urls.get(key)
            known = self.store.explain(key)
            assert self.store.state(key) == (entry.state if entry else None), key
            match known:
                case Queued(state, _, score, _, depth):
                    assert entry is not None
                    assert (state, score, depth) == (entry.state, entry.score, entry.depth)
                case Done():
                    assert entry is not None
                    assert (known.status, known.depth) == (entry.status, entry.depth)
                case Refused():
                    assert entry is not None
                    assert known.reason == entry.reason

    @invariant()
    def every_step_is_in_the_table(self) -> None:
        states = {key: entry.state for key, entry in self.model.urls.items()}
        for key in self.states.keys() | states.keys():
            before, now = self.states.get(key, State.NEW), states.get(key, State.NEW)
            if before is State.DONE and now is State.NEW and key == self.reopened:
                continue  # it is discovered anew, as by a recrawl
            assert before is now or now in TABLE[before].values(), f"{key}: {before!r} → {now!r}"
        self.states, self.reopened = states, ""

    @invariant()
    def counts_are_right(self) -> None:
        model, totals = self.model, self.store.totals
        for name, site in self.store.sites.items():
            assert site.row.queued == model.count(name, State.SCHEDULED)
            assert site.row.waiting == model.count(name, State.WAITING)
            assert site.claimed == sum(site_of(key) == name for key in self.claims.values())
        assert totals.queued == sum(entry.state is State.SCHEDULED for entry in model.urls.values())
        assert totals.waiting == sum(entry.state is State.WAITING for entry in model.urls.values())
        assert (totals.requests, totals.retries, totals.failed) == (model.requests, model.retries, model.failed)
        skipped = [entry.reason for entry in model.urls.values() if entry.state is State.SKIPPED]
        assert {reason: count for reason, count in totals.skipped.items() if count} == {
            reason: skipped.count(reason) for reason in set(skipped)
        }
        assert len(self.store.claimed) == len(self.claims)

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        self.note_commit()
        for name in self.store.sites:
            every = [visit.key for visit in self.store.queued(self.store.sites[name])]
            entries = {key: each for key, each in self.model.urls.items() if each.site == name}
            expected = [key for key, each in entries.items() if each.state is State.SCHEDULED]
            assert every == sorted(expected, key=lambda key: (-entries[key].score, entries[key].order))
        assert dict(self.store.urls()) == {key: entry.state for key, entry in self.model.urls.items()}
        due = [entry.due for entry in self.model.urls.values() if entry.state is State.WAITING]
        assert self.store.next_due() == (min(due) / 1000 if due else None)
        self.store.close()
        shutil.rmtree(self.folder)


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=60, stateful_step_count=40)
