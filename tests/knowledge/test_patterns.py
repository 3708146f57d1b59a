"""Navigation patterns: what is printed is read as the same, and what is none is refused with the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.errors import KnowledgeError
from anansi.knowledge import patterns
from anansi.knowledge.patterns import Click, NavigationPattern, parse_pattern
from tests.knowledge.expressions import expressions

PAPER = (
    'doc("www.rockamring-blog.de/index.html")'
    '/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"navigation")]/a/@href{click/})+'
    '/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"post-")]/a/@href{click/})'
)


def test_the_example_of_the_paper_is_read() -> None:
    found = parse_pattern(PAPER)
    assert found.url == "www.rockamring-blog.de/index.html"
    assert [click.repeated for click in found.clicks] == [True, False]
    assert str(found).replace("'", '"') == PAPER


def test_repetition() -> None:
    times = [parse_pattern(f'doc("x")/(/a{{click/}}){mark}').clicks[0] for mark in ("", "+", "*", "3", "1")]
    assert [(click.least, click.most) for click in times] == [(1, 1), (1, None), (0, None), (1, 3), (1, 1)]


CLICKS = st.builds(
    lambda path, times: Click(path, *times),
    expressions().filter(lambda each: not any(mark in str(each) for mark in "{}")),
    st.sampled_from([(1, 1), (1, None), (0, None), (1, 3), (1, 17)]),
)
URLS = st.from_regex(r'https?://[^"\s{}]{1,20}', fullmatch=True)


@given(st.builds(NavigationPattern, URLS, st.lists(CLICKS, min_size=1, max_size=4).map(tuple)))
def test_what_is_printed_is_read_as_the_same(pattern: NavigationPattern) -> None:
    assert parse_pattern(str(pattern)) == pattern


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "character 1"),
        ("/(/a{click/})", "character 1"),
        ('doc("x")', "the end"),
        ('doc("x")/(/a)', "character 9"),
        ('doc("x")/(a{click/})', "from the root"),
        ('doc("x")/(//a{click/})', "from the root"),
        ('doc("x")/(/a{click/})0', "a number from 1"),
        ('doc("x")/(/a{click/})?', "not `?`"),
        ('doc("x")/(/a[{click/})', "not an expression"),
        ('doc("x")' + "/(/a{click/})" * (patterns.MOST_CLICKS + 1), "too long"),
        ("x" * (patterns.LONGEST + 1), "too long"),
    ],
)
def test_what_is_no_pattern_is_refused(text: str, place: str) -> None:
    with pytest.raises(KnowledgeError, match=place.replace("?", r"\?")):
        parse_pattern(text)


@given(st.text(alphabet='doc("x")/{}click+*3[]@a ', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        found = parse_pattern(text)
    except KnowledgeError:
        return
    assert parse_pattern(str(found)) == found


def test_a_pattern_that_another_goes_on_from() -> None:
    short, long = (parse_pattern('doc("x")' + "/(/a{click/})" * count) for count in (1, 2))
    assert short.begins(long)
    assert not long.begins(short)
    assert not short.begins(short)
    assert str(short.at("http://other.example/")) == 'doc("http://other.example/")/(/a{click/})'
