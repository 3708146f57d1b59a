"""The desk of a running crawl: a process that takes scored URLs from other processes over HTTP.

It reads, checks and refuses; only what is good goes to the crawl, so that whatever is posted costs the crawl itself
no more than the URLs that it gains. How much may be under way is bounded here.

    clients ─► head, token ─► body ─► mistakes ─► scope, addresses ─► crawl ─► what became of each ─► clients
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
import signal
import socket
import sys
import time
from typing import Any, Final

import msgspec

from anansi.fetch.resolve import REFUSED, Resolver
from anansi.framing import frame
from anansi.frontier.scope import Scope, compile_scope
from anansi.model import Became, Hop, Posted, Reason, Verdict
from anansi.service import admission, messages, scored, wire
from anansi.service.desk_description import description
from anansi.service.listening import Listening
from anansi.service.messages import Batch, Moved, Opening, Query, Standing, Verdicts
from anansi.service.problem import Problem
from anansi.service.wire import Head, Response, refusal
from anansi.url import Rules, host_of

WAITING: Final = 20_000
"""URLs that wait for the crawl; it takes as many within seconds."""

HELD: Final = 64 << 20
"""Bytes of requests that are being received."""

PATIENCE: Final = 30.0
"""Seconds for the crawl to answer."""

FRESH: Final = 0.5
"""Seconds for which the crawl's figures are not asked for again."""

RETRY_AFTER: Final = 1
"""Seconds."""

MEMORY: Final = 2 << 30
"""Bytes of address space of the process."""

_JSON: Final = "application/json"
_ROOT: Final = "/v1/crawls/"
_DESCRIPTION: Final = "/v1/openapi.json"
_PRIVATE: Final = f"{Reason.ADDRESS}: loopback and private addresses are requested only where a seed is"


class Crawl:
    """The crawl as the desk sees it.

    Mutable state: `_scope` (follows the crawl's), `_asked` (number → who waits for the answer), `waiting` (URLs that
    were sent and not answered), `_figures` and when they came.
    """

    def __init__(self, opening: Opening, writer: asyncio.StreamWriter):
        self.id, self._writer = opening.id, writer
        self.rules = Rules()
        self._resolver = Resolver(opening.definition.fetch, opening.private)
        self._scope: Scope = compile_scope(opening.definition.scope, opening.seeds)
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Standing | Verdicts]] = {}
        self.waiting = 0
        self._figures: dict[str, Any] = {}
        self._figured = 0.0
        self.ended = False

    def hear(self, message: Moved | Standing | Verdicts) -> None:
        """Take what the crawl says."""
        if isinstance(message, Moved):
            self._scope = compile_scope(message.scope, message.seeds)
        elif (asked := self._asked.get(message.number)) is not None and not asked.done():
            asked.set_result(message)

    def end(self) -> None:
        """Tell who waits that there is no crawl any more."""
        self.ended = True
        for asked in self._asked.values():
            asked.cancel()

    def refusal(self, posted: Posted) -> Verdict | None:
        """Refuse what the definition does not allow; to be blacklisted anything may be."""
        if posted.blacklist:
            return None
        if (why := self._scope.refuse(posted.url, Hop.LINK.value, 0)) is not None:
            return Verdict(Became.REFUSED, detail=f"{why[0]}: {why[1]}")
        if self._resolver.address(host_of(posted.url)) == REFUSED:
            return Verdict(Became.REFUSED, detail=_PRIVATE)
        return None

    async def take(self, posted: list[Posted]) -> list[Verdict] | Problem:
        """Have URLs taken; say what became of each."""
        verdicts = [self.refusal(each) for each in posted]
        allowed = [each for each, refused in zip(posted, verdicts, strict=True) if refused is None]
        if self.waiting + len(allowed) > WAITING:
            return Problem("full", f"{self.waiting:,} URLs wait for the crawl already")
        if not allowed:
            return [each for each in verdicts if each is not None]
        self.waiting += len(allowed)
        try:
            answer = await self._ask(Batch(next(self._numbers), allowed))
        finally:
            self.waiting -= len(allowed)
        if not isinstance(answer, Verdicts):
            return self._silence()
        found = iter(answer.verdicts)
        return [next(found) if each is None else each for each in verdicts]

    async def figures(self) -> dict[str, Any] | Problem:
        """Say how the crawl stands."""
        if time.monotonic() - self._figured > FRESH:
            answer = await self._ask(Query(next(self._numbers)))
            if not isinstance(answer, Standing):
                return self._silence()
            self._figures, self._figured = answer.figures, time.monotonic()
        return {"id": self.id, **self._figures, "posts_waiting": self.waiting}

    async def _ask(self, message: Batch | Query) -> Standing | Verdicts | None:
        if self.ended:
            return None
        asked: asyncio.Future[Standing | Verdicts] = asyncio.get_running_loop().create_future()
        self._asked[message.number] = asked
        try:
            self._writer.write(frame(message))
            await self._writer.drain()
            return await asyncio.wait_for(asked, PATIENCE)
        except (TimeoutError, ConnectionError):
            return None
        except asyncio.CancelledError:
            if not asked.cancelled():  # then it is we who are stopped, not the crawl
                raise
            return None
        finally:
            del self._asked[message.number]

    def _silence(self) -> Problem:
        if self.ended:
            return Problem("crawl-ended", "the crawl has ended or is ending")
        return Problem("no-answer", f"the crawl has not answered within {PATIENCE:g} s")


