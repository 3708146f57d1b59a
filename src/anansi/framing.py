"""Messages between processes: msgpack behind a length of four bytes."""

from __future__ import annotations

import asyncio

import msgspec

_encode = msgspec.msgpack.Encoder().encode


def frame(message: msgspec.Struct) -> bytes:
    """Write a message."""
    data = _encode(message)
    return len(data).to_bytes(4) + data


async def read_frame(reader: asyncio.StreamReader, largest: int) -> bytes | None:
    """Read the next message; None when whoever writes is gone, or has written what is no message."""
    try:
        length = int.from_bytes(await reader.readexactly(4))
        return await reader.readexactly(length) if length <= largest else None
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
