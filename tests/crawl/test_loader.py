"""Objects are loaded while a crawl runs: by one process that stands back, can be killed, and ends with the crawl."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyoxigraph import QuerySolutions, Store

import anansi_demo
from anansi.archive.layout import Collection
from anansi.archive.loaded import progress, store_of, waiting
from anansi.archive.objects import ObjectLog, folder
from anansi.archive.triplestore import ask, load, opened
from anansi.config import Archive, Definition, Politeness
from anansi.crawl import loader as loading
from anansi.crawl.journal import Journal
from anansi.crawl.loader import LEAST_BYTES, NICE, Loading
from anansi.crawl.run import Result, crawl
from anansi_demo.server import DemoServer
from anansi_demo.site import contents
from tests.archive.boards import collection_in, filled, page, post, thread, write

POSTS = "SELECT (COUNT(?post) AS ?n) { ?post a sioc:Post }"
KNOWLEDGE = Path(anansi_demo.__file__).parent / "knowledge"
PATIENCE = 120.0
TOPICS = 60


def count(store: Store) -> int:
    answer = ask(store, POSTS)
    assert isinstance(answer, QuerySolutions)
    (row,) = answer
    return int(row[0].value)


def asked(collection: Collection) -> int:
    with opened(collection) as found:
        return count(found.store)


def soon(happened: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not happened() and time.monotonic() < end:
        time.sleep(0.02)
    return happened()


def events(collection: Collection) -> list[dict[str, str]]:
    return [json.loads(line) for line in collection.events.read_text().splitlines()]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(collection_in(tmp_path / "c"))
    yield made
    made.close()


def long_thread(topic: int) -> list[object]:
    return [thread(topic), *(post(topic, place, f"{topic}.{place} " + "words " * 10_000) for place in (1, 2))]


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[tuple[Collection, ObjectLog]]:
    """A collection into which a worker is writing: 7 MB so far, in a segment that is not finished."""
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    for topic in range(TOPICS):
        write(log, topic, long_thread(topic))  # type: ignore[arg-type]
        log.flush()
    yield collection, log
    log.abandon()


def looking(collection: Collection, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Loading:
    monkeypatch.setattr(loading, "LOOK_EVERY", 0.0)
    found = Loading(collection, journal, wanted=True)
    found.look()
    return found


def pid(found: Loading) -> int:
    assert found._process is not None
    return found._process.pid


def nice(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[16])


# ── in a crawl ───────────────────────────────────────────────────────────────────────────────────────────────────


def crawled(folder: Path, *, store: bool) -> tuple[Collection, Result]:
    collection = collection_in(folder)
    shutil.copytree(KNOWLEDGE, collection.knowledge, dirs_exist_ok=True)
    with DemoServer() as server:
        definition = Definition(
            seeds=[server.url + "/"],
            workers=1,
            politeness=Politeness(floor=0.0, ceiling=0.0, factor=0.0),
            archive=Archive(store=store),
        )
        return collection, crawl(definition, collection, quiet=True)


def test_after_a_crawl_everything_is_in_the_store(tmp_path: Path) -> None:
    collection, result = crawled(tmp_path / "c", store=True)
    assert result.loaded
    assert waiting(collection) == {}
    everything = contents()
    store = Store.read_only(str(store_of(collection)))  # without a query having loaded anything
    assert count(store) == everything.posts + everything.articles + everything.comments
    assert "objects not loaded" not in {each["event"] for each in events(collection)}


def test_who_does_not_want_it_has_no_store_before_the_first_query(tmp_path: Path) -> None:
    collection, result = crawled(tmp_path / "c", store=False)
    assert not result.loaded
    assert not store_of(collection).exists()
    assert asked(collection) > contents().posts
    assert waiting(collection) == {}


# ── while it runs ────────────────────────────────────────────────────────────────────────────────────────────────


def test_objects_are_loaded_by_one_process_that_stands_back(
    busy: tuple[Collection, ObjectLog], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection, log = busy
    found = looking(collection, journal, monkeypatch)
    first = pid(found)
    assert soon(lambda: nice(first) == NICE)
    found.look()
    assert pid(found) == first
    assert soon(lambda: sum(progress(collection).values()) > LEAST_BYTES), "an unfinished segment is loaded, too"
    write(log, 99, page(99))
    log.close()
    assert asyncio.run(found.finish())
    assert not Path(f"/proc/{first}").exists()
    assert asked(collection) == 2 * TOPICS + 3


def test_for_little_nothing_is_started_before_the_end(
    tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = filled(tmp_path / "c")
    found = looking(collection, journal, monkeypatch)
    assert found._process is None
    assert asyncio.run(found.finish())
    assert waiting(collection) == {}


def test_a_crawl_without_objects_starts_nothing(
    tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    collection = Collection(tmp_path / "c")
    assert asyncio.run(looking(collection, journal, monkeypatch).finish())


def test_queries_are_answered_meanwhile(
    busy: tuple[Collection, ObjectLog], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection, log = busy
    found = looking(collection, journal, monkeypatch)
    assert soon(lambda: store_of(collection).is_dir())
    seen = []
    for topic in range(100, 104):
        write(log, topic, long_thread(topic))  # type: ignore[arg-type]
        log.flush()
        seen.append(asked(collection))
    assert seen == sorted(seen)
    assert seen[-1] >= 2 * TOPICS
    log.close()
    assert asyncio.run(found.finish())
    assert asked(collection) == 2 * TOPICS + 8


# ── when it dies ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wait", [0.0, 0.15, 0.3, 0.5, 0.9])
def test_it_can_be_killed_at_any_moment(
    busy: tuple[Collection, ObjectLog], journal: Journal, monkeypatch: pytest.MonkeyPatch, wait: float
) -> None:
    collection, log = busy
    found = looking(collection, journal, monkeypatch)
    time.sleep(wait)
    process = pid(found)
    os.kill(process, signal.SIGKILL)

    def buried() -> bool:  # its threads may take a moment longer than it
        found.look()
        return not Path(f"/proc/{process}").exists()

    assert soon(buried), "it is buried, and not started again and again"
    told = [each for each in events(collection) if each["event"] == "objects not loaded"]
    assert [each["why"] for each in told] == ["the process ended with code -9"]
    log.close()
    load(collection)
    assert asked(collection) == 2 * TOPICS
    with opened(collection) as store:
        answer = ask(store.store, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?post a sioc:Post } }")
        assert isinstance(answer, QuerySolutions)
        assert [row[0].value for row in answer] == [str(2 * TOPICS)]


def test_it_ends_with_a_crawl_that_is_killed(busy: tuple[Collection, ObjectLog]) -> None:
    collection, _ = busy
    hub = (
        "import sys, time; from pathlib import Path; from anansi.archive.layout import Collection\n"
        "from anansi.crawl import loader as loading; from anansi.crawl.journal import Journal\n"
        "loading.LOOK_EVERY = 0.0; collection = Collection(Path(sys.argv[1]))\n"
        "found = loading.Loading(collection, Journal(collection), wanted=True); found.look()\n"
        "print(found._process.pid, flush=True); time.sleep(60)"
    )
    run = [sys.executable, "-c", hub, str(collection.root)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        loader = int(process.stdout.readline())
        process.kill()
    assert soon(lambda: not Path(f"/proc/{loader}").exists() or " Z " in Path(f"/proc/{loader}/stat").read_text())


def test_a_damaged_store_does_not_harm_the_crawl_and_is_told_with_its_cure(tmp_path: Path, journal: Journal) -> None:
    collection = filled(tmp_path / "c")
    load(collection)
    for path in store_of(collection).iterdir():
        path.write_bytes(b"garbage")
    (folder(collection) / "loaded.json").unlink()
    assert not asyncio.run(Loading(collection, journal, wanted=True).finish())
    (told,) = (each["why"] for each in events(collection) if each["event"] == "objects not loaded")
    assert "remove that folder" in told


def test_what_takes_too_long_at_the_end_is_left_for_the_next_query(
    busy: tuple[Collection, ObjectLog], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection, log = busy
    log.close()
    monkeypatch.setattr(loading, "PATIENCE", 0.01)
    monkeypatch.setattr(loading, "_END", 0.01)
    assert not asyncio.run(Loading(collection, journal, wanted=True).finish())
    (told,) = (each["why"] for each in events(collection) if each["event"] == "objects not loaded")
    assert told == "the rest takes longer than 0.01 s; the next query loads it"
    assert asked(collection) == 2 * TOPICS
