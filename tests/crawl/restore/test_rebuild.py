"""A frontier made anew from the archive knows what the lost one knew."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.archive import index
from anansi.archive.layout import Collection
from anansi.archive.repair import repair
from anansi.crawl.captures import Captures
from anansi.crawl.restore.rebuild import rebuild_frontier
from anansi.crawl.restore.reconcile import require_whole
from anansi.errors import DamagedError
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.rocks import Rocks
from anansi.frontier.store import Store
from anansi.model import Cut
from anansi.url import Rules
from tests.crash.crawling import Crawling, crawl, wait_until
from tests.web import Reply, ScriptedWeb, chunked, html, redirect, wrong_content_length
from tests.web.comments import Commented
from tests.web.replies import HTML, markup

TWIN = html("twin", ["next"], "a text long enough to be kept once only. " * 100)
"""The same bytes at two places: the second is a revisit record, and its link leads elsewhere."""


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    """Serve a page of each kind that a rebuild must read."""
    with ScriptedWeb() as found:
        found.add("/", html("home", ["/a/", "/b/", "/chunked", "/moved", "/missing", "http://elsewhere.example/"]))
        found.add("/a/", TWIN)
        found.add("/b/", TWIN)
        found.add("/a/next", html("a"))
        found.add("/b/next", html("b"))
        found.add("/chunked", chunked(markup("in chunks", ["/from-chunks"]).encode()))
        found.add("/from-chunks", html("from chunks"))
        found.add("/moved", redirect("/target"))
        found.add("/target", html("target"))
        yield found


@pytest.fixture
def whole(web: ScriptedWeb, tmp_path: Path) -> Collection:
    """Crawl all of it."""
    crawled = crawl(tmp_path / "c", [web.url + "/"])
    assert crawled.wait() == 0, crawled.errors
    return crawled.collection


def states(collection: Collection) -> dict[str, State]:
    """Read what a frontier knows about every URL."""
    store = Store(collection.state / "frontier", UPDATES["first"])
    try:
        return dict(store.urls())
    finally:
        store.close()


def test_it_knows_every_url_in_the_same_state_as_before(whole: Collection) -> None:
    before = states(whole)
    assert State.DONE in before.values() and State.SKIPPED in before.values()
    shutil.rmtree(whole.state / "frontier")
    assert rebuild_frontier(whole) == sum(1 for _ in Captures(whole, Rules()).all())
    assert states(whole) == before


def test_it_counts_what_was_counted(whole: Collection) -> None:
    store = Store(whole.state / "frontier", UPDATES["first"])
    before = store.totals
    store.close()
    shutil.rmtree(whole.state / "frontier")
    rebuild_frontier(whole)
    store = Store(whole.state / "frontier", UPDATES["first"])
    after = store.totals
    store.close()
    for name in ("requests", "pages", "statuses", "skipped", "queued", "waiting", "duplicates"):
        assert getattr(after, name) == getattr(before, name), name


def test_links_of_a_page_whose_body_stands_elsewhere_are_found(tmp_path: Path) -> None:
    """Twins have one body in the archive; the relative link in it leads to two places."""
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/a/", "/b/"]))
        web.add("/a/", TWIN)
        web.add("/b/", TWIN)
        crawled = crawl(tmp_path / "c", [web.url + "/"], ("--delay", "0", "--max-hops", "1"))
        assert crawled.wait() == 0
        bodies = {
            each.page.visit.url: each.page is each.source for each in Captures(crawled.collection, Rules()).all()
        }
        assert sorted((bodies[web.url + "/a/"], bodies[web.url + "/b/"])) == [False, True]
        shutil.rmtree(crawled.collection.state / "frontier")
        rebuild_frontier(crawled.collection)
        known = states(crawled.collection)
        assert known[web.url + "/a/next"] is known[web.url + "/b/next"] is State.SKIPPED


def board(*links: str) -> Reply:
    """Make a page of a forum that the knowledge base knows."""
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return Reply(200, (HTML,), f'<html><body id="phpbb"><p>{anchors}</p></body></html>'.encode())


KNOWING = ("--delay", "0", "--strategy", "auto")


def test_pages_that_are_known_by_their_types_keys_are_not_fetched_again(tmp_path: Path) -> None:
    """A forum's thread has many addresses; the frontier knew it by one of them, and so does the new one."""
    with ScriptedWeb() as web:
        web.add("/", board("/viewforum.php?f=1", "/viewtopic.php?f=1&t=2"))
        web.add("/viewforum.php", board(*(f"/viewtopic.php?f=1&t={number}" for number in range(1, 5))))
        web.add("/viewtopic.php", board("/", *(f"/viewtopic.php?t={number}&f=7" for number in range(1, 5))))
        seeds = [web.url + "/"]
        assert crawl(tmp_path / "c", seeds, KNOWING).wait() == 0
        collection, before, asked = Collection(tmp_path / "c"), states(Collection(tmp_path / "c")), web.paths()
        assert web.url + "/viewtopic.php?t=4" in before and len(asked) == 7
        shutil.rmtree(collection.state / "frontier")
        rebuild_frontier(collection)
        assert states(collection) == before
        assert crawl(tmp_path / "c", seeds, KNOWING).wait() == 0
        assert web.paths() == asked


