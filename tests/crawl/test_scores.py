"""A definition that is edited while the crawl runs changes the order of what is left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from anansi.archive.layout import Collection
from anansi.config import Definition, Frontier, Politeness, dump, load
from anansi.crawl.hub import Hub
from anansi.crawl.journal import Journal
from anansi.crawl.run import open_frontier
from anansi.fetch.resolve import Resolver
from anansi.frontier.rescoring import Rescore
from anansi.frontier.turn import Settlement
from anansi.model import Visit
from anansi.state import ScoringInput
from tests.crash.crawling import events
from tests.web import ScriptedWeb, html

PAGES = 30


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as found:
        found.add("/", html("the start", [f"/{number}" for number in range(PAGES)]))
        for number in range(PAGES):
            found.add(f"/{number}", html(f"page {'abcdefghij'[number % 10] * (number + 20)}"))
        yield found


class Scripted:
    """Scores by the number in the address, downwards or (with another `chance`) upwards."""

    def scored(self, settlements: Iterable[Settlement]) -> tuple[list[Settlement], dict[str, float]]:
        return list(settlements), {}

    def learn(self, given: ScoringInput) -> None:
        raise AssertionError(f"nothing was read here: {given!r}")

    def learned(self) -> list[bytes]:
        return []

    def recall(self, rows: Iterable[bytes]) -> None:
        assert list(rows) == []

    def follow(self, definition: Definition) -> tuple[str, Rescore] | None:
        up = bool(definition.chance)

        def score(visit: Visit) -> float | None:
            number = visit.key.rpartition("/")[2]
            return None if not number else int(number) / 100 if up else 1 - int(number) / 100

        return str(definition.chance), score


def settings(web: ScriptedWeb) -> Definition:
    return Definition(
        seeds=[web.url + "/"],
        strategy="blind",
        politeness=Politeness(floor=0.1, factor=0.0, ceiling=0.1),
        frontier=Frontier(per_turn=1),
    )


def made(collection: Collection, definition: Definition) -> Hub:
    resolver = Resolver(definition.fetch)
    frontier = open_frontier(collection, definition, resolver)
    return Hub(collection, definition, Journal(collection), frontier, resolver, agent="Anansi", scores=Scripted())


def numbers(web: ScriptedWeb) -> list[int]:
    return [int(path[1:]) for path in web.paths() if path[1:].isdigit()]


def edit(collection: Collection, chance: int) -> None:
    edited = msgspec.structs.replace(load(collection.definition), chance=chance)
    collection.definition.write_text(dump(edited))


async def until(web: ScriptedWeb, count: int) -> None:
    while len(numbers(web)) < count:
        await asyncio.sleep(0.02)


def test_the_queue_is_scored_anew_and_the_crawl_goes_on(web: ScriptedWeb, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    collection.definition.write_text(dump(settings(web)))

    async def story() -> int:
        hub = made(collection, settings(web))
        try:
            ending = asyncio.create_task(hub.run([web.url + "/"], 1))
            await asyncio.wait_for(until(web, 3), 120)
            edit(collection, 1)
            await asyncio.wait_for(until(web, 10), 120)
            edit(collection, 0)
            edit(collection, 2)  # before the first edit was noticed, perhaps
            assert await asyncio.wait_for(ending, 120) == "finished"
            return hub.frontier.totals.pages
        finally:
            hub.close()
            hub.journal.close()

    assert asyncio.run(story()) == PAGES + 1
    order = numbers(web)
    assert sorted(order) == list(range(PAGES)), "all were fetched once"
    assert order[:3] == [0, 1, 2]
    assert order[9:] == sorted(order[9:], reverse=True), "the largest numbers come first since the edit"
    told = [each for each in events(collection) if each["event"] == "rescored"]
    assert told[0]["definition"] == "1"
    assert told[0]["moved"] > 15


def test_what_a_killed_crawl_left_to_be_scored_is_scored_by_the_next(web: ScriptedWeb, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    collection.definition.write_text(dump(settings(web)))

    async def story(stop_after: int) -> None:
        hub = made(collection, load(collection.definition))
        try:
            ending = asyncio.create_task(hub.run([web.url + "/"], 1))
            await asyncio.wait_for(until(web, stop_after), 120)
            hub.stop("interrupted")
            await asyncio.wait_for(ending, 120)
        finally:
            hub.close()
            hub.journal.close()

    asyncio.run(story(3))
    edit(collection, 1)
    asyncio.run(story(8))
    assert numbers(web)[4:8] == sorted(numbers(web)[4:8], reverse=True)
    assert numbers(web)[4] >= PAGES - 3
