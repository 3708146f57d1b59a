"""What a collection learned: written, listed, promoted, forgotten; and what was known of a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from anansi.archive import learned
from anansi.archive.layout import Collection
from anansi.errors import UserError
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Evidence, Extraction, Kind, Level, Pattern, Property, Type
from anansi.knowledge.xpath import parse

NAME = "forum/phpbb/boats.example"


def entry(*rules: tuple[str, str, str]) -> Type:
    """Make an entry of rules: name, property, expression."""
    properties = tuple(Property(name, parse(text)) for _, name, text in rules)
    host = parse("url[contains(host,'boats.example')]")
    return Type(
        id=NAME,
        title="phpBB at boats.example",
        about="Learned.",
        detection=(Pattern((parse("body[@id='phpbb']"), host)),),
        levels=(Level("thread", Kind.TERMINAL, extraction=(Extraction("post", properties=properties),)),),
        evidence=tuple(
            Evidence(rule, f"thread: post {name}: {text}", "recrawl", "b", "", ("https://boats.example/1",), ("Ada",))
            for rule, name, text in rules
        ),
    )


ONE, TWO = ("aaaa1111", "author", "b[@class='zz1']"), ("bbbb2222", "title", "h3[@class='zz2']")


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    made = Collection(tmp_path / "c")
    made.create()
    learned.keep(made, NAME, lambda before: entry(ONE, TWO))
    return made


def test_what_was_learned_is_part_of_the_catalogue(collection: Collection) -> None:
    known = Catalogue([*shelf.built_in(), *shelf.in_folder(collection.knowledge)])
    level = known[NAME].level("thread")
    assert level is not None
    assert str(level.extraction[0].properties[0].expression) == "b[@class='zz1']"
    assert level.extraction[0].needs == ("id", "author")


def test_every_rule_says_when_it_was_learned(collection: Collection) -> None:
    assert all(each.evidence.when.endswith("Z") for each in learned.rules(collection))


def test_what_was_there_is_handed_to_who_changes_it(collection: Collection) -> None:
    seen: list[Type | None] = []

    def change(before: Type | None) -> Type:
        seen.append(before)
        assert before is not None
        return before

    learned.keep(collection, NAME, change)
    assert [each.rule for each in seen[0].evidence] == ["aaaa1111", "bbbb2222"] if seen[0] else False


def test_a_rule_is_found_by_its_beginning(collection: Collection) -> None:
    assert learned.find(collection, "aaaa").evidence.rule == "aaaa1111"
    with pytest.raises(UserError, match="there is no learned rule `zz`; the rules are aaaa1111, bbbb2222"):
        learned.find(collection, "zz")


def test_a_rule_that_is_forgotten_is_gone_and_the_others_stay(collection: Collection) -> None:
    learned.forget(collection, learned.find(collection, "aaaa1111"))
    (left,) = learned.rules(collection)
    assert left.evidence.rule == "bbbb2222"
    (action,) = left.entry.levels[0].extraction
    assert [prop.name for prop in action.properties] == ["title"]
    learned.forget(collection, left)
    assert learned.rules(collection) == []
    assert not left.path.exists()


def test_a_rule_is_promoted_alone_and_joined_to_what_is_there(collection: Collection, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    path = learned.promote(learned.find(collection, "aaaa1111"), folder)
    assert [prop.name for prop in shelf.in_file(path).levels[0].extraction[0].properties] == ["author"]
    learned.promote(learned.find(collection, "bbbb2222"), folder)
    both = shelf.in_file(path)
    assert {each.rule for each in both.evidence} == {"aaaa1111", "bbbb2222"}
    assert {prop.name for prop in both.levels[0].extraction[0].properties} == {"author", "title"}
    learned.promote(learned.find(collection, "bbbb2222"), path)
    assert shelf.in_file(path) == both
    Catalogue([*shelf.built_in(), *shelf.in_folder(folder)])


def test_a_file_about_another_type_is_not_written_to(collection: Collection, tmp_path: Path) -> None:
    target = tmp_path / "x.xml"
    learned._write(target, replace(entry(ONE), id="forum/phpbb/other.example"))
    with pytest.raises(UserError, match=r"is about `forum/phpbb/other\.example`"):
        learned.promote(learned.find(collection, "aaaa1111"), target)


# ── what was known ───────────────────────────────────────────────────────────────────────────────────────────────
