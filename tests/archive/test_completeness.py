"""Stated against kept: the newest number counts, growth is told from loss, boards and sites are summed up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from anansi.archive.completeness import Completeness, Held, Tally, completeness
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.model import Stated, Value, WebObject

SITE = "https://boats.example/"
BOARD = "https://boats.example/viewforum.php?f=4"
BELOW = "https://boats.example/viewforum.php?f=9"
NOON = 1_600_000_000.0


def thread(number: int) -> str:
    return f"https://boats.example/viewtopic.php?t={number}"


def posts(number: int, ids: Sequence[int]) -> list[WebObject]:
    whole = WebObject("thread", thread(number), (("title", Value("Locks")),))
    return [whole, *(WebObject("post", f"{thread(number)}#p{each}", (), thread(number)) for each in ids)]


class Log:
    """A collection whose pages say what a test wants them to."""

    def __init__(self, folder: Path):
        self.collection = Collection(folder)
        self.collection.create()
        self._log = ObjectLog(self.collection, 0)
        self._pages = 0

    def page(self, objects: Sequence[WebObject] = (), *stated: Stated, at: float = NOON) -> None:
        self._pages += 1
        self._log.write(f"{SITE}page{self._pages}", at, f"urn:uuid:{self._pages}", None, objects, stated=stated)

    def found(self) -> Completeness:
        self._log.close()
        return completeness(self.collection)


def of_thread(number: int, count: int, within: str = "") -> Stated:
    return Stated("post", count, thread(number), "thread", within)


def test_posts_on_several_pages_and_captures_count_once(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page(posts(1, (1, 2)), of_thread(1, 3))
    log.page(posts(1, (2, 3)), of_thread(1, 3))
    log.page(posts(1, (1, 2)), of_thread(1, 3), at=NOON + 9)
    found = log.found()
    assert found.levels["thread"]["post"].row() == {
        "of": 1,
        "complete": 1,
        "grown": 0,
        "short": 0,
        "stated": 3,
        "kept": 3,
    }
    assert found.worst == [] and found.sites["boats.example"].kept == 3


def test_pages_of_one_thread_that_nobody_knows_to_be_one_are_joined(tmp_path: Path) -> None:
    """Each page of a learned forum was a short thread: 561 of 1,329 posts, where 561 of 579 were kept."""
    log = Log(tmp_path)
    for first, going_on in (("https://boats.example/t/9", "/"), ("https://boats.example/t?id=1", "&page=")):
        for number in (1, 2, 3):
            page = first if number == 1 else f"{first}{going_on}{number}"
            held = [WebObject("post", f"{page}#p{each}", (), page) for each in range(4)]
            log.page([WebObject("thread", page), *held], Stated("post", 12, page, "thread"))
    log.page([WebObject("thread", "https://boats.example/t/90")], Stated("post", 12, f"{SITE}t/90", "thread"))
    found = log.found()
    tally = found.levels["thread"]["post"]
    assert (tally.of, tally.stated, tally.kept, tally.short) == (3, 36, 24, 1)
    assert [each.of for each in found.worst] == [f"{SITE}t/90"]
    assert found.objects["boats.example"] == {"thread": 3, "post": 24}


def test_a_thread_that_was_listed_and_never_captured_is_short(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page((), of_thread(1, 3, BOARD))
    (short,) = log.found().worst
    assert (short.of, short.stated, short.kept) == (thread(1), 3, 0)


def test_the_newest_number_counts(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page(posts(1, (1, 2)), of_thread(1, 9), at=NOON)
    log.page((), of_thread(1, 2), at=NOON + 60)
    assert log.found().short == 0


def test_what_grew_after_its_capture_is_told_from_what_was_lost(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page(posts(1, (1, 2)), of_thread(1, 2), at=NOON)
    log.page(posts(2, (1, 2)), of_thread(2, 4), at=NOON)
    log.page((), of_thread(1, 5), of_thread(2, 5), at=NOON + 60)
    found = log.found()
    assert found.levels["thread"]["post"].grown == 1
    assert [each.of for each in found.worst] == [thread(2)]


def test_a_board_is_met_by_what_it_lists_or_by_what_stands_below_it_too(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page((), Stated("thread", 3, BOARD, "board"), Stated("thread", 2, BELOW, "board", BOARD))
    log.page((), of_thread(1, 1, BOARD), of_thread(2, 1, BELOW), Stated("", 0, thread(3), "thread", BELOW))
    for number in (1, 2, 3):
        log.page(posts(number, (1,)))
    found = log.found()
    assert found.levels["board"]["thread"].complete == 2


def test_boards_that_name_each_other_do_not_count_for_ever(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page((), Stated("thread", 3, BOARD, "board", BELOW), Stated("thread", 2, BELOW, "board", BOARD))
    assert log.found().levels["board"]["thread"].short == 2


def test_a_site_counts_what_stands_in_its_folder(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page(posts(1, (1, 2)), Stated("post", 2, SITE), Stated("thread", 5, SITE))
    log.page([WebObject("post", "https://other.example/t#1", (), "https://other.example/t")])
    levels = log.found().levels["site"]
    assert levels["post"].kept == levels["post"].stated == 2
    assert (levels["thread"].kept, levels["thread"].short) == (1, 1)


def test_pages_count_where_nothing_better_is_stated(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.page(posts(1, (1, 2)), Stated("page", 2, thread(1), "thread"))
    log.page(posts(2, (1, 2)), Stated("page", 2, thread(2), "thread"), of_thread(2, 2))
    log.page((), Stated("page", 7, thread(3), "thread"))
    found = log.found()
    assert [(each.of, each.kind, each.kept) for each in found.worst] == [(thread(1), "page", 1)]


def test_texts_that_look_like_statements_state_nothing(tmp_path: Path) -> None:
    lie = f'<{thread(1)}> <http://rdfs.org/sioc/ns#num_items> "99"^^<x> <urn:uuid:1> .'
    log = Log(tmp_path)
    log.page([WebObject("post", f"{thread(1)}#p1", (("text", Value(f"x\n{lie}\n")),), thread(1))])
    assert log.found().levels == {}


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30))
def test_totals_never_say_that_more_was_kept_than_stated(numbers: list[tuple[int, int]]) -> None:
    tally, found = Tally(), Completeness()
    for place, (stated, kept) in enumerate(numbers):
        held = Held(thread(place), "thread", "post", stated, kept)
        tally.add(held)
        found.add(held)
    assert tally.kept <= tally.stated and tally.complete + tally.short == len(numbers)
    lacks = [each.stated - each.kept for each in found.worst]
    assert lacks == sorted(lacks, reverse=True) and len(lacks) == min(10, tally.short)
