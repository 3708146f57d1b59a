"""Corners: lists and samples are worth a visit as long as they lead to news."""

from __future__ import annotations

import msgspec

from anansi.frontier import corners
from anansi.frontier.corners import Corners, Holdings
from anansi.model import Corner, CornerKind


def sampled(why: str, name: str) -> Corner:
    return Corner(CornerKind.SAMPLES, name, why)


LIST = Corner(CornerKind.LISTS, "blog/quill:month")
MEMBERS = sampled("Agora: a member", "/members/*")
POSTS = sampled("Agora: a search", "/search/*?user=#")
FORMS = sampled("Agora: a form", "/reply/*")
MANY = 10_000
"""Pages of a site that is large enough for any number of samples."""


def test_lists_are_left_after_seven_in_a_row_without_news() -> None:
    made = Corners()
    visits = 0
    while not made.closed(LIST, MANY):
        made.note(LIST, news=0, listed=20)
        visits += 1
    assert (visits, made.closed(LIST, MANY)) == (7, "led to nothing new")


def test_lists_that_tell_news_now_and_then_are_followed_to_the_end() -> None:
    made = Corners()
    for number in range(300):
        assert not made.closed(LIST, MANY)
        made.note(LIST, news=int(number % 3 == 0), listed=20)


def test_lists_that_told_much_are_left_soon_after_they_are_exhausted() -> None:
    made = Corners()
    for _ in range(200):
        made.note(LIST, news=50, listed=50)
    dry = 0
    while not made.closed(LIST, MANY):
        made.note(LIST, news=0, listed=50)
        dry += 1
    assert dry <= 35


def test_one_sample_of_what_lists_no_content_is_enough() -> None:
    made = Corners()
    assert not made.closed(FORMS, MANY)
    made.note(FORMS, news=0, listed=0)
    assert made.closed(FORMS, MANY)


def test_a_sample_that_lists_content_asks_for_more_of_its_kind() -> None:
    made = Corners()
    made.note(FORMS, news=0, listed=4)  # four links to content stand on every page of the site
    made.note(MEMBERS, news=0, listed=4)
    made.note(POSTS, news=0, listed=4 + corners.LIKE_A_LIST)
    assert made.closed(MEMBERS, MANY) and not made.closed(POSTS, MANY)


def test_what_leads_to_lists_of_content_is_visited_for_their_sake() -> None:
    made = Corners()
    made.meet(POSTS, MEMBERS)
    made.note(MEMBERS, news=0, listed=0)
    assert not made.closed(MEMBERS, MANY)  # it led somewhere: others are worth a look
    for _ in range(3):
        made.note(MEMBERS, news=0, listed=0)
    assert made.closed(MEMBERS, MANY)
    made.note(POSTS, news=0, listed=9)
    assert not made.closed(MEMBERS, MANY)


def test_a_ring_of_corners_ends() -> None:
    made = Corners()
    made.meet(POSTS, MEMBERS)
    made.meet(MEMBERS, POSTS)
    made.note(MEMBERS, news=0, listed=0)
    made.note(POSTS, news=0, listed=9)
    assert made.tallies[MEMBERS].promise == corners.HOPEFUL


def test_samples_without_news_are_more_on_a_large_site_and_none_on_a_small_one() -> None:
    def samples(pages: int) -> int:
        made, count = Corners(), 0
        while not made.closed(name := sampled("Agora: a form", f"/{count}"), pages):
            made.note(name, news=0, listed=0)
            count += 1
        return count

    assert samples(corners.SMALL) == 0
    assert samples(1000 + corners.SMALL) == corners.PROBE_SHARE * 1000


def test_samples_with_news_cost_nothing_of_the_allowance() -> None:
    made = Corners()
    for _ in range(100):
        made.note(POSTS, news=1, listed=9)
    assert made.in_vain == 0 and not made.closed(FORMS, corners.SMALL + 1)


def test_what_is_not_a_page_tells_nothing_about_pages() -> None:
    made = Corners()
    made.note(FORMS, news=0, listed=None)
    assert made.barest == -1
    made.note(POSTS, news=0, listed=5)
    assert made.barest == 5


def test_no_number_of_kinds_fills_the_memory() -> None:
    made = Corners()
    for number in range(corners.MOST + 10):
        made.meet(sampled("x", f"/{number}"), MEMBERS)
        if not made.closed(sampled("x", f"/{number}"), 1 << 30):
            made.note(sampled("x", f"/{number}"), news=1, listed=0)
    assert len(made.tallies) == corners.MOST and len(made.found_in) <= corners.MOST


