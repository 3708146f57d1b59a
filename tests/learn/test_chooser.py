"""The chooser: content first, barren kinds closed, nothing hidden by them; and sites that have nothing to choose."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from anansi.learn import chooser as module
from anansi.learn.chooser import Chooser
from anansi.learn.link_kinds import ChooserSettings
from tests.learn.sites import Graph, Links, board, crawled


def crawl(graph: Graph, *, seed: int = 1, chooser: Chooser | None = None) -> list[str]:
    chosen, rng = chooser or Chooser(), Random(seed)
    chosen.discover("/", "")
    done: set[str] = set()

    def learn(key: str, items: Sequence[int], links: Links) -> object:
        done.add(key)
        return chosen.learn(key, items, [link for link in links if link[0] not in done])

    return crawled(graph, lambda: chosen.next(rng), learn)


def items_of(graph: Graph, keys: list[str]) -> set[int]:
    return set().union(*(graph[key][0] for key in keys if key in graph))


@pytest.mark.parametrize("seed", range(5))
def test_redundant_views_are_left_out_and_no_content_is(seed: int) -> None:
    graph = board(threads=200, pages=10, noise=5)
    order = crawl(graph, seed=seed)
    assert len(order) == len(set(order))
    assert len(items_of(graph, order)) >= 0.99 * len(items_of(graph, list(graph)))
    assert len(order) < 0.4 * len(graph)


def test_content_comes_before_what_brings_nothing() -> None:
    graph = board(threads=200, pages=10, noise=5)
    order = crawl(graph)
    half = items_of(graph, order[: len(order) // 2])
    blind = items_of(graph, list(graph)[: len(order) // 2])
    assert len(half) >= len(blind) * 0.9
    assert sum(key.startswith("/print") for key in order) < 20


def test_what_stands_in_a_closed_place_too_is_found_in_an_open_one() -> None:
    graph = dict(board(threads=60, pages=3, noise=0))
    items, links = graph["/"]
    barren = [(f"/nothing/{number}", "/bad/@href") for number in range(100)]
    hidden = [(f"/t/{number}", "/bad/@href") for number in range(60)]
    graph["/"] = (items, [*barren, *hidden, *links])
    order = crawl(graph)
    assert sum(key.startswith("/t/") for key in order) == 60
    assert sum(key.startswith("/nothing") for key in order) < 30


def test_an_address_of_a_new_kind_is_tried_though_its_place_is_closed() -> None:
    graph = dict(board(threads=60, pages=3, noise=4))
    items, links = graph["/t/30"]
    graph["/t/30"] = (items, [*links, ("/essays/first", "/p/@href")])
    graph["/essays/first"] = (list(range(900_000, 902_000)), [])
    assert "/essays/first" in crawl(graph)


def test_what_is_known_beforehand_is_followed_first() -> None:
    graph: Graph = {
        "/": ([1], [(f"/a/{n}", "/a") for n in range(50)] + [(f"/b/{n}", "/b") for n in range(50)]),
        **{
            f"/{kind}/{n}": ([ord(kind) * 10_000 + n * 10 + word for word in range(10)], [])
            for kind in "ab"
            for n in range(50)
        },
    }
    order = crawl(graph, chooser=Chooser(prior={"/b": 1000.0}))
    assert order[1].startswith("/b")


def test_worth_says_what_a_link_is_expected_to_bring() -> None:
    chooser = Chooser()
    crawl(board(threads=200, pages=10, noise=5), chooser=chooser)
    worth = chooser.worth("/t/7", "/t/@href")
    assert worth is not None
    assert worth > 0.1
    assert chooser.worth("/print/1-1", "/p/@href") is None
    assert "closed" in repr(chooser)


def test_counts_stay_right_when_a_part_of_the_items_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD", 2000)
    graph = board(threads=200, pages=10, noise=2)
    chooser = Chooser()
    order = crawl(graph, chooser=chooser)
    met = len(items_of(graph, order))
    assert len(chooser.met) <= 2000
    assert met > 10_000
    assert chooser.gained == pytest.approx(met, rel=0.5)


def test_labels_without_end_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ARMS", 20)
    graph: Graph = {
        "/": ([1], [(f"/{n}", f"/label{n}") for n in range(300)]),
        **{f"/{n}": ([n * 10 + word for word in range(2, 9)], []) for n in range(300)},
    }
    chooser = Chooser()
    crawl(graph, chooser=chooser)
    assert len(chooser.kinds) <= 21


NOTHING: dict[str, Graph] = {
    "one page": {"/": ([1, 2, 3], [])},
    "no page": {},
    "no repetition": {
        "/": ([1], [(f"/{'x' * n}", f"/l{n}") for n in range(1, 30)]),
        **{f"/{'x' * n}": ([n * 100 + word for word in range(50)], []) for n in range(1, 30)},
    },
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_site_with_nothing_to_choose_is_crawled_whole(name: str) -> None:
    graph = NOTHING[name]
    assert set(crawl(graph)) == {"/", *graph}


def test_a_site_that_says_the_same_everywhere_is_left_soon() -> None:
    graph = {"/": ([1, 2, 3], [(f"/{n}", "/x") for n in range(500)])}
    graph |= {f"/{n}": ([1, 2, 3], [(f"/{n}-{m}", "/y") for m in range(5)]) for n in range(500)}
    assert len(crawl(graph)) < 50


def test_a_site_of_errors_is_left_soon() -> None:
    graph: Graph = {"/": ([1, 2, 3], [(f"/{n}", "/x") for n in range(500)])}
    assert len(crawl(graph)) < 50


def test_what_is_never_answered_does_not_hold_up_the_rest() -> None:
    chooser, rng = Chooser(), Random(1)
    chooser.discover("/", "")
    assert chooser.next(rng) == "/"
    chooser.learn("/", [1, 2], [("/a", "/x"), ("/b", "/x")])
    assert chooser.next(rng) in ("/a", "/b")
    assert chooser.next(rng) is None
    chooser.drop("/a")
    chooser.drop("/b")
    assert chooser.next(rng) in ("/a", "/b")


def test_few_links_are_under_way_while_little_is_known_and_many_where_all_is_new() -> None:
    chooser, rng = Chooser(), Random(1)
    chooser.discover("/", "")
    assert [chooser.next(rng), chooser.next(rng)] == ["/", None]
    chooser.learn("/", [1, 2], [(f"/t/{number}", "/t/@href") for number in range(500)])
    most = 0
    for number in range(200):
        under_way = list(iter(lambda: chooser.next(rng), None))
        most = max(most, len(chooser.asked))
        assert number > 20 or most <= ChooserSettings().in_hand
        for key in under_way[:1] or list(chooser.asked)[:1]:
            chooser.learn(key, range(1000 * number, 1000 * number + 100), [])
    assert most > 2 * ChooserSettings().in_hand


def test_the_temper_can_be_changed() -> None:
    graph = board(threads=100, pages=5, noise=3)
    eager = crawl(graph, chooser=Chooser(settings=ChooserSettings(threshold=0.0)))
    assert len(eager) > len(crawl(graph))


def test_a_small_site_is_crawled_in_the_order_of_breadth_first_without_what_brings_little() -> None:
    graph: dict[str, tuple[list[int], Links]] = {
        "/": ([1, 2], [(f"/{kind}/{n}", f"/{kind}") for n in range(60) for kind in ("same", "t")])
    }
    graph.update({f"/t/{n}": (list(range(1000 * n, 1000 * n + 50)), []) for n in range(60)})
    graph.update({f"/same/{n}": ([1, 2, 3], []) for n in range(60)})
    order = crawl(graph)
    content = [key for key in order if key.startswith("/t/")]
    assert content == [f"/t/{n}" for n in range(60)]
    assert sum(key.startswith("/same/") for key in order[: order.index("/t/59")]) < 20


def test_at_a_large_site_what_is_worth_most_comes_first() -> None:
    many = 3 * ChooserSettings().few
    links = [(f"/few/{n}", "/few") for n in range(many)] + [(f"/rich/{n}", "/rich") for n in range(100)]
    graph: dict[str, tuple[list[int], Links]] = {"/": ([1], links)}
    graph.update({f"/few/{n}": (list(range(10 * n, 10 * n + 10)), []) for n in range(many)})
    graph.update({f"/rich/{n}": (list(range(10**6 + 1000 * n, 10**6 + 1000 * n + 500)), []) for n in range(100)})
    order = crawl(graph)
    assert sum(key.startswith("/rich/") for key in order[:150]) > 90


def test_what_was_put_off_comes_when_nothing_better_waits() -> None:
    graph: dict[str, tuple[list[int], Links]] = {
        "/": ([1, 2], [(f"/{kind}/{n}", f"/{kind}") for n in range(30) for kind in ("short", "long")])
    }
    graph.update({f"/long/{n}": (list(range(1000 * n, 1000 * n + 500)), []) for n in range(30)})
    graph.update({f"/short/{n}": ([10**6 + 100 * n + word for word in range(60)], []) for n in range(30)})
    order = crawl(graph)
    assert set(order) == set(graph)
    assert order.index("/long/29") < 45


def test_pairs_of_labels_and_addresses_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CELLS", 30)
    graph: dict[str, tuple[list[int], Links]] = {"/": ([1], [(f"/{'x' * n}", f"/label{n}") for n in range(1, 200)])}
    graph.update({f"/{'x' * n}": (list(range(100 * n, 100 * n + 50)), []) for n in range(1, 200)})
    chooser = Chooser()
    assert set(crawl(graph, chooser=chooser)) == set(graph)
    assert len(chooser.cells) <= 31
