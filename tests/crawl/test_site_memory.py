"""What workers tell each other about a site's applications."""

from __future__ import annotations

from anansi.crawl import site_memory
from anansi.knowledge import shelf
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.pages.shortcuts import Trail
from anansi.url import DEFAULT


def aware() -> Interpreter:
    return Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))


def test_what_one_worker_knows_another_can_be_told() -> None:
    one, other = aware(), aware()
    one.remind("a.org", ("blog/wordpress",))
    one.asker.remind("a.org", Trail(asked=("http://a.org/feed/",), newest=(1, 2), span=1))
    one.remind_order("a.org", (3, 1))
    known, news = site_memory.news(one, "a.org", site_memory.NOTHING)
    assert known.order == (3, 1)
    assert known.types == ("blog/wordpress",) and {name for name, _ in news} == {
        site_memory.TYPES,
        site_memory.TRAIL,
        site_memory.ORDER,
    }
    assert site_memory.remind(other, "a.org", dict(news), ()) == known


def test_what_the_hub_knows_is_not_told_again() -> None:
    one = aware()
    one.remind("a.org", ("blog/wordpress",))
    known, _ = site_memory.news(one, "a.org", site_memory.NOTHING)
    assert site_memory.news(one, "a.org", known) == (known, [])


def test_who_knows_less_does_not_overwrite_who_knows_more() -> None:
    one = aware()
    one.asker.remind("a.org", Trail(asked=("x", "y")))
    one.asker.remind("a.org", Trail(asked=("x",)))
    assert one.asker.trail("a.org").asked == ("x", "y")


def test_a_blind_worker_knows_nothing() -> None:
    assert site_memory.news(None, "a.org", site_memory.NOTHING) == (site_memory.NOTHING, [])
    assert site_memory.remind(None, "a.org", {}, ["http://a.org/s.xml"]) == site_memory.NOTHING
