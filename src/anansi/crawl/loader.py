"""The objects of a crawl, loaded into the store while it runs: in bulk, by one process of low priority.

The hub only looks whether something waits, and starts the process when it does. The process loads a piece at a time
and lets go of the store between two of them, so that queries are answered meanwhile. It can be killed at any moment:
what it did not note as loaded is loaded again, by its successor or by the next query.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from anansi.archive.layout import Collection
from anansi.archive.loaded import waiting
from anansi.crawl.journal import Journal
from anansi.errors import AnansiError

LEAST_BYTES: Final = 4 << 20
"""Bytes of objects that must wait before they are loaded: loading in bulk is twice as fast as in small batches."""

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether something waits."""

BREATH: Final = 0.25
"""Seconds between two pieces, in which a query can take the store."""

PATIENCE: Final = 30.0
"""Seconds that a crawl which has ended waits for the rest to be loaded."""

NICE: Final = 10
"""How much the process stands back behind the crawl."""

_END: Final = 2.0  # seconds for a piece under way
_FINISH: Final = b"finish\n"


# ── in the hub ───────────────────────────────────────────────────────────────────────────────────────────────────


class Loading:
    """Has objects loaded. Mutable state: `_process`, `_looked` (when), `_over` (once it failed it is let be)."""

    def __init__(self, collection: Collection, journal: Journal, *, wanted: bool):
        self._collection, self._journal = collection, journal
        self._process: subprocess.Popen[bytes] | None = None
        self._looked = time.monotonic()
        self._over = not wanted

    def look(self) -> None:
        """Start the process if enough waits; cheap, and never in the way of the crawl."""
        now = time.monotonic()
        if self._over or now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        try:
            if self._process is None and sum(waiting(self._collection, LEAST_BYTES).values()) >= LEAST_BYTES:
                self._start()
        except OSError as error:
            self._give_up(f"it cannot be started: {error}")
        if self._process is not None and self._process.poll() is not None:
            self.stop()

    async def finish(self) -> bool:
        """Have the rest loaded, for a while; return whether everything is in the store."""
        if self._process is None and not self._over and waiting(self._collection):
            self._start()
        if self._process is not None:
            self._say(_FINISH)
            if not await asyncio.to_thread(self._ended, PATIENCE):
                self._give_up(f"the rest takes longer than {PATIENCE:g} s; the next query loads it")
        self.stop()
        return not waiting(self._collection)

    def stop(self) -> None:
        """End the process after the piece that it is loading; or kill it, which does no harm."""
        process, self._process = self._process, None
        self._over = True
        if process is None:
            return
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            try:
                process.wait(_END)
            except subprocess.TimeoutExpired:
                process.kill()
                return
            told = process.stdout.read(4096)
        if process.returncode:
            self._give_up(told.decode("utf-8", "replace") or f"the process ended with code {process.returncode}")

    def _give_up(self, why: str) -> None:
        """Write down what went wrong; the crawl goes on without it."""
        self._over = True
        self._journal.event("objects not loaded", why=why)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "anansi.crawl.loader", str(self._collection.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )

    def _say(self, words: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(words)
        except BrokenPipeError:
            return  # it has ended; `stop` says why

    def _ended(self, seconds: float) -> bool:
        assert self._process is not None
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


# ── in the process ───────────────────────────────────────────────────────────────────────────────────────────────


def main() -> int:
    """Load the objects of a collection, until told to finish with the rest, or until nobody listens."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the hub is told, and tells us
        signal.signal(name, signal.SIG_IGN)
    os.nice(NICE)
    collection = Collection(Path(sys.argv[1]))
    try:
        return _serve(collection)
    except AnansiError as error:
        os.write(1, str(error).encode("utf-8", "replace"))
        return error.exit_code


def _serve(collection: Collection) -> int:
    from anansi.archive.triplestore import BusyError, load  # here: Oxigraph costs 11 MB, which the hub saves

    wait, finishing = 0.0, False
    while (told := _told(wait)) != b"":
        finishing = finishing or told is not None
        try:
            done = load(
                collection, patience=PATIENCE if finishing else 0.0, most=1, least=0 if finishing else LEAST_BYTES
            )
        except BusyError:
            if finishing:
                raise
            wait = LOOK_EVERY  # someone asks, or loads by himself
            continue
        if finishing and not done.pieces:
            return 0
        wait = BREATH if done.pieces else LOOK_EVERY
    return 0


def _told(seconds: float) -> bytes | None:
    """Wait for a word of the hub; None when there is none, empty when it is gone."""
    ready, _, _ = select.select([0], [], [], seconds)
    return os.read(0, 100) if ready else None


if __name__ == "__main__":
    sys.exit(main())
