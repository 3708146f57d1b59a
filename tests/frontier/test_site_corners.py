"""Corners of a site: one visit decides about the next, and what came of them outlives the crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.frontier.priority import UPDATES
from anansi.frontier.site import Site
from anansi.frontier.site_corners import AT_ONCE, SiteCorners
from anansi.frontier.store import Store
from anansi.model import Corner, CornerKind, Ended, Outcome, Visit

LIST = Visit("http://a.org/tag/x", "http://a.org/tag/x", corner=Corner(CornerKind.LISTS, "tags"))
PAGE = Visit("http://a.org/p", "http://a.org/p")
DONE = Outcome(Ended.DONE, 200, page=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as opened:
        yield opened


@pytest.fixture
def site(store: Store) -> Site:
    found = store.site("a.org")
    found.row.pages = found.row.content = 1000
    return found


def test_a_corner_waits_for_all_else_and_then_for_the_one_before(store: Store, site: Site) -> None:
    corners = SiteCorners(store.memory)
    assert corners.must_wait(site, LIST, [], idle=False)
    assert corners.must_wait(site, LIST, [(b"", PAGE)], idle=True)
    assert not corners.must_wait(site, LIST, [], idle=True)
    assert corners.must_wait(site, LIST, [(b"", LIST)], idle=True)


def test_lists_that_tell_news_go_on_together_and_those_that_do_not_are_closed(store: Store, site: Site) -> None:
    corners = SiteCorners(store.memory)
    corners.note(site, LIST, DONE, [], news=3)
    assert not corners.must_wait(site, LIST, [(b"", LIST)] * (AT_ONCE - 1), idle=True)
    assert corners.must_wait(site, LIST, [(b"", LIST)] * AT_ONCE, idle=True)
    for _ in range(40):
        corners.note(site, LIST, DONE, [], news=0)
    assert "tags" in corners.closed(site, LIST)


def test_what_came_of_corners_is_known_to_who_goes_on(store: Store, site: Site) -> None:
    for _ in range(40):
        SiteCorners(store.memory).note(site, LIST, DONE, [], news=0)
    closed = SiteCorners(store.memory).closed(site, LIST)
    assert closed
    site.corners = None  # as at the next start
    assert SiteCorners(store.memory).closed(site, LIST) == closed


def test_content_that_lists_would_have_told_of_counts_as_found_when_corners_tell_of_it(
    store: Store, site: Site
) -> None:
    site.row.lost = 5
    SiteCorners(store.memory).note(site, LIST, DONE, [], news=3)
    assert site.row.lost == 2
    SiteCorners(store.memory).note(site, LIST, DONE, [], news=9)
    assert site.row.lost == 0
