"""Traps are closed; sites that only look odd are not."""

from __future__ import annotations

import calendar
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.frontier.traps import BARREN, FULL_WATCH, GRACE, LONGEST, PATTERNS, SAMPLE, Traps, shape_fault

YEAR = 2026

SOUND = (
    "http://x.org/",
    "http://x.org/2011/11/11/",
    "http://x.org/2011/11/11/11/eleven",
    "http://x.org/wiki/A/B/A",
    "http://x.org/wiki/Talk/A/Talk",
    "http://x.org/a/a/b",
    "http://x.org/a//b//c//d",
    "http://x.org/archive/1998/05/",
    "http://x.org/events/1998/",
    "http://x.org/events/1945/the-end-of-the-war",
    "http://x.org/paper?year=1923",
    "http://x.org/calendar/2026/12",
    "http://x.org/calendar?year=2029",
    "http://x.org/forum/viewtopic.php?t=9999",
    "http://x.org/event.php?cal_id=5123",
    "http://x.org/show?update=4711",
    "http://x.org/vote?candidate=5000",
    "http://x.org/photo?x=1920&y=1080",
    "http://x.org/list?date=20310501",
    "http://x.org/s?" + "&".join(f"p{number}=1" for number in range(20)),
)

TRAPS = (
    ("http://x.org/a/b/a/b/a/b/", "repeat"),
    ("http://x.org/more/more/more/", "repeat"),
    ("http://x.org/css/img/css/img/css/img/css", "repeat"),
    ("http://x.org/p/1/p/1/p/1/p/1/", "repeat"),
    ("http://x.org/" + "1/" * 9, "repeat"),
    ("http://x.org/cal.php?month=3&year=2031", "2031"),
    ("http://x.org/?date=2051-03-01", "2051"),
    ("http://x.org/?tribe-bar-date=2051-03", "2051"),
    ("http://x.org/?m=5&y=2099", "2099"),
    ("http://x.org/calendar/2031/05", "2031"),
    ("http://x.org/events/2031-05/", "2031"),
    ("http://x.org/s?" + "&".join(f"p{number}=1" for number in range(21)), "parameters"),
    ("http://x.org/" + "a" * LONGEST, "characters"),
)


@pytest.mark.parametrize("url", SOUND)
def test_an_odd_url_is_no_trap(url: str) -> None:
    assert shape_fault(url, YEAR) == ""


@pytest.mark.parametrize(("url", "words"), TRAPS)
def test_the_shape_gives_a_trap_away(url: str, words: str) -> None:
    assert words in shape_fault(url, YEAR)


@given(st.lists(st.sampled_from(("a", "b", "", "1", "22")), max_size=2), st.integers(1, 20))
def test_a_path_that_grows_is_a_trap_before_long_and_never_at_first(segments: list[str], times: int) -> None:
    fault = shape_fault("http://x.org/" + "/".join(["shop", "cart", *segments] * times), YEAR)
    assert bool(fault) == (times > 2) or (times == 3 and segments)


def walk(traps: Traps, pages: list[tuple[str, str]]) -> tuple[int, str] | None:
    """Note pages until one closes its pattern; return how many it took, and the pattern."""
    for number, (url, text) in enumerate(pages, start=1):
        closed = traps.note(url, lambda text=text: text)  # type: ignore[misc]
        if closed is not None:
            return number, closed
    return None


def test_pages_that_differ_by_numbers_only_close_their_pattern() -> None:
    traps = Traps()
    article = "An article.\nIt is printed again and again.\n"
    found = walk(traps, [(f"http://x.org/print/{number}", f"{article}Seen {number} times.") for number in range(500)])
    assert found is not None
    taken, pattern = found
    assert taken <= 100
    assert "held nothing new" in traps.fault("http://x.org/print/777", YEAR)
    assert traps.fault("http://x.org/about", YEAR) == ""
    assert pattern in traps.closed


def test_an_empty_calendar_is_closed_though_its_months_have_names() -> None:
    months = calendar.month_name[1:]
    dates = itertools.islice(itertools.product(range(2020, 1500, -1), enumerate(months, start=1)), 5000)
    pages = [
        (f"http://x.org/cal/{year}/{number:02}", f"Events in {month} {year}\nNo events.")
        for year, (number, month) in dates
    ]
    found = walk(Traps(), pages)
    assert found is not None
    assert found[0] <= 500


WORDS = [
    f"{one}{two}" for one in ("ant", "bee", "cat", "dog", "elk", "fox") for two in ("hill", "wood", "brook", "stone")
]


def test_a_healthy_pattern_of_thousands_of_different_pages_is_never_closed() -> None:
    rng = random.Random(6)
    template = "The forum\nLog in\nReply\n"
    pages = [(f"http://x.org/topic/{number}", template + " ".join(rng.choices(WORDS, k=8))) for number in range(5000)]
    assert walk(Traps(), pages) is None


def test_a_healthy_pattern_may_have_barren_stretches() -> None:
    rng = random.Random(7)
    pages = []
    for number in range(3000):
        barren = number % BARREN  # one page in so many has something to say
        pages.append(
            (f"http://x.org/user/{number}", "Profile\n" + ("" if barren else " ".join(rng.choices(WORDS, k=9))))
        )
    assert walk(Traps(), pages) is None


def test_a_short_series_is_never_closed() -> None:
    assert walk(Traps(), [(f"http://x.org/a/{number}", "same") for number in range(BARREN)]) is None


def test_a_healthy_pattern_is_looked_at_seldom_after_its_first_pages() -> None:
    traps = Traps()
    looked = []
    for number in range(FULL_WATCH + 160):
        word = "".join(WORDS[digit] for digit in map(int, str(number)))
        traps.note(f"http://x.org/a/{number}", lambda word=word: looked.append(word) or word)  # type: ignore[misc,func-returns-value]
    assert len(looked) == FULL_WATCH - GRACE + 160 // SAMPLE


def test_what_one_worker_closed_the_next_one_keeps_closed() -> None:
    first = Traps()
    walk(first, [(f"http://x.org/p/{number}", "same") for number in range(500)])
    second = Traps(first.closed)
    assert second.fault("http://x.org/p/1", YEAR)
    second.closed["y"] = "z"
    assert "y" not in first.closed


def test_what_is_remembered_is_bounded() -> None:
    traps = Traps()
    for number in range(3 * PATTERNS):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        traps.note(f"http://x.org/{name}/", lambda: "text")
    assert len(traps._watched) <= PATTERNS
    for number in range(5000):
        lines = "\n".join(f"{number:b}{line:b}".replace("0", "o").replace("1", "l") for line in range(50))
        traps.note(f"http://x.org/long/{number}", lambda lines=lines: lines)  # type: ignore[misc]
    assert all(len(watched.lines) <= 20_000 for watched in traps._watched.values())
