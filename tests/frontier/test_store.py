"""The store on a disk that is damaged, full or in use; and what it remembers besides URLs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.errors import AnansiError, CollectionError, DamagedError
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.rocks import Rocks
from anansi.frontier.store import Store
from anansi.model import Corner, CornerKind, Ended, Outcome, Reason, Role, Skip, Visit

MANY = 20_000


def visit(number: int, *, score: float = 0.5, depth: int = 0, **more: object) -> tuple[str, Visit]:
    url = f"http://ant.org/{number:06}/{number * 7919 % 10007:x}"
    return "ant.org", Visit(url=url, key=url, score=score, depth=depth, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "frontier", UPDATES["first"])
    yield opened
    opened.close()


def damage(folder: Path) -> None:
    """Change bytes in the middle of every large table, as a failing disk does."""
    for path in folder.glob("*.sst"):
        if path.stat().st_size > 50_000:
            with path.open("r+b") as file:
                file.seek(path.stat().st_size // 2)
                file.write(b"\x5a" * 200)


def test_a_closed_store_can_be_opened_again_at_once(tmp_path: Path) -> None:
    first = Store(tmp_path, UPDATES["first"])
    first.discover([visit(1)])
    first.close()
    second = Store(tmp_path, UPDATES["first"])
    assert [each.key for each in second.queued(second.sites["ant.org"])] == [visit(1)[1].key]
    second.close()


def test_a_damaged_store_says_so_instead_of_ending_the_crawl_early(tmp_path: Path) -> None:
    whole = Store(tmp_path, UPDATES["first"])
    whole.discover(map(visit, range(MANY)))
    whole.close()
    damage(tmp_path)
    broken = Store(tmp_path, UPDATES["first"])
    site = broken.sites["ant.org"]
    assert site.row.queued == MANY
    for scan in (broken.urls, lambda: broken.queued(site)):
        with pytest.raises(DamagedError, match="anansi check DIR --repair"):
            list(scan())
    with pytest.raises(DamagedError):
        while broken.take(site, 1000):
            pass
    with pytest.raises(DamagedError):
        broken.discover(map(visit, range(MANY)))
    broken._rocks.close()


@pytest.mark.parametrize("number", [b"1", None])
def test_what_another_version_wrote_is_refused(tmp_path: Path, number: bytes | None) -> None:
    with closing(Store(tmp_path / "s", UPDATES["first"])) as store:
        store.discover([visit(1)])
    rocks = Rocks(tmp_path / "s", ("urls",), ("queue", "waiting", "meta"))
    rocks["meta"].delete(b"format") if number is None else rocks["meta"].put(b"format", number)
    rocks.commit()
    rocks.close()
    for writable in (True, False):
        with pytest.raises(DamagedError, match=r"another version of Anansi wrote it\); `anansi check DIR --repair`"):
            Store(tmp_path / "s", UPDATES["first"], writable=writable)


def test_a_store_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("nonsense\n")
    with pytest.raises(DamagedError, match="--repair"):
        Store(tmp_path, UPDATES["first"])


def test_two_processes_cannot_have_one_store(store: Store, tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="another process holds") as caught:
        Store(tmp_path / "frontier", UPDATES["first"])
    assert caught.value.exit_code == 3


FILL = """
import resource, signal, sys
from pathlib import Path
from anansi.errors import DiskError
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.model import Visit

store = Store(Path(sys.argv[1]), UPDATES["first"])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
committed = 0
try:
    for batch in range(1000):
        urls = [f"http://ant.org/{batch}/{number}" for number in range(100)]
        store.discover(("ant.org", Visit(url=url, key=url)) for url in urls)
        store.commit()
        committed += 100
