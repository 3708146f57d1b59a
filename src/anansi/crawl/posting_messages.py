"""What the posting process and its crawl say to each other: msgpack behind a length, over a socket pair."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from anansi import config
from anansi.framing import read_frame
from anansi.model import Posted, PostedFate

LARGEST: Final = 64 << 20
"""Bytes of one message; a thousand of the longest URLs make 8 MB."""


class Opening(msgspec.Struct, frozen=True, tag=True):
    """Crawl → process: what to go by."""

    id: str
    token: str
    definition: config.Definition
    seeds: list[str]
    private: list[str] = []
    """Loopback and private addresses that may be requested, because seeds are there."""


class Moved(msgspec.Struct, frozen=True, tag=True):
    """Crawl → process: another scope."""

    scope: config.Scope
    seeds: list[str]


class Standing(msgspec.Struct, frozen=True, tag=True):
    """Crawl → process: how the crawl stands."""

    number: int
    figures: dict[str, Any]


class Verdicts(msgspec.Struct, frozen=True, tag=True):
    """Crawl → process: what became of posted URLs."""

    number: int
    verdicts: list[PostedFate]


class Batch(msgspec.Struct, frozen=True, tag=True):
    """Process → crawl: URLs that were posted."""

    number: int
    posted: list[Posted]


class Query(msgspec.Struct, frozen=True, tag=True):
    """Process → crawl: how does it stand?"""

    number: int


Down = Opening | Moved | Standing | Verdicts
Up = Batch | Query

_down = msgspec.msgpack.Decoder(Down)
_up = msgspec.msgpack.Decoder(Up)


async def read_down(reader: asyncio.StreamReader) -> Down | None:
    """Read what the crawl says next; None when it is gone."""
    data = await read_frame(reader, LARGEST)
    return None if data is None else _down.decode(data)


async def read_up(reader: asyncio.StreamReader) -> Up | None:
    """Read what the posting process says next; None when it is gone."""
    data = await read_frame(reader, LARGEST)
    return None if data is None else _up.decode(data)
