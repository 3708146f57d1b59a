"""Items: the distinct 2-grams of a page, numbers aside."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from anansi.learn import items
from anansi.learn.items import ItemReader, sample_of
from anansi.text import tree as html


def test_two_words_in_a_row_are_an_item_however_they_are_written() -> None:
    reader = ItemReader()
    assert len(reader.of_text("the cat sat on the mat")) == 5
    assert reader.of_text("The CAT, sat on the mat!") == reader.of_text("the cat sat on the mat")
    assert len(reader.of_text("a b a b a b")) == 2
    assert not reader.of_text("alone")


def test_numbers_say_nothing() -> None:
    reader = ItemReader()
    assert reader.of_text("posted 12 May by Ada") == reader.of_text("x 1 May by Ada")
    assert not reader.of_text("seen 7 times 8 today")


def test_scripts_and_styles_are_not_read() -> None:
    page = b"<html><head><style>a b c</style></head><body><p>one two</p><script>var x = y</script></body></html>"
    assert ItemReader().of_tree(html.parse(page, "utf-8")) == ItemReader().of_text("one two")


def test_hashes_do_not_depend_on_what_was_read_before() -> None:
    reader = ItemReader()
    reader.of_text("quite other words first")
    assert reader.of_text("one two three") == ItemReader().of_text("one two three")


def test_what_is_remembered_is_bounded() -> None:
    reader = ItemReader()
    for start in range(0, items.MEMO * 2, 50_000):
        reader.of_text(" ".join("w" + "abcdefghij"[int(digit)] * 1 + each for each in _words(start) for digit in "1"))
    assert len(reader._words) <= items.MEMO + 50_000


def _words(start: int) -> list[str]:
    letters = str.maketrans("0123456789", "abcdefghij")
    return [str(number).translate(letters) for number in range(start, start + 50_000)]


@given(st.text(max_size=300))
def test_items_are_sorted_and_distinct_whatever_the_text(text: str) -> None:
    found = list(ItemReader().of_text(text))
    assert found == sorted(set(found))


def test_a_sample_is_about_a_quarter_and_the_same_whatever_stands_around() -> None:
    words = _words(0)[:4000]
    whole = set(array("I", sample_of(" ".join(words))))
    assert 0.2 < len(whole) / len(words) < 0.3
    half = set(array("I", sample_of(" ".join(words[:2000]))))
    assert half < whole
    assert set(array("I", sample_of("\n".join(words[:2000]).upper()))) == half


def test_numbers_do_not_change_a_sample() -> None:
    words = " {} ".join(_words(0)[:400])
    assert (
        sample_of(words.replace("{}", "7"))
        == sample_of(words.replace("{}", "19 2 2009"))
        == sample_of(words.replace("{}", ""))
    )


@given(st.text(max_size=300))
def test_a_sample_is_taken_of_any_text(text: str) -> None:
    found = array("I", sample_of(text))
    assert len(found) == len(set(found)) < max(1, len(text.split()))