except DiskError as error:
    print(committed, error.exit_code, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
try:
    store.close()
except DiskError:
    print("nothing is written after a failure")
"""


def test_a_full_disk_is_told_and_leaves_what_was_committed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    first, second = done.stdout.splitlines()
    committed, code = map(int, first.split())
    assert code == 5
    assert second == "nothing is written after a failure"
    store = Store(tmp_path, UPDATES["first"])
    queued = sum(1 for _ in store.queued(store.sites["ant.org"]))
    assert queued == committed == store.totals.queued == store.sites["ant.org"].row.queued
    store.close()


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AnansiError, match="state/"):
        Store(tmp_path / "file" / "frontier", UPDATES["first"])


def test_facts_are_kept_about_sites_and_about_the_crawl(tmp_path: Path) -> None:
    store = Store(tmp_path, UPDATES["first"])
    ant, bee = store.site("ant.org"), store.site("bee.org")
    store.memory.remember(ant, "robots", b"1")
    store.memory.remember(ant, "traps", b"2")
    store.memory.remember(bee, "robots", b"3")
    assert store.memory.noted("seeds") == []
    store.memory.note("seeds", ["x", "y"])
    assert store.memory.noted("seeds") == ["x", "y"]
    assert store.memory.recall(ant) == {"robots": b"1", "traps": b"2", "pages": b"0"}
    store.close()
    again = Store(tmp_path, UPDATES["first"])
    assert again.memory.recall(again.sites["bee.org"]) == {"robots": b"3", "pages": b"0"}
    assert again.memory.noted("seeds") == ["x", "y"]
    assert again.memory.noted("weather") == []
    again.close()


def test_a_url_found_twice_in_one_batch_is_scheduled_once(tmp_path: Path) -> None:
    store = Store(tmp_path, UPDATES["last"])
    store.discover([visit(1, score=0.5)])
    store.commit()
    store.discover([visit(1, score=0.25), visit(1, score=0.75), visit(1, score=0.25)])
    site = store.sites["ant.org"]
    assert [each.score for each in store.queued(site)] == [0.25]
    assert site.row.queued == 1
    store.close()


def test_a_shorter_way_changes_how_a_url_is_reached_and_nothing_else(store: Store) -> None:
    store.discover([visit(1, depth=5, via="far", hops="LLLLL", attempt=2), visit(2)])
    store.discover([visit(1, depth=1, via="near", hops="L")])
    first, second = store.queued(store.sites["ant.org"])
    assert (first.depth, first.via, first.hops, first.attempt) == (1, "near", "L", 2)
    assert second.key == visit(2)[1].key, "it keeps its place"


def test_a_url_beyond_the_hop_limit_is_taken_up_when_a_shorter_way_is_found(store: Store) -> None:
    site, near = visit(1)
    store.refuse(Skip(near.url, near.key, Reason.HOPS))
    assert store.totals.skipped == {"hop limit": 1}
    assert store.discover([(site, near)]) == 1
    assert store.state(near.key) is State.SCHEDULED
    assert store.totals.skipped == {"hop limit": 0}


def test_a_url_refused_for_any_other_reason_stays_refused(store: Store) -> None:
    site, other = visit(1)
    assert store.refuse(Skip(other.url, other.key, Reason.TRAP))
    assert not store.refuse(Skip(other.url, other.key, Reason.SCOPE))
    assert store.discover([(site, other)]) == 0
    assert store.state(other.key) is State.SKIPPED


def test_what_was_kept_and_is_lost_is_not_refused_for_what_knowledge_says_of_its_kind(store: Store) -> None:
    site, lost = visit(1, via="http://ant.org/")
    _, found = visit(2, via="http://ant.org/")
    store.discover([(site, lost), (site, found)])
    for token, _ in store.take(store.site(site), 1):
        store.settle(token, Outcome(Ended.DONE, 200), 1.0)
    assert store.lose(lost.key)
    assert not store.refuse(Skip(lost.url, lost.key, Reason.NO_CONTENT))
    assert store.refuse(Skip(found.url, found.key, Reason.NO_CONTENT))
    assert store.refuse(Skip(lost.url, lost.key, Reason.ROBOTS))


def test_a_capture_found_in_the_archive_takes_its_url_out_of_the_queue(store: Store) -> None:
    site, known = visit(1)
    store.discover([(site, known), visit(2)])
    store.finish(store.site(site), known, Outcome(Ended.DONE, 200, requests=1), 1.0)
    assert store.state(known.key) is State.DONE
    assert [each.key for each in store.queued(store.site(site))] == [visit(2)[1].key]
    assert (store.totals.queued, store.totals.requests) == (1, 1)


def test_waiting_urls_fall_due_in_portions(store: Store) -> None:
    store.discover(map(visit, range(25)))
    for token, _ in store.take(store.sites["ant.org"], 25):
        store.settle(token, Outcome(Ended.RETRY, 503, wait=10.0), 100.0)
    assert store.next_due() == 110.0
    assert not store.fall_due(109.9)
    assert [each.row.name for each in store.fall_due(110.0, most=20)] == ["ant.org"]
    assert (store.totals.queued, store.totals.waiting) == (20, 5)
    store.fall_due(110.0)
    assert (store.totals.queued, store.totals.waiting) == (25, 0)
    assert store.next_due() is None


@pytest.mark.skipif(os.environ.get("PYTEST_XDIST_WORKER") is not None, reason="counts this process's files")
def test_no_file_stays_open_after_a_store_is_closed(tmp_path: Path) -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count()
    for _ in range(3):
        Store(tmp_path, UPDATES["first"]).close()
    assert count() <= before


# ── several addresses of one key ─────────────────────────────────────────────────────────────────────────────────

TOPIC = "http://a.org/t/7"


def titled(title: str) -> tuple[str, Visit]:
    return "a.org", Visit(url=f"http://a.org/t/{title}/7", key=TOPIC)


def answered(store: Store, status: int) -> list[str]:
    """Visit all that is due; return where."""
    taken = store.take(store.site("a.org"), 9)
    made = [store.settle(token, Outcome(Ended.DONE, status), 0.0) for token, _ in taken]
    store.commit()
    return [each.url for each in made if each is not None]


def test_what_is_not_there_under_one_title_is_tried_under_another_that_was_found_before(store: Store) -> None:
    store.discover([titled("old"), titled("new")])
    assert answered(store, 404) == ["http://a.org/t/old/7"]
    assert answered(store, 200) == ["http://a.org/t/new/7"]
    assert store.state(TOPIC) is State.DONE


def test_or_that_is_found_later(store: Store) -> None:
    store.discover([titled("old")])
    answered(store, 404)
    assert store.state(TOPIC) is State.MISSING
    assert store.discover([titled("old")]) == 0
    assert store.discover([titled("new")]) == 1
    assert answered(store, 200) == ["http://a.org/t/new/7"]


def test_what_was_found_is_not_fetched_under_another_title(store: Store) -> None:
    store.discover([titled("old"), titled("new")])
    assert answered(store, 200) == ["http://a.org/t/old/7"]
    assert store.discover([titled("third")]) == 0 and answered(store, 200) == []


def test_a_dead_page_of_a_hundred_names_is_given_up(store: Store) -> None:
    tried = 0
    for number in range(100):
        store.discover([titled(f"name-{number}")])
        tried += len(answered(store, 404))
    assert tried == 4


def test_another_query_is_no_other_address(store: Store) -> None:
    store.discover([titled("old")])
    answered(store, 404)
    assert store.discover([("a.org", Visit(url="http://a.org/t/old/7?from=mail", key=TOPIC))]) == 0


# ── what was refused by knowledge ────────────────────────────────────────────────────────────────────────────────


MEMBERS = Corner(CornerKind.SAMPLES, "/*/*", "a member")


def refused(store: Store, number: int, detail: str = "a member", *, never: bool = False) -> Visit:
    _, found = visit(number)
    store.refuse(Skip(found.url, found.key, Reason.NO_CONTENT, detail, never))
    store.commit()
    return found


@pytest.mark.parametrize(
    ("how", "state"),
    [
        (
            {"hops": "L", "score": 0.3, "role": Role.CONTENT},
            State.SCHEDULED,
        ),  # an action of another page points to it
        ({"hops": "", "score": 0.3, "role": Role.SEED}, State.SCHEDULED),  # somebody names it
        ({"hops": "L", "score": 0.9}, State.SKIPPED),  # what a crawl is about does not make it content
        ({"hops": "R", "score": 0.03}, State.SKIPPED),  # where a form redirects to
        (
            {"hops": "L", "score": 0.03, "role": Role.PROBE, "corner": MEMBERS},
            State.SKIPPED,
        ),
    ],
)
def test_what_was_refused_as_no_content_is_reconsidered_in_another_role(
    store: Store, how: dict[str, object], state: State
) -> None:
    found = refused(store, 1)
    store.discover([visit(1, **how)])  # type: ignore[arg-type]
    assert store.state(found.key) is state
    assert store.totals.skipped == {"no content": int(state is State.SKIPPED)}


@pytest.mark.parametrize("reason", [Reason.ROBOTS, Reason.TRAP, Reason.DUPLICATE, Reason.SCOPE])
def test_what_was_refused_for_another_reason_stays_refused(store: Store, reason: Reason) -> None:
    _, found = visit(1)
    store.refuse(Skip(found.url, found.key, reason))
    store.discover([visit(1, hops="L", role=Role.CONTENT)])
    assert store.state(found.key) is State.SKIPPED


def test_what_does_something_when_it_is_visited_is_never_reconsidered(store: Store) -> None:
    found = refused(store, 1, never=True)
    store.discover([visit(1, hops="L", role=Role.CONTENT)])
    assert store.readmit(Visit(url="http://ant.org/members", key="x"), MEMBERS, most=9) == 0
    assert store.state(found.key) is State.SKIPPED


def test_a_kind_that_is_opened_is_readmitted_some_at_a_time(store: Store) -> None:
    members = [refused(store, number) for number in range(1, 6)]
    form = refused(store, 6, "a form")
    where = Visit(url="http://ant.org/members", key="x", hops="LL", depth=2)
    assert store.readmit(where, MEMBERS, most=3) == 3
    store.commit()
    assert store.readmit(where, MEMBERS, most=3) == 2
    assert store.readmit(where, Corner(CornerKind.SAMPLES, "/about", "a member"), most=3) == 0
    (queued, *_) = store.queued(store.sites["ant.org"])
    assert (queued.role, queued.corner, queued.via, queued.depth) == (Role.PROBE, MEMBERS, where.url, 3)
    assert {store.state(each.key) for each in members} == {State.SCHEDULED}
    assert store.state(form.key) is State.SKIPPED and store.totals.skipped == {"no content": 1}
