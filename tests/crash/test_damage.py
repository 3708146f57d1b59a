"""Files of a collection are damaged: the crawl says what to do, the repair does it, and nothing is lost."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from anansi.archive import seal
from anansi.archive.layout import Collection
from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.sites import Sites, served
from tests.crash.verdict import captures, logs
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


@dataclass(frozen=True)
class Halfway:
    """A collection of two sites, crawled about half and ended cleanly."""

    folder: Path
    sites: Sites
    since: list[int]

    @property
    def collection(self) -> Collection:
        """Return the collection."""
        return Collection(self.folder)

    def go_on(self, limit: int = 1000) -> Crawling:
        """Run the command again."""
        return crawl(self.folder, self.sites.seeds, ("--delay", "0", "--limit", str(limit)))

    def fetched_again(self) -> set[str]:
        """Return the URLs that were asked for although the archive held them at the beginning, robots.txt aside."""
        asked = {base + request.target for base, request in logs(self.sites.webs, self.since)}
        return asked & set(self.sites.urls) & self.begun()

    def begun(self) -> set[str]:
        """Return what the archive held at the beginning."""
        return {url for url, _ in captures(Collection(self.folder.parent / "before"))}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Sites]]:
    """Crawl about half of two sites, once for all tests that damage a copy."""
    folder = tmp_path_factory.mktemp("original") / "c"
    with served(2, 60) as sites:
        assert crawl(folder, sites.seeds, ("--delay", "0", "--limit", "60")).wait() == 10
        yield folder, sites


@pytest.fixture
def halfway(original: tuple[Path, Sites], tmp_path: Path) -> Halfway:
    """Copy the half-crawled collection, twice: one to damage and one to compare with."""
    folder, sites = original
    shutil.copytree(folder, tmp_path / "c")
    shutil.copytree(folder, tmp_path / "before")
    return Halfway(tmp_path / "c", sites, sites.moment())


rarely = pytest.mark.long


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(overwritten("*.sst"), id="tables overwritten"),
        pytest.param(emptied("*.sst"), id="tables emptied", marks=rarely),
        pytest.param(missing("*.sst"), id="tables missing", marks=rarely),
        pytest.param(overwritten("MANIFEST-*"), id="manifest overwritten"),
        pytest.param(emptied("MANIFEST-*"), id="manifest emptied", marks=rarely),
        pytest.param(overwritten("CURRENT"), id="current overwritten", marks=rarely),
        pytest.param(missing("CURRENT"), id="current missing"),
        pytest.param(gone, id="gone", marks=rarely),
    ],
)
def test_a_damaged_frontier_is_rebuilt_from_the_archive(damage: Damage, halfway: Halfway) -> None:
    damage(halfway.folder / "state" / "frontier")

    stopped = halfway.go_on()
    assert stopped.wait() == 4, stopped.errors
    assert "anansi check DIR --repair" in stopped.errors
    assert "Traceback" not in stopped.errors

    mended = anansi("check", halfway.folder, "--repair", "--json")
    assert mended.returncode == 0, mended.stderr
    assert json.loads(mended.stdout)["rebuilt"] == len(captures(Collection(halfway.folder.parent / "before")))

    finished = halfway.go_on()
    assert finished.wait() == 0, finished.errors
    verdict = halfway.sites.judge(halfway.folder, halfway.since)
    assert verdict.sound, verdict.lost
    assert not halfway.fetched_again() and verdict.doubles == 0
    summary = json.loads(halfway.collection.summary.read_text())
    assert (summary["pages"], summary["queued"]) == (len(halfway.sites.urls), 0)


def test_a_torn_log_of_the_frontier_is_mended_silently(tmp_path: Path, small: Sites) -> None:
    """Kill a crawl, cut the end of RocksDB's log: a few visits are made again, no more."""
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds, ("--delay", "0.05")) as crawling:
        assert wait_until(lambda: small.requests() > 60)
        crawling.kill_hub()
    for path in (folder / "state" / "frontier").glob("*.log"):
        path.write_bytes(path.read_bytes()[:-100])
    resumed = crawl(folder, small.seeds)
    assert resumed.wait() == 0, resumed.errors
    verdict = small.judge(folder)
    assert verdict.sound, verdict.lost
    assert verdict.doubles <= 40, "two sites, twenty visits a second each: a second's worth, not all that was done"


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


def test_a_sound_frontier_is_left_as_it_is(halfway: Halfway) -> None:
    mended = anansi("check", halfway.folder, "--repair", "--json")
    assert mended.returncode == 0
    assert json.loads(mended.stdout)["rebuilt"] is None
    assert halfway.go_on().wait() == 0
    assert not halfway.fetched_again()


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


