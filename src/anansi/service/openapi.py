"""What descriptions in OpenAPI 3.1 are made of, whichever service they are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from anansi import __version__
from anansi.service.problem import MEDIA_TYPE, Kind

REF: Final = "#/components/schemas/"
GENERAL: Final = frozenset({400, 403, 404, 405, 408, 417, 421, 431, 501, 503, 505})
"""Statuses that any request may be answered with."""


def info(title: str, summary: str) -> dict[str, Any]:
    """Say what a service is."""
    return {
        "title": title,
        "version": __version__,
        "summary": summary,
        "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
    }


def get(summary: str, media_type: str, schema: dict[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Describe a path that is only read."""
    return {
        "summary": summary,
        "responses": {"200": response(summary, media_type, schema), **refusals(kinds, GENERAL)},
    }


def refusals(kinds: Mapping[str, Kind], statuses: Iterable[int]) -> dict[str, Any]:
    """Describe the answers that are no success."""
    return {str(status): _refusal(kinds, status) for status in sorted(statuses)}


def _refusal(kinds: Mapping[str, Kind], status: int) -> dict[str, Any]:
    names = ", ".join(name for name, kind in kinds.items() if kind.status == status)
    told = response(f"{HTTPStatus(status).phrase}: {names}", MEDIA_TYPE, {"$ref": REF + "Problem"})
    if status in (429, 503):
        told["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
    return told


def response(about: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Describe an answer."""
    return {"description": about, "content": {media_type: {"schema": schema}}}


def problem(kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Describe what is said of a request that is refused."""
    text = {"type": "string"}
    return {
        "title": "Problem",
        "description": "What is wrong with a request (RFC 9457), and what to do about it.",
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": [f"/#{name}" for name in kinds]},
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "cure": text,
        },
        "required": ["type", "title", "status", "detail", "cure"],
    }
