"""What can go wrong with a request: each with a status, a cure, and no secret."""

from __future__ import annotations

import json

import pytest

from anansi.service.problem import KINDS, URL_KINDS, Mistake, Problem, Refused


@pytest.mark.parametrize("name", sorted(KINDS | URL_KINDS))
def test_every_kind_is_told_with_its_cure(name: str) -> None:
    problem = Problem(name, "what happened")
    told = json.loads(problem.body())
    assert told["status"] == problem.status >= 400
    assert told["type"] == f"/#{name}"
    assert told["cure"]
    assert "errors" not in told


def test_mistakes_are_told_where_they_are() -> None:
    told = json.loads(Problem("bad-urls", "two", (Mistake("#/urls/0", "no address"),)).body())
    assert told["errors"] == [{"pointer": "#/urls/0", "detail": "no address"}]


def test_a_detail_is_short_and_can_be_written_whatever_it_holds() -> None:
    told = json.loads(Problem("bad-json", "x\ud800" * 1000).body())
    assert len(told["detail"]) == 500


def test_a_refusal_carries_its_problem() -> None:
    problem = Problem("busy", "")
    assert Refused(problem).problem is problem
