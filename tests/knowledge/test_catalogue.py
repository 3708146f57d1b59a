"""All types together: each with what it inherits, and nothing that contradicts itself."""

from __future__ import annotations

import re

import pytest

from anansi.errors import KnowledgeError
from anansi.knowledge.addresses import Address
from anansi.knowledge.catalogue import Catalogue, problems, specificity
from anansi.knowledge.entry import Extraction, Kind, Level, Navigation, Pattern, Property, Shortcut, Type
from anansi.knowledge.xpath import Expression, parse


def pattern(text: str) -> Pattern:
    return Pattern((parse(text),), line=3)


def row(leads: str) -> Address:
    return Address(leads=leads, match=re.compile(leads), line=5)


def take(kind: str, *paths: str, part_of: str = "", each: tuple[Expression, ...] = ()) -> Extraction:
    properties = tuple(Property("title", parse(path)) for path in paths)
    return Extraction(kind, each, part_of, properties, line=7)


FORUM = Type(
    "forum",
    "Forum",
    addresses=(row("thread"),),
    navigation=(Navigation("thread", parse("a[@class='general']")),),
    levels=(
        Level(
            "thread", Kind.TERMINAL, (pattern("div[@id='general']"),), (), (take("thread", "h1"), take("post", "p"))
        ),
        Level("board", Kind.INTERMEDIATE),
    ),
    source="forum.xml",
)
AGORA = Type(
    "forum/agora",
    "Agora",
    detection=(pattern("body[@id='agora']"),),
    addresses=(row("board"),),
    levels=(
        Level("thread", Kind.TERMINAL, (pattern("div[@id='own']"),), (), (take("thread", "h2"),), line=9),
        Level("poll", Kind.TERMINAL),
    ),
    shortcuts=(Shortcut("feed", "feed.xml"),),
    source="agora.xml",
)
SITE = Type("forum/agora/a.example.org", "A", detection=(pattern("a[@href='a.example.org']"),), source="a.xml")


def refused(*entries: Type) -> str:
    with pytest.raises(KnowledgeError) as told:
        Catalogue(entries)
    return str(told.value)


def test_a_type_has_what_its_parents_say_behind_its_own() -> None:
    agora = Catalogue([SITE, AGORA, FORUM])["forum/agora"]
    assert [each.leads for each in agora.addresses] == ["board", "thread"]
    assert [level.name for level in agora.levels] == ["thread", "poll", "board"]
    thread = agora.level("thread")
    assert thread is not None
    assert [str(each) for each in thread.detection] == ["div[@id='own']", "div[@id='general']"]
    assert [each.object for each in thread.extraction] == ["thread", "post"]
    assert [str(each.expression) for each in thread.extraction[0].properties] == ["h2", "h1"]
    assert agora.navigation == FORUM.navigation


def test_inheritance_reaches_over_two_steps_but_detection_does_not() -> None:
    catalogue = Catalogue([SITE, AGORA, FORUM])
    site = catalogue["forum/agora/a.example.org"]
    assert site.detection == SITE.detection
    assert site.level("poll") is not None
    assert site.shortcuts == AGORA.shortcuts
    assert [each.leads for each in site.addresses] == ["board", "thread"]
    assert repr(catalogue) == "Catalogue(3 types)"


def test_needs_and_containers_of_the_general_type_hold_where_the_own_says_nothing() -> None:
    each = (parse("div[@class='post']"),)
    general = Extraction("post", each, "thread", (Property("text", parse("p")),), ("text",))
    parent = Type("forum", "F", levels=(Level("thread", Kind.TERMINAL, extraction=(take("thread", "h1"), general)),))
    own = Extraction("post", (), "", (Property("author", parse("b")),))
    child = Type("forum/x", "X", levels=(Level("thread", Kind.TERMINAL, extraction=(own,)),))
    level = Catalogue([parent, child])["forum/x"].level("thread")
    assert level is not None
    post = level.extraction[0]
    assert (post.each, post.part_of, post.needs, post.names) == (each, "thread", ("text",), ("author", "text"))


def test_two_extractions_of_one_object_are_both_inherited() -> None:
    parts = (take("article", "h1"), take("comment", "p", part_of="article"), take("comment", "q", part_of="article"))
    parent = Type("blog", "Blog", levels=(Level("article", Kind.TERMINAL, extraction=parts),))
    child = Type("blog/x", "X", levels=(Level("article", Kind.TERMINAL, extraction=(take("comment", "b"),)),))
    level = Catalogue([parent, child])["blog/x"].level("article")
    assert level is not None
    paths = [[str(prop.expression) for prop in each.properties] for each in level.extraction]
    assert paths == [["b", "p"], ["h1"], ["q"]]


