"""Pages of a board, as objects."""

from __future__ import annotations

from pathlib import Path

from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.record import new_id
from anansi.model import Recognition, Value, WebObject

BOARD = "https://board.example"
PHPBB = Recognition("forum/phpbb", "thread", terminal=True)
NOON = 1_700_000_000.0


def text(words: str) -> Value:
    return Value(words)


def link(address: str) -> Value:
    return Value(address, "link")


def number(digits: str) -> Value:
    return Value(digits, "number", digits)


def date(iso: str, original: str = "") -> Value:
    return Value(iso, "date", original)


def thread_at(topic: int) -> str:
    return f"{BOARD}/viewtopic.php?t={topic}"


def thread(topic: int, title: str = "Bees", *more: tuple[str, Value]) -> WebObject:
    return WebObject("thread", thread_at(topic), (("title", text(title)), ("section", text("Insects")), *more))


def post(topic: int, place: int, words: str, author: str = "ann") -> WebObject:
    properties = (
        ("id", text(f"p{place}")),
        ("author", text(author)),
        ("author-link", link(f"{BOARD}/memberlist.php?u={author}")),
        ("date", date(f"2019-03-04T10:{place % 60:02d}:00+01:00", f"Mon Mar 04, 2019 10:{place % 60:02d} am")),
        ("text", Value(words, "body")),
        ("number", number(str(place))),
    )
    return WebObject("post", f"{thread_at(topic)}#p{place}", properties, thread_at(topic))


def page(topic: int, posts: int = 3) -> list[WebObject]:
    return [thread(topic), *(post(topic, place, f"words {topic}.{place}") for place in range(1, posts + 1))]


def collection_in(folder: Path) -> Collection:
    collection = Collection(folder)
    collection.create()
    return collection


def write(log: ObjectLog, topic: int, objects: list[WebObject], *, at: float = NOON) -> str:
    """Write a page of a thread and return the identifier of its capture."""
    identity = new_id()
    log.write(thread_at(topic), at, identity, PHPBB, objects)
    return identity.strip("<>")


def filled(folder: Path, topics: int = 3) -> Collection:
    """Make a collection with some threads of three posts."""
    collection = collection_in(folder)
    log = ObjectLog(collection, 0)
    for topic in range(topics):
        write(log, topic, page(topic))
    log.close()
    return collection
