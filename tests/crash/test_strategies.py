"""Any process of a crawl is killed, whatever leads the crawl: it keeps the same pages and objects as without.

One worker takes the same way each time, so that nothing but the accidents can make a difference.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from anansi.archive.check import check
from anansi.archive.export import Row, objects
from anansi.archive.layout import Collection
from tests.crash.crawling import PATIENCE, Crawling, anansi, wait_until
from tests.crash.verdict import captures
from tests.crash.volumes import volume
from tests.crawl import test_focus, test_learning
from tests.learn import unknown
from tests.web import Reply, ScriptedWeb, html
from tests.web.blog import Blog
from tests.web.newsroom import Newsroom
from tests.web.replies import HTML

SEED = int(os.environ.get("ANANSI_SEED", random.randrange(10**6)))
ROUNDS = 30
DAY = 86400.0
ENDED = (0, 10, 13)
"""Codes of a crawl that came to its end: with nothing left, at its limit, with pages that withhold something."""


@dataclass(frozen=True, slots=True)
class Case:
    """A way to crawl."""

    name: str
    sites: Sequence[str]
    options: Sequence[str] = ()
    settings: dict[str, object] = field(default_factory=dict)
    verb: str = "crawl"


CASES = [
    Case("auto", ("board", "blog", "unknown"), ("--strategy", "auto")),
    Case("learn", ("board",), ("--strategy", "learn")),
    Case("sample", ("board",), ("--strategy", "sample", "--limit", "60")),
    Case("patterns", ("board",), ("--strategy", "patterns")),
    Case("blind", ("board",), ("--strategy", "blind")),
    Case("focus", ("subjects",), ("--limit", "40"), {"focus": {"keywords": ["bee", "honey", "hive"]}}),
    Case("watch", ("news",), ("--once",), verb="watch"),
]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a collection holds."""

    pages: frozenset[str]
    objects: frozenset[str]

    @classmethod
    def of(cls, folder: Path) -> Kept:
        """Read a collection, which must be sound."""
        collection = Collection(folder)
        assert [f"{each.file}: {each.what}" for each in check(collection).problems] == []
        pages = frozenset(url for url, status in captures(collection) if status == "200")
        return cls(pages, frozenset(_told(each.row()) for each in objects(collection)))

    def missing(self, other: Kept) -> list[str]:
        """List what another has and this one has not."""
        return sorted(other.pages - self.pages) + sorted(other.objects - self.objects)


def _told(row: Row) -> str:
    """Write all that is known of an object, but for which of several captures says so."""
    return json.dumps({name: row[name] for name in sorted(row.keys() - {"page", "captured", "capture"})})


@dataclass
class World:
    """The sites, each on an address of its own."""

    webs: dict[str, ScriptedWeb]
    folder: Path

    def begin(self, folder: Path, case: Case) -> Crawling:
        """Run a case's command: the first time, or once more."""
        config = self.folder / f"{case.name}.yaml"
        config.write_text(yaml.safe_dump({"chance": 7, **case.settings}))
        seeds = [self.webs[name].url + ("/feed.xml" if name == "news" else "/") for name in case.sites]
        options = ("--delay", "0", "--config", str(config), *case.options)
        return Crawling(folder, seeds, options, workers=1, verb=case.verb)

    def requests(self) -> int:
        """Count what was asked so far."""
        return sum(len(web.log) for web in self.webs.values())

    def prepare(self, folder: Path, case: Case) -> None:
        """Give a collection what a case needs beforehand: patterns to follow are learned from a sample."""
        if case.name == "patterns":
            shutil.copytree(self.learned(), folder)

    def learned(self) -> Path:
        """Return a collection whose patterns were learned, made when first asked for."""
        folder = self.folder / "learned"
        if not folder.exists():
            with self.begin(folder, CASES[2]) as crawling:
                assert crawling.wait() in ENDED, crawling.errors
            assert anansi("learn", folder).returncode == 0
            shutil.rmtree(folder / "state")
            for name in ("archive", "indexes", "objects", "logs", "pages", "reports"):
                shutil.rmtree(folder / name, ignore_errors=True)
        return folder


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Serve a board that nobody knows, a blog of a known type, a forum to be learned, a site of three subjects."""
    with contextlib.ExitStack() as stack:
        names = ("board", "blog", "unknown", "subjects", "news")
        webs = {
            name: stack.enter_context(ScriptedWeb(address=f"127.0.7.{number + 1}"))
            for number, name in enumerate(names)
        }
        test_learning.forum(webs["board"])
        webs["blog"].add("/*", Blog(posts=60, shown=3, feed=40))
        for path, text in unknown.forum(70).pages.items():
            webs["unknown"].add(path, Reply(200, (HTML,), text.encode()))
        webs["unknown"].add("/", html("Start", [f"/board/{number}" for number in range(3)]))
        test_focus.site(webs["subjects"])
        news = Newsroom()
        for number in range(20):
            news.publish(time.time() - DAY * (20 - number))
        webs["news"].add("/*", news)
        yield World(webs, tmp_path_factory.mktemp("strategies"))


def crawl(world: World, case: Case, folder: Path) -> Kept:
    """Crawl without an accident."""
    world.prepare(folder, case)
    with world.begin(folder, case) as crawling:
        assert crawling.wait() in ENDED, crawling.errors
    return Kept.of(folder)


@pytest.fixture(scope="module")
def whole(world: World) -> dict[str, Kept]:
    """Crawl in each way once."""
    return {case.name: crawl(world, case, world.folder / f"whole-{case.name}") for case in CASES}


def kill_one(crawling: Crawling, chance: random.Random) -> None:
    """Kill the hub, or a child of it: the worker, or what loads the objects."""
    children = crawling.workers()
    if not children or chance.random() < 0.4:
        crawling.kill_hub()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(children), signal.SIGKILL)


def play(world: World, case: Case, folder: Path, seed: int, kills: int) -> Kept:
    """Crawl and kill some process so many times, then crawl to the end."""
    chance = random.Random(seed)
    world.prepare(folder, case)
    crawling = world.begin(folder, case)
    for _ in range(kills):
        before, wanted = world.requests(), chance.randrange(1, 60)
        wait_until(lambda: world.requests() >= before + wanted or not crawling.running)  # noqa: B023
        if crawling.running:
            kill_one(crawling, chance)
        if not crawling.running:
            crawling.wait()
            crawling = world.begin(folder, case)
    assert crawling.wait(2 * PATIENCE) in ENDED, crawling.errors
    return Kept.of(folder)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_two_crawls_by_one_worker_keep_the_same(
    case: Case, world: World, whole: dict[str, Kept], tmp_path: Path
) -> None:
    assert crawl(world, case, tmp_path / "c") == whole[case.name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_is_missing_after_kills(case: Case, world: World, whole: dict[str, Kept], tmp_path: Path) -> None:
    assert whole[case.name].pages
    assert play(world, case, tmp_path / "c", SEED, kills=2).missing(whole[case.name]) == [], SEED


def files_of(folder: Path, chance: random.Random) -> list[Path]:
    """Choose files that the kernel wrote back by itself: none, those of the frontier, or any."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return chance.choice(
        (
            [],
            [path for path in files if path.parent.name == "frontier"],
            [path for path in files if chance.random() < 0.4],
        )
    )


