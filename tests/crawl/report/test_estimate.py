"""Estimates: the site's own numbers first, then its paginations, then what was found; a range in any case."""

from __future__ import annotations

import pytest

from anansi.crawl.report.estimate import Range, Seen, Way, estimate


def seen(**told: object) -> Seen:
    return Seen(**{"done": 40, "content": 120, "things": 100, "lists": 10, **told})  # type: ignore[arg-type]


def test_boards_say_how_many_threads_there_are_and_how_many_lists_are_needed() -> None:
    found = estimate(seen(boards=(300, 100), sizes=(5, 5, 25), a_page=10, rows=25, stated_parts=4000))
    assert found.things == Range(400, 400, 400)
    assert found.parts is not None and found.parts.best == 4000
    # one thread in three has two pages more; sixteen lists
    assert found.requests.best == pytest.approx(400 * (1 + 2 / 3 * 10 / (35 / 3)) + 16, abs=2)


def test_a_board_that_was_not_looked_at_is_taken_for_one_of_the_middle() -> None:
    found = estimate(seen(boards=(1000, 10, 20), silent=2, rows=50))
    assert found.things.low == 1030 and found.things.best == 1070
    assert found.things.high is not None and found.things.high > 1500


def test_what_a_site_states_beyond_its_boards_widens_the_range() -> None:
    found = estimate(seen(boards=(300, 100), stated=900, rows=25))
    assert found.things == Range(400, 400, 900)
    assert found.requests.high is not None and found.requests.high > 900


def test_the_last_page_of_a_list_says_how_long_it_is() -> None:
    found = estimate(seen(things=30, content=30, last_list=24, rows=3, lists=12))
    assert found.things.best == 72 and found.requests.best == 72 + 24


def test_lists_that_go_on_have_no_upper_end() -> None:
    found = estimate(seen(ahead=4, rows=30))
    assert found.things == Range(100, 220, None)
    assert found.requests.high is None and str(found.requests).endswith("to more)")


def test_a_list_that_names_no_page_beyond_what_is_known_goes_on() -> None:
    found = estimate(seen(things=39, content=39, last_list=2, rows=11, ahead=1, lists=2))
    assert found.things == Range(39, 50, 100)


def test_lists_that_are_left_tell_as_much_as_those_that_were_looked_at() -> None:
    """A Movable Type blog of 250 posts in 98 months, of which five were looked at: 140 requests were told."""
    found = estimate(seen(things=45, content=45, lists=99, visited_lists=6, ways=(Way(93, 1.6),), late=93))
    assert found.things == Range(45, 194, 343)
    # half of the months are left as soon as they tell no news
    assert found.requests.best == 194 + 99 - 46 and found.requests.high is not None


def test_kinds_of_lists_tell_of_the_same() -> None:
    found = estimate(seen(ways=(Way(10, 20.0), Way(30, 5.0))))
    assert found.things == Range(100, 300, 500)


def test_what_the_site_lists_by_itself_is_all_there_is() -> None:
    found = estimate(seen(listed=True, visited_lists=2))
    assert found.things.best == 100 and found.requests.best == 120 + 2


def test_of_an_unknown_site_only_what_was_found_is_certain() -> None:
    found = estimate(Seen(done=40, content=200, things=200, lists=0, learned=True))
    assert found.things == Range(200, 200, None) and found.requests.low == 200


def test_an_exact_number_is_written_without_a_range() -> None:
    assert str(Range(7, 7, 7)) == "7" and str(Range(1000, 2000, 3000)) == "about 2,000 (1,000 to 3,000)"
