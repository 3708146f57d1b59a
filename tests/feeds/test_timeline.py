"""When items came, by dates and by captures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.timeline import DAY, Fact, Sighting, When, gaps, newest_first, order_of, timeline


def fact(key: str, at: float | None, precision: float = 0.0) -> Fact:
    return Fact(key, f"http://a.example/{key}", published=at, precision=precision)


def page(at: float, keys: str) -> Sighting:
    return Sighting("page", "http://a.example/", at, tuple(keys))


def facts(**dates: float | None) -> dict[str, Fact]:
    return {key: fact(key, at) for key, at in dates.items()}


def test_a_date_is_believed_as_far_as_captures_allow() -> None:
    found = timeline(facts(a=100, b=200, c=900), [page(150, "a"), page(300, "cba")])
    assert found["a"] == When(100, 100, 100, "dated")
    assert found["b"].at == 200
    assert (found["c"].at, found["c"].why) == (300, "seen before its date")


def test_what_was_absent_after_its_date_came_later() -> None:
    found = timeline(facts(a=100, b=120), [page(150, "a"), page(300, "ba")])
    assert found["b"] == When(150, 300, 151, "absent at a capture after its date")
    assert found["b"].chance(140) == 0
    assert found["b"].chance(225) == 0.5
    assert found["b"].chance(300) == 1


def test_undated_items_stand_between_captures_and_between_neighbours() -> None:
    found = timeline(facts(a=100, d=290), [page(150, "a"), page(300, "dcba")])
    assert found["b"].first == 150
    assert 150 < found["b"].at < found["c"].at < 290
    alone = timeline({}, [page(150, "a"), page(300, "cba")])
    assert alone["a"].first is None
    assert alone["a"].at <= 150
    assert 150 < alone["b"].at < alone["c"].at < 300


def test_the_hour_of_a_day_is_told_by_neighbours() -> None:
    known = {"a": fact("a", 10 * DAY), "b": fact("b", 10 * DAY, DAY), "c": fact("c", 10 * DAY + 7200)}
    found = timeline(known, [page(20 * DAY, "cba")])
    assert found["a"].at < found["b"].at < found["c"].at


def test_an_item_that_is_in_no_list_is_dated_by_itself() -> None:
    found = timeline({"a": fact("a", 100, DAY)}, [Sighting("item", "http://a.example/a", 5000, ("a",))])
    assert (found["a"].first, found["a"].last) == (100, 5000)


def test_what_stays_on_top_is_pinned() -> None:
    when = {key: When(at, at, at, "") for key, at in (("p", 1.0), ("c", 30.0), ("b", 20.0), ("a", 10.0))}
    assert order_of("pcba", when).pinned == ("p",)
    assert order_of("cba", when).pinned == ()
    assert not order_of("abc", when).descending
    assert order_of("", when).sure
    mixed = order_of("bcpabc"[:5], when)
    assert mixed.pinned == () or not mixed.sure


@given(st.lists(st.floats(0, 1e9), max_size=30, unique=True))
def test_a_list_in_order_of_time_has_nothing_pinned(times: list[float]) -> None:
    when = {str(at): When(at, at, at, "") for at in times}
    keys = newest_first(when, when, [])
    found = order_of(keys, when)
    assert found.pinned == ()
    assert found.sure
    assert [when[key].at for key in keys] == sorted(times, reverse=True)


def test_lists_that_share_nothing_leave_a_gap() -> None:
    known = facts(a=100, b=200, c=500, d=600)
    sightings = [page(250, "ba"), page(700, "dc")]
    (gap,) = gaps(sightings, timeline(known, sightings))
    assert (gap.first, gap.last) == (200, 500)
    joined = [*sightings, page(650, "cb")]
    assert gaps(joined, timeline(known, joined)) == []
