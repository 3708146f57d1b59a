"""The guide of a site: what it knows outlives it, and becomes an entry of the knowledge base."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from anansi.knowledge import notation, writing
from anansi.learn.known_ways import entry_of, prior_of
from anansi.learn.pathfinder import Pathfinder
from anansi.learn.titles import name_of
from anansi.model import Ended, Link, Outcome, Visit
from anansi.state import PageHashes
from tests.learn.sites import Graph, board

ROOT = "http://x.test/"


def led(graph: Graph, guide: Pathfinder, *, most: int = 10_000, done: dict[str, None] | None = None) -> list[str]:
    order = done if done is not None else {}
    if not order:
        guide.offer("/", "")
    while len(order) < most and (key := guide.next()) is not None:
        order[key] = None
        items, links = graph.get(key, ((), ()))
        left = [(Link(link, link), label) for link, label in links if link not in order]
        guide.learn(Visit(key, key), outcome(items), left)
    return list(order)


def outcome(items: Sequence[int]) -> Outcome:
    return Outcome(Ended.DONE, 200, page=True, said=PageHashes(array("I", items).tobytes()))


def test_another_one_goes_on_with_what_one_has_learned() -> None:
    graph = board(threads=200, pages=10, noise=5)
    first = Pathfinder(Random(1))
    done: dict[str, None] = {}
    led(graph, first, most=150, done=done)
    second = Pathfinder(Random(2), packed=first.pack())
    for _, links in graph.values():
        for link, label in links:
            if link not in done:
                second.offer(link, label)
    led(graph, second, done=done)
    assert second.chooser.pages == len(done)
    assert {kind.name for kind in first.chooser.kinds if kind.closed} <= {
        kind.name for kind in second.chooser.kinds if kind.closed or kind.again
    }
    assert sum(key.startswith("/t/") for key in done) == 200
    assert len(done) < 0.5 * len(graph)


def test_another_one_takes_the_same_way_as_the_first_would_have() -> None:
    graph = board(threads=200, pages=10, noise=5)
    for most in (1, 7, 50, 150, 400):
        first = Pathfinder(Random(1))
        done: dict[str, None] = {}
        led(graph, first, most=most, done=done)
        second = Pathfinder(Random(1), packed=first.pack())
        assert led(graph, second, done=dict(done)) == led(graph, first, done=dict(done))


def test_what_is_no_state_of_ours_is_not_believed() -> None:
    for packed in (b"", b"\xc1", b"nothing", Pathfinder(Random(1)).pack().replace(b"\x01", b"\x63", 1)):
        assert Pathfinder(Random(1), packed=packed).pages == 0


def test_a_thread_that_was_seen_under_another_address_comes_last() -> None:
    guide = Pathfinder(Random(1))
    guide.offer("/", "")
    assert guide.next() == "/"
    titles = {f"/t?id={number}": f"The story of number {number:03}" for number in range(40)}
    links = [(Link(key, key, anchor=title), "/list/@href") for key, title in titles.items()]
    guide.learn(Visit("/", "/"), outcome([1, 2]), links)
    seen = array("I", [name_of(title) for title in list(titles.values())[:35]]).tobytes()
    guide.offer("/last?p=1", "/last/@href")
    order: list[str] = []
    while len(order) < 5 and (key := guide.next()) is not None:
        order.append(key)
        hashes = PageHashes(array("I", range(len(order) * 100)).tobytes(), seen)
        said = Outcome(Ended.DONE, 200, page=True, said=hashes)
        guide.learn(Visit(key, key), said, [])
    assert set(order[2:]) <= set(list(titles)[35:]) | {"/last?p=1"}


def test_the_reason_says_which_kind_led_to_nothing() -> None:
    guide = Pathfinder(Random(1))
    led(board(threads=200, pages=10, noise=5), guide)
    assert "led to little that is new" in guide.why("/print/1-1", "/p/@href")
    assert guide.why("/never", "/nowhere/@href") == "such links are not expected to lead to anything new"


def test_what_was_learned_is_an_entry_that_can_be_read_and_is_the_next_crawl_s_prior() -> None:
    guide = Pathfinder(Random(1))
    led(board(threads=200, pages=10, noise=5), guide)
    entry = entry_of("x.test", ROOT, guide.chooser)
    assert entry is not None
    written = writing.write(entry)
    again = notation.read(written, "learned.xml")
    patterns = [str(follow.pattern) for follow in again.learned[0].follows]
    assert f'doc("{ROOT}")/(/l/@href{{click/}})/(/t/@href{{click/}})' in patterns
    assert not any("/p/@href" in pattern for pattern in patterns)
    prior = prior_of([again])
    assert prior["/t/@href"] > 10
    assert "/p/@href" not in prior


def test_nothing_learned_makes_no_entry() -> None:
    assert entry_of("x.test", ROOT, Pathfinder(Random(1)).chooser) is None
