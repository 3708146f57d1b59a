"""The visits that ask for a robots.txt, wherever it has moved."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from anansi.crawl.robots_visits import ask, onward, remembered
from anansi.model import MAX_REDIRECTS, Page, Visit
from tests.archive.exchanges import answer

VISIT = Visit(
    "http://example.org/deep/page", "http://example.org/deep/page", hops="LL", seed="http://s/", address="192.0.2.1"
)


def moved(location: str, visit: Visit | None = None) -> Page:
    page = answer("http://example.org/robots.txt", b"", status="301 Moved", headers=(("Location", location),))
    return replace(page, visit=visit or ask("http://example.org", VISIT))


def test_robots_txt_is_asked_for_at_the_origin_by_the_address_of_the_page() -> None:
    visit = ask("http://example.org", VISIT)
    assert (visit.url, visit.hops, visit.via) == ("http://example.org/robots.txt", "LLP", VISIT.url)
    assert (visit.address, visit.seed) == (VISIT.address, VISIT.seed)
    assert remembered("http://example.org") == "robots http://example.org"


def test_a_redirect_on_the_same_host_keeps_the_address_and_another_host_needs_its_own() -> None:
    near = onward(moved("/elsewhere.txt"))
    far = onward(moved("http://other.example/robots.txt"))
    assert near is not None
    assert far is not None
    assert (near.url, near.address, near.hops) == ("http://example.org/elsewhere.txt", VISIT.address, "LLPR")
    assert (far.url, far.address) == ("http://other.example/robots.txt", "")


def test_what_is_no_redirect_or_leads_nowhere_is_the_end() -> None:
    assert onward(answer("http://example.org/robots.txt", b"")) is None
    assert onward(moved("")) is None
    assert onward(moved("mailto:a@b.c")) is None


def test_redirects_in_a_row_come_to_an_end() -> None:
    visit = ask("http://example.org", VISIT)
    once_more = msgspec.structs.replace(visit, hops="P" + "R" * (MAX_REDIRECTS - 1))
    too_often = msgspec.structs.replace(visit, hops="P" + "R" * MAX_REDIRECTS)
    assert onward(moved("/on", once_more)) is not None
    assert onward(moved("/on", too_often)) is None
