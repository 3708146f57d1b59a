"""What hub and workers say to each other: msgpack behind a length, over a socket pair."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from anansi.config import Definition, Override, Scope
from anansi.errors import AnansiError
from anansi.fetch.credentials import NONE, Credentials
from anansi.framing import read_frame
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Outcome, Visit

LARGEST = 256 << 20  # bytes of one message; a page of 20,000 links makes 5 MB


class Setup(msgspec.Struct, frozen=True, tag=True):
    """Hub → worker: what to go by."""

    number: int
    root: str
    definition: Definition
    seeds: list[str]
    """The seeds and wherever they redirect to: the anchors of the scope."""
    agent: str
    private: list[str] = []
    """Loopback and private addresses that may be requested, because seeds are there."""
    given: Credentials = NONE
    """Headers and cookies that go along with requests."""
    clock: float | None = None
    """What makes the worker go by the hub's time."""


class Turns(msgspec.Struct, frozen=True, tag=True):
    """Hub → worker: visits to make."""

    turns: list[Turn]


class Change(msgspec.Struct, frozen=True, tag=True):
    """Hub → worker: what changed while running."""

    scope: tuple[Scope, list[str]] | None = None
    """What belongs to the crawl, with the seeds and wherever they redirect to."""
    overrides: dict[str, Override] | None = None
    rests: dict[int, float] | None = None
    """Sites that ask to be left alone, and until when: whoever visits them must know."""
    price: float | None = None
    """What a request for something watched is worth."""


class Stop(msgspec.Struct, frozen=True, tag=True):
    """Hub → worker: finish the exchanges under way (or drop them), close the archive, say goodbye."""

    at_once: bool = False


class Memory(msgspec.Struct, frozen=True, array_like=True):
    """Something learned about a site that its next holder must know."""

    site: int
    name: str
    value: bytes


class Doing(msgspec.Struct, frozen=True, array_like=True):
    """What is done with a site at this moment."""

    site: str
    url: str
    why: str = ""
    """Why it waits; nothing when the URL is being fetched."""
    until: float = 0.0


class Report(msgspec.Struct, frozen=True, tag=True):
    """Worker → hub: what became of visits. An empty one is a sign of life."""

    settlements: list[Settlement] = []
    extras: list[tuple[Visit, Outcome]] = []
    """Visits that were not the frontier's (robots.txt)."""
    memories: list[Memory] = []
    traps: list[tuple[str, str]] = []
    """Patterns closed now, and why."""
    busy: int = 0
    doing: list[Doing] | None = None
    """For who watches, now and then."""
    written: list[str] = []
    """Files that hold what this tells of, and that the disk may not have yet."""


class Goodbye(msgspec.Struct, frozen=True, tag=True):
    """Worker → hub: everything is written; `error` when something of ours (the disk) went wrong."""

    error: str = ""
    exit_code: int = 0

    def as_error(self) -> AnansiError:
        """Return what went wrong as the error that the crawl ends with."""
        error = AnansiError(self.error)
        error.exit_code = self.exit_code
        return error


Down = Setup | Turns | Change | Stop
Up = Report | Goodbye

_down = msgspec.msgpack.Decoder(Down)
_up = msgspec.msgpack.Decoder(Up)


async def read_down(reader: asyncio.StreamReader) -> Down | None:
    """Read the hub's next message; None when the hub is gone."""
    data = await read_frame(reader, LARGEST)
    return None if data is None else _down.decode(data)


async def read_up(reader: asyncio.StreamReader) -> Up | None:
    """Read a worker's next message; None when the worker is gone."""
    data = await read_frame(reader, LARGEST)
    return None if data is None else _up.decode(data)


async def open_stream(sock: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Make streams of our end of a socket pair."""
    return await asyncio.open_connection(sock=sock, limit=1 << 20)
