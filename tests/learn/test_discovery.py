"""Likeness of learned sites, and the types that are drafted from it."""

from __future__ import annotations

from lxml import etree

from anansi.knowledge import notation, shelf, writing
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Type
from anansi.knowledge.xpath import Expression, compiled
from anansi.learn.discovery import discover
from anansi.learn.likeness import ALIKE, features
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT
from tests.learn.unknown import Unknown, forum

NOW = 1_700_000_000.0


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
