"""The service, described for programs: OpenAPI 3.1, made from the declarations of what is posted and answered."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from anansi.service.answer import Answer
from anansi.service.openapi import REF, get, info, problem, refusals, response
from anansi.service.posted_page import JSON, MESSAGE, Posted
from anansi.service.problem import KINDS

_WEB: Final = "^https?://[^/]"
_BASE64: Final = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


@cache
def description() -> dict[str, Any]:
    """Describe the service."""
    (_, _), schemas = msgspec.json.schema_components([Posted, Answer], ref_template=REF + "{name}")
    return {
        "openapi": "3.1.0",
        "info": info(
            "Anansi helper", "POST a page; get what it is, which links lead to content, and what stands on it."
        ),
        "paths": {
            "/pages": {"post": _pages(schemas["Posted"]["properties"])},
            "/health": {
                "get": get("Tell whether the service works, and what it did", JSON, {"type": "object"}, KINDS)
            },
            "/openapi.json": {"get": get("Describe the service", JSON, {"type": "object"}, KINDS)},
            "/": {"get": get("Explain the service to people", "text/html", {"type": "string"}, KINDS)},
        },
        "components": {
            "schemas": {**schemas, "Posted": _posted(schemas["Posted"]), "Problem": problem(KINDS)},
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
                JSON: {"schema": {"$ref": REF + "Posted"}},
                MESSAGE: {"schema": {"description": "a response, status line and headers first"}},
                "*/*": {"schema": {"description": "the page's body; headers of the page as `Page-NAME`"}},
            },
        },
        "responses": {
            "200": response("What a crawl would do with the page", JSON, {"$ref": REF + "Answer"}),
            **refusals(KINDS, {kind.status for kind in KINDS.values()}),
        },
    }


def _parameter(name: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": about}
