"""What the frontier has been told: links are news once."""

from __future__ import annotations

import pytest

from anansi.frontier.known import Known
from anansi.model import Link


def links(*names: str) -> list[Link]:
    return [Link(name, name) for name in names]


def test_a_link_is_news_once() -> None:
    known = Known()
    assert known.news(links("a", "b"), 1) == links("a", "b")
    assert known.news(links("b", "c"), 1) == links("c")


def test_a_link_is_news_again_when_it_is_nearer_than_was_known() -> None:
    known = Known()
    known.news(links("a"), 3)
    assert known.news(links("a"), 4) == known.news(links("a"), 3) == []
    assert known.news(links("a"), 2) == links("a")


def test_what_is_known_is_bounded_and_the_newest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anansi.frontier.known.KNOWN", 10)
    known = Known()
    for number in range(95):
        known.news(links(f"link {number}"), 1)
    assert known.news(links("link 94", "link 90"), 1) == []
    assert known.news(links("link 0"), 1) == links("link 0")


def test_what_was_told_is_known_by_its_key() -> None:
    known = Known()
    known.news(links("a"), 1)
    assert "a" in known and "b" not in known
