"""Does a text speak of an event."""

from __future__ import annotations

from datetime import date

import pytest

from anansi.focus.entities import mentions, names_of
from anansi.focus.events import Happening, judge
from anansi.text.prose_dates import Span, spans

NAMES = names_of([["2013 European floods", "Jahrhundertflut"], ["Passau"], ["Dresden"], ["THW"], ["Angela Merkel"]])
FLOOD = Happening("flood", 0, frozenset({1, 2}), frozenset({3, 4}), date(2013, 5, 30), date(2013, 6, 20))


def score(text: str, *more: Span, events: tuple[Happening, ...] = (FLOOD,)) -> float:
    return judge(events, mentions(NAMES, text), [*spans(text), *more]).score


def test_place_actors_and_time_together_say_it_is_the_event() -> None:
    assert score("On 3 June 2013 the THW and Angela Merkel came to Passau") == 1
    assert score("nothing of it") == 0


def test_one_of_them_says_little_and_two_say_more() -> None:
    place = score("Passau is a town")
    both = score("Passau in June 2013")
    every = score("THW in Passau in June 2013")
    assert 0.1 < place < 0.25
    assert 0.5 < both < 0.6
    assert both < every < 1


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Dresden, 30 May 2013", 1.0),
        ("Dresden, 20. Juni 2013", 1.0),
        ("Dresden im Mai 2013", 1.0),
        ("Dresden in 2013", 0.5),
        ("Dresden, 21 June 2013", 0.0),
        ("Dresden in 2014", 0.0),
    ],
)
def test_a_time_fits_by_how_exact_it_is(text: str, fits: float) -> None:
    only = Happening("flood", 0, frozenset({2}), frozenset(), FLOOD.begins, FLOOD.ends)
    assert score(text, events=(only,)) == round(((1 + fits) / 2) ** 1.5, 6)


def test_the_time_of_the_page_itself_counts() -> None:
    day = date(2013, 6, 4)
    assert score("Passau and THW") < score("Passau and THW", Span(day, day))


def test_the_name_alone_is_worth_most_of_it() -> None:
    assert score("Die Jahrhundertflut") == 0.6
    assert score("Die Jahrhundertflut in Passau, Juni 2013, THW, Angela Merkel") == 1


def test_an_event_without_an_end_is_a_day_and_one_without_anything_is_its_name() -> None:
    day = Happening("f", 0, frozenset(), frozenset(), date(2013, 6, 3), None)
    assert score("3 June 2013", events=(day,)) == 1
    assert score("4 June 2013", events=(day,)) == 0
    assert score("Passau 2013", events=(Happening("f", 0, frozenset(), frozenset(), None, None),)) == 0


def test_the_evidence_says_what_was_found() -> None:
    found = judge((FLOOD,), mentions(NAMES, "In June 2013, Dresden and Passau"), spans("In June 2013"))
    assert {each.what: each.found for each in found.evidence} == {
        "flood: place": "passau, dresden",
        "flood: time": "june 2013",
    }
