"""The description fits the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from anansi.service.page_reading_description import description
from anansi.service.problem import KINDS
from tests.service.running import Running


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (each for key, each in value.items() if key == "$ref")
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from references(each)


def test_it_is_served_whole(helper: Running) -> None:
    answered = helper.ask("GET", "/openapi.json")
    assert answered.headers["content-type"] == "application/json"
    assert answered.json == json.loads(json.dumps(description()))
    assert answered.json["openapi"] == "3.1.0"


def test_every_reference_leads_somewhere() -> None:
    schemas = description()["components"]["schemas"]
    found = set(references(description()))
    assert found
    assert {each.removeprefix("#/components/schemas/") for each in found} <= schemas.keys()


def test_every_path_is_there_and_no_other(helper: Running) -> None:
    for path, operations in description()["paths"].items():
        for method in operations:
            assert helper.ask(method.upper(), path).status not in (404, 405), path
    assert helper.ask("GET", "/pages").status == 405
    assert helper.ask("GET", "/page").status == 404


def test_every_status_is_described() -> None:
    responses = description()["paths"]["/pages"]["post"]["responses"]
    assert responses.keys() == {"200", *(str(kind.status) for kind in KINDS.values())}
    assert responses["503"]["headers"]["Retry-After"]


def test_every_field_of_an_answer_is_described(helper: Running) -> None:
    schemas = description()["components"]["schemas"]
    answered = helper.post({"url": "http://a.example/", "body": "<a href=/x>x</a>"}).json
    assert answered.keys() == set(schemas["Answer"]["properties"])
    assert answered["links"][0].keys() == set(schemas["Followed"]["properties"])
    problem = helper.post({}).json
    assert problem.keys() == set(schemas["Problem"]["properties"])
    assert problem["type"] in schemas["Problem"]["properties"]["type"]["enum"]
