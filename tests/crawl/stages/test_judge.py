"""What of a page's links belongs to the crawl, and why the rest does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from anansi import config
from anansi.config import Definition
from anansi.model import (
    MAX_REDIRECTS,
    Gap,
    Hop,
    Visit,
)
from tests.crawl.piped import PAGES, SEED, anchors, bench, page, urls


def test_what_is_outside_is_skipped_with_a_reason_and_only_once(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    _, found, skips = desk.process(page(anchors("http://elsewhere.org/", "/in")))
    assert urls(found) == ["http://example.org/in"]
    assert [(skip.url, skip.reason) for skip in skips] == [("http://elsewhere.org/", "out of scope")]
    assert desk.process(page(anchors("http://elsewhere.org/", "/in"), SEED + "2"))[1:] == ([], [])


def test_a_link_too_deep_is_skipped_and_taken_when_it_is_nearer(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(scope=config.Scope(max_hops=2)))
    _, found, skips = desk.process(page(anchors("/wanted"), SEED + "deep", depth=2))
    assert (found, [skip.reason for skip in skips]) == ([], ["hop limit"])
    _, found, skips = desk.process(page(anchors("/wanted"), SEED + "near", depth=1))
    assert (urls(found), skips) == (["http://example.org/wanted"], [])


def test_every_finding_is_told_when_scores_add_up(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(frontier=config.Frontier(update="sum")))
    told = [urls(desk.process(page(anchors("/again"), SEED + str(number)))[1]) for number in range(3)]
    assert told == [["http://example.org/again"]] * 3


def test_a_seed_may_redirect_out_of_scope_and_others_may_not(tmp_path: Path) -> None:
    away = (("Location", "http://moved.org/"),)
    _, found, _ = bench(tmp_path).process(page("", status="301 Moved", headers=away))
    assert urls(found) == ["http://moved.org/"]
    _, found, skips = bench(tmp_path).process(page("", status="301 Moved", headers=away, hops="L"))
    assert (found, [skip.reason for skip in skips]) == ([], ["out of scope"])


@pytest.mark.parametrize(("hops", "followed"), [("R" * (MAX_REDIRECTS - 1), True), ("R" * MAX_REDIRECTS, False)])
@pytest.mark.parametrize("before", ["", "L", "LLRLE", "123+LLLL"])
def test_redirects_in_a_row_are_counted(before: str, hops: str, followed: bool, tmp_path: Path) -> None:
    made = page("", status="302 Found", headers=(("Location", "/next"),), hops=before + hops)
    _, found, skips = bench(tmp_path).process(made)
    assert bool(found) is followed
    assert [skip.reason for skip in skips] == ([] if followed else ["too many redirects"])


def test_a_trap_is_skipped_unless_traps_are_not_looked_for(tmp_path: Path) -> None:
    loop = "/a/a/a/a/a/"
    _, found, skips = bench(tmp_path).process(page(anchors(loop)))
    assert (found, [skip.reason for skip in skips]) == ([], ["trap"])
    careless = bench(tmp_path, Definition(frontier=config.Frontier(traps=False)))
    assert urls(careless.process(page(anchors(loop)))[1]) == [f"http://example.org{loop}"]


def test_a_picture_that_links_to_itself_is_wanted(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(scope=config.Scope(requisites=True)))
    shown = '<a href="http://cdn.org/p.png"><img src="http://cdn.org/p.png"></a><a href="http://cdn.org/">x</a>'
    _, found, skips = desk.process(page(shown))
    assert [(link.url, link.hop) for link in found] == [("http://cdn.org/p.png", "E")]
    assert [skip.url for skip in skips] == ["http://cdn.org/"]


def test_a_link_remembers_how_it_was_found(tmp_path: Path) -> None:
    _, found, _ = bench(tmp_path).process(page(anchors("/on"), SEED, hops="LR", depth=1))
    child = Visit(SEED, SEED, hops="LR", depth=1, seed=SEED).child(found[0])
    assert (child.hops, child.depth, child.via) == ("LRL", 2, SEED)
    assert found[0].hop == Hop.LINK.value


NOTHING = (
    "<html><head><title>Page not found</title></head><body><h1>Page not found</h1>"
    "<p>Sorry, the page you are looking for does not exist.</p>" + anchors("/more-1", "/more-2") + "</body></html>"
)


def test_from_where_nothing_is_nothing_is_followed(tmp_path: Path) -> None:
    made = bench(tmp_path, Definition(scope=PAGES))
    found = page(NOTHING, SEED + "gone", depth=1)
    outcome, links, _ = made.process(replace(found, visit=msgspec.structs.replace(found.visit, via=SEED)))
    assert outcome.seen is not None
    assert (outcome.seen.gap, links) == (Gap.SOFT_404, [])


def test_a_seed_that_says_that_nothing_is_there_may_lead_on(tmp_path: Path) -> None:
    outcome, links, _ = bench(tmp_path, Definition(scope=PAGES)).process(page(NOTHING))
    assert outcome.seen is not None
    assert (outcome.seen.gap, len(links)) == (Gap.SOFT_404, 2)