def cut(world: World, case: Case, folder: Path, seed: int) -> Kept:
    """Crawl on a disk whose power is cut once or twice, then to the end."""
    chance = random.Random(seed)
    folder.mkdir()
    with volume(folder) as disk:
        there = disk.path / "c"
        world.prepare(there, case)
        os.sync()  # what was there before the crawl is on the disk
        for _ in range(chance.randint(1, 2)):
            before, wanted = world.requests(), chance.randrange(1, 90)
            with world.begin(there, case) as crawling:
                wait_until(lambda: world.requests() >= before + wanted or not crawling.running)  # noqa: B023
                disk.cut(crawling, files_of(there, chance))
        with world.begin(there, case) as crawling:
            assert crawling.wait(2 * PATIENCE) in ENDED, crawling.errors
        return Kept.of(there)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case.name == "auto" else pytest.mark.long)
        for case in CASES
        if "--limit" not in case.options  # a limit ends a crawl with other pages when it goes on in another order
    ],
    ids=lambda case: case.name,
)
def test_nothing_is_missing_after_power_cuts(
    case: Case, world: World, whole: dict[str, Kept], tmp_path: Path
) -> None:
    """Which views of a thread are looked at before they are closed follows from the order, which a cut changes."""
    for number in range(1 if case.name == "auto" else 3):
        missing = cut(world, case, tmp_path / str(number), SEED + number).missing(whole[case.name])
        assert [each for each in missing if "/as-" not in each] == [], SEED + number


DYING = """
import os, signal
from pathlib import Path
from anansi.archive import learned

count, real = Path(os.environ["ANANSI_TEST_COUNT"]), learned._write

def write(path, entry):
    real(path, entry)
    with count.open("a") as file:
        file.write("x")
    if count.stat().st_size == int(os.environ["ANANSI_TEST_DIES"]):
        os.kill(os.getpid(), signal.SIGKILL)

learned._write = write
"""
"""A worker that dies when it has just written what it learned, and told nobody."""


@pytest.mark.parametrize("number", [1, 2, 3])
def test_pages_are_read_again_though_their_worker_died_as_it_learned(
    number: int, world: World, whole: dict[str, Kept], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DYING)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("ANANSI_TEST_COUNT", str(tmp_path / "count"))
    monkeypatch.setenv("ANANSI_TEST_DIES", str(number))
    with world.begin(tmp_path / "c", CASES[0]) as crawling:
        assert crawling.wait(2 * PATIENCE) in ENDED, crawling.errors
    assert len(crawling.events("worker died")) == 1
    assert Kept.of(tmp_path / "c").missing(whole["auto"]) == []


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_is_missing_after_thirty_rounds(
    case: Case, world: World, whole: dict[str, Kept], tmp_path: Path
) -> None:
    """Every round is played, whatever became of those before it, so that the count of failures means something."""
    failed = {}
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        try:
            kept = play(world, case, folder, SEED + number, kills=1 + number % 3)
        except AssertionError as error:
            failed[SEED + number] = [str(error)]
        else:
            missing = kept.missing(whole[case.name])
            failed.update({SEED + number: missing} if missing else {})
        print(f"{case.name}, seed {SEED + number}: {failed.get(SEED + number, 'nothing missing')}", flush=True)
        shutil.rmtree(folder)
    assert failed == {}, f"{len(failed)} of {ROUNDS} rounds"
