"""Answers: JSON and pages that are kept nowhere, and problems with all that belongs to them."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from anansi.service.problem import MEDIA_TYPE, RETRY_AFTER, Problem, Refused

JSON: Final = "application/json"

_FRESH: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_LATER: Final = {"Retry-After": str(RETRY_AFTER)}
_ALWAYS: Final = {401: {"WWW-Authenticate": "Bearer"}, 429: _LATER, 503: _LATER}
"""Status → headers without which it is not understood."""


def answer(body: bytes, media_type: str = JSON, **headers: str) -> Response:
    """Answer."""
    return Response(body, headers={"Content-Type": media_type, **_FRESH, **headers})


def answer_json(value: Any) -> Response:
    """Answer in JSON."""
    return answer(msgspec.json.encode(value))


def refusal(problem: Problem, **headers: str) -> Response:
    """Answer with a problem."""
    known = {"Content-Type": MEDIA_TYPE, **_FRESH, **_ALWAYS.get(problem.status, {})}
    return Response(problem.body(), problem.status, {**known, **headers})


# ── what is raised ───────────────────────────────────────────────────────────────────────────────────────────────


def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error.problem)


def _nowhere(request: Request, error: Exception) -> Response:
    """Answer what no route takes."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"]
    if error.status_code == 405 and error.headers is not None:
        allowed = ", ".join(sorted(error.headers["Allow"].split(", ")))
        return refusal(Problem("bad-method", f"{request.method} {path}"), Allow=allowed)
    return refusal(Problem("not-found", f"{path[:200]!r}"))


def _gone(_request: Request, _error: Exception) -> Response:
    """Answer a client that went away: nobody hears it."""
    return Response()


def _failed(_request: Request, error: Exception) -> Response:
    """Say that the fault is ours; the error itself is logged."""
    return refusal(Problem("our-fault", type(error).__name__))


HANDLERS: Final = {Refused: _refused, HTTPException: _nowhere, ClientDisconnect: _gone, Exception: _failed}
"""Exception → its answer, as Starlette takes them."""
