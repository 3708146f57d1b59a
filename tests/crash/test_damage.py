"""Files of a collection are damaged: the crawl says what to do, the repair does it, and nothing is lost."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.sites import Sites, served
from tests.crash.verdict import captures
from tests.web import ScriptedWeb, html, redirect, unavailable

Damage = Callable[[Path], None]


def overwritten(pattern: str) -> Damage:
    """Overwrite the middle of each file of that kind."""

    def damage(frontier: Path) -> None:
        paths = [path for path in frontier.glob(pattern) if path.stat().st_size]
        assert paths, f"no {pattern} to damage"
        for path in paths:
            data = bytearray(path.read_bytes())
            begin = len(data) // 4
            data[begin : begin + len(data) // 2] = random.Random(7).randbytes(len(data) // 2)
            path.write_bytes(data)

    return damage


def emptied(pattern: str) -> Damage:
    """Cut each file of that kind to nothing."""

    def damage(frontier: Path) -> None:
        for path in frontier.glob(pattern):
            path.write_bytes(b"")

    return damage


def missing(pattern: str) -> Damage:
    """Remove each file of that kind."""

    def damage(frontier: Path) -> None:
        for path in frontier.glob(pattern):
            path.unlink()

    return damage


def gone(frontier: Path) -> None:
    """Remove the frontier."""
    shutil.rmtree(frontier)


@pytest.fixture
def halfway(tmp_path: Path, small: Sites) -> Path:
    """Crawl about half of two sites, end cleanly, and return the collection."""
    folder = tmp_path / "c"
    begun = crawl(folder, small.seeds, ("--delay", "0", "--limit", "60"))
    assert begun.wait() == 10
    return folder


@pytest.mark.parametrize(
    "damage",
    [
        overwritten("*.sst"),
        emptied("*.sst"),
        missing("*.sst"),
        overwritten("MANIFEST-*"),
        emptied("MANIFEST-*"),
        overwritten("CURRENT"),
        missing("CURRENT"),
        gone,
    ],
    ids=[
        "tables overwritten",
        "tables emptied",
        "tables missing",
        "manifest overwritten",
        "manifest emptied",
        "current overwritten",
        "current missing",
        "gone",
    ],
)
def test_a_damaged_frontier_is_rebuilt_from_the_archive(damage: Damage, halfway: Path, small: Sites) -> None:
    before = captures(Collection(halfway))
    damage(halfway / "state" / "frontier")

    stopped = crawl(halfway, small.seeds, ("--delay", "0", "--limit", "1000"))
    assert stopped.wait() == 4, stopped.errors
    assert "anansi check DIR --repair" in stopped.errors
    assert "Traceback" not in stopped.errors

    mended = anansi("check", halfway, "--repair", "--json")
    assert mended.returncode == 0, mended.stderr
    assert json.loads(mended.stdout)["rebuilt"] == len(before)

    finished = crawl(halfway, small.seeds, ("--delay", "0", "--limit", "1000"))
    assert finished.wait() == 0, finished.errors
    verdict = small.judge(halfway)
    assert verdict.sound, verdict.lost
    assert verdict.doubles == 0
    summary = json.loads(Collection(halfway).summary.read_text())
    assert (summary["pages"], summary["queued"]) == (len(small.urls), 0)


def test_a_torn_log_of_the_frontier_is_mended_silently(tmp_path: Path, small: Sites) -> None:
    """Kill a crawl, cut the end of RocksDB's log: a few visits are made again, no more."""
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds) as crawling:
        assert wait_until(lambda: small.requests() > 60)
        crawling.kill_hub()
    for path in (folder / "state" / "frontier").glob("*.log"):
        path.write_bytes(path.read_bytes()[:-100])
    resumed = crawl(folder, small.seeds)
    assert resumed.wait() == 0, resumed.errors
    verdict = small.judge(folder)
    assert verdict.sound, verdict.lost
    assert verdict.doubles <= 2 * 24 + 24


def test_an_overwritten_log_of_the_frontier_loses_nothing(tmp_path: Path, small: Sites) -> None:
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds) as crawling:
        assert wait_until(lambda: small.requests() > 60)
        crawling.kill_hub()
    overwritten("*.log")(folder / "state" / "frontier")
    resumed = crawl(folder, small.seeds)
    if resumed.wait() == 4:
        assert "anansi check DIR --repair" in resumed.errors
        assert anansi("check", folder, "--repair").returncode == 0
        resumed = crawl(folder, small.seeds)
    assert resumed.wait() == 0, resumed.errors
    assert small.judge(folder).sound


def test_a_sound_frontier_is_left_as_it_is(halfway: Path, small: Sites) -> None:
    mended = anansi("check", halfway, "--repair", "--json")
    assert mended.returncode == 0
    assert json.loads(mended.stdout)["rebuilt"] is None
    assert crawl(halfway, small.seeds, ("--limit", "1000", "--delay", "0")).wait() == 0
    assert small.judge(halfway).doubles == 0


