"""The clerks of a service: several processes, each with one page at a time, and what they know together."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Final

from anansi.awareness import SITES
from anansi.errors import AnansiError
from anansi.service.clerk import SECONDS, Order, Ready, Reply, Told, Types, frame, reply_in
from anansi.service.problem import Problem

STARTING: Final = 60.0
"""Seconds for a clerk to read the knowledge base; it takes one."""

LARGEST: Final = 256 << 20
"""Bytes of a reply."""


class _Clerk:
    """One process. Mutable state: `news`, what other clerks have seen and this one has not been told."""

    def __init__(self, process: asyncio.subprocess.Process, news: Types):
        self.process, self.news = process, news

    async def hear(self) -> Reply | Ready | None:
        """Read what the clerk says next; None when it is dead."""
        assert self.process.stdout is not None
        try:
            length = int.from_bytes(await self.process.stdout.readexactly(4))
            return reply_in(await self.process.stdout.readexactly(length)) if length <= LARGEST else None
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def attend(self, order: Order) -> Reply | None:
        """Have a page read."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(frame(order))
            await self.process.stdin.drain()
        except ConnectionError:
            return None
        reply = await self.hear()
        return None if isinstance(reply, Ready) else reply

    def kill(self) -> None:
        """Kill the process; it holds nothing that would be lost."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class Clerks:
    """A few clerks.

    Mutable state: `_places`, one a clerk: filled by who has no more work for the clerk, emptied by who has; None
    where a clerk died and another is to be started. `_all`, those alive. `_known`, site → types.
    """

    def __init__(self, count: int, knowledge: Path | None = None, *, seconds: float = SECONDS):
        self._count, self._knowledge, self._seconds = count, knowledge, seconds
        self._places: asyncio.LifoQueue[_Clerk | None] = asyncio.LifoQueue()
        self._all: set[_Clerk] = set()
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
        for clerk in await asyncio.gather(*(self._started() for _ in range(self._count))):
            self._places.put_nowait(clerk)

    async def close(self) -> None:
        """End all of them."""
        for clerk in self._all:
            clerk.kill()
        await asyncio.gather(*(clerk.process.wait() for clerk in self._all))

    async def ask(self, order: Order) -> Reply:
        """Have a page read by the next clerk that is free; one that takes too long is ended."""
        clerk = await self._places.get()
        try:
            if clerk is None or clerk.process.returncode is not None:  # it died, over a page or without one
                clerk = await self._started()
            reply = await self._ask(clerk, order)
        except AnansiError as error:
            self._places.put_nowait(None)
            return Problem("busy", str(error))
        except BaseException:  # we are stopped in the middle of a reply
            self._give_up(clerk)
            raise
        if reply is None:
            self._give_up(clerk)
            return Problem("page-too-hard", f"it took longer than {self._seconds:g} s, or more memory than there is")
        self._places.put_nowait(clerk)
        self._learn(reply, clerk)
        return reply

    async def _ask(self, clerk: _Clerk, order: Order) -> Reply | None:
        news, clerk.news = clerk.news, {}
        try:
            return await asyncio.wait_for(clerk.attend(Order(order.asked, order.now, news)), self._seconds)
        except TimeoutError:
            return None

    def _give_up(self, clerk: _Clerk | None) -> None:
        if clerk is not None:
            self.deaths += 1
            self._all.discard(clerk)
            clerk.kill()
        self._places.put_nowait(None)

    def _learn(self, reply: Reply, teller: _Clerk) -> None:
        """Remember what a site is, and have the other clerks told."""
        if not isinstance(reply, Told) or not reply.types or self._known.get(reply.site) == reply.types:
            return
        _keep(self._known, reply.site, reply.types)
        for clerk in self._all - {teller}:
            _keep(clerk.news, reply.site, reply.types)

    async def _started(self) -> _Clerk:
        folder = () if self._knowledge is None else (str(self._knowledge),)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "anansi.service.clerk",
            *folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        clerk = _Clerk(process, dict(self._known))
        try:
            ready = await asyncio.wait_for(clerk.hear(), STARTING)
        except BaseException:
            clerk.kill()
            raise
        if not isinstance(ready, Ready):
            clerk.kill()
            raise AnansiError("a process that reads pages does not start; is there memory left?")
        self._all.add(clerk)
        return clerk


def _keep(known: Types, site: str, types: tuple[str, ...]) -> None:
    if len(known) >= SITES and site not in known:
        del known[next(iter(known))]
    known[site] = types
