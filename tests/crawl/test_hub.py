"""The hub looks after its workers and follows the definition while it runs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
import yaml

from anansi.archive.layout import Collection
from anansi.config import Definition, Override, Politeness, dump
from anansi.config import Frontier as FrontierSettings
from anansi.crawl import hub as module
from anansi.crawl.hub import Hub
from anansi.crawl.journal import Journal
from anansi.crawl.run import open_frontier
from anansi.fetch.resolve import Resolver
from tests.crash.crawling import Crawling, crawl, events, wait_until
from tests.crash.sites import Sites, served

AT_ONCE = Politeness(floor=0.0, factor=0.0, ceiling=0.0)


@pytest.fixture
def sites() -> Iterator[Sites]:
    """Serve two small sites."""
    with served(2, 20) as found:
        yield found


async def end(hub: Hub, sites: Sites, workers: int = 1) -> str:
    """Run a hub to its end, within bounds."""
    return await asyncio.wait_for(hub.run(sites.seeds, workers), 240)


def made(folder: Path, definition: Definition) -> Hub:
    """Make the hub of a new collection."""
    collection = Collection(folder)
    collection.create()
    collection.definition.write_text(dump(definition))
    resolver = Resolver(definition.fetch)
    frontier = open_frontier(collection, definition, resolver)
    return Hub(collection, definition, Journal(collection), frontier, resolver, agent="Anansi")


def test_a_worker_that_gives_no_sign_of_life_is_replaced(
    tmp_path: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop a worker (SIGSTOP), as a machine that swaps itself to death does: its lease runs out."""

    async def run() -> str:
        hub = made(tmp_path / "c", Definition(seeds=sites.seeds, politeness=Politeness(floor=0.1, factor=0.0)))
        try:
            ending = asyncio.create_task(end(hub, sites))
            while sites.requests() < 6:
                await asyncio.sleep(0.01)
            os.kill(hub._workers[0].process.pid, signal.SIGSTOP)
            with monkeypatch.context() as short:  # only while the one that is stopped is there to be judged by it
                short.setattr(module, "LEASE", 0.5)
                while "worker silent" not in told():
                    await asyncio.sleep(0.01)
            return await ending
        finally:
            hub.close()
            hub.journal.close()

    def told() -> list[str]:
        return [event["event"] for event in events(Collection(tmp_path / "c"))]

    assert asyncio.run(run()) == "finished"
    assert told().count("worker silent") >= 1
    assert told().count("worker died") == 1
    asked = {web.url + path for web in sites.webs for path in web.paths()}
    assert sites.urls <= asked


