"""Bodies as an application receives them: bounded in size, in room, in time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Scope

from anansi.service import bodies as module
from anansi.service.answering import HANDLERS, answer
from anansi.service.bodies import Bodies, Room
from anansi.service.problem import Problem

MOST = 1000
FULL = Problem("full", "no room")


class Asked:
    """A request whose body comes in pieces, and then not at all; what is answered is kept."""

    def __init__(self, pieces: Iterable[bytes], *, whole: bool = True, length: int | None = None):
        self.pieces, self.whole = list(pieces), whole
        framing = (b"transfer-encoding", b"chunked") if length is None else (b"content-length", str(length).encode())
        self.scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), framing],
        }
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        if not self.pieces:
            await asyncio.Event().wait()
        piece = self.pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(self.pieces) or not self.whole}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        found: int = self.sent[0]["status"]
        return found


async def _size(request: Request) -> Response:
    return answer(str(len(await request.body())).encode())


def application(room: Room) -> Starlette:
    routes = [Route("/", _size, methods=["POST"])]
    return Starlette(routes=routes, middleware=[Middleware(Bodies, MOST, room)], exception_handlers=HANDLERS)


def ask(*requests: Asked, room: Room | None = None) -> list[int]:
    """Ask for several things at once."""
    found = application(Room(10 * MOST, FULL) if room is None else room)

    async def main() -> None:
        await asyncio.gather(*(found(each.scope, each.receive, each.send) for each in requests))

    asyncio.run(main())
    return [each.status for each in requests]


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINGER", 0.05)


def test_a_body_is_put_together() -> None:
    asked = Asked([b"x" * 400, b"y" * 600])
    assert ask(asked) == [200]
    assert b"".join(each.get("body", b"") for each in asked.sent) == b"1000"


def test_what_is_too_large_is_refused_as_soon_as_that_is_known() -> None:
    announced, chunked = Asked([b"x"], length=MOST + 1), Asked([b"x" * 600, b"x" * 401, b"x"])
    assert ask(announced, chunked) == [413, 413]
    assert chunked.pieces == [], "what came after it was passed over"


def test_bodies_take_the_room_that_has_come_of_them_and_give_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BODY_SECONDS", 0.2)
    room = Room(1000, FULL)
    begun = [Asked([b"x" * 400], whole=False) for _ in range(4)]
    assert sorted(ask(*begun, room=room)) == [408, 408, 429, 429]
    assert room.held == 0
    assert ask(Asked([b"x" * 1000]), room=room) == [200]


@pytest.mark.parametrize("limit", ["BODY_SECONDS", "PACE_SECONDS"])
def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(module, limit, 0.05)
    assert ask(Asked([b"x"], whole=False)) == [408]


def test_the_clock_is_set_back_by_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACE", 10)

    async def main() -> tuple[float, float]:
        body = module._Body(asked.scope, asked.receive, asked.send, MOST, Room(MOST, FULL))
        await body.receive()
        first = body._pace
        await asyncio.sleep(0.01)
        await body.receive()
        return first, body._pace

    asked = Asked([b"x" * 9, b"x"], whole=False)
    first, second = asyncio.run(main())
    assert second > first


def test_a_refusal_is_whole_before_the_rest_of_the_body_is_passed_over() -> None:
    heard: list[int] = []

    class Slow(Asked):
        async def receive(self) -> Message:
            heard.append(len(self.sent))
            return await super().receive()

    asked = Slow([b"x" * 2000, b"x", b"x"])
    assert ask(asked) == [413]
    assert heard == [0, 2, 2], "the first is read for the application, the others behind head and body of the answer"
    assert asked.sent[1]["body"]
    assert asked.sent[2].get("more_body", False) is False
