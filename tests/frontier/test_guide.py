"""A guide whose calls are written down, so that another one knows what it knew."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from anansi.frontier.guide import Recorded, made
from anansi.model import Ended, Link, Outcome, Visit


class InOrder:
    """A guide that names what it was offered, in that order."""

    def __init__(self, waiting: bytes | None = None) -> None:
        self.waiting = msgspec.msgpack.decode(waiting, type=list[str]) if waiting else list[str]()
        self.told: list[str] = []
        self.needless = self.enough = False

    @property
    def pages(self) -> int:
        return len(self.told)

    def offer(self, key: str, label: str) -> None:
        self.waiting.append(key)

    def next(self) -> str | None:
        return self.waiting.pop(0) if self.waiting else None

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        self.told.append(visit.key)
        for link, label in links:
            self.offer(link.key, label)

    def drop(self, key: str) -> None:
        self.waiting = [each for each in self.waiting if each != key]

    def why(self, key: str, label: str) -> str:
        return ""

    def pack(self) -> bytes:
        return msgspec.msgpack.encode(self.waiting)


DONE = Outcome(Ended.DONE, 200, page=True)


def used(recorded: Recorded) -> Recorded:
    """Lead through a few pages."""
    for key in ("/a", "/b", "/c"):
        recorded.offer(key, "place")
    assert recorded.next() == "/a"
    recorded.learn(Visit("/a", "/a"), DONE, [(Link("/d", "/d"), "list")])
    assert recorded.next() == "/b"
    recorded.drop("/c")
    return recorded


def test_who_hears_the_calls_again_stands_where_the_other_stood() -> None:
    first = used(Recorded(InOrder()))
    second = Recorded(InOrder())
    second.hear(first.calls())
    assert (list(second.asked), second.pages) == (["/b"], 1)
    assert second.next() == first.next() == "/d"
    assert first.calls() != b""
    assert first.calls() == b""


def test_what_is_written_at_once_is_gone_on_with() -> None:
    first = used(Recorded(InOrder()))
    second = made(InOrder, first.pack())
    assert list(second.asked) == ["/b"]
    assert second.next() == "/d"


def test_what_cannot_be_read_makes_a_guide_that_knows_nothing() -> None:
    assert made(InOrder, b"\xc1garbage").next() is None
    assert made(InOrder, None).next() is None


def test_a_link_is_news_once_in_each_place() -> None:
    recorded = Recorded(InOrder())
    assert recorded.is_new("/a", "menu")
    assert not recorded.is_new("/a", "menu")
    assert recorded.is_new("/a", "list")


def test_another_version_that_names_something_else_lets_that_wait() -> None:
    first = used(Recorded(InOrder()))
    other = InOrder()
    other.waiting = ["/z"]
    second = Recorded(other)
    second.hear(first.calls())
    assert {"/a", "/b"} & set(second.asked) == {"/b"}
    assert "/z" in second.guide.waiting  # type: ignore[attr-defined]
