"""Short lists: the next page that a list with room left names is most likely empty."""

from __future__ import annotations

import re

from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import Kind, Level, Type
from anansi.model import Corner, CornerKind, Link, Role, Visit
from anansi.pages.short_lists import LATE, ShortLists

AGORA = Type(
    "forum/agora",
    "Agora",
    addresses=(
        Address(leads="thread", match=re.compile("/thread")),
        Address(leads="board", match=re.compile("/board"), keep=("b", "page"), whole="b"),
    ),
    levels=(Level("thread", Kind.TERMINAL), Level("board", Kind.INTERMEDIATE)),
)


def board(number: int, page: int = 1) -> str:
    return f"http://a.org/board?b={number}" + (f"&page={page}" if page > 1 else "")


def links(threads: int, *boards: str) -> list[Link]:
    found = [Link(f"http://a.org/thread{number}", str(number), role=Role.CONTENT) for number in range(threads)]
    return found + [Link(url, url, role=Role.LIST, action="forum/agora:board") for url in boards]


def corners(found: list[Link]) -> dict[str, Corner | None]:
    return {link.url: link.corner for link in found if link.action}


def test_the_further_pages_of_a_short_list_are_a_corner_and_come_late() -> None:
    made = ShortLists()
    made.weigh(links(30, board(1, 2)), board(1), AGORA)
    found = made.weigh(links(3, board(2, 2)), board(2), AGORA)
    assert corners(found) == {board(2, 2): Corner(CornerKind.SHORT, "forum/agora:board")}
    assert found[-1].score == LATE


def test_those_of_a_full_list_are_followed_as_any() -> None:
    made = ShortLists()
    for _ in range(2):
        found = made.weigh(links(30, board(1, 2)), board(1), AGORA)
        assert found == links(30, board(1, 2))


def test_other_boards_that_a_short_list_names_are_not_concerned() -> None:
    made = ShortLists()
    made.weigh(links(30), board(1), AGORA)
    assert corners(made.weigh(links(3, board(3)), board(2), AGORA)) == {board(3): None}


def test_the_first_page_is_not_put_back_on_its_own_last_one() -> None:
    made = ShortLists()
    made.weigh(links(30), board(1), AGORA)
    assert corners(made.weigh(links(3, board(1)), board(1, 7), AGORA)) == {board(1): None}


def test_where_all_lists_are_small_none_is_short() -> None:
    made = ShortLists()
    made.weigh(links(9), board(1), AGORA)
    assert corners(made.weigh(links(1, board(2, 2)), board(2), AGORA)) == {board(2, 2): None}


def test_threads_are_no_lists() -> None:
    made = ShortLists()
    made.weigh(links(30), board(1), AGORA)
    found = links(1, board(1, 2))
    assert made.weigh(found, "http://a.org/thread5", AGORA) is found


def test_a_list_that_breaks_off_has_lost_what_the_numbers_of_its_pages_say_once() -> None:
    known = ShortLists()
    known.weigh(links(20, board(1, 2), board(1, 30)), board(1), AGORA)
    broken = Visit(url=board(1, 3), key="x")
    assert known.lost(broken, [AGORA]) == 20 * 28
    assert known.lost(Visit(url=board(1, 4), key="y"), [AGORA]) == 0  # counted
    assert known.lost(Visit(url="http://a.org/thread7", key="z"), [AGORA]) == 0
    assert known.lost(Visit(url=board(2, 9), key="x", corner=Corner(CornerKind.SHORT, "a")), [AGORA]) == 0


def test_a_list_claims_its_rows_for_each_of_its_pages() -> None:
    known = ShortLists()
    first = links(20, board(1, 2), board(1, 30))
    known.weigh(first, board(1), AGORA)
    assert known.claimed(board(1), first, AGORA) == 0  # what frames it is not known yet
    other = [Link(f"http://a.org/thread9{n}", f"9{n}", role=Role.CONTENT) for n in range(10)]
    at_least = 29 * 10 + 1  # of the last page nothing is known but that it is there
    assert known.claimed(board(1, 2), [*first[:5], *other], AGORA) == at_least
    assert known.claimed(board(1, 30), other, AGORA) == 0
