"""The processes that read pages: ended when they take too long, replaced when they die, of one memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from anansi.service import clerks as module
from anansi.service.clerk import Order, Told
from anansi.service.clerks import Clerks
from anansi.service.posting import Asked
from anansi.service.problem import Problem
from tests.service.running import FORUM


def order(url: str, body: bytes = FORUM) -> Order:
    return Order(Asked("text/html", [("page-url", url)], {}, body), 1_790_000_000.0)


def attended(story: Callable[[Clerks], Awaitable[None]], count: int = 1) -> None:
    async def tell() -> None:
        clerks = Clerks(count)
        await clerks.start()
        try:
            await story(clerks)
        finally:
            await clerks.close()

    asyncio.run(tell())


def test_a_page_that_takes_too_long_costs_a_process_and_nothing_else() -> None:
    async def story(clerks: Clerks) -> None:
        known = await clerks.ask(order("http://a.example/viewtopic.php?t=1"))
        assert isinstance(known, Told)
        clerks._seconds = 0.0001
        slow = await clerks.ask(order("http://a.example/viewtopic.php?t=2"))
        assert isinstance(slow, Problem)
        assert (slow.kind, slow.status, clerks.deaths) == ("page-too-hard", 422, 1)
        clerks._seconds = 20
        after = await clerks.ask(order("http://a.example/x", b"<a href='viewtopic.php?t=3'>x</a>"))
        assert isinstance(after, Told)
        assert json.loads(after.body)["aware"], "the new process is told what the old one had seen"

    attended(story)


def test_a_process_that_was_killed_while_idle_is_replaced_unnoticed() -> None:
    async def story(clerks: Clerks) -> None:
        (clerk,) = clerks._all
        clerk.process.kill()
        await clerk.process.wait()
        assert isinstance(await clerks.ask(order("http://a.example/viewtopic.php?t=1")), Told)

    attended(story)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SITES", 3)

    async def story(clerks: Clerks) -> None:
        for number in range(5):
            await clerks.ask(order(f"http://site{number}.example/viewtopic.php?t=1"))
        assert clerks.sites == 3
        assert list(clerks._known) == [f"site{number}.example" for number in (2, 3, 4)]
        assert all(len(clerk.news) <= 3 for clerk in clerks._all)

    attended(story, count=2)


def test_a_stop_in_the_middle_of_a_reply_mixes_nothing_up() -> None:
    async def story(clerks: Clerks) -> None:
        cancelled = asyncio.create_task(clerks.ask(order("http://a.example/viewtopic.php?t=1")))
        await asyncio.sleep(0.001)
        cancelled.cancel()
        await asyncio.wait({cancelled})
        after = await clerks.ask(order("http://b.example/viewtopic.php?t=1"))
        assert isinstance(after, Told)
        assert after.site == "b.example"

    attended(story)
