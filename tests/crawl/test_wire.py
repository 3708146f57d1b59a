"""Messages between hub and workers: what is said arrives, and what is torn says that the other side is gone."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.config import Definition, Override, Scope
from anansi.crawl import wire
from anansi.framing import frame
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Link, Outcome, Skip, Visit


def heard_by_hub(data: bytes, *more: bytes) -> list[wire.Up]:
    """Feed a hub's reader and return all messages that it makes out."""

    async def read() -> list[wire.Up]:
        reader = asyncio.StreamReader()
        for piece in (data, *more):
            reader.feed_data(piece)
        reader.feed_eof()
        found = []
        while (message := await wire.read_up(reader)) is not None:
            found.append(message)
        return found

    return asyncio.run(read())


def heard_by_worker(data: bytes) -> wire.Down | None:
    async def read() -> wire.Down | None:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await wire.read_down(reader)

    return asyncio.run(read())


VISIT = Visit("http://example.org/", "http://example.org/", hops="LR", depth=1, via="http://example.com/")


@pytest.mark.parametrize(
    "message",
    [
        wire.Setup(3, "/tmp/c", Definition(seeds=["http://example.org/"]), ["http://example.org/"], "Anansi"),
        wire.Turns([Turn(1, "example.org", 2.5, [(b"token", VISIT)], {"robots": b"\x00\xff"})]),
        wire.Change(scope=(Scope(exclude=["x"]), ["http://www.example.org/"])),
        wire.Change(overrides={"example.org": Override(paused=True, delay=2.0)}),
        wire.Stop(at_once=True),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_the_hub_says_arrives(message: wire.Down) -> None:
    assert heard_by_worker(frame(message)) == message


@given(
    st.lists(st.tuples(st.binary(max_size=20), st.text(max_size=50), st.floats(0, 1)), max_size=5),
    st.integers(0, 2**31),
)
def test_what_a_worker_reports_arrives(settled: list[tuple[bytes, str, float]], busy: int) -> None:
    report = wire.Report(
        [
            Settlement(
                token,
                Outcome(Ended.DONE, 200, mime=text),
                score,
                [Link(text, text, score=score)],
                [Skip(text, text, "robots")],
            )
            for token, text, score in settled
        ],
        extras=[(VISIT, Outcome(Ended.DONE, 404))],
        memories=[wire.Memory(1, "robots", b"x")],
        busy=busy,
    )
    assert heard_by_hub(frame(report)) == [report]


def test_messages_come_one_by_one_however_they_are_cut() -> None:
    messages = [wire.Report(busy=number) for number in range(5)] + [wire.Goodbye("no space", 5)]
    data = b"".join(map(frame, messages))
    assert heard_by_hub(*(data[at : at + 3] for at in range(0, len(data), 3))) == messages


@pytest.mark.parametrize("kept", [0, 1, 3, 4, 10])
def test_a_message_cut_by_death_means_that_the_other_side_is_gone(kept: int) -> None:
    whole = frame(wire.Report(busy=7))
    assert heard_by_hub(whole + frame(wire.Goodbye("x" * 50))[:kept]) == [wire.Report(busy=7)]


def test_a_length_beyond_all_bounds_is_not_waited_for() -> None:
    assert heard_by_hub((wire.LARGEST + 1).to_bytes(4) + b"x" * 100) == []
