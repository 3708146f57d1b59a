"""Connections that break, each at a chosen stage of the answer, by RST or by an orderly close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from tests.web.exchange import Behaviour, Connection, Request, head_of
from tests.web.framing import BODY
from tests.web.replies import HTML

Stage = Literal["connect", "before status", "mid status", "mid headers", "after headers", "mid body"]
STAGES: tuple[Stage, ...] = get_args(Stage)
LOOK_SECONDS = 0.005
"""How often it is looked whether the client has read what came before the break: RST overtakes what it has not."""

_HEAD = head_of(200, (HTML, ("Content-Length", str(len(BODY)))))
SENT_BEFORE: dict[Stage, bytes] = {
    "connect": b"",
    "before status": b"",
    "mid status": _HEAD[:11],
    "mid headers": _HEAD[: len(_HEAD) // 2],
    "after headers": _HEAD,
    "mid body": _HEAD + BODY[: len(BODY) // 2],
}


def _break_at(stage: Stage, end: Callable[[Connection], None]) -> Behaviour:
    """Send what precedes the stage, then end the connection."""

    async def behave(request: Request, connection: Connection) -> None:
        if SENT_BEFORE[stage]:
            await connection.send(SENT_BEFORE[stage])
            while connection.unread and await connection.pause(LOOK_SECONDS):
                pass
        end(connection)

    return behave


def reset_at(stage: Stage) -> Behaviour:
    """Break off with RST at a stage; add `connect` under `ON_CONNECT`."""
    return _break_at(stage, Connection.reset)


def close_at(stage: Stage) -> Behaviour:
    """Close in order at a stage; add `connect` under `ON_CONNECT`."""
    return _break_at(stage, Connection.close)


def accept() -> Behaviour:
    """Let a connection pass; for `in_turn` under `ON_CONNECT`."""

    async def behave(request: Request, connection: Connection) -> None:
        return

    return behave


def hang() -> Behaviour:
    """Never answer; the connection stays open as long as the web stands."""

    async def behave(request: Request, connection: Connection) -> None:
        await connection.wait_for_end()
        connection.abort()

    return behave
