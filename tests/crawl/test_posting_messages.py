"""What a posting process and its crawl say to each other, over the wire and back."""

from __future__ import annotations

import asyncio

from anansi.config import Definition, Scope
from anansi.crawl.posting_messages import Batch, Moved, Opening, Query, Standing, Verdicts, read_down, read_up
from anansi.framing import frame
from anansi.model import Posted, PostedFate

DOWN = (
    Opening("crawl-1", "a token of some length", Definition(workers=2), ["http://a.org/"], ["10.0.0.1"]),
    Moved(Scope(limit=5), ["http://a.org/", "http://www.a.org/"]),
    Standing(3, {"queued": 5, "state": "running"}),
    Verdicts(4, [PostedFate("scheduled", 0.5, "as asked")]),
)
UP = (Batch(1, [Posted("http://a.org/x", "http://a.org/x", 0.5)]), Query(2))


def reader(data: bytes) -> asyncio.StreamReader:
    made = asyncio.StreamReader()
    made.feed_data(data)
    made.feed_eof()
    return made


def test_what_is_said_arrives_and_then_nothing_more() -> None:
    async def run() -> None:
        down, up = reader(b"".join(map(frame, DOWN))), reader(b"".join(map(frame, UP)))
        assert [await read_down(down) for _ in range(5)] == [*DOWN, None]
        assert [await read_up(up) for _ in range(3)] == [*UP, None]

    asyncio.run(run())
