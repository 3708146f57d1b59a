"""The power is cut under a crawl: what the frontier takes for done is in the archive, and the crawl goes on."""

from __future__ import annotations

import json
import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.archive.repair import repair
from anansi.archive.writer import WarcWriter
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from tests.archive.exchanges import INFO, answer, prose
from tests.crash.crawling import Crawling, anansi, wait_until
from tests.crash.sites import Sites
from tests.crash.verdict import captures
from tests.crash.volumes import Volume, volume

SEED = int(os.environ.get("ANANSI_SEED", random.randrange(10**6)))
ROUNDS = 24


def nothing(_collection: Collection) -> list[Path]:
    """Let nothing be written by itself."""
    return []


def frontier(collection: Collection) -> list[Path]:
    """Let the kernel write the frontier first: the hardest case."""
    return list((collection.state / "frontier").iterdir()) if (collection.state / "frontier").is_dir() else []


def lines(collection: Collection) -> list[Path]:
    """Let the kernel write frontier, logs and indexes, but no WARC file."""
    logs = (collection.crawl_log, collection.skipped)
    return [*frontier(collection), *collection.segments.glob("*"), *(path for path in logs if path.exists())]


LUCK: list[Callable[[Collection], list[Path]]] = [frontier, lines, nothing]


@dataclass(frozen=True, slots=True)
class Left:
    """What a power cut left of a collection, before anybody mends it."""

    settled: int
    missing: list[str]
    """URLs that the frontier takes for done and the archive does not hold."""
    unlogged: list[str]
    """URLs that the frontier takes for done and crawl.log does not tell of."""
    unexplained: list[str]
    """URLs that the frontier takes for skipped and skipped.jsonl does not tell of."""


def examine(collection: Collection, scratch: Path) -> Left:
    """Look into a copy of what is left."""
    shutil.copytree(collection.root, scratch)
    copy = Collection(scratch)
    repair(copy)
    store = Store(copy.state / "frontier", UPDATES["first"])
    try:
        states = dict(store.urls())
    finally:
        store.close()
    kept = {url for url, _ in captures(copy)}
    log = copy.crawl_log.read_text() if copy.crawl_log.exists() else ""
    logged = {line.split()[3] for line in log.splitlines() if len(line.split()) > 3}
    explained = {line["url"] for line in _json_lines(copy.skipped)}
    done = sorted(url for url, state in states.items() if state in (State.DONE, State.MISSING))
    skipped = sorted(url for url, state in states.items() if state is State.SKIPPED)
    shutil.rmtree(scratch)
    return Left(
        settled=len(done),
        missing=[url for url in done if url not in kept],
        unlogged=[url for url in done if url not in logged],
        unexplained=[url for url in skipped if url not in explained],
    )


def _json_lines(path: Path) -> list[dict[str, str]]:
    found = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def play(disk: Volume, scratch: Path, sites: Sites, seed: int, luck: Callable[[Collection], list[Path]]) -> int:
    """Crawl, cut the power once or twice, go on; return how many URLs were settled at the cuts."""
    chance, since, folder = random.Random(seed), sites.moment(), disk.path / "c"
    settled = 0
    for _ in range(chance.randint(1, 2)):
        until = sites.requests() + chance.randrange(len(sites.urls))
        with Crawling(folder, sites.seeds) as crawling:
            wait_until(lambda until=until: sites.requests() > until or not crawling.running)  # type: ignore[misc]
            time.sleep(chance.uniform(0, 0.1))
            disk.cut(crawling, luck(crawling.collection))
        if (folder / "state" / "frontier" / "CURRENT").exists():
            left = examine(crawling.collection, scratch / "copy")
            assert not (left.missing or left.unlogged or left.unexplained), (seed, luck.__name__, left)
            settled += left.settled
    with Crawling(folder, sites.seeds) as crawling:
        assert crawling.wait() == 0, crawling.errors
    verdict = sites.judge(folder, since)
    print(f"seed {seed}, {luck.__name__} first: {settled} settled at the cuts; {verdict}")
    assert verdict.sound, (verdict.lost[:5], verdict.invalid[:5], verdict)
    assert anansi("check", folder).returncode == 0
    return settled


@pytest.mark.parametrize("luck", LUCK, ids=lambda luck: luck.__name__)
def test_nothing_settled_is_missing_after_a_power_cut(
    luck: Callable[[Collection], list[Path]], tmp_path: Path, sites: Sites
) -> None:
    with volume(tmp_path) as disk:
        play(disk, tmp_path, sites, SEED + LUCK.index(luck), luck)


def test_a_file_that_a_repair_finished_is_on_the_disk(tmp_path: Path) -> None:
    """Its writer was killed before the disk had all of it; the power is cut after the repair."""
    with volume(tmp_path) as disk:
        collection = Collection(disk.path / "c")
        collection.create()
        writer = WarcWriter(collection, "cut", "host", INFO)
        for number in range(20):
            page = answer(f"http://example.org/{number}", prose(20_000, number))
            writer.write_page(page, page.body)
        writer.flush()
        writer.abandon()
        (done,) = repair(collection)
        assert done.captures == 20
        disk.cut_idle()
        assert len(captures(collection)) == 20


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_nothing_settled_is_missing_after_many_power_cuts(tmp_path: Path, sites: Sites) -> None:
    settled = 0
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        with volume(folder) as disk:
            settled += play(disk, folder, sites, SEED + 1000 + number, LUCK[number % len(LUCK)])
        shutil.rmtree(folder)
    assert settled > 100 * ROUNDS, "the cuts came too early to tell anything"
    print(f"{ROUNDS} rounds: {settled} URLs settled when the power was cut, 0 of them missing")
