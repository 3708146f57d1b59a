"""Recorded sites: a collection in memory, crawled by every strategy without a request."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from anansi.errors import CollectionError
from anansi.evaluate import experiments
from anansi.evaluate.experiments import Studied
from anansi.evaluate.experiments_page import page
from anansi.evaluate.recorded import Recorded, blind, of_collection
from anansi.evaluate.strategies import Measure, chosen, complete, followed, sampled
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, learn
from tests.evaluate.collections import HOST, Made, collect

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lamda", "omega")


def prose(seed: int, count: int = 120) -> str:
    rng = Random(seed)
    return " ".join(rng.choice(WORDS) + "abcdefghij"[rng.randrange(10)] for _ in range(count))


def forum(threads: int = 24) -> dict[str, str | Made]:
    """Make a forum: lists, threads, and a print view of each thread."""
    menu = '<div id="menu"><a href="/">home</a> <a href="/login">log in</a></div>'
    lists = 3
    pages: dict[str, str | Made] = {"/": f'{menu}<p>welcome to all<p><a href="/list/0">threads</a>'}
    for number in range(lists):
        listed = "".join(f'<li><a href="/t/{each}">thread</a></li>' for each in range(number, threads, lists))
        flip = f'<div id="pages"><a href="/list/{number + 1}">next</a></div>' if number + 1 < lists else ""
        pages[f"/list/{number}"] = f'{menu}<ul id="threads">{listed}</ul>{flip}'
    for each in range(threads):
        view = f'<div id="tools"><a href="/print/{each}">print</a><a href="/gone/{each}">gone</a></div>'
        abroad = f'<a href="http://other{each}.example/">see</a>'
        pages[f"/t/{each}"] = f'{menu}<div id="post-{each}">{prose(each)} {abroad}</div>{view}'
        pages[f"/print/{each}"] = f"<p>{prose(each)}</p>"
    pages["/login"] = f"{menu}<p>name and password please"
    return {
        path: text if isinstance(text, Made) else f"<html><body>{text}</body></html>" for path, text in pages.items()
    }


@pytest.fixture
def site(tmp_path: Path) -> Recorded:
    return of_collection(collect(tmp_path / "forum", forum()))


def test_a_collection_is_read_with_labels_items_and_links(site: Recorded) -> None:
    assert site.root == f"{HOST}/"
    thread = site.get(f"{HOST}/t/3")
    assert (f"{HOST}/print/3", "/html/body/div[@id='tools']/a/@href") in thread.links
    assert thread.abroad == {"http://other3.example/"}
    assert len(thread.items) > 50
    assert site.get(f"{HOST}/gone/1").status == 404


def test_a_blind_crawl_asks_for_everything_once(site: Recorded) -> None:
    order = blind(site)
    assert len(order) == len(set(order)) == 1 + 1 + 3 + 24 * 3


def test_redirects_and_last_slashes_are_followed(tmp_path: Path) -> None:
    pages: dict[str, str | Made] = {
        "/": '<html><body><a href="/a">one two</a><a href="/b">three four</a></body></html>',
        "/a/": "<html><body>five six seven</body></html>",
    }
    found = of_collection(collect(tmp_path / "site", pages))
    assert found.get(f"{HOST}/a").leads == f"{HOST}/a/"
    assert f"{HOST}/a/" in blind(found)


def test_what_holds_nothing_to_learn_from_is_refused(tmp_path: Path) -> None:
    folder = collect(tmp_path / "none", {"/": Made("gone", status="404 Not Found")})
    with pytest.raises(CollectionError, match="nothing to learn from"):
        of_collection(folder)
    with pytest.raises(CollectionError, match="--root"):
        of_collection(collect(tmp_path / "site", forum()), "http://elsewhere.example/")
    with pytest.raises(CollectionError, match="not a collection"):
        of_collection(tmp_path)


def test_the_paper_learns_the_threads_and_not_their_print_views(site: Recorded) -> None:
    sitemap, asked = sampled(site, Attributes.ID, Random(1))
    assert len(asked) == len(blind(site))
    order = followed(site, learn(sitemap, Parameters()).patterns)
    brought = Measure(site).of(order)
    assert brought.items > 0.95
    assert brought.links == 1.0
    assert brought.saving > 1.5


def test_a_sample_and_a_complete_map_of_a_small_site_are_the_same(site: Recorded) -> None:
    one = learn(complete(site, Attributes.BOTH), Parameters(attributes=Attributes.BOTH))
    other = learn(sampled(site, Attributes.BOTH, Random(2))[0], Parameters(attributes=Attributes.BOTH))
    assert one.items == other.items
    assert set(one.patterns) == set(other.patterns)


@pytest.mark.parametrize("seed", range(3))
def test_the_chooser_brings_the_content_for_fewer_requests(site: Recorded, seed: int) -> None:
    measure = Measure(site, lambda key: "/t/" in key)
    brought = measure.of(chosen(site, Random(seed)))
    assert brought.content >= 0.97
    assert brought.content_links >= 0.99
    assert brought.requests < len(measure.order)
    assert measure.of(measure.order).items == 1.0


def test_the_experiments_run_and_are_drawn(site: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "SIZES", (10, 40))
    told: list[str] = []
    results = experiments.run([Studied("forum", Measure(site))], seed=1, runs=2, tell=told.append)
    assert len(told) == 5
    assert [each.pages for each in results.sizes] == [10, 40]
    assert results.sizes[1].share >= results.sizes[0].share
    assert results.selected[-1].share > 0.95
    assert len(results.settings) == 12
    assert [each.share for each in results.ratios] == sorted(each.share for each in results.ratios)
    assert {(each.steps, each.ratio) for each in results.depths} == {
        (k, cr) for k in (2, 3, 4) for cr in (0.85, 0.9, 0.95)
    }
    text = page(results)
    assert text.count("<svg") == 3 + 4
    assert "Figure 6" in text
    assert "completion ratio" in text
