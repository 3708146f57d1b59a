"""Mazes are found by asking for what nobody linked to; sites that keep their pages are left open."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable

import pytest

from anansi.frontier.mazes import AREAS, ASKED, LOOKED, PAGES, SOONER, Mazes, area, made_up
from anansi.frontier.traps import Traps

MENU = "Home\nAbout us\nA line that stands on every page of this site\n"


def words(chance: random.Random, count: int = 100) -> str:
    return " ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(count))


def visit(mazes: Mazes, pages: int, folder: str = "blog", fresh: int = 5) -> list[str]:
    """Visit pages that all differ and lead to others; return what is asked for."""
    chance = random.Random(folder)
    for number in range(pages):
        url = f"http://x.org/{folder}/post-{number}/"
        asks = mazes.note(url, lambda _: fresh, lambda: MENU + words(chance))
        if asks:
            return asks
    return []


def judged(mazes: Mazes, asks: list[str], answer: Callable[[str], str | None]) -> tuple[str, str] | None:
    return next(filter(None, [mazes.judge(url, answer(url)) for url in asks]), None)


def test_a_maze_has_a_page_for_every_address() -> None:
    mazes, chance = Mazes(), random.Random(1)
    asks = visit(mazes, PAGES)
    assert len(asks) == len(set(asks)) == ASKED
    closed = judged(mazes, asks, lambda _: MENU + words(chance))
    assert closed is not None
    assert closed[0] == "x.org/blog/"
    assert "made up" in closed[1]


def test_an_answer_to_what_another_worker_made_up_says_nothing() -> None:
    assert Mazes().judge("http://x.org/blog/made-up/", words(random.Random(1))) is None


SITES: dict[str, Callable[[str], str | None]] = {
    "not found": lambda _: None,
    "the same words for all": lambda _: MENU + "We are sorry, this page is not here.\n" * 3 + words(random.Random(3)),
    "the address in the same words": lambda url: f"{MENU}Nothing was found for {url}\n" + words(random.Random(4)),
    "a page that is there": lambda _: MENU + words(random.Random("blog")),
    "a few words": lambda url: f"{MENU}{words(random.Random(url), 10)}",
}


@pytest.mark.parametrize("answer", SITES.values(), ids=SITES)
def test_a_site_that_keeps_its_pages_is_left_open(answer: Callable[[str], str | None]) -> None:
    mazes = Mazes()
    assert judged(mazes, visit(mazes, PAGES), answer) is None
    assert visit(mazes, 10 * PAGES) == [], "it is not asked again"


@pytest.mark.parametrize("answers", list(itertools.permutations([True, True, False])))
def test_one_address_without_a_page_is_enough(answers: tuple[bool, ...]) -> None:
    mazes, chance, told = Mazes(), random.Random(1), iter(answers)
    assert judged(mazes, visit(mazes, PAGES), lambda _: words(chance) if next(told) else None) is None


def test_pages_that_lead_to_few_others_are_not_asked_about() -> None:
    assert visit(Mazes(), 10 * PAGES, fresh=0) == []


def test_a_site_with_little_text_is_not_asked_about() -> None:
    mazes = Mazes()
    for number in range(10 * PAGES):
        assert mazes.note(f"http://x.org/a/b-{number}", lambda _: 9, lambda number=number: f"{MENU}x{number}") == []  # type: ignore[misc]


def test_texts_are_looked_at_only_shortly_before_it_asks() -> None:
    looks: list[int] = []
    mazes = Mazes()
    for number in range(PAGES - 1):
        mazes.note(f"http://x.org/a/b-{number}", lambda _: 9, lambda: looks.append(1) or words(random.Random()))  # type: ignore[func-returns-value]
    assert len(looks) < LOOKED


def test_other_areas_of_a_host_with_a_maze_are_asked_about_sooner() -> None:
    mazes, chance = Mazes(), random.Random(1)
    assert visit(mazes, SOONER, "tag") == []
    assert judged(mazes, visit(mazes, PAGES), lambda _: words(chance))
    assert len(visit(mazes, SOONER, "category")) == ASKED


def test_what_is_closed_is_refused_and_nothing_else() -> None:
    traps, chance = Traps(), random.Random(1)
    for url in visit(traps.mazes, PAGES):
        traps.judge(url, words(chance))
    assert "a maze" in traps.fault("http://x.org/blog/another/", 2026)
    assert traps.fault("http://x.org/", 2026) == traps.fault("http://x.org/forum/a/", 2026) == ""


def test_the_areas_that_are_watched_are_bounded() -> None:
    mazes = Mazes()
    for number in range(AREAS + 50):
        mazes.note(f"http://x.org/{'a' * number}/b", lambda _: 1, lambda: "")
    assert len(mazes._areas) == AREAS


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://x.org/", "x.org/"),
        ("http://x.org", "x.org/"),
        ("http://x.org/post", "x.org/"),
        ("http://x.org/post/", "x.org/"),
        ("http://x.org/blog/post/", "x.org/blog/"),
        ("http://x.org/2024/05/post/", "x.org/#/"),
        ("http://x.org/show.php?b=1&a=2#c", "x.org/show.php?a&b"),
    ],
)
def test_an_area_is_a_folder_or_a_script_with_its_parameters(url: str, name: str) -> None:
    assert area(url) == name


@pytest.mark.parametrize(
    ("url", "like"),
    [
        ("http://x.org/blog/post/", r"http://x\.org/blog/[g-v]{14}/"),
        ("http://x.org/blog/post.html", r"http://x\.org/blog/[g-v]{14}\.html"),
        ("http://x.org/topic/123", r"http://x\.org/topic/\d{10}"),
        ("http://x.org/t.php?f=2&t=77", r"http://x\.org/t\.php\?f=2&t=\d{10}"),
        ("http://x.org/", ""),
        ("http://x.org", ""),
    ],
)
def test_an_address_is_made_up_like_another_one(url: str, like: str) -> None:
    assert re.fullmatch(like, made_up(url, 0))
    assert not like or made_up(url, 0) != made_up(url, 1)
