"""A WARC writer in a thread of its own.

Compressing and writing leave Python's lock, so a second core takes them off the event loop: 0.3 of 1.2 ms a page,
measured by bench/static_site.py. Order is kept: what is flushed is everything given before.

Mutable state: `_jobs` (filled by the worker's thread, emptied by the scribe's), `_given` (worker's thread) and `_taken`
(scribe's thread), whose difference is the backlog in bytes; `_error`, the first failure, after which nothing is written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from anansi.archive.dedup import Original
from anansi.archive.exchange import Notes
from anansi.archive.writer import WarcWriter
from anansi.model import Body, Page

BACKLOG = 64 << 20  # bytes of pages not written yet, from which on the giver waits

Told = Callable[[BaseException | None], None]


class Scribe:
    """Writes pages behind the scenes."""

    def __init__(self, writer: WarcWriter):
        self._writer = writer
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._given = self._taken = 0
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="scribe", daemon=True)
        self._thread.start()

    def write_page(self, page: Page, payload: Body, notes: Notes, *, revisit_of: Original | None = None) -> None:
        """Have a page written; a failure is told by the next flush."""
        size = page.body.size if page.body.file is None else 0

        def write() -> None:
            if self._error is None:
                self._writer.write_page(page, payload, notes, revisit_of=revisit_of)
            self._taken += size

        self._given += size
        while self._given - self._taken > BACKLOG and self._error is None:
            time.sleep(0.001)
        self._jobs.put(write)

    def flush(self, told: Told) -> None:
        """Have all that was given flushed; then `told` is called, in the scribe's thread, with the error if any."""

        def flush() -> None:
            try:
                if self._error is None:
                    self._writer.flush()
            except BaseException as error:
                self._error = error
            told(self._error)

        self._jobs.put(flush)

    def close(self) -> None:
        """Write what is left and finish the file; raise what went wrong."""
        self._end()
        if self._error is not None:
            raise self._error
        self._writer.close()

    def abandon(self) -> None:
        """Leave the file as it is: what was flushed is whole, and a repair mends the rest."""
        self._end()
        self._writer.abandon()

    def _end(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except BaseException as error:  # told by the next flush
                self._error = self._error or error
