"""Workers die over a visit: it is found among many and given up, and no other is blamed."""

from __future__ import annotations

from anansi.crawl.suspects import DEATHS, PAUSE, Suspects
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Outcome, Visit

NOW = 1000.0


def turn(site: int, *names: str, memory: dict[str, bytes] | None = None, not_before: float = 0.0) -> Turn:
    """Make a turn of visits named so."""
    return Turn(site, f"site {site}", not_before, [(token(name), Visit(name, name)) for name in names], memory)


def token(name: str) -> bytes:
    return name.encode()


def names(found: Turn | None) -> list[str]:
    return [visit.key for _, visit in found.visits] if found is not None else []


def done(*which: str) -> list[Settlement]:
    return [Settlement(token(name), Outcome(Ended.DONE, 200), 0.0) for name in which]


def test_nothing_is_held_back_while_no_worker_has_died() -> None:
    suspects = Suspects()
    whole = turn(1, "a", "b", memory={"robots": b"x"})
    assert suspects.sift(0, whole) is whole
    assert suspects.due(NOW) == []
    assert suspects.bury(0, NOW, crashed=False) == []
    assert suspects.sift(1, whole) is whole


def test_after_a_death_what_was_in_hand_is_handed_out_one_by_one() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a", "b", "c"))
    suspects.report(0, done("a"))
    assert suspects.bury(0, NOW, crashed=True) == []

    assert suspects.sift(0, turn(1, "b", "c", "d")) is None
    assert suspects.sift(0, turn(1, "e")) is None, "the order at a site stays: what comes of one decides about others"
    assert names(suspects.sift(0, turn(2, "f"))) == ["f"]
    [(worker, first)] = suspects.due(NOW)
    assert (worker, names(first)) == (0, ["b"])
    assert suspects.due(NOW) == [], "one at a time"
    suspects.report(0, done("b"))
    assert [names(each) for _, each in suspects.due(NOW)] == [["c"]]
    suspects.report(0, done("c"))
    assert [names(each) for _, each in suspects.due(NOW)] == [["d"], ["e"]]
    assert suspects.due(NOW) == []
    assert names(suspects.sift(0, turn(1, "b", "c"))) == ["b", "c"], "nothing is held against them any more"


def test_the_visit_that_kills_is_given_up_after_three_deaths_and_waits_before_the_last() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a", "poison", "b"))
    assert suspects.bury(0, NOW, crashed=True) == []

    suspects.sift(0, turn(1, "a", "poison", "b"))
    suspects.due(NOW)
    suspects.report(0, done("a"))
    suspects.due(NOW)
    assert suspects.bury(0, NOW, crashed=True) == []

    assert suspects.sift(0, turn(1, "poison", "b")) is None
    assert suspects.sift(0, turn(1, "c")) is None
    assert suspects.due(NOW) == [], "the order at a site stays"
    assert [names(each) for _, each in suspects.due(NOW + PAUSE)] == [["poison"]]
    [third] = suspects.bury(0, NOW + PAUSE, crashed=True)
    assert (third.token, third.outcome.ended) == (token("poison"), Ended.FAILED)
    assert third.outcome.fault == "the worker died on it"
    assert DEATHS == 3


def test_other_visits_of_the_worker_become_suspects_but_are_not_given_up_with_it() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "poison"))
    suspects.bury(0, NOW, crashed=True)
    for now, given_up in ((NOW, []), (NOW + PAUSE, [token("poison")])):
        suspects.sift(0, turn(1, "poison"))
        suspects.sift(0, turn(2, "innocent"))
        suspects.due(now)
        assert [each.token for each in suspects.bury(0, NOW, crashed=True)] == given_up
        suspects.sift(0, turn(2, "innocent"))
        suspects.due(NOW)
        suspects.report(0, done("innocent"))


def test_each_worker_has_its_own_suspect_in_hand() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a"))
    suspects.sift(0, turn(2, "b"))
    suspects.bury(0, NOW, crashed=True)
    suspects.sift(0, turn(1, "a"))
    suspects.sift(1, turn(2, "b"))
    assert [(worker, names(each)) for worker, each in suspects.due(NOW)] == [(0, ["a"]), (1, ["b"])]


def test_a_suspect_is_not_in_hand_while_its_site_rests() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a"))
    suspects.sift(0, turn(2, "b"))
    suspects.bury(0, NOW, crashed=True)
    suspects.sift(0, turn(1, "a", not_before=NOW + 30))
    suspects.sift(0, turn(2, "b", not_before=NOW + 10))
    assert suspects.due(NOW) == []
    assert [names(each) for _, each in suspects.due(NOW + 10)] == [["b"]]
    suspects.report(0, done("b"))
    assert [names(each) for _, each in suspects.due(NOW + 30)] == [["a"]]


def test_what_is_known_about_a_site_goes_with_the_first_turn_that_is_sent() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a", "b"))
    suspects.bury(0, NOW, crashed=True)
    memory = {"robots": b"x"}
    assert suspects.sift(0, turn(1, "a", "b", memory=memory)) is None
    [(_, first)] = suspects.due(NOW)
    assert first.memory == memory
    suspects.report(0, done("a"))
    [(_, second)] = suspects.due(NOW)
    assert second.memory is None

    suspects = Suspects()
    suspects.sift(0, turn(1, "a"))
    suspects.bury(0, NOW, crashed=True)
    sent = suspects.sift(0, turn(1, "b", "a", memory=memory))
    assert sent is not None and sent.memory == memory
    [(_, held)] = suspects.due(NOW)
    assert held.memory is None


def test_a_worker_that_said_goodbye_leaves_no_suspects() -> None:
    suspects = Suspects()
    suspects.sift(0, turn(1, "a"))
    assert suspects.bury(0, NOW, crashed=False) == []
    assert names(suspects.sift(0, turn(1, "a"))) == ["a"]
