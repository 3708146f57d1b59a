"""Which site is next, and who waits for which address."""

from __future__ import annotations

from anansi.frontier.schedule import Schedule
from anansi.frontier.site import Site, SiteRow


def site(number: int, not_before: float = 0.0) -> Site:
    return Site(number, SiteRow(f"{number}.org", not_before=not_before))


def test_sites_come_when_they_are_due_the_longest_waiting_first() -> None:
    schedule = Schedule()
    one, two, three = site(1), site(2), site(3)
    schedule.list_site(one, 30.0)
    schedule.list_site(two, 10.0)
    schedule.list_site(three, 10.0)
    schedule.list_site(two, 5.0)
    assert schedule.next_time() == 10.0
    assert schedule.next_due(9.9) is None
    assert [schedule.next_due(20.0) for _ in range(3)] == [two, three, None]
    assert not two.listed
    assert one.listed
    assert schedule.next_due(30.0) is one
    assert schedule.next_time() is None


def test_a_site_that_someone_holds_is_not_listed() -> None:
    schedule, held = Schedule(), site(1)
    held.owner = 0
    schedule.list_site(held, 0.0)
    assert schedule.next_due(1.0) is None


def test_an_address_is_held_by_one_and_rests_after_it() -> None:
    schedule, one, two = Schedule(), site(1), site(2)
    assert schedule.hold("a", one, 0.0)
    assert schedule.hold("a", one, 0.0)
    assert list(one.addresses) == ["a"]
    assert not schedule.hold("a", two, 0.0)
    schedule.let_go(one, 10.0)
    assert list(one.addresses) == []
    assert not schedule.hold("a", two, 9.0)
    schedule.wait_for("a", two)
    assert schedule.next_due(9.0) is None
    assert schedule.next_due(10.0) is two
    assert schedule.hold("a", two, 10.0)


def test_those_who_wait_are_woken_one_by_one_in_their_order() -> None:
    schedule, one, two, three = Schedule(), site(1), site(2, not_before=50.0), site(3)
    schedule.hold("a", one, 0.0)
    schedule.wait_for("a", two)
    schedule.wait_for("a", three)
    assert schedule.wanted(one)
    assert schedule.parked == 2
    schedule.let_go(one, 10.0)
    assert schedule.parked == 1
    assert schedule.next_due(49.0) is None, "it must not be visited before its own time"
    assert schedule.next_due(50.0) is two
    assert schedule.hold("a", two, 50.0)
    schedule.pass_on(two)
    assert schedule.next_due(99.0) is None
    schedule.let_go(two, 60.0)
    assert schedule.next_due(60.0) is three


def test_an_address_that_the_woken_one_does_not_take_goes_to_the_next() -> None:
    schedule, one, two, three = Schedule(), site(1), site(2), site(3)
    schedule.hold("a", one, 0.0)
    schedule.wait_for("a", two)
    schedule.wait_for("a", three)
    schedule.let_go(one, 0.0)
    assert schedule.next_due(0.0) is two
    schedule.pass_on(two)
    assert schedule.next_due(0.0) is three
    schedule.pass_on(three)
    assert schedule.parked == 0


def test_sites_wait_for_a_name_together() -> None:
    schedule, one, two = Schedule(), site(1), site(2, not_before=20.0)
    assert schedule.wait_for_name("www.org", one)
    assert not schedule.wait_for_name("www.org", two)
    assert schedule.parked == 2
    schedule.resolved("www.org", 10.0)
    schedule.resolved("www.org", 10.0)
    assert schedule.parked == 0
    assert [schedule.next_due(10.0), schedule.next_due(10.0)] == [one, None]
    assert schedule.next_due(20.0) is two


def test_addresses_are_forgotten_when_nobody_needs_them() -> None:
    schedule, one, two = Schedule(), site(1), site(2)
    schedule.hold("a", one, 0.0)
    schedule.hold("b", two, 0.0)
    schedule.let_go(one, 10.0)
    schedule.forget_idle(9.0)
    assert "2 addresses" in repr(schedule)
    schedule.forget_idle(10.0)
    assert "1 addresses" in repr(schedule)
    schedule.let_go(two, 5.0)
    schedule.forget_idle(10.0)
    assert "0 addresses" in repr(schedule)