def damaged(lines: list[bytes], what: str) -> bytes:
    """Damage a list."""
    whole = b"".join(lines)
    return {
        "cut": whole[: len(whole) // 2],
        "garbage": random.Random(3).randbytes(5000),
        "out of order": b"".join(lines[:1] + lines[:0:-1]),
        "empty": b"",
    }[what]


@pytest.mark.parametrize("what", ["cut", "garbage", "out of order", "empty"])
def test_a_damaged_index_is_noticed_and_mended(what: str, halfway: Halfway) -> None:
    path = halfway.collection.index
    whole = path.read_bytes()
    path.write_bytes(damaged(whole.splitlines(keepends=True), what))
    checked = anansi("check", halfway.folder)
    assert checked.returncode == 4, checked.stdout
    assert "--repair" in checked.stdout
    assert "Traceback" not in checked.stderr
    assert anansi("check", halfway.folder, "--repair").returncode == 0
    assert path.read_bytes() == whole


def test_a_damaged_list_of_pages_is_noticed_and_mended(halfway: Halfway) -> None:
    path = halfway.collection.pages
    whole = path.read_bytes()
    path.write_bytes(damaged(whole.splitlines(keepends=True), "garbage"))
    assert anansi("check", halfway.folder).returncode == 4
    assert anansi("check", halfway.folder, "--repair").returncode == 0
    assert path.read_bytes() == whole


def test_a_crawl_goes_on_with_damaged_lists_and_the_repair_completes_them(halfway: Halfway) -> None:
    """Neither list is what a crawl works by."""
    halfway.collection.index.write_bytes(b"\xff\x00garbage\n" * 10)
    halfway.collection.pages.unlink()
    assert halfway.go_on().wait() == 0
    mended = anansi("check", halfway.folder, "--repair")
    assert mended.returncode == 0, mended.stdout
    assert halfway.sites.judge(halfway.folder, halfway.since).sound
    assert len(halfway.collection.pages.read_bytes().splitlines()) == 1 + len(halfway.sites.urls)


def test_a_mistake_in_the_definition_is_said_with_its_line(halfway: Halfway) -> None:
    path = halfway.collection.definition
    whole = path.read_text()
    line = 1 + whole.splitlines().index("politeness:")
    damages = {
        whole.replace("politeness:", "politness:").encode(): f"crawl.yaml, line {line}: unknown key `politness`",
        (whole[:40] + "\n  : [}").encode(): "crawl.yaml, line ",
    }
    for content, words in damages.items():
        path.write_bytes(content)
        stopped = halfway.go_on()
        assert stopped.wait() == 2, stopped.errors
        assert words in stopped.errors
        assert "Traceback" not in stopped.errors
    path.write_text(whole)
    assert halfway.go_on().wait() == 0
    assert halfway.sites.judge(halfway.folder, halfway.since).sound


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[: len(whole) // 3].rpartition(b"\n")[0] + b"\n  ",
        lambda whole: whole[: whole.index(b"politeness:")],
        lambda whole: whole[: whole.index(b"sites:")],
        lambda _: b"",
        lambda _: b"\xff\xfe\x00garbage",
        lambda whole: whole.replace(b"politeness:", b"pgliteness:"),  # one bit
        None,
    ],
    ids=[
        "cut",
        "cut at a line",
        "cut after a section",
        "cut before the last section",
        "emptied",
        "overwritten",
        "a bit flipped",
        "gone",
    ],
)
def test_a_damaged_definition_is_restored(damage: Callable[[bytes], bytes] | None, halfway: Halfway) -> None:
    path = halfway.collection.definition
    whole = path.read_bytes()
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage(whole))
    assert anansi("check", halfway.folder).returncode == 4
    resumed = crawl(halfway.folder, [], ("--limit", "1000"))
    assert resumed.wait() == 0, resumed.errors
    assert "crawl.yaml was damaged and is restored" in resumed.errors
    assert path.read_bytes() == whole.replace(b"limit: 60", b"limit: 1000")
    assert halfway.sites.judge(halfway.folder, halfway.since).sound


def test_a_damaged_summary_is_said_and_written_anew(halfway: Halfway) -> None:
    summary = halfway.collection.summary
    for content in (b"", b"{", b"\xff\xfe", b"[]", b"{}", b'{"state": 3}'):
        summary.write_bytes(content)
        shown = anansi("status", halfway.folder)
        assert shown.returncode in (3, 4), (shown.stdout, shown.stderr)
        assert "Traceback" not in shown.stderr
    assert halfway.go_on().wait() == 0
    assert json.loads(summary.read_text())["pages"] == len(halfway.sites.urls)
    assert anansi("status", halfway.folder).returncode == 0


@pytest.mark.parametrize(
    "spoilt", [lambda whole: whole[:-40], lambda whole: whole.replace(b"requests", b"requestr")], ids=["cut", "a bit"]
)
def test_a_damaged_copy_takes_the_place_of_nothing(spoilt: Callable[[bytes], bytes], halfway: Halfway) -> None:
    summary = halfway.collection.summary
    copy = seal.copy_of(halfway.collection, summary)
    whole = summary.read_bytes()
    copy.write_bytes(spoilt(whole))
    assert anansi("check", halfway.folder, "--repair").returncode == 0
    assert summary.read_bytes() == copy.read_bytes() == whole


def test_a_changed_summary_is_restored_from_its_copy(halfway: Halfway) -> None:
    summary = halfway.collection.summary
    whole = summary.read_bytes()
    summary.write_bytes(whole.replace(b"requests", b"requestr"))
    assert "reports/summary.json" in anansi("check", halfway.folder).stdout
    assert anansi("check", halfway.folder, "--repair").returncode == 0
    assert summary.read_bytes() == whole


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
