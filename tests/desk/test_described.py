"""The OpenAPI description is what happens: by hand, and as schemathesis reads it."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from anansi.service.desk_description import description
from anansi.service.problem import URL_KINDS
from tests.desk.posting import Posting
from tests.desk.test_hostile import is_documented
from tests.service.test_description import references

schemathesis: Any = pytest.importorskip("schemathesis") if importlib.util.find_spec("schemathesis") else None


def test_every_reference_leads_somewhere() -> None:
    schemas = description()["components"]["schemas"]
    found = {each.removeprefix("#/components/schemas/") for each in references(description())}
    assert found <= schemas.keys()


def test_every_status_is_described() -> None:
    posts = description()["paths"]["/v1/crawls/{id}/urls"]["post"]
    assert posts["responses"].keys() == {"200", *(str(kind.status) for kind in URL_KINDS.values())}
    assert posts["responses"]["429"]["headers"]["Retry-After"]


def test_it_is_served_to_everyone(listening: Posting) -> None:
    answered = listening.ask("GET", "/v1/openapi.json")
    assert (answered.status, answered.json["openapi"]) == (200, "3.1.0")
    assert answered.json["security"] == [{"token": []}]


def test_every_figure_is_described(listening: Posting) -> None:
    assert list(listening.status()) == description()["components"]["schemas"]["Status"]["required"]


@pytest.mark.skipif(schemathesis is None, reason="schemathesis is not installed")
@pytest.mark.parametrize(("path", "method"), [("/v1/crawls/{id}/urls", "POST"), ("/v1/crawls/{id}", "GET")])
def test_what_is_made_of_the_description_is_answered_as_it_says(listening: Posting, path: str, method: str) -> None:
    schema = schemathesis.openapi.from_dict(description())
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    for mode in modes:
        made = schema[path][method].as_strategy(generation_mode=mode)
        _try(listening, made)


def _try(listening: Posting, made: Any) -> None:
    from hypothesis import given

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=made)
    def tried(case: Any) -> None:
        if isinstance(case.path_parameters, dict):
            case.path_parameters["id"] = listening.name
        case.call_and_validate(base_url=listening.url, headers={"Authorization": f"Bearer {listening.token}"})

    tried()
    assert is_documented(listening.ask("GET", listening.place, headers=listening.entitled))
