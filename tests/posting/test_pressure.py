"""The posting process and a crawl that is slow, silent or gone."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from anansi.config import Definition
from anansi.crawl import posting_messages as messages
from anansi.framing import frame
from anansi.model import PostedFate
from anansi.service import url_posting as module
from anansi.service.application import Parts, application
from anansi.service.server import server_of
from anansi.service.url_posting import Crawl, UrlPosting

TOKEN = "0123456789abcdef"
HEADERS = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"

Hub = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def post(port: int, count: int, start: int = 0) -> tuple[int, dict[str, str], Any]:
    """Post URLs; return status, headers and what was answered."""
    entries = [{"url": f"http://a.example/{number}", "score": 0.5} for number in range(start, start + count)]
    body = json.dumps({"urls": entries}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /v1/crawls/me/urls HTTP/1.1\r\n{HEADERS}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    first, _, rest = (await reader.read()).decode().partition("\r\n\r\n")
    status, *lines = first.split("\r\n")
    writer.close()
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, json.loads(rest)


def run(story: Callable[[int, Hub, Crawl], Awaitable[None]]) -> None:
    """Take URLs for a crawl that is the test."""

    async def main() -> None:
        ours, theirs = socket.socketpair()
        hub = await asyncio.open_connection(sock=ours)
        reader, writer = await asyncio.open_connection(sock=theirs)
        crawl = Crawl(messages.Opening("me", TOKEN, Definition(), ["http://a.example/"]), writer)
        server = server_of(application(Parts(urls=UrlPosting(crawl, TOKEN))))
        place = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[place]))

        async def hear() -> None:
            while (message := await messages.read_down(reader)) is not None:
                assert not isinstance(message, messages.Opening)
                crawl.hear(message)
            crawl.end()

        hearing = asyncio.create_task(hear())
        await asyncio.wait_for(story(place.getsockname()[1], hub, crawl), 30)
        hub[1].close()
        await hearing
        server.should_exit = True
        await serving
        writer.close()

    asyncio.run(main())


async def answer(hub: Hub) -> int:
    """Answer the next batch; return how many URLs it had."""
    batch = await messages.read_up(hub[0])
    assert isinstance(batch, messages.Batch)
    verdicts = [PostedFate("scheduled", each.score) for each in batch.posted]
    hub[1].write(frame(messages.Verdicts(batch.number, verdicts)))
    return len(batch.posted)


def test_more_than_the_crawl_takes_is_refused_until_it_has_taken_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 25)

    async def story(port: int, hub: Hub, crawl: Crawl) -> None:
        first, second = (asyncio.create_task(post(port, 10, start)) for start in (0, 10))
        while crawl.waiting < 20:
            await asyncio.sleep(0.01)
        status, headers, told = await post(port, 10, 20)
        assert (status, headers["retry-after"], told["type"]) == (429, "1", "/#full")
        third = asyncio.create_task(post(port, 5, 20))
        while crawl.waiting < 25:
            await asyncio.sleep(0.01)
        assert [await answer(hub) for _ in range(3)] == [10, 10, 5]
        assert {(await each)[0] for each in (first, second, third)} == {200}
        assert crawl.waiting == 0
        last = asyncio.create_task(post(port, 10, 20))
        assert await answer(hub) == 10
        assert (await last)[2]["counts"] == {"scheduled": 10}

    run(story)


def test_a_crawl_that_does_not_answer_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)

    async def story(port: int, hub: Hub, crawl: Crawl) -> None:
        status, headers, told = await post(port, 3)
        assert (status, headers["retry-after"], told["type"]) == (503, "1", "/#no-answer")
        assert crawl.waiting == 0
        late = asyncio.create_task(post(port, 2, 3))
        assert await answer(hub) == 3, "the answer comes too late and is passed over"
        assert await answer(hub) == 2
        assert (await late)[0] == 200

    run(story)


def test_a_crawl_that_ends_is_told_of() -> None:
    async def story(port: int, hub: Hub, crawl: Crawl) -> None:
        asked = asyncio.create_task(post(port, 3))
        while not crawl.waiting:
            await asyncio.sleep(0.01)
        hub[1].close()
        status, headers, told = await asked
        assert (status, headers["retry-after"], told["type"]) == (503, "1", "/#crawl-ended")
        assert (await post(port, 3))[2]["type"] == "/#crawl-ended"

    run(story)


def test_what_is_out_of_scope_does_not_reach_the_crawl_and_the_scope_follows_it() -> None:
    async def story(port: int, hub: Hub, crawl: Crawl) -> None:
        elsewhere = Definition().scope
        hub[1].write(frame(messages.Moved(elsewhere, ["http://b.example/"])))
        await asyncio.sleep(0.2)
        status, _, told = await post(port, 2)
        assert (status, told["counts"]) == (200, {"refused": 2})

    run(story)
