"""A worker as the hub sees it, and how its process is started.

The first workers are forked from the crawl's own process before it is anything but one thread: what they need is
imported once for all of them. One that takes the place of another is a program of its own, for the hub has threads
and an open frontier by then.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, Protocol

from anansi.crawl.wire import Doing

_TASKS = Path("/proc/self/task")  # a folder a thread, those of libraries included


class Process(Protocol):
    """A worker's process."""

    pid: int

    def wait(self) -> int:
        """Wait for its end; return its exit code, or minus the signal that ended it."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...


@dataclass(slots=True, eq=False)
class Forked:
    """A process that was forked from this one. Mutable: `code`, once it has ended."""

    pid: int
    code: int | None = None

    def wait(self) -> int:
        """Wait for its end; return its exit code, or minus the signal that ended it."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self) -> None:
        """End it at once."""
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Started:
    """A process that waits to be told what to do, and our end of the line to it."""

    process: Process
    line: socket.socket

    def dismiss(self) -> None:
        """Let a process that is not needed end."""
        self.line.close()
        self.process.wait()


@dataclass(slots=True, eq=False)
class Member:
    """A worker. Mutable: `heard`, `busy`, `doing` (what it said last that it does), `said_goodbye`."""

    number: int
    process: Process
    writer: asyncio.StreamWriter
    heard: float = field(default_factory=time.monotonic)
    busy: int = 0
    doing: list[Doing] = field(default_factory=list)
    said_goodbye: bool = False


def spawned() -> Started:
    """Start a worker as a program of its own."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "anansi.crawl.process", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    return Started(process, ours)


def forked(count: int, work: Callable[[socket.socket], int]) -> list[Started]:
    """Fork workers that do some work on their end of a line; none where other threads would be torn by that."""
    if not _is_one_thread():
        return []
    gc.freeze()  # or looking for cycles would copy every page of memory that is shared
    sys.stdout.flush()
    sys.stderr.flush()
    return [_forked(work) for _ in range(count)]


def _is_one_thread() -> bool:
    try:
        return len(list(_TASKS.iterdir())) == 1
    except OSError:
        return False  # not Linux: nobody can tell


def _forked(work: Callable[[socket.socket], int]) -> Started:
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if not pid:
        _work(theirs, work)
    theirs.close()
    return Started(Forked(pid), ours)


def _work(line: socket.socket, work: Callable[[socket.socket], int]) -> NoReturn:
    """Be a worker to the end; what the process had open is the crawl's, and must not outlive it here."""
    code = 1
    try:
        os.setsid()
        own = line.fileno()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.closerange(3, own)
        os.closerange(own + 1, os.sysconf("SC_OPEN_MAX"))
        code = work(line)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)  # no object of the crawl is to be closed here once more