def test_a_rebuilt_frontier_knows_how_far_from_the_seed_a_page_is(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/1"]))
        web.add("/1", html("one", ["/2"]))
        web.add("/2", html("two", ["/3"]))
        options = ("--delay", "0", "--max-hops", "2")
        assert crawl(tmp_path / "c", [web.url + "/"], options).wait() == 0
        gone(tmp_path / "c" / "state" / "frontier")
        assert anansi("check", tmp_path / "c", "--repair").returncode == 0
        assert crawl(tmp_path / "c", [web.url + "/"], options).wait() == 0
        assert web.count("/2") == 1
        assert web.count("/3") == 0


def test_a_rebuilt_frontier_follows_the_redirect_of_its_seed(tmp_path: Path) -> None:
    """The scope was widened by the seed's redirect; the links of the place it leads to are still in it."""
    with ScriptedWeb() as web, ScriptedWeb(address="127.0.0.2") as other:
        web.add("/", redirect(other.url + "/"))
        other.add("/", html("home", ["/1", "/2", "/3"]))
        for path in ("/1", "/2", "/3"):
            other.add(path, html(path))
        (tmp_path / "crawl.yaml").write_text("fetch: {private_addresses: allow}\nscope: {limit: 2}\n")
        options = ("--delay", "0", "--config", str(tmp_path / "crawl.yaml"))
        assert crawl(tmp_path / "c", [web.url + "/"], options).wait() == 10
        gone(tmp_path / "c" / "state" / "frontier")
        assert anansi("check", tmp_path / "c", "--repair").returncode == 0
        assert crawl(tmp_path / "c", [web.url + "/"], ("--limit", "100")).wait() == 0
        kept = {url for url, status in captures(Collection(tmp_path / "c")) if status == "200"}
        assert kept == {other.url + path for path in ("/", "/1", "/2", "/3")}
        assert other.count("/") == 1


def test_a_rebuilt_frontier_tries_again_what_was_to_be_tried_again(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/busy", "/1"]))
        web.add("/1", html("one"))
        web.add("/busy", unavailable(1000, retry_after=3600))
        with Crawling(tmp_path / "c", [web.url + "/"]) as crawling:
            assert wait_until(lambda: web.count("/busy"))
            crawling.kill_hub()
        gone(tmp_path / "c" / "state" / "frontier")
        assert anansi("check", tmp_path / "c", "--repair").returncode == 0
        web.add("/busy", html("free at last"))
        assert crawl(tmp_path / "c", [web.url + "/"]).wait() == 0
        assert (web.url + "/busy", "200") in captures(Collection(tmp_path / "c"))


@pytest.mark.parametrize("what", ["cut", "garbage", "gone", "out of order"])
@pytest.mark.parametrize("which", ["index", "pages"])
def test_a_damaged_list_is_noticed_and_mended(which: str, what: str, halfway: Path, small: Sites) -> None:
    path: Path = getattr(Collection(halfway), which)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    damages = {
        "cut": lambda: path.write_bytes(whole[: len(whole) // 2]),
        "garbage": lambda: path.write_bytes(random.Random(3).randbytes(5000)),
        "gone": path.unlink,
        "out of order": lambda: path.write_bytes(b"".join(lines[:1] + lines[:0:-1])),
    }
    damages[what]()
    checked = anansi("check", halfway)
    assert "Traceback" not in checked.stderr
    if not (which == "pages" and what in ("gone", "cut", "out of order")):
        assert checked.returncode == 4, checked.stdout

    # A crawl goes on all the same: the list is not what it works by.
    assert crawl(halfway, small.seeds, ("--delay", "0", "--limit", "70")).wait() == 10
    mended = anansi("check", halfway, "--repair")
    assert mended.returncode == 0, mended.stdout
    if which == "index":
        assert {line.split(b" ")[0] for line in lines} <= {line.split(b" ")[0] for line in path.read_bytes().splitlines()}
    else:
        assert len(path.read_bytes().splitlines()) == 1 + 70


def test_a_damaged_definition_is_said_with_its_line(halfway: Path, small: Sites) -> None:
    path = Collection(halfway).definition
    whole = path.read_text()
    path.write_text(whole.replace("politeness:", "politness:"))
    line = 1 + whole.splitlines().index("politeness:")
    stopped = crawl(halfway, small.seeds)
    assert stopped.wait() == 2
    assert f"crawl.yaml, line {line}: unknown key `politness`" in stopped.errors
    path.write_text(whole[:40] + "\n  : [}")
    stopped = crawl(halfway, small.seeds)
    assert stopped.wait() == 2 and "crawl.yaml, line" in stopped.errors
    path.write_bytes(b"\xff\xfe\x00garbage")
    stopped = crawl(halfway, small.seeds)
    assert stopped.wait() == 2 and "crawl.yaml" in stopped.errors
    assert "Traceback" not in stopped.errors
    path.write_text(whole)
    assert crawl(halfway, small.seeds, ("--delay", "0", "--limit", "1000")).wait() == 0
    assert small.judge(halfway).sound


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"{}", b'{"state": 3}'])
def test_a_damaged_summary_is_said_and_written_anew(content: bytes, halfway: Path, small: Sites) -> None:
    summary = Collection(halfway).summary
    summary.write_bytes(content)
    shown = anansi("status", halfway)
    assert shown.returncode in (3, 4), (shown.stdout, shown.stderr)
    assert "Traceback" not in shown.stderr
    assert crawl(halfway, small.seeds, ("--delay", "0", "--limit", "1000")).wait() == 0
    assert json.loads(summary.read_text())["pages"] == len(small.urls)
    assert anansi("status", halfway).returncode == 0


def test_a_repair_says_what_it_did_in_words(tmp_path: Path) -> None:
    with served(1, 30) as sites:
        with Crawling(tmp_path / "c", sites.seeds) as crawling:
            assert wait_until(lambda: sites.requests() > 20)
            crawling.kill_hub()
        open_file = next((tmp_path / "c" / "archive").glob("*.open"))
        with open_file.open("ab") as file:
            file.write(b"\x1f\x8b\x08torn")
        mended = anansi("check", tmp_path / "c", "--repair")
        assert mended.returncode == 0, mended.stdout
        assert f"mended     {open_file.name.removesuffix('.open')}: " in mended.stdout
        assert "Repair(" not in mended.stdout
        assert crawl(tmp_path / "c", sites.seeds).wait() == 0
        assert sites.judge(tmp_path / "c").sound