def test_what_a_collection_learned_is_added_to_the_entry_of_that_name() -> None:
    learned = Type(
        "forum/agora",
        "Agora",
        detection=(pattern("body[@id='agora2']"),),
        levels=(Level("thread", Kind.TERMINAL, (pattern("div[@id='learned']"),)),),
    )
    agora = Catalogue([FORUM, AGORA, learned])["forum/agora"]
    assert [str(each) for each in agora.detection] == ["body[@id='agora2']", "body[@id='agora']"]
    thread = agora.level("thread")
    assert thread is not None
    assert [str(each) for each in thread.detection] == ["div[@id='learned']", "div[@id='own']", "div[@id='general']"]


def test_a_level_cannot_be_content_here_and_a_list_there() -> None:
    child = Type("forum/x", "X", levels=(Level("thread", Kind.INTERMEDIATE, line=4),), source="x.xml")
    said = refused(FORUM, child)
    assert said.startswith("x.xml, line 4: the level `thread` is intermediate here and terminal in `forum`")
    assert said.endswith("give it another name")


def test_a_type_without_its_parent_is_refused() -> None:
    said = refused(FORUM, SITE)
    assert said.startswith("a.xml, line 1: `forum/agora/a.example.org` refines `forum/agora`, which does not exist")
    assert "add an entry `forum/agora`, or give this one another id" in said


@pytest.mark.parametrize(
    "entry",
    [
        Type("x", "X", addresses=(row("nowhere"),), source="x.xml"),
        Type("x", "X", navigation=(Navigation("nowhere", parse("a"), line=5),), source="x.xml"),
        Type("x", "X", shortcuts=(Shortcut("feed", "f", "", "nowhere", line=5),), source="x.xml"),
    ],
    ids=["address", "navigation", "shortcut"],
)
def test_what_leads_to_a_level_that_is_not_there_is_refused(entry: Type) -> None:
    assert refused(entry) == "x.xml, line 5: there is no level `nowhere`; the levels are none"


def test_a_level_s_own_action_must_lead_to_a_level() -> None:
    level = Level("home", Kind.INTERMEDIATE, navigation=(Navigation("nowhere", parse("a"), line=6),))
    said = refused(Type("x", "X", levels=(level,), source="x.xml"))
    assert said == "x.xml, line 6: there is no level `nowhere`; the levels are home"


def test_a_part_needs_its_whole() -> None:
    level = Level("thread", Kind.TERMINAL, extraction=(take("post", "p", part_of="thread"),))
    said = refused(Type("x", "X", levels=(level,), source="x.xml"))
    assert said.startswith("x.xml, line 7: `post` is part of `thread`, which the level `thread` does not extract")
    assert "extract a `thread` there, too" in said


def test_nothing_is_part_of_itself() -> None:
    parts = (take("post", "p", part_of="comment"), take("comment", "q", part_of="post"))
    said = refused(Type("x", "X", levels=(Level("thread", Kind.TERMINAL, extraction=parts),), source="x.xml"))
    assert "`post` is part of itself; take one `part-of` out" in said


def test_all_problems_are_told() -> None:
    bad = Type("x", "X", detection=(pattern("a[@b='xy']"),), addresses=(row("p"), row("q")), source="x.xml")
    said = problems([bad, SITE])
    assert len(said) == 4
    assert ["no level `p`" in said[0], "no level `q`" in said[1], "holds no string" in said[2]] == [True] * 3
    assert "refines `forum/agora`" in said[3]
    assert problems([FORUM, AGORA, SITE]) == []


def test_the_children_of_a_type_that_is_wrong_are_not_blamed() -> None:
    wrong = Type("forum/x", "X", levels=(Level("thread", Kind.INTERMEDIATE),), source="x.xml")
    child = Type("forum/x/y", "Y", addresses=(row("thread"),), source="y.xml")
    assert len(problems([FORUM, wrong, child])) == 1


def test_the_more_parts_a_name_has_the_more_specific_it_is() -> None:
    names = ["generic/opengraph", "forum", "forum/agora", "forum/agora/a.example.org"]
    assert [specificity(name) for name in names] == [-1, 0, 1, 2]
    assert specificity("generic") == -1


def test_what_was_learned_of_a_site_stands_behind_the_software_that_it_is_of() -> None:
    assert specificity("generic/hentry") < specificity("learned/a.example.org") < specificity("forum/agora")
