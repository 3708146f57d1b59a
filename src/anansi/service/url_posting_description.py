"""URLs for a running crawl, described for programs: OpenAPI 3.1, made from the declarations of what is posted."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from anansi.service.openapi import GENERAL, REF, get, info, problem, refusals, response
from anansi.service.problem import URL_KINDS
from anansi.service.scored_urls import ScoredUrls, Taken

_JSON: Final = "application/json"
_WEB: Final = "^[Hh][Tt][Tt][Pp][Ss]?:"

_FIGURES: Final = {
    "id": {"type": "string", "description": "the crawl's id"},
    "state": {"type": "string", "description": "running, or ending"},
    "requests": {"type": "integer"},
    "pages": {"type": "integer"},
    "queued": {"type": "integer", "description": "URLs that are scheduled"},
    "waiting": {"type": "integer", "description": "URLs that wait for their time"},
    "sites": {"type": "integer"},
    "workers": {"type": "integer"},
    "update": {"type": "string", "description": "how a new score changes that of a scheduled URL"},
    "rescoring": {"type": "boolean", "description": "whether everything is being scored anew"},
    "posted": {"type": "integer", "description": "URLs that were posted and taken so far"},
    "posts_waiting": {"type": "integer", "description": "URLs that wait for the crawl to take them"},
}


@cache
def description() -> dict[str, Any]:
    """Describe the service."""
    (_, _), schemas = msgspec.json.schema_components([ScoredUrls, Taken], ref_template=REF + "{name}")
    text = "Post URLs with scores to a crawl while it runs; see where it stands."
    return {
        "openapi": "3.1.0",
        "info": info("Anansi, a running crawl", text),
        "security": [{"token": []}],
        "paths": {
            "/v1/crawls/{id}": {"parameters": [_ID], "get": _status()},
            "/v1/crawls/{id}/urls": {"parameters": [_ID], "post": _post()},
            "/v1/openapi.json": {
                "get": {**get("Describe the service", _JSON, {"type": "object"}, URL_KINDS), "security": []}
            },
        },
        "components": {
            "schemas": {
                **schemas,
                "ScoredUrl": _scored(schemas["ScoredUrl"]),
                "Status": {"type": "object", "properties": _FIGURES, "required": list(_FIGURES)},
                "Problem": _problem(),
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


_ID: Final = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "description": "the crawl's id; it stands in the collection's state/service.json",
}


def _status() -> dict[str, Any]:
    return {
        "summary": "Tell where the crawl stands",
        "operationId": "crawlStatus",
        "responses": {
            "200": response("Where it stands", _JSON, {"$ref": REF + "Status"}),
            **refusals(URL_KINDS, GENERAL | {401}),
        },
    }


def _post() -> dict[str, Any]:
    return {
        "summary": "Give URLs scores, schedule new ones, blacklist others",
        "description": "All entries are good and are taken in one commit, or none is taken.",
        "operationId": "postUrls",
        "requestBody": {"required": True, "content": {_JSON: {"schema": {"$ref": REF + "ScoredUrls"}}}},
        "responses": {
            "200": response("What became of each", _JSON, {"$ref": REF + "Taken"}),
            **refusals(URL_KINDS, {kind.status for kind in URL_KINDS.values()}),
        },
    }


def _scored(schema: dict[str, Any]) -> dict[str, Any]:
    """Add to the schema of a URL what its declaration cannot say."""
    properties = schema["properties"]
    addresses = {key: {**properties[key], "format": "uri", "pattern": _WEB} for key in ("url", "via")}
    left_out = {"properties": {"blacklist": {"const": True}}, "required": ["blacklist"]}
    return {**schema, "properties": {**properties, **addresses}, "anyOf": [{"required": ["score"]}, left_out]}


def _problem() -> dict[str, Any]:
    found = problem(URL_KINDS)
    text = {"type": "string"}
    mistake = {"type": "object", "properties": {"pointer": text, "detail": text}, "required": ["pointer", "detail"]}
    errors = {"type": "array", "items": mistake, "description": "every mistake, with its place as a JSON pointer"}
    return {**found, "properties": {**found["properties"], "errors": errors}}
