"""Group commit: what the frontier records is on the disk itself before its record of it can be.

    report ─► log lines, settle, discover (in memory) ─► seal ─► sync archive and logs, beside the loop ─► RocksDB

A worker reports what it gave to the operating system, and names its files; one sync of them serves all reports since
the last. Turns go out by what is in memory, so nobody waits for the disk. What a kill or a power cut takes with it is
due again, and is in the archive twice then.

Mutable state: `_wanted` (set by commits, reset when they are sealed), `_unsynced` (files, filled by `need`) and
`_waiting` (who waits for the disk, filled by `written`), both emptied by `_write`; `_known` (files whose names the
disk has), `_task`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from anansi.archive.disk import sync_file, sync_folder
from anansi.crawl.journal import Journal
from anansi.frontier.protocol import Frontier

PAUSE: Final = 0.05
"""Seconds between two groups, or as many as the last one took: a slow disk is not asked all the time."""

MOST_CHANGES: Final = 200_000
"""Changes that may wait for a disk that hangs, 100 MB: no turns go out beyond."""


class Commits:
    """Writes what a frontier commits, in groups."""

    def __init__(self, frontier: Frontier, journal: Journal, failed: Callable[[Exception], None]):
        self._frontier, self._journal, self._failed = frontier, journal, failed
        self._wanted = asyncio.Event()
        self._unsynced: set[str] = set()
        self._known: set[str] = set()
        self._waiting: list[asyncio.Future[None]] = []
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def behind(self) -> bool:
        """Tell whether so much waits for the disk that nothing new should be begun."""
        return self._frontier.held > MOST_CHANGES

    def begin(self) -> None:
        """Hold commits back from now on, and write them in groups."""
        self._frontier.hold(self._wanted.set)
        self._task = asyncio.create_task(self._run())

    def need(self, files: Iterable[str]) -> None:
        """Have files synced before anything that is committed from now on is written."""
        self._unsynced.update(files)

    async def written(self) -> None:
        """Wait until all that is committed now outlives this process."""
        if self._task is not None:
            self._waiting.append(asyncio.get_running_loop().create_future())
            self._wanted.set()
            await self._waiting[-1]

    async def finish(self) -> None:
        """Write what is left; from now on each commit is written at once."""
        if self._task is None:
            return
        async with self._writing:
            if self._task.done():
                return  # it failed: what it could not sync must not be written
            self._task.cancel()
            self._task = None
            await self._write()
            self._frontier.hold(None)

    async def _run(self) -> None:
        try:
            while True:
                await self._wanted.wait()
                began = time.monotonic()
                async with self._writing:
                    await self._write()
                await asyncio.sleep(max(PAUSE, time.monotonic() - began))
        except Exception as error:  # the disk's: the crawl ends with it
            self._failed(error)

    async def _write(self) -> None:
        self._wanted.clear()
        waiting, self._waiting = self._waiting, []
        files, self._unsynced = self._unsynced, set()
        self._journal.flush()
        self._frontier.seal()
        await asyncio.to_thread(self._sync, files)
        self._frontier.write()
        for each in waiting:
            if not each.done():
                each.set_result(None)

    def _sync(self, files: set[str]) -> None:
        """Wait until the disk has the files and the logs, and the names of files that are new."""
        for file in files:
            sync_file(Path(file))
        for folder in {Path(file).parent for file in files - self._known}:
            sync_folder(folder)
        self._known |= files
        self._journal.sync()
