"""A worker as the hub sees it, and how its process is started."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field

from anansi.crawl.wire import Doing


@dataclass(slots=True, eq=False)
class Member:
    """A worker. Mutable: `heard`, `busy`, `doing` (what it said last that it does), `said_goodbye`."""

    number: int
    process: subprocess.Popen[bytes]
    writer: asyncio.StreamWriter
    heard: float = field(default_factory=time.monotonic)
    busy: int = 0
    doing: list[Doing] = field(default_factory=list)
    said_goodbye: bool = False


def spawned() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a worker's process; return it, and our end of the line to it."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "anansi.crawl.process", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    return process, ours
