"""What workers tell each other about a site's applications."""

from __future__ import annotations

from anansi.act.links import LinkFinder
from anansi.act.shortcuts import Trail
from anansi.awareness import Awareness
from anansi.knowledge import shelf
from anansi.url import DEFAULT
from anansi.workers import lore


def aware() -> Awareness:
    return Awareness(shelf.catalogue(), LinkFinder(DEFAULT))


def test_what_one_worker_knows_another_can_be_told() -> None:
    one, other = aware(), aware()
    one.remind("a.org", ("blog/wordpress",))
    one.scout.remind("a.org", Trail(asked=("http://a.org/feed/",), newest=(1, 2), span=1))
    one.remind_order("a.org", (3, 1))
    known, news = lore.told(one, "a.org", lore.NOTHING)
    assert known.order == (3, 1)
    assert known.types == ("blog/wordpress",) and {name for name, _ in news} == {lore.TYPES, lore.TRAIL, lore.ORDER}
    assert lore.remind(other, "a.org", dict(news), ()) == known


def test_what_the_hub_knows_is_not_told_again() -> None:
    one = aware()
    one.remind("a.org", ("blog/wordpress",))
    known, _ = lore.told(one, "a.org", lore.NOTHING)
    assert lore.told(one, "a.org", known) == (known, [])


def test_who_knows_less_does_not_overwrite_who_knows_more() -> None:
    one = aware()
    one.scout.remind("a.org", Trail(asked=("x", "y")))
    one.scout.remind("a.org", Trail(asked=("x",)))
    assert one.scout.trail("a.org").asked == ("x", "y")


def test_a_blind_worker_knows_nothing() -> None:
    assert lore.told(None, "a.org", lore.NOTHING) == (lore.NOTHING, [])
    assert lore.remind(None, "a.org", {}, ["http://a.org/s.xml"]) == lore.NOTHING
