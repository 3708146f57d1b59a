"""Entries as XML: what is written is read as the same, and every mistake is told with file, line and cure."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.errors import KnowledgeError
from anansi.knowledge import notation, writing
from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import As, Extraction, Kind, Level, Navigation, Pattern, Property, Shortcut, Type
from anansi.knowledge.vocabulary import OBJECTS, PROPERTIES
from anansi.knowledge.xpath import parse
from tests.knowledge.expressions import expressions

ENTRY = """<?xml version="1.0" encoding="UTF-8"?>
<type id="forum/agora" title="Agora">
  <about>An invented
    forum.</about>
  <detect>
    <pattern seen="1.0">meta[@content='Agora']</pattern>
    <all seen="2.0">
      <pattern>body[@id='agora']</pattern>
      <pattern>a[contains(@href,'agora')]</pattern>
    </all>
  </detect>
  <addresses>
    <address skip="a form" match="/reply" has="to=\\d+"/>
    <address leads="thread" match="^/t/(\\d+)(?:/\\d+)?$" write="/t/\\1" whole="/t/\\1"/>
    <address leads="board" has="b" keep="b page" drop="sid" default="page=1"/>
  </addresses>
  <navigate to="thread">a[@class='title']/@href</navigate>
  <level name="thread" kind="terminal">
    <detect><pattern>div[@class='posts']</pattern></detect>
    <navigate by="address">div[@class='pages']//a</navigate>
    <extract object="thread"><property name="title">h1</property></extract>
    <extract object="post" part-of="thread" needs="text">
      <each>div[@class='post']</each>
      <property name="id">@id</property>
      <property name="date" as="date" format="%d.%m.%Y | %Y-%m-%d">span[@class='date']</property>
      <property name="text" as="body" without="blockquote|p[@class='a|b']" match="(.+)">div</property>
      <property name="tag" many="yes">a[@rel='tag']</property>
    </extract>
  </level>
  <level name="board" kind="intermediate"/>
  <shortcut kind="json" address="api/threads?page={page}" links="threads.*.url" leads="thread"/>
  <shortcut kind="feed" leads="thread" at="link[@rel='alternate']" next="?page={page}" size="20"/>
