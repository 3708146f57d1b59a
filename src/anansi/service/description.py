"""The service, described for programs: OpenAPI 3.1, made from the declarations of what is posted and answered."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any, Final

import msgspec

from anansi import __version__
from anansi.service.answer import Answer
from anansi.service.posting import JSON, MESSAGE, Posted
from anansi.service.problem import KINDS, MEDIA_TYPE

_REF: Final = "#/components/schemas/"
_WEB: Final = "^https?://[^/]"
_BASE64: Final = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
_GENERAL: Final = frozenset({400, 403, 404, 405, 408, 417, 421, 431, 501, 503, 505})
"""Statuses that any request may be answered with."""


@cache
def description() -> dict[str, Any]:
    """Describe the service."""
    (_, _), schemas = msgspec.json.schema_components([Posted, Answer], ref_template=_REF + "{name}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Anansi helper",
            "version": __version__,
            "summary": "POST a page; get what it is, which links lead to content, and what stands on it.",
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "paths": {
            "/pages": {"post": _pages(schemas["Posted"]["properties"])},
            "/health": {"get": _get("Tell whether the service works, and what it did", JSON, {"type": "object"})},
            "/openapi.json": {"get": _get("Describe the service", JSON, {"type": "object"})},
            "/": {"get": _get("Explain the service to people", "text/html", {"type": "string"})},
        },
        "components": {
            "schemas": {**schemas, "Posted": _posted(schemas["Posted"]), "Problem": _problem()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _posted(schema: dict[str, Any]) -> dict[str, Any]:
    """Add to the schema of a page what its declaration cannot say."""
    properties = schema["properties"]
    coded = {**properties["body_base64"], "contentEncoding": "base64", "pattern": _BASE64}
    url = {**properties["url"], "format": "uri", "pattern": _WEB}
    both = {"required": ["body", "body_base64"]}
    return {**schema, "properties": {**properties, "url": url, "body_base64": coded}, "not": both}


def _pages(schemas: dict[str, Any]) -> dict[str, Any]:
    url = "the page's address; not with JSON, which holds it; the header `Page-Url` says it, too"
    return {
        "summary": "Read a page",
        "operationId": "readPage",
        "security": [{}, {"token": []}],
        "parameters": [
            _parameter("url", {"type": "string", "format": "uri", "pattern": _WEB}, url),
            _parameter("status", schemas["status"], "the page's status, for a bare body; 200 if it is left out"),
            _parameter("requisites", schemas["requisites"], "whether what the page shows is wanted, too"),
            _parameter("fetched", schemas["fetched"], "when it was fetched, in seconds since 1970"),
        ],
        "requestBody": {
            "required": False,  # a page may be empty
            "content": {
                JSON: {"schema": {"$ref": _REF + "Posted"}},
                MESSAGE: {"schema": {"description": "a response, status line and headers first"}},
                "*/*": {"schema": {"description": "the page's body; headers of the page as `Page-NAME`"}},
            },
        },
        "responses": {
            "200": _response("What a crawl would do with the page", JSON, {"$ref": _REF + "Answer"}),
            **_refusals({kind.status for kind in KINDS.values()}),
        },
    }


def _parameter(name: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": about}


def _get(summary: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": summary,
        "responses": {"200": _response(summary, media_type, schema), **_refusals(set(_GENERAL))},
    }


def _refusals(statuses: set[int]) -> dict[str, Any]:
    return {str(status): _refusal(status) for status in sorted(statuses)}


def _refusal(status: int) -> dict[str, Any]:
    names = ", ".join(name for name, kind in KINDS.items() if kind.status == status)
    told = _response(f"{HTTPStatus(status).phrase}: {names}", MEDIA_TYPE, {"$ref": _REF + "Problem"})
    if status == 503:
        told["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
    return told


def _response(about: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {media_type: {"schema": schema}}}


def _problem() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "title": "Problem",
        "description": "What is wrong with a request (RFC 9457), and what to do about it.",
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": [f"/#{name}" for name in KINDS]},
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "cure": text,
        },
        "required": ["type", "title", "status", "detail", "cure"],
    }
