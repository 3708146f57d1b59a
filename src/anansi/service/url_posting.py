"""Scored URLs that other processes post to a running crawl: checked here, and sent to the crawl if they are good.

Whatever is posted costs the crawl itself no more than the URLs that it gains. How much may be under way is bounded
here.

    clients ─► head, token ─► body ─► mistakes ─► scope, addresses ─► crawl ─► what became of each ─► clients
"""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from anansi.crawl.posting_messages import Batch, Moved, Opening, Query, Standing, Verdicts
from anansi.fetch.resolve import REFUSED, Resolver
from anansi.framing import frame
from anansi.frontier.scope import Scope, compile_scope
from anansi.model import Became, Hop, Posted, PostedFate, Reason
from anansi.service import admission, scored_urls
from anansi.service.answering import JSON, answer, answer_json
from anansi.service.bodies import Room
from anansi.service.problem import Problem, Refused
from anansi.service.url_posting_description import description
from anansi.url import Rules, host_of

WAITING: Final = 20_000
"""URLs that wait for the crawl; it takes as many within seconds."""

HELD: Final = 64 << 20
"""Bytes of requests that are being received."""

PATIENCE: Final = 30.0
"""Seconds for the crawl to answer."""

FRESH: Final = 0.5
"""Seconds for which the crawl's figures are not asked for again."""

_FULL: Final = Problem("full", "as much as the service holds at a time is being received")
_PRIVATE: Final = f"{Reason.ADDRESS}: loopback and private addresses are requested only where a seed is"


class Crawl:
    """The crawl as the posting process sees it.

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

    def refusal(self, posted: Posted) -> PostedFate | None:
        """Refuse what the definition does not allow; to be blacklisted anything may be."""
        if posted.blacklist:
            return None
        if (why := self._scope.refuse(posted.url, Hop.LINK.value, 0)) is not None:
            return PostedFate(Became.REFUSED, detail=f"{why[0]}: {why[1]}")
        if self._resolver.address(host_of(posted.url)) == REFUSED:
            return PostedFate(Became.REFUSED, detail=_PRIVATE)
        return None

    async def take(self, posted: list[Posted]) -> list[PostedFate]:
        """Have URLs taken; say what became of each."""
        verdicts = [self.refusal(each) for each in posted]
        allowed = [each for each, refused in zip(posted, verdicts, strict=True) if refused is None]
        if self.waiting + len(allowed) > WAITING:
            raise Refused(Problem("full", f"{self.waiting:,} URLs wait for the crawl already"))
        if not allowed:
            return [each for each in verdicts if each is not None]
        self.waiting += len(allowed)
        try:
            answer = await self._ask(Batch(next(self._numbers), allowed))
        finally:
            self.waiting -= len(allowed)
        if not isinstance(answer, Verdicts):
            raise self._silence()
        found = iter(answer.verdicts)
        return [next(found) if each is None else each for each in verdicts]

    async def figures(self) -> dict[str, Any]:
        """Say how the crawl stands."""
        if time.monotonic() - self._figured > FRESH:
            answer = await self._ask(Query(next(self._numbers)))
            if not isinstance(answer, Standing):
                raise self._silence()
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

    def _silence(self) -> Refused:
        if self.ended:
            return Refused(Problem("crawl-ended", "the crawl has ended or is ending"))
        return Refused(Problem("no-answer", f"the crawl has not answered within {PATIENCE:g} s"))


class UrlPosting:
    """Answers requests. Mutable state: `room`."""

    def __init__(self, crawl: Crawl, token: str):
        self.crawl, self.token = crawl, token
        self.room = Room(HELD, _FULL)

    async def describe(self, _request: Request) -> Response:
        """Describe the service to programs."""
        return answer_json(description())

    async def tell_status(self, _request: Request) -> Response:
        """Tell where the crawl stands."""
        return answer_json(await self.crawl.figures())

    async def post(self, request: Request) -> Response:
        """Take URLs; say what became of each."""
        if admission.coded(request.headers):
            raise Refused(Problem("bad-coding", "what is posted is not decompressed"))
        if admission.media_type(request.headers) != JSON:
            raise Refused(Problem("not-json", f"expected `Content-Type: {JSON}`"))
        posted = scored_urls.read(await request.body(), self.crawl.rules)
        if isinstance(posted, Problem):
            raise Refused(posted)
        return answer(scored_urls.told(posted, await self.crawl.take(posted)))