def test_the_way_to_a_page_is_read_back(whole: Collection, web: ScriptedWeb) -> None:
    ways = {each.page.visit.url: each.page.visit for each in Captures(whole, Rules()).all()}
    home, target = ways[web.url + "/"], ways[web.url + "/target"]
    assert (home.hops, home.depth, home.via) == ("", 0, "")
    assert (target.hops, target.depth, target.via, target.seed) == ("LR", 1, web.url + "/moved", web.url + "/")
    assert ways[web.url + "/robots.txt"].hops == "P"


def test_a_damaged_archive_gives_what_stands_before_the_damage(whole: Collection, web: ScriptedWeb) -> None:
    count = sum(1 for _ in Captures(whole, Rules()).all())
    [path] = [path for path in whole.warcs() if path.stat().st_size > 2000][:1]
    path.write_bytes(path.read_bytes()[:-300])
    index.rebuild(whole)
    shutil.rmtree(whole.state / "frontier")
    rebuilt = rebuild_frontier(whole)
    assert rebuilt is not None and 0 < rebuilt <= count


def test_a_page_that_was_cut_is_tried_again(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/cut"]))
        web.add("/cut", wrong_content_length("longer"))
        with Crawling(tmp_path / "c", [web.url + "/"]) as crawling:
            log = crawling.collection.crawl_log
            assert wait_until(lambda: log.exists() and b"/cut" in log.read_bytes())
            crawling.kill_hub()
    repair(crawling.collection)
    index.rebuild(crawling.collection)
    pages = {each.page.visit.url: each.page for each in Captures(crawling.collection, Rules()).all()}
    assert pages[web.url + "/cut"].cut is Cut.DISCONNECT
    shutil.rmtree(crawling.collection.state / "frontier")
    rebuild_frontier(crawling.collection)
    known = states(crawling.collection)
    assert known == {web.url + "/": State.DONE, web.url + "/cut": State.SCHEDULED}


def test_a_sound_frontier_is_not_touched(whole: Collection) -> None:
    before = states(whole)
    assert rebuild_frontier(whole) is None
    assert states(whole) == before
    assert [path.name for path in whole.state.glob("frontier*")] == ["frontier"]


def test_the_damaged_one_is_kept_beside_it(whole: Collection) -> None:
    for path in (whole.state / "frontier").glob("*.sst"):
        path.write_bytes(b"no table")
    assert rebuild_frontier(whole)
    assert len(list(whole.state.glob("frontier-damaged-*"))) == 1
    assert not (whole.state / "frontier-new").exists()


def test_every_damaged_one_is_kept(whole: Collection) -> None:
    for _ in range(3):
        for path in (whole.state / "frontier").glob("*.sst"):
            path.write_bytes(b"no table")
        assert rebuild_frontier(whole)
    assert len(list(whole.state.glob("frontier-damaged-*"))) == 3


def test_one_that_never_was_leaves_nothing_damaged_behind(whole: Collection) -> None:
    shutil.rmtree(whole.state / "frontier")
    assert rebuild_frontier(whole)
    assert not list(whole.state.glob("frontier-damaged-*"))


def test_a_frontier_that_is_gone_while_the_archive_is_not_is_refused(whole: Collection, tmp_path: Path) -> None:
    empty = Store(tmp_path / "empty", UPDATES["first"])
    with pytest.raises(DamagedError, match=r"is gone; `anansi check DIR --repair` rebuilds it"):
        require_whole(empty, whole)
    require_whole(empty, Collection(tmp_path / "another"))
    empty.close()


def test_it_knows_what_sites_are_what_was_kept_and_what_was_left_out(tmp_path: Path) -> None:
    blog = Commented((("bread", 12), ("ships", 3)), newest_first=True)
    with ScriptedWeb(address="127.0.8.8") as web:
        web.add("/*", blog)
        assert crawl(tmp_path / "c", [web.url + "/"], KNOWING).wait() == 0
        collection = Collection(tmp_path / "c")
        before = json.loads(collection.summary.read_text())
        shutil.rmtree(collection.state / "frontier")
        rebuild_frontier(collection)
        assert crawl(tmp_path / "c", [web.url + "/"], KNOWING).wait() == 0
    after = json.loads(collection.summary.read_text())
    assert before["objects"]["comment"] == 15
    for name in ("requests", "types", "objects", "skipped", "sites"):
        assert after[name] == before[name], name


def test_a_frontier_of_another_version_is_refused_and_rebuilt(web: ScriptedWeb, tmp_path: Path) -> None:
    limited = ("--delay", "0", "--limit", "2")
    assert crawl(tmp_path / "c", [web.url + "/"], limited).wait() == 10
    collection = Collection(tmp_path / "c")
    rocks = Rocks(collection.state / "frontier", ("urls",), ("queue", "waiting", "meta"))
    for key, value in list(rocks["urls"].scan(b"")):
        if value[0] == State.SCHEDULED:
            rocks["urls"].put(key, value[:-1])
    rocks.commit()
    rocks.close()
    refused = crawl(tmp_path / "c", [web.url + "/"], ("--delay", "0"))
    assert refused.wait() == 4
    assert "another version of Anansi wrote it" in refused.errors and "Traceback" not in refused.errors
    assert rebuild_frontier(collection) == 3
    assert crawl(tmp_path / "c", [web.url + "/"], ("--delay", "0", "--limit", "100")).wait() == 0
    assert states(collection)[web.url + "/target"] is State.DONE
