"""What changed is told by objects: how much, and nothing that nobody wrote."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from anansi.feeds.change import SAMPLE, Change, compare, current, version_of
from anansi.model import Value, WebObject
from anansi.state import Version

URL = "https://a.example/post"


def article(text: str = "The harbour master counted herons.", *more: tuple[str, Value]) -> WebObject:
    return WebObject("article", URL, (("title", Value("Herons")), ("text", Value(text, "body")), *more))


def comment(number: int, text: str = "", *, named: bool = True) -> WebObject:
    said = (("text", Value(text or f"Comment {number} says this.", "body")),)
    name = (("id", Value(f"c{number}")),) if named else ()
    return WebObject("comment", f"{URL}#c{number}", (*name, *said), URL)


def change(before: list[WebObject], after: list[WebObject]) -> Change:
    return compare(version_of(before, page="one"), version_of(after, page="two"))


def dated(text: str, wording: str) -> WebObject:
    return article("Words.", ("date", Value(text, "date", wording)))


def linked(name: str, url: str) -> WebObject:
    return article("Words.", (name, Value(url, "link")))


def test_other_bytes_around_the_same_objects_are_boilerplate() -> None:
    assert change([article()], [article()]).kind == "boilerplate"
    same = version_of([article()], page="one")
    assert compare(same, same).kind == "nothing"
    assert change([article()], [article("The harbour master counted geese.")]).kind == "content"


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (article("The harbour master counted herons?"), ("text",)),
        (article("The harbour master counted 12 herons."), ("text",)),
        (replace(article(), properties=(("title", Value("Geese")), *article().properties[1:])), ("title",)),
        (replace(article(), properties=(*article().properties, ("author", Value("Ada")))), ("makers",)),
        (
            replace(
                article(), properties=(*article().properties, ("reference", Value("https://b.example/", "link")))
            ),
            ("references",),
        ),
    ],
)
def test_what_people_write_counts(after: WebObject, told: tuple[str, ...]) -> None:
    assert change([article()], [after]).told == told


def test_white_space_and_characters_without_width_do_not_count() -> None:
    assert not change([article("Two  words\nthere")], [article("Two words\u200b there ")]).content
    assert not change([article("cafe\u0301 bar")], [article("caf\u00e9 bar")]).content


@pytest.mark.parametrize("name", ["views", "likes", "replies", "modified", "signature", "number"])
def test_counters_do_not_count(name: str) -> None:
    assert not change([article("Words.", (name, Value("7")))], [article("Words.", (name, Value("8")))]).content


def test_a_date_counts_when_its_day_is_named() -> None:
    first = dated("2026-05-01", "1 May 2026")
    assert change([first], [dated("2026-05-02", "2 May 2026")]).told == ("makers",)
    assert not change(
        [dated("2026-05-01T10:00:00", "3 hours ago")], [dated("2026-05-01T10:30:00", "4 hours ago")]
    ).content
    assert not change([dated("2026-05-01", "yesterday")], [first]).content


@pytest.mark.parametrize(
    ("name", "before", "after", "differs"),
    [
        ("reference", "https://b.example/a?utm_source=x", "https://b.example/a", False),
        ("reference", "http://b.example/a?_wpnonce=1f", "https://b.example/a?_wpnonce=2e", False),
        ("reference", f"https://b.example/a?sid={'0f' * 16}", "https://b.example/a", False),
        ("reference", "https://b.example/watch?v=1", "https://b.example/watch?v=2", True),
        ("reference", "https://b.example/a", "https://c.example/a", True),
        ("image", "https://b.example/i.jpg?ver=3", "https://b.example/i-300x200.jpg", False),
        ("image", "https://i0.wp.com/b.example/i.jpg", "https://i2.wp.com/b.example/i.jpg?w=90", False),
        ("image", "https://b.example/i.jpg", "https://b.example/j.jpg", True),
        ("image", "https://b.example/show.php?id=1", "https://b.example/show.php?id=2", True),
        ("media", "https://b.example/embed/1?autoplay=1", "https://b.example/embed/1", False),
    ],
)
def test_what_a_reference_means_counts(name: str, before: str, after: str, differs: bool) -> None:
    assert change([linked(name, before)], [linked(name, after)]).references is differs


def counts(before: list[WebObject], after: list[WebObject]) -> tuple[int, int, int]:
    told = change([article(), *before], [article(), *after])
    assert not (told.text or told.title or told.references)
    return told.added, told.removed, told.edited


def test_comments_are_counted_one_by_one() -> None:
    few = [comment(number) for number in range(5)]
    assert counts(few, few) == (0, 0, 0)
    assert counts(few, list(reversed(few))) == (0, 0, 0)
    assert counts(few, [*few, comment(9)]) == (1, 0, 0)
    assert counts(few, few[1:]) == (0, 1, 0)
    assert counts(few, [comment(0, "Otherwise."), *few[1:]]) == (0, 0, 1)
    assert counts(few, [comment(0, "Otherwise."), *few[2:], comment(7), comment(8)]) == (2, 1, 1)


def test_the_same_words_of_another_are_another_comment() -> None:
    assert counts([comment(1, "So it is."), comment(2)], [comment(3, "So it is."), comment(2)]) == (1, 1, 0)


def test_comments_without_names_are_known_by_their_words() -> None:
    few = [comment(number, named=False) for number in range(4)]
    moved = [comment(number, few[number - 1].get("text"), named=False) for number in range(1, 5)]
    assert counts(few, moved) == (0, 0, 0)
    assert counts(few, few[:2]) == (0, 2, 0)


@pytest.mark.parametrize("size", [SAMPLE + 1, 1000])
def test_of_many_comments_no_change_is_missed(size: int) -> None:
    many = [comment(number) for number in range(size)]
    assert counts(many, [*many, comment(size)]) == (1, 0, 0)
    assert counts(many, many[:-1]) == (0, 1, 0)
    for at in (0, size // 2, size - 1):
        edited = [*many[:at], comment(at, "Otherwise."), *many[at + 1 :]]
        assert sum(counts(many, edited)) > 0


def test_counts_of_many_comments_are_near_the_truth() -> None:
    many = [comment(number) for number in range(1000)]
    added, removed, edited = counts(many, many[300:])
    assert (added, removed, edited) == (0, 300, 0)
    changed = [comment(number, "Otherwise.") if number % 2 else comment(number) for number in range(1000)]
    assert 300 < counts(many, changed)[2] < 700


def test_several_articles_on_a_page_are_its_parts() -> None:
    listed = [
        WebObject("article", f"{URL}/{at}", (("id", Value(str(at))), ("text", Value(f"Text {at}."))))
        for at in range(3)
    ]
    assert change(listed[:2], listed).told == ("1 added",)


def test_a_version_is_small_whatever_stands_on_the_page() -> None:
    many = [article("word " * 100_000), *(comment(number) for number in range(5000))]
    assert (
        len(
            msgspec.msgpack.encode(
                version_of(many, by="forum/vbulletin/some-long-name-of-a-site", page="sha256:" + "0" * 64)
            )
        )
        < 1024
    )


def test_a_version_that_was_made_in_another_way_is_not_compared_with() -> None:
    version = version_of([article(), comment(1)], by="page", page="x", beside=["By Ada, 3 hours ago"])
    assert current(version) is version
    assert current(msgspec.structs.replace(version, form=99)) is None
    assert current(None) is None


def test_a_page_that_is_read_otherwise_cannot_be_compared() -> None:
    before, after = version_of([article()], by="feed"), version_of([article("Less.")], by="page")
    assert compare(before, after).told == ("otherwise",)
    assert not compare(before, version_of([article()], by="page")).content


def test_the_byline_counts_without_its_counters() -> None:
    def by(line: str) -> Version:
        return version_of([article()], beside=[line])

    first = by("By Ada Lind, May 1, 2026 | 1,204 views | 3 comments")
    assert not compare(first, by("By Ada Lind, May 1, 2026 | 1,377 views | 5 comments")).makers
    assert compare(first, by("By Ida Lind, May 1, 2026 | 1,204 views | 3 comments")).makers
