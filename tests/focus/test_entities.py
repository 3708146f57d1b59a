"""Names in texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.focus.entities import judge, mentions, names_of, spelled
from anansi.focus.settings import SETTINGS

PEOPLE = names_of(
    [
        ["Angela Merkel", "Merkel", "Мeркель"],
        ["New York"],
        ["The New York Times", "New York Times"],
        ["人民日报", "People's Daily"],
        ["NHK放送", "กรุงเทพ"],
        ["WHO", "World Health Organization"],
        ["Łódź"],
        ["Tim Berners-Lee"],
    ]
)

TEXTS = [
    ("ANGELA MERKEL met merkel.", {0: 2}),
    ("Merkel’s plan; the Merkels' house; Merkelsche", {0: 1}),
    ("He read the New York Times in New\u00a0York, a New Yorker said", {2: 1, 1: 1}),
    ("据人民日报报道", {3: 1}),
    ("people's   daily", {3: 1}),
    ("the people daily", {}),
    ("今夜のNHK放送局で", {4: 1}),
    ("ในกรุงเทพมหานคร", {4: 1}),
    ("who is it? WHO says: World health organization", {5: 2}),
    ("LODZ, Łódź, lódz", {6: 3}),
    ("Tim Berners Lee and tim-berners-lee", {7: 2}),
    ("", {}),
    ("nothing here", {}),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_names_are_found_whatever_their_case_and_accents_and_only_as_whole_words(
    text: str, expected: dict[int, int]
) -> None:
    assert {number: each.count for number, each in mentions(PEOPLE, text).items()} == expected


def test_an_alias_of_two_counts_for_both() -> None:
    names = names_of([["Paris"], ["Paris Hilton", "paris"]])
    assert mentions(names, "In Paris").keys() == {0, 1}
    assert mentions(names, "Paris Hilton").keys() == {1}


def test_what_was_found_is_shown_with_the_words_around_it() -> None:
    found = mentions(PEOPLE, "Yesterday Angela  Merkel, the chancellor, spoke")[0]
    assert found.found == "angela merkel"
    assert found.around == "yesterday angela merkel the chancellor spoke"


def test_a_name_without_letters_and_a_definition_without_names_find_nothing() -> None:
    assert mentions(names_of([]), "anything") == {}
    assert mentions(names_of([["!!!"], [""]]), "anything !!!") == {}


def test_more_mentions_and_more_entities_score_higher() -> None:
    known = {0: ("Angela Merkel", 1.0), 1: ("New York", 0.5)}
    once, twice, both = (
        judge(mentions(PEOPLE, text), known) for text in ("Merkel", "Merkel Merkel", "Merkel in New York")
    )
    assert once.score == 0.5
    assert twice.score == 0.75
    assert both.score == 0.625
    assert [each.what for each in both.evidence] == ["Angela Merkel", "New York"]
    assert judge(mentions(PEOPLE, "nobody"), known).score == 0


def test_ten_thousand_aliases_and_ten_megabytes_are_looked_through_in_linear_time() -> None:
    names = names_of([[f"alias number {n}", f"other {n}"] for n in range(10_000)])
    text = "an alias number 77 and other 9999 here; " * 250_000
    began = time.process_time()
    found = mentions(names, text)
    assert time.process_time() - began < 1  # 15 ms on the machine of the figures
    assert found.keys() == {77, 9999}
    assert found[77].count == SETTINGS.longest_named // 40


def test_nested_aliases_do_not_multiply_what_is_found() -> None:
    names = names_of([["a " * n] for n in range(1, 400)])
    found = mentions(names, "a " * 200_000)
    assert sum(each.count for each in found.values()) <= 200_000


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5), st.text())
def test_a_name_is_found_in_any_text_that_has_it_as_words(names: list[str], text: str) -> None:
    compiled = names_of([[each] for each in names])
    mentions(compiled, text)
    longest = max(names, key=lambda each: len(spelled(each)))
    if spelled(longest) and not (longest.isupper() and len(longest) <= 4):
        assert mentions(compiled, f". {longest} .")