</type>
"""


def read(text: str) -> Type:
    return notation.read(text.encode(), "agora.xml")


def told(text: str) -> str:
    """Return what is said of an entry that is not valid."""
    with pytest.raises(KnowledgeError) as error:
        read(text)
    return str(error.value)


# ── reading and writing ──────────────────────────────────────────────────────────────────────────────────────────


def test_an_entry_is_read() -> None:
    entry = read(ENTRY)
    assert (entry.id, entry.title, entry.about) == ("forum/agora", "Agora", "An invented forum.")
    assert (entry.parent, entry.category, entry.source, entry.line) == ("forum", "forum", "agora.xml", 2)
    assert [str(each) for each in entry.detection] == [
        "meta[@content='Agora']",
        "body[@id='agora'] and a[contains(@href,'agora')]",
    ]
    assert [each.seen for each in entry.detection] == ["1.0", "2.0"]
    form, thread, board = entry.addresses
    assert (form.skip, form.has[0][0], form.line) == ("a form", "to", 13)
    assert (thread.leads, thread.write, thread.keep) == ("thread", r"/t/\1", None)
    assert board.keep == ("b", "page")
    assert (set(board.drop), set(board.default)) == ({"sid"}, {("page", "1")})
    level = entry.level("thread")
    assert level is not None
    assert (level.kind, level.navigation[0].by_address) == (Kind.TERMINAL, True)
    post = level.extraction[1]
    assert (post.object, post.part_of, post.needs) == ("post", "thread", ("text",))
    assert post.names == ("id", "date", "text", "tag")
    text = post.properties[2]
    assert [str(each) for each in text.without] == ["blockquote", "p[@class='a|b']"]
    assert post.properties[1].formats == ("%d.%m.%Y", "%Y-%m-%d")
    assert entry.shortcuts == (
        Shortcut("json", "api/threads?page={page}", "threads.*.url", "thread"),
        Shortcut("feed", "", "", "thread", parse("link[@rel='alternate']"), "?page={page}", 20),
    )


def test_what_is_written_is_read_as_the_same() -> None:
    entry = read(ENTRY)
    assert notation.read(writing.write(entry), "other.xml") == entry


WORDS = st.from_regex(r"[a-z0-9%ü.]{1,6}( [a-z&<>\"'|]{1,4})?", fullmatch=True)
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,6}", fullmatch=True)
PARAMETERS = st.from_regex(r"[a-z_]{1,4}", fullmatch=True)
REGEXES = st.sampled_from((r"/t/(\d+)", r"^/(\w*)<&\"'$", r"[?&]p=(\d+)"))
SHAPES = st.none() | st.sampled_from((r"\d+", "a|b", "", "a=b")).map(re.compile)
ADDRESSES = st.builds(
    Address,
    match=REGEXES.map(re.compile),
    has=st.lists(st.tuples(PARAMETERS, SHAPES), max_size=2).map(tuple),
    keep=st.none() | st.lists(PARAMETERS, max_size=3).map(tuple),
    drop=st.frozensets(PARAMETERS, max_size=2),
    default=st.frozensets(st.tuples(PARAMETERS, st.sampled_from(("", "0", "a=b"))), max_size=2),
    write=st.sampled_from(("", r"/\1", r"/x?a=\g<1>")),
    request=st.sampled_from(("", r"/\1")),
    whole=st.sampled_from(("", "t", "t p", r"/\1")),
)
LED = st.builds(lambda row, leads: replace(row, leads=leads), ADDRESSES, NAMES)
SKIPPED = st.builds(lambda row, skip: replace(row, skip=skip), ADDRESSES, WORDS)
PATTERNS = st.builds(Pattern, st.lists(expressions(), min_size=1, max_size=3).map(tuple), st.just("") | WORDS)
NAVIGATION = st.builds(Navigation, NAMES, expressions(), st.booleans())
VALUES = st.builds(
    Property,
    st.sampled_from(sorted(PROPERTIES)),
    expressions(),
    st.sampled_from(list(As)),
    st.just("") | REGEXES,
    st.lists(expressions(), max_size=2).map(tuple),
    st.lists(st.sampled_from(("%Y", "%d. %B %Y", "am %d.")), max_size=2).map(tuple),
    st.booleans(),
)


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    properties = tuple(draw(st.lists(VALUES, min_size=1, max_size=3)))
    needs = tuple(draw(st.lists(st.sampled_from([each.name for each in properties]), max_size=2)))
    objects = st.sampled_from(sorted(OBJECTS))
    each = tuple(draw(st.lists(expressions(), max_size=2)))
    runs = frozenset(draw(st.sets(st.sampled_from(each)))) if each else frozenset()
    return Extraction(draw(objects), each, draw(st.just("") | objects), properties, needs, runs=runs)


@st.composite
def levels(draw: st.DrawFn) -> Level:
    kind = draw(st.sampled_from(list(Kind)))
    takes = st.lists(extractions(), max_size=2) if kind is Kind.TERMINAL else st.just([])
    parts = (draw(st.lists(PATTERNS, max_size=2)), draw(st.lists(NAVIGATION, max_size=2)), draw(takes))
    detection, navigation, extraction = parts
    return Level(
        draw(NAMES), kind, tuple(detection), tuple(navigation), tuple(extraction), while_new=draw(st.booleans())
    )


TYPES = st.builds(
    Type,
    st.sampled_from(("forum", "forum/agora", "forum/agora/a.example.org")),
    WORDS,
    st.just("") | WORDS,
    st.lists(PATTERNS, max_size=3).map(tuple),
    st.lists(LED | SKIPPED, max_size=3).map(tuple),
    st.lists(NAVIGATION, max_size=2).map(tuple),
    st.lists(levels(), max_size=3, unique_by=lambda level: level.name).map(tuple),
    st.lists(st.builds(Shortcut, st.sampled_from(("feed", "json")), WORDS, WORDS, NAMES), max_size=2).map(tuple),
)


@settings(max_examples=60)
@given(TYPES)
def test_any_type_is_written_and_read_as_the_same(entry: Type) -> None:
    assert notation.read(writing.write(entry), "a.xml") == entry


def test_comments_do_not_cut_an_expression_in_two() -> None:
    entry = read(ENTRY.replace("meta[@content", "meta<!-- the generator --><?why not?>[@content"))
    assert str(entry.detection[0]) == "meta[@content='Agora']"


def test_spaces_around_values_say_nothing() -> None:
    entry = read(ENTRY.replace('kind="terminal"', 'kind=" terminal "').replace('leads="thread"', 'leads=" thread "'))
    assert entry == read(ENTRY)


# ── mistakes ─────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # what stands there, what stands there instead, what is said of that line
    ('id="forum/agora"', 'id="Forum Agora"', "`type` has id, title and holds about, detect"),
    ('title="Agora"', "", "`type` has id, title and holds about, detect"),
    (
        'kind="terminal"',
        'kind="final"',
        "`level` has name, kind (intermediate or terminal), while (new) and holds detect",
    ),
    ('kind="terminal"', 'kind="intermediate"', "is intermediate and extracts; make the level terminal"),
    (
        "<shortcut kind",
        "<shortcut speed='1' kind",
        "`shortcut` has kind (sitemap or feed or json or list), address, links",
    ),
    ('<level name="board" kind', '<level name="thread" kind', "is there already; give one of them another name"),
    ("body[@id='agora']", "body[@id=agora]", "character 10 should be a string in quotes"),
    ('match="^/t/', 'match="^/t(/', "is not a regular expression"),
    ('has="to=\\d+"', 'has="to=("', "is not a regular expression"),
    ('write="/t/\\1"', 'write="/t/\\2"', "does not fit"),
    ('whole="/t/\\1"', 'whole="/t/\\g&lt;id>"', "does not fit"),
    ('has="b" keep', 'has="b" write="/b" keep', "`write` uses groups of `match`, which is not there; add one"),
    ('has="b" keep', 'has="b" whole="\\1" keep', "`whole` uses groups of `match`, which is not there; add one"),
    (' match="/reply" has="to=\\d+"', "", "give it a `match` or a `has`"),
    ('<navigate to="thread">', "<navigate>", 'add `to`, a level, or `by="address"`'),
    ('object="post"', 'object="posting"', "`posting` is not a known object; known are thread, post, article"),
    ('name="title"', 'name="heading"', "`heading` is not a known property; known are id, title"),
    ('needs="text"', 'needs="author"', "`needs` names `author`, which is not among the properties; add it"),
    ('match="(.+)"', 'match="(.+"', "is not a regular expression"),
    ('without="blockquote|', 'without="block quote|', "character 7 should be `/`, `//`, `[` or the end"),
    (' links="threads.*.url"', "", "say in `links` where they stand"),
    ("<each>div[@class='post']</each>", '<each to="end">a</each>', "`each` has to (next) and holds text"),
    (
        "<each>div[@class='post']</each>",
        "<every>a</every>",
        "`extract` has object, part-of, needs, confidence and holds each",
    ),
    (
        '<property name="title">h1</property>',
        "",
        "`extract` has object, part-of, needs, confidence and holds each, property",
    ),
    ('<shortcut kind="feed" leads="thread" at="link[@rel=\'alternate\']"', '<shortcut kind="feed"', "leads nowhere"),
    ("at=\"link[@rel='alternate']\"", 'at="link["', "`link[`"),
    ('size="20"', 'size="0"', "`shortcut` has kind"),
    ("<shortcut", "<shortcut><b/></shortcut><shortcut", "`shortcut` has kind"),
]


@pytest.mark.parametrize(("good", "bad", "words"), MISTAKES, ids=[each[1][:30] for each in MISTAKES])
def test_a_mistake_is_told_with_file_line_and_cure(good: str, bad: str, words: str) -> None:
    assert good in ENTRY
    said = told(ENTRY.replace(good, bad, 1))
    line = ENTRY[: ENTRY.index(good)].count("\n") + 1
    assert said.startswith(f"agora.xml, line {line}: ")
    assert words in said
    assert "\n" not in said


def test_an_element_that_is_not_closed_is_told_where_the_file_ends() -> None:
    assert told(ENTRY.replace("</type>", "")).startswith("agora.xml, line 34: not well-formed XML")


def test_all_mistakes_of_an_entry_are_told_at_once() -> None:
    said = told(ENTRY.replace("h1<", "h1[<").replace("='post'", "=post").replace('object="thread"', 'object="x"'))
    lines = said.splitlines()
    assert len(lines) == 2, said  # the object that is not known hides its own property
    assert all(line.startswith("agora.xml, line ") for line in lines)


@pytest.mark.parametrize("text", ["", "   ", "plain text", "<type", "<html><p></html>", "<type/>", "<other/>"])
def test_what_is_no_entry_is_told_with_its_line(text: str) -> None:
    assert told(text).startswith("agora.xml, line 1: ")


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_without_a_traceback(data: bytes) -> None:
    with pytest.raises(KnowledgeError, match=r"agora\.xml, line \d+: "):
        notation.read(data, "agora.xml")


def test_a_regular_expression_too_deep_to_read_is_told() -> None:
    assert "is not a regular expression" in told(ENTRY.replace("^/t/", "(" * 5000 + "^/t/"))


# ── hostile files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_file_is_read_through_an_entity() -> None:
    doctype = '<!DOCTYPE type [<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n<type'
    said = told(ENTRY.replace("<type", doctype, 1).replace("An invented", "&secret;"))
    assert "an entry has no document type; remove it" in said
    assert "root:" not in said


def test_a_billion_laughs_are_refused_at_once() -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE type [<!ENTITY l0 "ha">{entities}]>\n<type'
    for place in ("An invented", 'title="Agora"'):
        laughing = place.replace("Agora", "&l11;").replace("An invented", "&l11;")
        started = time.process_time()
        said = told(ENTRY.replace("<type", doctype, 1).replace(place, laughing))
        assert "agora.xml, line " in said
        assert time.process_time() - started < 5


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    said = told(ENTRY.replace("An invented", "x" * notation.LARGEST))
    assert "bytes are too many for an entry; split it into several types" in said


# ── the documentation ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_element_attribute_and_word_is_described() -> None:
    described = (Path(__file__).parents[2] / "docs" / "knowledge" / "format.md").read_text()
    schema = resources.files("anansi.knowledge").joinpath("knowledge.rng").read_text()
    names = set(re.findall(r'<(?:element|attribute) name="([\w-]+)"', schema))
    assert {name for name in names if f"`{name}`" not in described and f'`{name}="' not in described} == set()
    assert [name for name in (*OBJECTS, *PROPERTIES) if not re.search(rf"\b{name}\b", described)] == []


@pytest.mark.parametrize(
    "text",
    [
        '<type xmlns:a="http://a" id="forum/x" title="X"><a:foo/></type>',
        '<type xmlns="http://a" id="forum/x" title="X"><about>x</about></type>',
        '<a:type xmlns:a="http://a" id="forum/x"/>',
        '<type id="forum/x" title="X"><about xmlns:a="http://a" a:b="c">x</about></type>',
        '<type id="forum/x" title="X"><a:b xmlns:a="http://a"><a:c xmlns:a="http://c"/></a:b></type>',
    ],
)
def test_elements_and_attributes_of_other_vocabularies_are_refused_with_their_line(text: str) -> None:
    assert told(text).startswith("agora.xml, line 1: ")