class Desk:
    """Answers requests. Mutable state: `_held`, bytes of requests that are being received."""

    def __init__(self, crawl: Crawl, token: str):
        self._crawl, self._token = crawl, token
        self._held = 0

    async def respond(
        self, head: Head | Problem, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[Response | None, bool]:
        """Return the response, and whether all of the request was read."""
        if isinstance(head, Problem):
            return refusal(head), False
        refused = self._refused(head)
        if refused is not None:
            return refused, not head.has_body
        if head.path == _DESCRIPTION:
            return Response(200, msgspec.json.encode(description())), not head.has_body
        if head.path == _ROOT + self._crawl.id:
            found = await self._crawl.figures()
            said = _declined(found) if isinstance(found, Problem) else Response(200, msgspec.json.encode(found))
            return said, not head.has_body
        size = scored.LARGEST if head.chunked else head.length
        if size <= scored.LARGEST and self._held + size > HELD:
            problem = Problem("full", "as much as the service holds at a time is being received")
            return _declined(problem), not head.has_body
        self._held += size
        try:
            return await self._receive(head, reader, writer)
        finally:
            self._held -= size

    async def _receive(
        self, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[Response | None, bool]:
        awaited = head.header("expect") and head.has_body and head.length <= scored.LARGEST
        if awaited and not await wire.allow_body(writer):
            return None, False
        body = await wire.read_body(reader, head, scored.LARGEST)
        if body is None:
            return None, False
        if isinstance(body, Problem):
            return refusal(body), False
        return await self._take(body), True

    async def _take(self, body: bytes) -> Response:
        posted = scored.read(body, self._crawl.rules)
        if isinstance(posted, Problem):
            return refusal(posted)
        verdicts = await self._crawl.take(posted)
        if isinstance(verdicts, Problem):
            return _declined(verdicts)
        return Response(200, scored.told(posted, verdicts))

    def _refused(self, head: Head) -> Response | None:
        """Refuse what needs no look at the body; who has no token does not learn which crawl is here."""
        stranger = admission.stranger(head, guarded=True) or admission.expected(head)
        if stranger is not None:
            return refusal(stranger)
        if head.path.startswith(_ROOT) and not admission.entitled(head, self._token):
            problem = Problem(
                "no-token", "a running crawl asks for its token; the collection holds it in state/token"
            )
            return refusal(problem, WWW_Authenticate="Bearer")
        place = _ROOT + self._crawl.id
        allowed = {_DESCRIPTION: ("GET", "HEAD"), place: ("GET", "HEAD"), f"{place}/urls": ("POST",)}.get(head.path)
        if allowed is None:
            return refusal(Problem("not-found", f"{head.path[:200]!r}"))
        if head.method not in allowed:
            return refusal(Problem("bad-method", f"{head.method} {head.path}"), Allow=", ".join(allowed))
        if head.method == "POST" and admission.coded(head):
            return refusal(Problem("bad-coding", "what is posted is not decompressed"))
        if head.method == "POST" and admission.media_type(head) != _JSON:
            return refusal(Problem("not-json", f"expected `Content-Type: {_JSON}`"))
        return None


def _declined(problem: Problem) -> Response:
    """Answer that it is too much now, and when to come again."""
    return refusal(problem, Retry_After=str(RETRY_AFTER))


# ── the process ──────────────────────────────────────────────────────────────────────────────────────────────────


async def _main(channel: socket.socket, place: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=channel, limit=1 << 20)
    opening = await messages.read_down(reader)
    if not isinstance(opening, Opening):
        return
    crawl = Crawl(opening, writer)
    listening = Listening(Desk(crawl, opening.token).respond)
    server = await listening.start(place)
    while (message := await messages.read_down(reader)) is not None:
        if not isinstance(message, Opening):
            crawl.hear(message)
    crawl.end()
    await listening.finish(server)
    with contextlib.suppress(ConnectionError):
        writer.close()


def main() -> None:
    """Serve until the crawl is gone; the arguments are the numbers of two sockets: to the crawl, to listen at."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the crawl is told, and ends us
        signal.signal(name, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    channel, place = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    asyncio.run(_main(channel, place))


if __name__ == "__main__":
    main()
