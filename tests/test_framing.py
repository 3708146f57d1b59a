"""Messages between processes: whole, or none."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from anansi.framing import frame, read_frame


class Told(msgspec.Struct, frozen=True):
    number: int
    words: str


def read(data: bytes, largest: int = 1000) -> list[bytes | None]:
    """Read messages until there is none."""

    async def run() -> list[bytes | None]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        found = []
        while True:
            found.append(await read_frame(reader, largest))
            if found[-1] is None:
                return found

    return asyncio.run(run())


def test_messages_are_told_apart_by_their_lengths() -> None:
    one, two = Told(1, "ü"), Told(2, "")
    first, second, end = read(frame(one) + frame(two))
    assert first is not None
    assert second is not None
    assert end is None
    assert msgspec.msgpack.decode(first, type=Told) == one
    assert msgspec.msgpack.decode(second, type=Told) == two


@pytest.mark.parametrize("length", [0, 3, 5])
def test_a_message_that_breaks_off_is_none(length: int) -> None:
    assert read(frame(Told(1, "x"))[:length]) == [None]


def test_a_message_that_is_too_large_is_none_and_not_waited_for() -> None:
    assert read((1 << 30).to_bytes(4) + b"x") == [None]
    whole = frame(Told(1, "x" * 50))
    assert read(whole, largest=10) == [None]