def test_workers_that_die_over_and_over_end_the_crawl(
    tmp_path: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESTARTS", 2)
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def run() -> None:
        hub = made(tmp_path / "c", Definition(seeds=sites.seeds, politeness=AT_ONCE))
        try:
            with pytest.raises(Exception, match=r"workers died 2 times within a minute .* see logs/events\.jsonl"):
                await end(hub, sites)
        finally:
            hub.close()
            hub.journal.close()

    asyncio.run(run())
    assert sites.requests() == 0


def test_a_mistake_of_ours_while_a_report_is_taken_ends_the_crawl(
    tmp_path: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the hub's own code must neither hang the crawl nor vanish in the event loop."""

    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("our own mistake")

    monkeypatch.setattr(Hub, "_apply_extras", broken)

    async def run() -> None:
        hub = made(tmp_path / "c", Definition(seeds=sites.seeds, politeness=AT_ONCE))
        try:
            with pytest.raises(ZeroDivisionError, match="our own mistake"):
                await end(hub, sites)
        finally:
            hub.close()
            hub.journal.close()

    asyncio.run(run())


def test_a_crawl_in_batches_counts_and_logs_all_that_one_page_by_page_does(tmp_path: Path, sites: Sites) -> None:
    numbers = []
    for name, batch in (("one", 1), ("many", 10)):
        definition = Definition(
            seeds=sites.seeds, workers=2, politeness=AT_ONCE, frontier=FrontierSettings(batch=batch, update="avg")
        )
        (tmp_path / f"{name}.yaml").write_text(dump(definition))
        crawled = crawl(tmp_path / name, [], ("--config", str(tmp_path / f"{name}.yaml")))
        assert crawled.wait() == 0, crawled.errors
        summary = json.loads(crawled.collection.summary.read_text())
        numbers.append((summary["requests"], summary["pages"], summary["statuses"], summary["queued"]))
        assert len(crawled.collection.crawl_log.read_text().splitlines()) == summary["requests"]
    assert numbers[0] == numbers[1] == (42, 40, {"200": 40, "404": 2}, 0)


def edited(collection: Collection, **overrides: Override) -> None:
    """Change the overrides in a collection's definition, as a person with an editor does."""
    plain = yaml.safe_load(collection.definition.read_text())
    plain["sites"] = {name.replace("_", "."): msgspec.to_builtins(each) for name, each in overrides.items()}
    collection.definition.write_text(yaml.safe_dump(plain))


def test_a_site_is_paused_and_resumed_while_the_crawl_runs(tmp_path: Path, sites: Sites) -> None:
    """One site is paused from the start; the other keeps the crawl alive until it is resumed."""
    first, second = sites.webs
    definition = Definition(
        seeds=sites.seeds,
        workers=2,
        politeness=Politeness(floor=0.3, factor=0.0),
        sites={first.address: Override(paused=True)},
    )
    (tmp_path / "crawl.yaml").write_text(dump(definition))
    with Crawling(tmp_path / "c", [], ("--config", str(tmp_path / "crawl.yaml"))) as crawling:
        assert wait_until(lambda: len(second.log) > 5)
        assert first.log == []
        edited(crawling.collection, **{first.address: Override(delay=0.0)})
        assert wait_until(lambda: len(first.log) > 5)
        assert crawling.wait() == 0
    assert crawling.events("definition changed")
    assert sites.judge(tmp_path / "c").sound
    gaps = [b.t - a.t for a, b in pairwise(first.log[2:])]
    assert min(gaps) < 0.25, "the delay of its own took effect"


def test_a_delay_is_changed_while_the_crawl_runs(tmp_path: Path, sites: Sites) -> None:
    first = sites.webs[0]
    definition = Definition(seeds=sites.seeds[:1], workers=1, politeness=Politeness(floor=1.0, factor=0.0))
    (tmp_path / "crawl.yaml").write_text(dump(definition))
    with Crawling(tmp_path / "c", [], ("--config", str(tmp_path / "crawl.yaml")), workers=1) as crawling:
        assert wait_until(lambda: len(first.log) >= 3)
        edited(crawling.collection, **{first.address: Override(delay=0.05)})
        assert crawling.wait() == 0
    times = [request.t for request in first.log]
    assert times[2] - times[1] >= 0.9
    assert min(b - a for a, b in pairwise(times[-10:])) < 0.9, "and then it is another"


def test_a_mistake_in_the_definition_changes_nothing_and_is_said(tmp_path: Path, sites: Sites) -> None:
    with Crawling(tmp_path / "c", sites.seeds, ("--delay", "0.1")) as crawling:
        assert wait_until(lambda: sites.requests() > 4)
        crawling.collection.definition.write_text("seeds: [\n")
        assert wait_until(lambda: crawling.events("definition not read"), 10.0)
        assert crawling.running
        assert crawling.wait() == 0
    assert "line" in crawling.events("definition not read")[0]["why"]
    assert sites.judge(tmp_path / "c").lost == []


def test_a_new_worker_goes_by_the_edited_definition(tmp_path: Path, sites: Sites) -> None:
    """A worker that is started after an edit must not go by the overrides of the beginning."""
    first = sites.webs[0]
    with Crawling(tmp_path / "c", sites.seeds[:1], ("--delay", "0"), workers=1) as crawling:
        assert wait_until(lambda: crawling.workers())
        edited(crawling.collection, **{first.address: Override(delay=0.3)})
        assert wait_until(lambda: crawling.events("definition changed"), 10.0)
        os.kill(crawling.workers()[0], signal.SIGKILL)
        assert crawling.wait() == 0
    died = [event for event in events(crawling.collection) if event["event"] == "worker died"]
    assert len(died) == 1
    times = [request.t for request in first.log if request.target != "/robots.txt"]
    assert sum(b - a >= 0.25 for a, b in pairwise(times)) >= 5
