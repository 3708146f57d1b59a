"""The table of addresses: the first row that fits says what an address is, and under which key it is known."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.knowledge.addresses import Address, Place, Table, Tables, place

THREAD = Address(
    leads="thread",
    match=re.compile(r"/viewtopic\.php"),
    has=(("t", re.compile(r"\d+")),),
    keep=("t", "start"),
    default=frozenset({("start", "0")}),
    whole="t",
)
PRINT = Address(skip="print view", match=re.compile(r"/viewtopic\.php"), has=(("view", re.compile("print")),))
POST = Address(skip="one post", match=re.compile(r"/viewtopic\.php"))
STORY = Address(
    leads="article", match=re.compile(r"^(.*/)(\d{4}/\d\d/[\w-]+)/(?:page/\d+/)?$"), write=r"\1\2/", whole=r"\1\2/"
)
FOLDER = Address(leads="home", match=re.compile(r"^(.*/)index\.php$"), write=r"\1")
TABLE = (PRINT, THREAD, POST, STORY, FOLDER)


def found(url: str) -> Place:
    known = place(TABLE, url)
    assert known is not None, url
    return known


def test_the_first_row_that_fits_counts() -> None:
    assert found("http://a.org/viewtopic.php?t=3&view=print").skip == "print view"
    assert found("http://a.org/viewtopic.php?t=3").leads == "thread"
    assert found("http://a.org/viewtopic.php?p=3").skip == "one post"


def test_a_parameter_must_have_the_shape_from_end_to_end() -> None:
    assert found("http://a.org/viewtopic.php?t=3x").skip == "one post"
    assert found("http://a.org/viewtopic.php?t=").skip == "one post"
    assert found("http://a.org/viewtopic.php?view=printer&t=4").leads == "thread"


def test_only_what_is_kept_is_in_the_key_in_the_order_it_is_kept() -> None:
    url = "https://a.org:8080/forum/viewtopic.php?sid=abc&start=20&f=2&t=3"
    assert found(url).key == "https://a.org:8080/forum/viewtopic.php?t=3&start=20"
    assert found(url).whole == "https://a.org:8080/forum/viewtopic.php?t=3"


def test_a_default_says_nothing() -> None:
    assert found("http://a.org/viewtopic.php?start=0&t=3").key == found("http://a.org/viewtopic.php?t=3").key


def test_old_forums_separate_by_semicolons() -> None:
    assert found("http://a.org/viewtopic.php?f=1;t=3;start=20").key == "http://a.org/viewtopic.php?t=3&start=20"


def test_a_key_is_written_with_groups() -> None:
    known = found("http://a.org/blog/2020/05/a-story/page/2/")
    assert known == Place("article", "", "http://a.org/blog/2020/05/a-story/", "http://a.org/blog/2020/05/a-story/")
    assert found("http://a.org/index.php").key == "http://a.org/"


def test_a_key_that_is_written_without_a_slash_stays_under_its_host() -> None:
    rows = (Address(leads="thread", match=re.compile(r"/t(\d+)"), write=r"thread-\1"),)
    known = place(rows, "http://a.org/forum/t12")
    assert known is not None
    assert known.key == "http://a.org/thread-12"


def test_a_group_that_took_no_part_is_written_as_nothing() -> None:
    rows = (Address(leads="board", match=re.compile(r"^/b(\d+)(/x)?"), write=r"/b\1\2"),)
    known = place(rows, "http://a.org/b7/y")
    assert known is not None
    assert known.key == "http://a.org/b7"


def test_an_empty_keep_takes_the_whole_query_away() -> None:
    rows = (Address(leads="home", match=re.compile("^/$|^/[?]"), keep=()),)
    known = place(rows, "http://a.org/?a=1&b=2")
    assert known is not None
    assert known.key == "http://a.org/"


def test_drop_takes_away_and_sorts_the_rest() -> None:
    rows = (Address(leads="home", match=re.compile("^/"), drop=frozenset({"sort"})),)
    assert place(rows, "http://a.org/x?z=1&sort=up&a") == Place(
        "home", "", "http://a.org/x?a&z=1", "http://a.org/x?a&z=1"
    )


def test_a_row_that_rewrites_nothing_leaves_the_address_as_it_is() -> None:
    rows = (Address(leads="home", match=re.compile("^/")),)
    known = place(rows, "http://a.org/x?b=2&a=1")
    assert known is not None
    assert known.key == known.whole == "http://a.org/x?b=2&a=1"


@pytest.mark.parametrize("url", ["http://a.org/about.html", "http://a.org", "", "viewtopic.php?t=3", "http://a"])
def test_what_no_row_is_about_is_unknown(url: str) -> None:
    assert place(TABLE, url) is None
    assert place((), url) is None


@given(st.from_regex(r"/(viewtopic\.php)?\?([tfs]=[0-9]{0,2}[&;]?){0,4}", fullmatch=True))
def test_a_key_is_its_own_key(target: str) -> None:
    known = place(TABLE, f"http://a.org{target}")
    if known is not None and known.leads:
        again = place(TABLE, known.key)
        assert again is not None
        assert (again.leads, again.key) == (known.leads, known.key)


# ── many addresses ───────────────────────────────────────────────────────────────────────────────────────────────

NUMBERED = (
    Address(skip="first page", match=re.compile(r"/page-1(?!\d)")),
    Address(leads="story", match=re.compile(r"^(.*/)(?:19|20)\d\d/[01]\d/([^/?.]+)/?$"), write=r"\1?name=\2"),
    Address(skip="not ours", match=re.compile(r"/x[^1]y|/z(?<!\d)\d$")),
    Address(leads="old", has=(("cpage", re.compile("1")),)),
    Address(skip="a form", match=re.compile(r"/do/(?:post2?|vote)\b")),
    *TABLE,
    Address(leads="board", match=re.compile(r"/f\d+"), default=frozenset({("page", "1")})),
)
TARGETS = st.from_regex(
    r"/(viewtopic\.php|page-[0-9]{1,2}|[0-9]{4}/[0-9]{2}/a[0-9]?|x[0-9a]y|z[0-9]|f[0-9]|index\.php"
    r"|do/(post|vote)[0-9]?(/[0-9])?|)"
    r"(\?(([tps]|cpage|page|view)=[0-9]{0,2}(print)?[&;]?){0,3})?",
    fullmatch=True,
)


@given(st.lists(TARGETS, max_size=12))
def test_a_table_that_is_asked_often_says_what_its_rows_say(targets: list[str]) -> None:
    table = Table(NUMBERED)
    for target in targets:
        url = f"http://a1.org{target}"
        assert table.place(url) == place(NUMBERED, url) == table.place(url), url


@given(TARGETS, TARGETS)
def test_one_row_is_about_addresses_that_are_alike(one: str, other: str) -> None:
    table = Table(NUMBERED)
    if len(one) == len(other) and re.sub(r"\d", "0", one) == re.sub(r"\d", "0", other):
        first, second = (table.place(f"http://a.org{target}") for target in (one, other))
        if table.alike(f"http://a.org{one}"):
            assert (first and (first.leads, first.skip)) == (second and (second.leads, second.skip))


def test_digits_that_a_row_tells_apart_are_told_apart() -> None:
    table = Table(NUMBERED)
    assert not table.alike("http://a.org/page-2")
    assert [table.place(f"http://a.org/page-{number}") is None for number in (2, 1, 3)] == [True, False, True]
    assert Table(TABLE).alike("http://a.org/viewtopic.php?p=34")
    assert not table.alike("http://a.org/f1?page=2"), "page 1 has another key"


def test_a_row_that_names_digits_may_fit_whatever_they_are() -> None:
    table = Table(tuple(row for row in NUMBERED if row.skip != "not ours"))
    assert table.alike("http://a.org/do/post/7"), "a form without a number"
    assert not table.alike("http://a.org/do/post3/1"), "post2 is one, too"
    assert table.alike("http://a.org/f1?page=12"), "no page of two digits is the first"
    assert table.alike("http://a.org/f1")


def test_tables_are_told_apart_by_their_rows() -> None:
    tables = Tables()
    assert tables.place(TABLE, "http://a.org/viewtopic.php?p=3") == place(TABLE, "http://a.org/viewtopic.php?p=3")
    assert tables.place((), "http://a.org/viewtopic.php?p=3") is None
    assert tables.of(TABLE) is tables.of(TABLE)


@pytest.mark.parametrize("template", [r"\1?name=\2", r"\g<0>", r"\g<1>9\3", r"x\2", "plain", r"\1\\n", r"\g<2>>\3<"])
def test_a_template_is_written_as_expressions_write_it(template: str) -> None:
    match = re.compile(r"(a)(b+)(c)?").search("xabbd")
    assert match is not None
    row = Address(leads="x", match=match.re, write=template)
    known = place((row,), "http://a.org/xabbd")
    assert known is not None
    assert known.key == f"http://a.org/{match.expand(template)}".replace("org//", "org/")
