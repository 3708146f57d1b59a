"""What values look like, by themselves and over several pages; what names say."""

from __future__ import annotations

import pytest

from anansi.induce.judges import Values, is_name, judge
from anansi.induce.names import NameWords, name_words, words_of
from anansi.knowledge import shelf


def one(*values: str) -> Values:
    return Values([values])


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("author", ("Ada", "Bo", "Cem"), ("Reply", "Reply", "Reply")),
        ("author", ("Ada", "Bo", "Cem"), ("10:20 am", "11:30 am", "12:00 am")),
        ("author", ("Ada", "Bo", "Cem"), ("This is a whole sentence.", "And this is one, too.", "So it goes on.")),
        ("title", ("A kiln of one's own",), ("Next",)),
        ("id", ("p1", "p2", "p3"), ("p1", "p1", "p1")),
        ("text", ("a " * 400, "b " * 400, "c " * 400), ("same " * 50,) * 3),
        ("date", ("2020-01-01T10:00:00", "2020-01-02T10:00:00"), ("2004", "2005")),
    ],
)
def test_values_that_look_like_it_and_such_that_do_not(
    name: str, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    assert judge(name, one(*good)).score >= 0.5
    assert judge(name, one(*bad)).score < 0.35


def test_titles_are_their_pages_own_and_texts_differ() -> None:
    assert judge("title", Values([["One"], ["Two"], ["Three"]]))
    assert not judge("title", Values([["Clay"], ["Clay"], ["Clay"]]))
    assert not judge("text", Values([["Terms of use"]] * 3))


def test_a_name_that_stands_in_every_post_is_a_button() -> None:
    assert not judge("author", Values([["Wave", "Wave"], ["Wave", "Wave"]]))
    assert judge("author", Values([["Ada", "Bo"], ["Bo", "Ada"]]))
    assert judge("author", Values([["Ada"], ["Ada"]], signed=True))
    assert not judge("author", Values([["Ada"], ["Ada"]]))


def test_authors_come_again_on_other_pages_and_sections_of_one_page_do_not() -> None:
    authors = judge("author", Values([["Ada", "Bo", "Ada"], ["Bo", "Ada", "Cem"]]))
    others = judge("author", Values([["Clay", "Glaze", "Clay"], ["Kilns", "Wheels", "Kilns"]]))
    assert authors.score > others.score
    assert authors.reasons["again"] > others.reasons["again"] == 0


def test_the_days_of_a_thread_go_one_way_and_those_of_joining_do_not() -> None:
    said = judge("date", Values([["2020-01-01", "2020-01-02", "2020-01-03"]]))
    joined = judge("date", Values([["2004-01-01", "2019-01-02", "2004-01-01"]]))
    assert said.score > joined.score


def test_a_date_of_which_it_is_said_that_it_changed_is_none() -> None:
    days = [["2020-01-01", "2020-01-02"]]
    assert judge("date", Values(days, ["1 January", "2 January"]))
    assert not judge("date", Values(days, ["last edited 1 January", "last edited 2 January"]))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Ada", True),
        ("Ada Byron King", True),
        ("12:30", False),
        ("#12", False),
        ("Re: kilns", False),
        ("Reply", False),
    ],
)
def test_names_are_told_from_what_stands_where_names_do(text: str, *, right: bool) -> None:
    assert is_name(text) is right


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_names_are_read_as_words() -> None:
    assert words_of("post-author") == words_of("postAuthor") == words_of("post_author") == {"post", "author"}


def test_the_category_says_what_names_mean() -> None:
    forum = name_words(each for each in shelf.catalogue().types.values() if each.category == "forum")
    assert forum.says("author", ["x-username"])
    assert not forum.says("author", ["zz3"])
    assert not NameWords().says("quote", ["body"])
