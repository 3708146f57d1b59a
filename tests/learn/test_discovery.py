"""Likeness of learned sites, and the types that are drafted from it."""

from __future__ import annotations

import time

import pytest
from lxml import etree

from anansi.knowledge import notation, shelf, writing
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Type
from anansi.knowledge.xpath import Expression, compiled
from anansi.learn.discovery import discover
from anansi.learn.drafts import draft_of
from anansi.learn.likeness import ALIKE, clusters, features, likeness, likenesses
from anansi.learn.regions import propose
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.text.dates import Reader
from anansi.url import DEFAULT
from tests.learn.unknown import Unknown, blog, forum, shop

NOW = 1_700_000_000.0


def learned(site: Unknown, host: str) -> Type:
    return draft_of(propose(site.parsed(), Reader(NOW).read), f"http://{host}/")


@pytest.fixture(scope="module")
def sites() -> dict[str, Unknown]:
    return {
        "a.example": forum(seed=11),
        "b.example": forum(20, seed=12),
        "c.example": forum(seed=13, prefix="zz-"),
        "d.example": blog(seed=14),
        "e.example": blog(16, seed=15),
        "f.example": shop(seed=16),
    }


@pytest.fixture(scope="module")
def entries(sites: dict[str, Unknown]) -> list[Type]:
    return [learned(site, host) for host, site in sites.items()]


def test_sites_of_one_software_are_alike_and_others_are_not(entries: list[Type]) -> None:
    alike = likenesses({entry.title: features(entry) for entry in entries})
    same = {("a.example", "b.example"), ("d.example", "e.example")}
    assert all(alike[pair] > 2 * ALIKE for pair in same)
    assert all(value < ALIKE / 2 for pair, value in alike.items() if pair not in same)


def test_likeness_is_a_share() -> None:
    one, two = frozenset("abcd"), frozenset("abxy")
    assert likeness(one, one) == 1.0
    assert likeness(one, frozenset()) == likeness(one, frozenset("pq")) == 0.0
    assert likeness(one, two) == likeness(two, one) == pytest.approx((2 / 6 * 2 / 4) ** 0.5)
    assert likeness(one, two, {"a": 0.1, "b": 0.1}) < likeness(one, two)


def test_groups_are_of_what_is_alike_in_the_mean() -> None:
    alike = {("a", "b"): 0.9, ("b", "c"): 0.3, ("a", "c"): 0.0, ("c", "d"): 0.6}
    assert clusters("abcd", alike) == [["a", "b"], ["c", "d"]]
    assert clusters("ab", {("a", "b"): 0.1}) == []
    assert clusters("", {}) == []


def test_many_sites_are_put_together_soon() -> None:
    sites = {
        f"{kind}{number}": frozenset(f"{kind}{each}" for each in range(20))
        for kind in "abcdef"
        for number in range(50)
    }
    began = time.process_time()
    groups = clusters(list(sites), likenesses(sites))
    assert [len(group) for group in groups] == [50] * 6
    assert time.process_time() - began < 60


def test_a_group_is_drafted_as_an_entry_that_can_be_read(entries: list[Type]) -> None:
    one, two = discover(entries, "forum/quiet")
    assert [one.sites, two.sites] == [("a.example", "b.example"), ("d.example", "e.example")]
    assert [one.entry.id, two.entry.id] == ["forum/quiet-1", "forum/quiet-2"]
    read = notation.read(writing.write(one.entry), "draft.xml")
    assert Catalogue([*shelf.built_in(), read])["forum/quiet-1"].level("thread")
    assert not any("example" in str(pattern) for pattern in read.detection)
    assert one.alike >= ALIKE


def test_the_draft_knows_a_site_that_it_was_not_made_from(entries: list[Type]) -> None:
    unseen = forum(5, seed=99)
    (found,) = discover(entries[:3], "forum/quiet")
    aware = Interpreter(Catalogue([*shelf.built_in(), found.entry]), LinkFinder(DEFAULT))
    for path, said in unseen.said.items():
        text = unseen.pages[path]
        document = Document(etree.HTML(text), text, f"http://unseen.example{path}")
        recognition = aware.recognise(document, "unseen.example")
        assert recognition is not None
        assert (recognition.type, recognition.level) == ("forum/quiet", "thread")
        posts = [each for each in aware.objects(document, recognition, "x", NOW) if each.kind == "post"]
        assert [(each.get("author"), each.get("text")) for each in posts] == [
            (each.author, each.text) for each in said
        ]


def test_patterns_hold_on_the_sites_of_a_group_and_on_no_other(
    entries: list[Type], sites: dict[str, Unknown]
) -> None:
    trees = {f"learned/{host}": [page.tree for page in site.parsed()] for host, site in sites.items()}

    def holds(site: str, expression: Expression) -> float:
        return sum(bool(compiled(expression)(tree)) for tree in trees[site]) / len(trees[site])

    for found in discover(entries, "forum/quiet", holds):
        assert found.entry.detection
        for pattern in found.entry.detection:
            for host in sites:
                share = min(holds(f"learned/{host}", each) for each in pattern.expressions)
                assert (share > 0) == (host in found.sites), (str(pattern), host)


def test_a_name_that_another_site_has_on_its_pages_is_no_pattern(entries: list[Type]) -> None:
    names = {step for entry in entries[:2] for step in features(entry)}

    def everywhere(site: str, expression: Expression) -> float:
        return 1.0 if str(expression) in names and "words" in str(expression) else 0.4

    (found,) = discover(entries[:3], "forum/quiet", everywhere)
    assert not any("words" in str(pattern) for pattern in found.entry.detection)


def test_nothing_alike_is_nothing_discovered(entries: list[Type]) -> None:
    assert discover([], "forum/quiet") == []
    assert discover(entries[:1], "forum/quiet") == []
    assert discover([entries[0], entries[3], entries[5]], "forum/quiet") == []
    assert discover([Type("learned/empty", "empty"), Type("learned/other", "other")], "forum/quiet") == []
