"""Entries that stand apart from the list."""

from __future__ import annotations

from anansi.feeds.channel import Shown, listings, parse
from anansi.feeds.leads import with_leads

KNOWN = {f"a.example/{number}" for number in range(1, 9)}
TEXT = "words of some length that make an entry heavier than a line " * 2


def page(at: float, newest: int, *, lead: bool = True) -> Shown:
    entry = '<div class="e"><h3><a href="/{0}">Title {0}</a></h3><p>' + TEXT + "</p></div>"
    numbers = range(newest - 1, newest - 4, -1)
    top = (
        f'<section class="top"><h2><a href="/{newest}">Title {newest}</a></h2><p>{TEXT}</p></section>' if lead else ""
    )
    body = "".join(entry.format(number) for number in numbers)
    tree = parse(f'<html><body>{top}<div id="list">{body}</div></body></html>'.encode(), "utf-8")
    return Shown("http://a.example/", at, tree)


def test_a_lead_that_captures_agree_on_is_an_entry() -> None:
    first, second = with_leads(listings([page(1, 5), page(2, 8)], KNOWN), KNOWN)
    assert (first.leads, second.leads) == (1, 1)
    assert first.keys == ("a.example/5", "a.example/4", "a.example/3", "a.example/2")
    assert second.entries[0].nodes[0].get("class") == "top"
    assert second.entries[0].place != second.entries[1].place


def test_one_capture_is_not_enough() -> None:
    (alone,) = with_leads(listings([page(1, 5)], KNOWN), KNOWN)
    assert alone.leads == 0
    found = with_leads(listings([page(1, 5), page(2, 6, lead=False), page(3, 7, lead=False)], KNOWN), KNOWN)
    assert [each.leads for each in found] == [0, 0, 0]
