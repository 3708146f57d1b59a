"""The reader processes of a service: several, each with one page at a time, and what they know together."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Final

from anansi.errors import AnansiError
from anansi.framing import frame, read_frame
from anansi.pages.interpreter import SITES
from anansi.service.problem import Problem
from anansi.service.reader_process import SECONDS, PageRead, ReadPage, Ready, Reply, Types, reply_in

STARTING: Final = 60.0
"""Seconds for a reader to read the knowledge base; it takes one."""

LARGEST: Final = 256 << 20
"""Bytes of a reply."""


class _Reader:
    """One process. Mutable state: `news`, what other readers have seen and this one has not been told."""

    def __init__(self, process: asyncio.subprocess.Process, news: Types):
        self.process, self.news = process, news

    async def hear(self) -> Reply | Ready | None:
        """Read what the reader says next; None when it is dead."""
        assert self.process.stdout is not None
        data = await read_frame(self.process.stdout, LARGEST)
        return None if data is None else reply_in(data)

    async def read(self, message: ReadPage) -> Reply | None:
        """Have a page read."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(frame(message))
            await self.process.stdin.drain()
        except ConnectionError:
            return None
        reply = await self.hear()
        return None if isinstance(reply, Ready) else reply

    def kill(self) -> None:
        """Kill the process; it holds nothing that would be lost."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class ReaderProcesses:
    """A few reader processes.

    Mutable state: `_places`, one a reader: filled by who has no more work for the reader, emptied by who has; None
    where a reader died and another is to be started. `_all`, those alive. `_known`, site → types.
    """

    def __init__(self, count: int, knowledge: Path | None = None, *, seconds: float = SECONDS):
        self._count, self._knowledge, self._seconds = count, knowledge, seconds
        self._places: asyncio.LifoQueue[_Reader | None] = asyncio.LifoQueue()
        self._all: set[_Reader] = set()
        self._known: Types = {}
        self.deaths = 0

    def __len__(self) -> int:
        return self._count

    @property
    def sites(self) -> int:
        """Count the sites whose types are known."""
        return len(self._known)

    async def start(self) -> None:
        """Start all of them."""
        for reader in await asyncio.gather(*(self._started() for _ in range(self._count))):
            self._places.put_nowait(reader)

    async def close(self) -> None:
        """End all of them."""
        for reader in self._all:
            reader.kill()
        await asyncio.gather(*(reader.process.wait() for reader in self._all))

    async def read(self, message: ReadPage) -> Reply:
        """Have a page read by the next reader that is free; one that takes too long is ended."""
        reader = await self._places.get()
        try:
            if reader is None or reader.process.returncode is not None:  # it died, over a page or without one
                reader = await self._started()
            reply = await self._ask(reader, message)
        except AnansiError as error:
            self._places.put_nowait(None)
            return Problem("busy", str(error))
        except BaseException:  # we are stopped in the middle of a reply
            self._give_up(reader)
            raise
        if reply is None:
            self._give_up(reader)
            return Problem("page-too-hard", f"it took longer than {self._seconds:g} s, or more memory than there is")
        self._places.put_nowait(reader)
        self._learn(reply, reader)
        return reply

    async def _ask(self, reader: _Reader, message: ReadPage) -> Reply | None:
        news, reader.news = reader.news, {}
        try:
            return await asyncio.wait_for(reader.read(ReadPage(message.asked, message.now, news)), self._seconds)
        except TimeoutError:
            return None

    def _give_up(self, reader: _Reader | None) -> None:
        if reader is not None:
            self.deaths += 1
            self._all.discard(reader)
            reader.kill()
        self._places.put_nowait(None)

    def _learn(self, reply: Reply, teller: _Reader) -> None:
        """Remember what a site is, and have the other readers told."""
        if not isinstance(reply, PageRead) or not reply.types or self._known.get(reply.site) == reply.types:
            return
        _keep(self._known, reply.site, reply.types)
        for reader in self._all - {teller}:
            _keep(reader.news, reply.site, reply.types)

    async def _started(self) -> _Reader:
        folder = () if self._knowledge is None else (str(self._knowledge),)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "anansi.service.reader_process",
            *folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        reader = _Reader(process, dict(self._known))
        try:
            ready = await asyncio.wait_for(reader.hear(), STARTING)
        except BaseException:
            reader.kill()
            raise
        if not isinstance(ready, Ready):
            reader.kill()
            raise AnansiError("a process that reads pages does not start; is there memory left?")
        self._all.add(reader)
        return reader


def _keep(known: Types, site: str, types: tuple[str, ...]) -> None:
    if len(known) >= SITES and site not in known:
        del known[next(iter(known))]
    known[site] = types
