"""What visits leave behind."""

from __future__ import annotations

import msgspec

from anansi.feeds import rhythm
from anansi.feeds.change import version_of
from anansi.feeds.settings import SETTINGS
from anansi.model import Ended, Outcome, Visit
from anansi.state import (
    MOST_ITEMS,
    SCALES,
    SLOTS,
    Appraisal,
    Block,
    Item,
    PageHashes,
    PageTerms,
    Reference,
    ScoringInput,
    Stamp,
    Watched,
)

NOW = 1_700_000_000.0
KNOWN = Watched(
    "item",
    (Item("a", title="Old", dates=(Stamp("pubDate", "today", NOW),)), Item("b")),
    rhythm=rhythm.began([NOW - 60], NOW, window=2),
    seen={1: 2},
    version=version_of([], page="v"),
    failures=3,
)


def items(count: int, start: int = 0) -> tuple[Item, ...]:
    return tuple(Item(str(number)) for number in range(start, start + count))


def test_what_is_told_is_added_to_what_is_known() -> None:
    both = KNOWN.with_news(Watched("item", (Item("a", title="New"), Item("c"))))
    assert [(item.id, item.title) for item in both.items] == [("a", "New"), ("b", ""), ("c", "")]
    assert (both.version, both.seen, both.rhythm) == (KNOWN.version, KNOWN.seen, KNOWN.rhythm)
    assert KNOWN.with_news(None) is KNOWN


def test_of_one_page_few_items_are_told() -> None:
    assert len(Watched("item", items(40)).with_news(Watched("item", items(40, 100))).items) == MOST_ITEMS


def test_it_travels_with_visits_and_outcomes() -> None:
    visit = Visit("http://a.org/", "http://a.org/", watched=KNOWN)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(visit), type=Visit) == visit
    terms = PageTerms("k", (Block(("bee",), 1, True),), (Reference("l", ("hive",), (), 0, 0, "/a"),), {"bee": 1})
    given = ScoringInput(terms, Appraisal(0.5, 1.0), {"l": "Ada"})
    outcome = Outcome(Ended.DONE, said=PageHashes(b"1234", b"5678"), watched=KNOWN, to_score=given)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(outcome), type=Outcome) == outcome


def test_a_rhythm_has_room_for_the_scales_and_hours_that_feeds_count_by() -> None:
    assert len(SETTINGS.scales) == len(SETTINGS.weights) == SCALES
    assert max(map(rhythm.slot, range(0, 86400, 60))) == SLOTS - 1
