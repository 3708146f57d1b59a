"""The processes that read pages: ended when they take too long, replaced when they die, of one memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from anansi.service import reader_processes as module
from anansi.service.posted_page import Asked
from anansi.service.problem import Problem
from anansi.service.reader_process import PageRead, ReadPage
from anansi.service.reader_processes import ReaderProcesses
from tests.service.running import FORUM


def page(url: str, body: bytes = FORUM) -> ReadPage:
    return ReadPage(Asked("text/html", [("page-url", url)], {}, body), 1_790_000_000.0)


def attended(story: Callable[[ReaderProcesses], Awaitable[None]], count: int = 1) -> None:
    async def tell() -> None:
        readers = ReaderProcesses(count)
        await readers.start()
        try:
            await story(readers)
        finally:
            await readers.close()

    asyncio.run(tell())


def test_a_page_that_takes_too_long_costs_a_process_and_nothing_else() -> None:
    async def story(readers: ReaderProcesses) -> None:
        known = await readers.read(page("http://a.example/viewtopic.php?t=1"))
        assert isinstance(known, PageRead)
        readers._seconds = 0.0001
        slow = await readers.read(page("http://a.example/viewtopic.php?t=2"))
        assert isinstance(slow, Problem)
        assert (slow.kind, slow.status, readers.deaths) == ("page-too-hard", 422, 1)
        readers._seconds = 20
        after = await readers.read(page("http://a.example/x", b"<a href='viewtopic.php?t=3'>x</a>"))
        assert isinstance(after, PageRead)
        assert json.loads(after.body)["aware"], "the new process is told what the old one had seen"

    attended(story)


def test_a_process_that_was_killed_while_idle_is_replaced_unnoticed() -> None:
    async def story(readers: ReaderProcesses) -> None:
        (reader,) = readers._all
        reader.process.kill()
        await reader.process.wait()
        assert isinstance(await readers.read(page("http://a.example/viewtopic.php?t=1")), PageRead)

    attended(story)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SITES", 3)

    async def story(readers: ReaderProcesses) -> None:
        for number in range(5):
            await readers.read(page(f"http://site{number}.example/viewtopic.php?t=1"))
        assert readers.sites == 3
        assert list(readers._known) == [f"site{number}.example" for number in (2, 3, 4)]
        assert all(len(reader.news) <= 3 for reader in readers._all)

    attended(story, count=2)


def test_a_stop_in_the_middle_of_a_reply_mixes_nothing_up() -> None:
    async def story(readers: ReaderProcesses) -> None:
        cancelled = asyncio.create_task(readers.read(page("http://a.example/viewtopic.php?t=1")))
        await asyncio.sleep(0.001)
        cancelled.cancel()
        await asyncio.wait({cancelled})
        after = await readers.read(page("http://b.example/viewtopic.php?t=1"))
        assert isinstance(after, PageRead)
        assert after.site == "b.example"

    attended(story)
