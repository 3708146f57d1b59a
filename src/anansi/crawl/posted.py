"""What other processes post to a running crawl, from where it was found good.

    posting process ─► batch ─► frontier, one commit ─► what became of each ─► posting process

The posting process (`anansi.service.posting_process`) reads, checks and refuses. A batch is taken in one go,
and then the crawl has its turn for as long as that took. Address, id and token stand in the state folder.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from anansi import clock, config
from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.crawl import posting_messages as crawl_messages
from anansi.crawl.commits import Commits
from anansi.crawl.journal import Journal
from anansi.crawl.listening import address, listener
from anansi.crawl.scores import ScoreUpdates
from anansi.crawl.tokens import SHORTEST, checked
from anansi.errors import UserError
from anansi.framing import frame
from anansi.frontier.posted import take
from anansi.frontier.protocol import Frontier
from anansi.model import Became, Reason

VARIABLE: Final = "ANANSI_TOKEN"
RESTARTS: Final = 5
"""Times that a posting process that died is replaced."""

ENDING: Final = 3.0
"""Seconds for the posting process to answer what is under way when the crawl ends."""

_PLACE: Final = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]\s]*):)?(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen, and whether the crawl waits for what is posted when nothing else is left."""

    host: str = "127.0.0.1"
    port: int = 0
    stay: bool = False
    ready: Callable[[str, str], None] = field(default=lambda _url, _id: None)
    """Told the address and the crawl's id once it can be asked."""


def place_of(text: str) -> tuple[str, int]:
    """Read HOST:PORT, or a port of loopback."""
    found = _PLACE.fullmatch(text)
    if found is None or int(found["port"]) > 65_535:
        raise UserError(f"{text!r} is not HOST:PORT, as in 127.0.0.1:8480 (port 0: any)")
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


class Running(Protocol):
    """What of the hub is needed here."""

    frontier: Frontier
    journal: Journal
    scores: ScoreUpdates
    commits: Commits

    @property
    def alive(self) -> int:
        """Count the workers."""


class Posts:
    """Takes what is posted.

    Mutable state: `_process` and `_writer` (the posting process), `_opening` (what a new one is told), `taken`,
    `_closing`.
    """

    def __init__(self, collection: Collection, crawl: Running, listen: Listen):
        self._collection, self._crawl, self._listen = collection, crawl, listen
        self._frontier, self._journal = crawl.frontier, crawl.journal
        self._process: subprocess.Popen[bytes] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None
        self._closing = False
        self.taken = 0

    @property
    def expected(self) -> bool:
        """Tell whether the crawl is to wait for what is posted."""
        return self._listen.stay and not self._closing

    async def start(
        self, definition: config.Definition, seeds: list[str], private: list[str], wake: Callable[[], None]
    ) -> None:
        """Listen; `wake` is called when something was scheduled."""
        token, name = token_of(self._collection), _id_of(self._collection)
        self._place = listener(self._listen.host, self._listen.port, "--listen")
        url = address(self._place)
        self._wake = wake
        self._opening = crawl_messages.Opening(name, token, definition, list(seeds), private)
        await self._open_process()
        self._running = asyncio.create_task(self._run())
        _write_place(self._collection, {"id": name, "url": url})
        self._journal.event("listening", url=url, id=name)
        self._listen.ready(url, name)

    def tell(self, scope: config.Scope, seeds: list[str]) -> None:
        """Have the posting process go by another scope."""
        definition = msgspec.structs.replace(self._opening.definition, scope=scope)
        self._opening = msgspec.structs.replace(self._opening, definition=definition, seeds=list(seeds))
        if self._writer is not None:
            self._writer.write(frame(crawl_messages.Moved(scope, list(seeds))))

    async def close(self) -> None:
        """Take nothing more; whoever waits for an answer is told that the crawl ends."""
        self._closing = True
        if self._running is None:
            return
        self._running.cancel()
        if self._writer is not None:
            self._writer.close()
        self._place.close()
        if self._process is not None:
            await asyncio.to_thread(_ended, self._process)
        _write_place(self._collection, {"id": self._opening.id, "url": None})

    # ── its process ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _open_process(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            sockets = [theirs.fileno(), self._place.fileno()]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "anansi.service.posting_process", *map(str, sockets)],
                pass_fds=sockets,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=1 << 20)
        self._writer.write(frame(self._opening))

    async def _run(self) -> None:
        """Answer the posting process; one that dies is replaced, a few times."""
        for _ in range(RESTARTS):
            await self._answer()
            assert self._process is not None
            assert self._writer is not None
            self._writer.close()
            code = await asyncio.to_thread(self._process.wait)
            self._journal.event("posting process died", code=code)
            await self._open_process()

    async def _answer(self) -> None:
        assert self._writer is not None
        while (message := await crawl_messages.read_up(self._reader)) is not None:
            began = time.monotonic()
            reply = self._take(message) if isinstance(message, crawl_messages.Batch) else self._standing(message)
            spent = time.monotonic() - began
            if isinstance(message, crawl_messages.Batch):
                await self._crawl.commits.written()
            self._writer.write(frame(reply))
            await asyncio.sleep(spent)

    def _take(self, batch: crawl_messages.Batch) -> crawl_messages.Verdicts:
        verdicts = take(self._frontier, batch.posted, clock.now())
        for posted, verdict in zip(batch.posted, verdicts, strict=True):
            if posted.blacklist and verdict.state == Became.BLACKLISTED:
                self._journal.skipped(posted.url, Reason.BLACKLISTED, "posted")
        self.taken += len(verdicts)
        self._journal.flush()
        self._wake()
        return crawl_messages.Verdicts(batch.number, verdicts)

    def _standing(self, query: crawl_messages.Query) -> crawl_messages.Standing:
        totals = self._frontier.totals
        figures: dict[str, Any] = {
            "state": "running",
            "requests": totals.requests,
            "pages": totals.pages,
            "queued": totals.queued,
            "waiting": totals.waiting,
            "sites": len(list(self._frontier.sites())),
            "workers": self._crawl.alive,
            "update": self._frontier.policy.settings.update,
            "rescoring": self._crawl.scores.rescoring,
            "posted": self.taken,
        }
        return crawl_messages.Standing(query.number, figures)


def _ended(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(ENDING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# ── what stands in the collection ────────────────────────────────────────────────────────────────────────────────


def token_of(collection: Collection) -> str:
    """Return the token: of the environment, else the one in the state folder, made now if need be."""
    if VARIABLE in os.environ:
        return checked(os.environ[VARIABLE])
    path = collection.state / "token"
    with guarded(path):
        if path.is_file() and not path.stat().st_mode & 0o077:
            known = path.read_text(encoding="ascii", errors="replace").strip()
            if len(known) >= SHORTEST:
                return checked(known)
        path.unlink(missing_ok=True)  # one that others could read is no secret any more
        token = secrets.token_urlsafe(32)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as target:
            target.write(token + "\n")
    return token


def _id_of(collection: Collection) -> str:
    """Return the crawl's id, made when the collection is listened for first."""
    known = _read_place(collection.state / "service.json").get("id")
    whole = isinstance(known, str) and re.fullmatch(r"[0-9a-f]{16}", known)
    return str(known) if whole else secrets.token_hex(8)


def _read_place(path: Path) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_place(collection: Collection, told: dict[str, Any]) -> None:
    path = collection.state / "service.json"
    with guarded(path), replacing(path) as target:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