def test_it_is_stored_and_read_back() -> None:
    made = Corners()
    made.meet(POSTS, MEMBERS)
    made.note(POSTS, news=2, listed=9)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=Corners) == made


# ── what is missing ──────────────────────────────────────────────────────────────────────────────────────────────


def dried(claimed: int = 0, *, visits: int = 12, listed: int = 10) -> Corners:
    made = Corners()
    for _ in range(visits):
        made.note(LIST, news=0, listed=listed, claimed=claimed)
    return made


def test_a_list_is_not_left_while_it_claims_more_than_is_known() -> None:
    assert dried().closed(LIST, MANY, Holdings(content=300))
    assert not dried(claimed=400).closed(LIST, MANY, Holdings(content=300))
    assert dried(claimed=300).closed(LIST, MANY, Holdings(content=300))


def test_a_list_that_has_shown_as_much_as_is_known_claims_too_much() -> None:
    assert dried(claimed=10_000, visits=31).closed(LIST, MANY, Holdings(content=300))


def test_lists_that_broke_off_make_samples_worth_more() -> None:
    made = Corners()
    assert made.closed(FORMS, corners.SMALL, Holdings(content=500))
    assert not made.closed(FORMS, corners.SMALL, Holdings(content=500, lost=100))
    made.note(FORMS, news=0, listed=0)
    assert made.closed(FORMS, MANY) and not made.closed(FORMS, MANY, Holdings(content=500, lost=100))


def test_a_site_with_no_more_content_than_kinds_of_refused_links_is_looked_into_however_small() -> None:
    made = Corners(kinds={FORMS, MEMBERS, POSTS, sampled("Agora: help", "/help")})
    assert not made.closed(FORMS, 4, Holdings(content=4)) and made.closed(FORMS, 4, Holdings(content=5))
    made.note(FORMS, news=0, listed=None)
    assert made.closed(POSTS, 4, Holdings(content=4))
    assert not Corners().misread(Holdings())


def test_content_next_to_what_is_refused_is_next_to_nothing() -> None:
    made = Corners(kinds={MEMBERS})
    assert made.closed(MEMBERS, 5, Holdings(content=5, refused=40))
    assert not made.closed(MEMBERS, 5, Holdings(content=5, refused=41))
    for left in range(40, 0, -1):  # what is visited was refused, too
        made.note(MEMBERS, news=1, listed=0)
        assert made.misread(Holdings(content=5, refused=left))


def test_where_knowledge_led_to_nothing_one_sample_does_not_decide() -> None:
    made, known = Corners(kinds={FORMS}), Holdings(content=1, refused=4)
    visits = 0
    while not made.closed(FORMS, 2, known):
        made.note(FORMS, news=0, listed=0)
        visits += 1
    assert visits == 3


def test_a_kind_is_open_once_a_page_behind_it_says_something_new() -> None:
    made = Corners()
    made.note(MEMBERS, news=0, listed=0)
    assert made.closed(MEMBERS, MANY) and made.opened(MANY, Holdings(500)) == [] and made.in_vain == 1
    made.credit(MEMBERS)
    assert made.opened(MANY, Holdings(500)) == [MEMBERS] and made.in_vain == 0
    for _ in range(30):
        made.note(MEMBERS, news=0, listed=0)
    assert made.opened(MANY, Holdings(500)) == []


def test_kinds_that_were_given_up_before_lists_broke_off_are_looked_at_once_more() -> None:
    """A list may be asked for three times before it counts as broken; samples were done by then."""
    made = Corners(kinds={MEMBERS, FORMS, POSTS})
    made.note(MEMBERS, news=2, listed=0)
    made.note(FORMS, news=0, listed=None)
    assert made.in_need(MANY, Holdings(content=500)) == []
    assert made.in_need(MANY, Holdings(content=500, lost=100)) == [FORMS, POSTS]
    assert made.in_need(MANY, Holdings(content=500, lost=100)) == []


# ── small sites ──────────────────────────────────────────────────────────────────────────────────────────────────


def met(made: Corners, *kinds: Corner, many: int = corners.MANY) -> Corners:
    for kind in kinds:
        for number in range(many):
            assert made.count(kind, f"{kind}{number}") and not made.count(kind, f"{kind}{number}")
    return made
