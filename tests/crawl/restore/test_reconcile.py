"""What is settled and not in the archive is due again; archive, log and frontier agree afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.archive.lost import losses
from anansi.archive.objects import segments
from anansi.archive.repair import mend
from anansi.crawl.restore import soundness
from anansi.crawl.restore.reconcile import Reconciled, reconcile
from anansi.crawl.restore.restore import restore
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from tests.crash.crawling import crawl
from tests.web import ScriptedWeb, html
from tests.web.blog import Blog

TWIN = html("twin", [], "a text long enough to be kept once only. " * 100)


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    """Serve a few pages, two of them with the same bytes."""
    with ScriptedWeb() as found:
        found.add("/", html("home", ["/1", "/2", "/a", "/b", "/missing"]))
        for path in ("/1", "/2"):
            found.add(path, html(path))
        found.add("/a", TWIN)
        found.add("/b", TWIN)
        yield found


@pytest.fixture
def whole(web: ScriptedWeb, tmp_path: Path) -> Collection:
    """Crawl all of it, by one worker."""
    crawled = crawl(tmp_path / "c", [web.url + "/"], ("--delay", "0", "--workers", "1"))
    assert crawled.wait() == 0, crawled.errors
    assert soundness.check(crawled.collection).problems == ()
    return crawled.collection


def damage(collection: Collection, url: str) -> None:
    """Change a bit in the middle of a capture."""
    line = next(line for line in collection.index.read_bytes().splitlines() if f'"{url}"'.encode() in line)
    place = json.loads(line.split(b" ", 2)[2])
    path = collection.archive / place["filename"]
    data = bytearray(path.read_bytes())
    data[int(place["offset"]) + int(place["length"]) // 2] ^= 1
    path.write_bytes(data)


def reconciled(collection: Collection) -> Reconciled:
    """Mend the archive, then make the frontier agree with its index."""
    mend(collection)
    with closing(Store(collection.state / "frontier", UPDATES["first"])) as store:
        return reconcile(collection, store)


def state(collection: Collection, url: str) -> State | None:
    """Return what the frontier takes a URL for."""
    with closing(Store(collection.state / "frontier", UPDATES["first"])) as store:
        return store.state(url)


def test_where_everything_agrees_nothing_is_done(whole: Collection) -> None:
    assert reconciled(whole) == Reconciled()


def test_a_capture_that_is_gone_is_due_again_and_noted(whole: Collection, web: ScriptedWeb) -> None:
    damage(whole, web.url + "/1")
    done = reconciled(whole)
    assert (done.due, done.lost, done.examples) == (1, 1, (web.url + "/1",))
    assert state(whole, web.url + "/1") is State.SCHEDULED
    assert state(whole, web.url + "/2") is State.DONE
    assert [loss.url for loss in losses(whole.lost) if loss.url] == [web.url + "/1"]
    assert reconciled(whole) == Reconciled()


def test_an_answer_that_said_not_there_is_asked_for_again(whole: Collection, web: ScriptedWeb) -> None:
    damage(whole, web.url + "/missing")
    assert reconciled(whole).due == 1
    assert state(whole, web.url + "/missing") is State.SCHEDULED


def test_a_revisit_record_goes_with_the_payload_it_refers_to(whole: Collection, web: ScriptedWeb) -> None:
    revisits = [line for line in whole.index.read_text().splitlines() if "warc/revisit" in line]
    (revisit,) = (json.loads(line.split(" ", 2)[2])["url"] for line in revisits)
    original = web.url + ("/a" if revisit.endswith("/b") else "/b")
    damage(whole, original)
    assert reconciled(whole).due == 2
    assert {state(whole, original), state(whole, revisit)} == {State.SCHEDULED}


def test_repair_is_not_called_sound_until_the_next_crawl_has_fetched_what_is_gone(
    whole: Collection, web: ScriptedWeb
) -> None:
    lines = len(whole.index.read_bytes().splitlines())
    damage(whole, web.url + "/1")
    assert soundness.check(whole).problem_count > 0
    with whole.lock():
        restore(whole)
    report = soundness.check(whole)
    assert (report.ok, report.problem_count, report.due, report.lost) == (False, 0, 1, 1)
    assert len(whole.index.read_bytes().splitlines()) == lines - 1
    assert crawl(whole.root, [web.url + "/"]).wait() == 0
    report = soundness.check(whole)
    assert (report.ok, report.due, report.lost) == (True, 0, 1)
    assert web.count("/1") == 2


def test_a_capture_that_the_log_does_not_tell_of_is_logged(whole: Collection, web: ScriptedWeb) -> None:
    lines = whole.crawl_log.read_text().splitlines(keepends=True)
    whole.crawl_log.write_text("".join(line for line in lines if f"{web.url}/1 " not in line))
    assert any("does not tell of it" in problem.what for problem in soundness.check(whole).problems)
    assert reconciled(whole).logged == 1
    (line,) = (line for line in whole.crawl_log.read_text().splitlines() if f" {web.url}/1 " in line)
    before = next(line for line in lines if f" {web.url}/1 " in line)
    told, was = line.split(), before.split()
    assert told[1:7] == was[1:7]
    assert told[8:11] == was[8:11]
    assert told[11] == "fromArchive"


def test_a_url_that_the_frontier_forgot_is_found_again(whole: Collection, web: ScriptedWeb) -> None:
    with closing(Store(whole.state / "frontier", UPDATES["first"])) as store:
        store._urls.delete(f"{web.url}/2".encode())
    assert [problem.what for problem in soundness.check(whole).problems] == [
        f"the archive holds it, but the frontier does not know its URL: {web.url}/2"
    ]
    with whole.lock():
        assert restore(whole).reconciled.due == 1
    assert state(whole, web.url + "/2") is State.SCHEDULED


def test_what_is_gone_is_fetched_again_though_its_like_is_refused_now(tmp_path: Path) -> None:
    """Lose a page of a calendar that was closed as a trap after it, and the robots.txt."""
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/day?n=1"]))
        for number in range(1, 60):
            web.add(f"/day?n={number}", html("A day", [f"/day?n={number + 1}"], "Nothing happened on this day."))
        seeds = [web.url + "/"]
        collection = crawl(tmp_path / "c", seeds).collection
        assert web.count("/day") < 40, "the rest was refused"
        for path in ("/day?n=3", "/robots.txt"):
            damage(collection, web.url + path)
        with collection.lock():
            restore(collection)
        assert crawl(collection.root, seeds).wait() == 0
        assert (web.count("/day?n=3"), web.count("/robots.txt")) == (2, 2)
        report = soundness.check(collection)
        assert (report.ok, report.lost, report.gone) == (True, 2, 0)


def test_objects_that_are_gone_when_a_crawl_goes_on_are_noted(tmp_path: Path) -> None:
    """Remove the segments of objects: the crawl that goes on seals what is there, and does not call it whole."""
    with ScriptedWeb() as web:
        web.add("/*", Blog(posts=6, shown=3, feed=4))
        options = ("--delay", "0", "--strategy", "auto")
        collection = crawl(tmp_path / "c", [web.url + "/"], options).collection
        (segment,) = segments(collection)
        segment.unlink()
        for _ in range(2):
            assert crawl(collection.root, [web.url + "/"], options).wait() == 0
            (note,) = soundness.check(collection).notes
            assert note.startswith(f"objects/{segment.name}: the file is gone") and "--again" in note


def _remove(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("harm", [_remove, _cut])
@pytest.mark.parametrize("which", ["archive", "indexes", "pages", "logs"])
def test_a_crawl_that_goes_on_makes_up_for_files_that_are_gone_or_cut(
    which: str, harm: Callable[[Path], None], whole: Collection, web: ScriptedWeb
) -> None:
    """Without a check in between, and though the run before ended properly."""
    before = {line["url"] for line in _index(whole)}
    (path,) = (each for each in (whole.root / which).iterdir() if each.is_file() and each != whole.events)
    harm(path)
    assert crawl(whole.root, [web.url + "/"]).wait() == 0
    assert {line["url"] for line in _index(whole)} == before
    report = soundness.check(whole)
    assert (report.ok, report.gone) == (True, 0), report.problems
    assert (web.count("/1") + web.count("/2") > 2) == (which == "archive")


def _index(collection: Collection) -> list[dict[str, str]]:
    return [json.loads(line.split(b" ", 2)[2]) for line in collection.index.read_bytes().splitlines()]
