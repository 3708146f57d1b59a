"""The XPath fragment: what is written is read, what is read runs, what is neither is told."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from anansi.errors import KnowledgeError
from anansi.knowledge.xpath import (
    LAST,
    LONGEST,
    Contains,
    Equals,
    Expression,
    Position,
    Predicate,
    Step,
    compiled,
    parse,
)
from anansi.text import tree as html
from tests.knowledge.expressions import expressions

PAGE = html.parse(
    b"""<html><body id="phpbb" class="nojs section-index">
    <div class="post" id="p1"><h2>One</h2><p>first <b>bold</b> words</p></div>
    <div class="post" id="p2"><h2>Two</h2><p>it's</p><p>second</p></div>
    <fb:like xml:lang="de" 1st="yes">liked</fb:like>
    <a href="viewtopic.php?t=1">thread</a>
    </body></html>""",
    "utf-8",
)


def find(text: str) -> list[Any]:
    found: list[Any] = compiled(parse(text))(PAGE)
    return found


def texts(text: str) -> list[str]:
    return [each if isinstance(each, str) else each.text for each in find(text)]


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────


@given(expressions())
def test_what_is_printed_is_read_as_the_same(expression: Expression) -> None:
    assert parse(str(expression)) == expression


@given(expressions())
def test_every_expression_runs_on_a_tree(expression: Expression) -> None:
    assert isinstance(compiled(expression)(PAGE), list)


@given(expressions(), st.sampled_from(("", " ", "\n\t ")))
def test_a_leading_double_slash_and_spaces_say_nothing(expression: Expression, space: str) -> None:
    assert parse(f"{space}//{space}{expression}{space}") == expression


@given(st.one_of(st.text(), st.from_regex(r"[a-z/@*\[\]()=,'\" 0-9]{0,30}", fullmatch=True)))
def test_any_text_is_an_expression_or_refused_with_place_and_expectation(text: str) -> None:
    try:
        expression = parse(text)
    except KnowledgeError as error:
        assert re.search(r"character \d+ should be .+, not .+", str(error), re.S) or "too long" in str(error)
    else:
        assert parse(str(expression)) == expression
        compiled(expression)


@given(expressions(), expressions())
def test_one_below_another_is_found_below(above: Expression, below: Expression) -> None:
    joined = above / below
    assert (joined.steps[: len(above.steps)], len(joined.steps)) == (above.steps, len(above.steps) + len(below.steps))
    standard = "".join(step.axis + str(step) for step in joined.steps)
    assert str(joined) == standard.removeprefix("//")


@st.composite
def small_expressions(draw: st.DrawFn) -> Expression:
    """Draw an expression that has a chance to find something."""
    some: tuple[Predicate, ...] = (
        Equals("@id", "x"),
        Contains("@id", "x"),
        Equals("b", "t"),
        Position(1),
        Position(LAST),
    )
    predicates = st.lists(st.sampled_from(some), max_size=2).map(tuple)
    axes = st.sampled_from(("/", "//"))
    steps = draw(st.lists(st.builds(Step, axes, st.sampled_from(("a", "b", "*")), predicates), max_size=3))
    ends = st.sampled_from(("a", "b", "*", "@id", "@*", "text()"))
    first, *rest = [*steps, draw(st.builds(Step, axes, ends, predicates))]
    return Expression((Step("//", first.test, first.predicates), *rest))


TREES = st.recursive(
    st.sampled_from(("t", "u", "")),
    lambda inside: st.builds(
        "<{0} id='{1}'>{2}</{0}>".format,
        st.sampled_from("ab"),
        st.sampled_from(("x", "y", "xy")),
        st.lists(inside, max_size=4).map("".join),
    ),
    max_leaves=12,
)


@settings(max_examples=400)
@given(small_expressions(), TREES)
@example(parse("a//b//text()"), "<a id='x'><b id='x'>t</b>u</a>")
@example(parse("a//b//@id"), "<a id='x'><b id='y'><a id='z'/></b></a>")
@example(parse("*[1]//b[1]/a/text()"), "<a id='x'><b id='x'><a id='x'>t<b id='x'>u</b>v</a></b></a>")
def test_an_expression_finds_what_xpath_finds(expression: Expression, source: str) -> None:
    root = etree.fromstring(f"<r>{source}</r>")
    standard = etree.XPath("".join(step.axis + str(step) for step in expression.steps), smart_strings=False)
    assert compiled(expression)(root) == standard(root)


# ── what expressions find ────────────────────────────────────────────────────────────────────────────────────────


def test_an_expression_finds_at_any_depth() -> None:
    assert texts("h2") == ["One", "Two"]
    assert texts("div[@class='post']/h2") == ["One", "Two"]
    assert texts("div/b") == []
    assert texts("div//b") == ["bold"]


def test_predicates_compare_attributes_and_children() -> None:
    assert [each.get("id") for each in find("div[contains(@id,'p')]")] == ["p1", "p2"]
    assert [each.get("id") for each in find("div[h2='Two']")] == ["p2"]
    assert [each.get("id") for each in find("div[contains(h2,'n')]")] == ["p1"]


def test_either_kind_of_quotes_can_stand_around_the_other() -> None:
    assert [each.get("id") for each in find('div[contains(p,"it\'s")]')] == ["p2"]
    assert str(parse("a[@b='say \"x\"']")) == "a[@b='say \"x\"']"
    assert str(parse('a[@b="plain"]')) == "a[@b='plain']"


def test_a_string_with_both_kinds_of_quotes_cannot_be_made() -> None:
    for predicate in (Contains, Equals):
        with pytest.raises(KnowledgeError, match="both kinds of quotes"):
            predicate("@a", 'it\'s "so"')


def test_positions_count_among_siblings() -> None:
    assert texts("div/p[2]") == ["second"]
    assert [each.get("id") for each in find("div[2]")] == ["p2"]
    assert [each.get("id") for each in find("body/div[last()]")] == ["p2"]
    assert parse("div[last( )]").steps[0].predicates == (Position(LAST),)
    assert str(parse("div[007]")) == "div[7]"


def test_names_with_colons_and_leading_digits_are_found_by_their_name() -> None:
    assert texts("fb:like") == ["liked"]
    assert texts("fb:like/@xml:lang") == ["de"]
    assert texts("*[@1st='yes']") == ["liked"]
    assert texts("*[contains(fb:like,'iked')]/fb:like[1]") == ["liked"]


def test_attributes_and_texts_are_strings() -> None:
    assert find("a/@href") == ["viewtopic.php?t=1"]
    assert find("body/@*") == ["phpbb", "nojs section-index"]
    assert find("p/text()") == ["first ", " words", "it's", "second"]
    assert find("p/text()[2]") == [" words"]
    assert find("p/text(\t)") == find("p/text()")


def test_a_name_of_digits_is_told_from_a_position() -> None:
    assert parse("a[12='x']").steps[0].predicates == (Equals("12", "x"),)
    assert parse("a[12]").steps[0].predicates == (Position(12),)


def test_a_name_that_only_looks_like_a_function_is_a_name() -> None:
    step = parse("contains[contains(contains,'x')][last='y'][contains='z']").steps[0]
    assert step == Step("//", "contains", (Contains("contains", "x"), Equals("last", "y"), Equals("contains", "z")))


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────

REFUSED = [
    # expression, character, what should be there
    ("", 1, "a tag"),
    ("/html", 1, "a tag"),
    ("a/", 3, "a tag"),
    ("a b", 3, "`/`, `//`, `[` or the end"),
    ("a|b", 2, "`/`, `//`, `[` or the end"),
    ("a]", 2, "`/`, `//`, `[` or the end"),
    ("a[", 3, "the name of a tag or an `@attribute`"),
    ("a[1", 4, "`]`"),
    ("a[0]", 3, "a position from 1"),
    ("a[1234567]", 3, "a position from 1"),
    ("a[-1]", 5, "`=`"),
    ("a[@b]", 5, "`=`"),
    ("a[@*='x']", 3, "the name of a tag or an `@attribute`"),
    ("a[text()='x']", 3, "the name of a tag or an `@attribute`"),
    ("a[.='x']", 3, "the name of a tag or an `@attribute`"),
    ("a[@b=c]", 6, "a string in quotes"),
    ("a[@b='c]", 6, "a string in quotes"),
    ("a[contains(@b)]", 14, "`,`"),
    ("a[contains(@b,'c']", 18, "`)`"),
    ("a[starts-with(@b,'c')]", 14, "`=`"),
    ("@href/a", 6, "the end: nothing stands below"),
    ("text()/a", 7, "the end: nothing stands below"),
    ("a/..", 3, "a tag"),
    ("a/following-sibling::b", 3, "a tag"),
    ("a/@..", 4, "the name of an attribute"),
    ("a[@b='\x01']", 7, "a character that XML has"),
    ("contains(@a,'b')", 1, "a tag"),
]


@pytest.mark.parametrize(("text", "place", "expected"), REFUSED)
def test_what_is_not_of_the_fragment_is_refused_where_it_goes_wrong(text: str, place: int, expected: str) -> None:
    with pytest.raises(KnowledgeError) as told:
        parse(text)
    assert f"character {place} should be {expected}" in str(told.value)


def test_what_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(KnowledgeError, match=f"too long; the longest may have {LONGEST}"):
        parse("a/" * LONGEST)
    assert len(parse("a/" * (LONGEST // 2 - 1) + "a").steps) == LONGEST // 2


def test_a_tree_of_xml_is_searched_as_well() -> None:
    root = etree.fromstring("<document><http><status>404</status></http></document>")
    assert compiled(parse("http[status='404']"))(root)[0].tag == "http"


def test_the_strings_of_an_expression_are_those_of_its_predicates() -> None:
    assert list(parse("div[@class='post']/h2[2]//a[contains(@href,'t=')]").strings()) == ["post", "t="]


@pytest.mark.parametrize(
    "text", ["div[@class='a']//b", "div//div/div//b", "div[1]//div[1]//b/text()", "div//div//div//@class"]
)
def test_elements_that_nest_without_end_are_searched_in_a_moment(text: str) -> None:
    tree = html.parse(b'<div class="a"><b>x</b>' * 1000, "utf-8")
    started = time.process_time()
    assert len(compiled(parse(text))(tree)) > 990
    assert time.process_time() - started < 5
