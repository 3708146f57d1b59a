"""The OpenAPI description is what happens: by hand, and as schemathesis reads it."""

from __future__ import annotations

import copy
import importlib
import importlib.util
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from anansi.service.problem import URL_KINDS
from anansi.service.url_posting_description import description
from tests.posting.posting import Posting
from tests.service.test_page_reading_description import references

schemathesis: Any = importlib.import_module("schemathesis") if importlib.util.find_spec("schemathesis") else None

CERTAIN = r"^https?://[a-z]{1,20}(\.[a-z]{2,20}){1,3}(/[A-Za-z0-9._~-]{1,20}){1,4}$"


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
@pytest.mark.parametrize("good", [True, False])
def test_what_is_made_of_the_description_is_answered_as_it_says(
    listening: Posting, path: str, method: str, good: bool
) -> None:
    mode = schemathesis.GenerationMode.POSITIVE if good else schemathesis.GenerationMode.NEGATIVE
    made = schemathesis.openapi.from_dict(certain())[path][method].as_strategy(generation_mode=mode)
    entitled = {"Authorization": f"Bearer {listening.token}"}
    # what breaks the description may be mended here, by the right id and token: then it is no longer wrong
    ignored = [] if good else [checks().negative_data_rejection, checks().ignored_auth]
    statuses = Counter[int]()

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(case=made)
    def tried(case: Any) -> None:
        if isinstance(case.path_parameters, dict):
            case.path_parameters["id"] = listening.name
        answered = case.call_and_validate(base_url=listening.url, headers=entitled, excluded_checks=ignored)
        statuses[answered.status_code] += 1

    tried()
    assert (set(statuses) == {200}) == good or (method == "GET" and statuses[200]), statuses


def checks() -> Any:
    return importlib.import_module("schemathesis.specs.openapi.checks")


def certain() -> dict[str, Any]:
    """The description with URLs narrowed to those of which no parser doubts that they are some."""
    found = copy.deepcopy(description())
    properties = found["components"]["schemas"]["ScoredUrl"]["properties"]
    for name in ("url", "via"):
        properties[name] = {"type": "string", "pattern": CERTAIN}
    return found
