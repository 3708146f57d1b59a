"""What the forum says: its members, boards, threads and posts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from anansi_demo.answer import FOUNDED, LATEST
from anansi_demo.prose import Writer, between, chance, pick
from anansi_demo.words import TOPICS, listed

POSTS_A_PAGE = 10
THREADS_A_PAGE = 20
MEMBERS_A_PAGE = 25

_LONG_EVERY = 6
"""Every sixth thread runs over several pages."""

_NAMES = listed(
    "mossbench|halina|signalbox7|Thorsten_K|plumstone|greyheron|lotte.v|Old_Dibber|ferroequine|pastrynaut|"
    "Bartholomew|tin_whistle|quincunx|Ysolde|marrowfat|nightmail_9|Perrin|caraway_kid|Ondine|ballast|"
    "wheelbarrow_bob|zuzanna|leafmould|Emrys_J|buffer.stop|kettlesong|Radka|crumbs_again|northlight|"
    "Dunstan|platform3|hazelwood|ines_m|copperpan|Tibor|sowthistle|Wren_W|saltcellar|gantry|Philippa|"
    "rootcellar|Anselm"
)
_HOMES = listed(
    "Graz|Aberystwyth|Lower Saxony|Turku|near Cahors|the Fens|Trieste|Umeå|Ostrava|Galway|Leuven|"
    "the Jura|Gdynia|Évora"
)
_MOTTOS = (
    "Mind the gap, mulch the gap.",
    "Slow is a speed too.",
    "There is always room for one more pot.",
    "Measured twice, planted once, dug up again.",
    "The kettle is on.",
    "Ask me about semaphores.",
    "Better a late train than an early frost.",
    "",
    "",
    "",
)
_BOARDS = (
    ("Beds and Borders", "garden", "Sowing, digging, waiting, and what the slugs left.", 26),
    ("Rails and Sleepers", "trains", "Lines open and closed, timetables, models, journeys.", 22),
    ("The Kitchen Table", "kitchen", "Recipes, rescues, and arguments about flour.", 14),
)


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who writes here."""

    number: int
    name: str
    home: str
    motto: str
    joined: datetime


@dataclass(frozen=True, slots=True)
class Post:
    """One post; `quotes` is the place in its thread of the post it answers, or -1."""

    number: int
    thread: int
    place: int
    author: Member
    date: datetime
    paragraphs: tuple[str, ...]
    quotes: int


@dataclass(frozen=True, slots=True)
class Thread:
    """A title and the posts under it, oldest first."""

    number: int
    board: int
    title: str
    views: int
    posts: tuple[Post, ...]

    @property
    def pages(self) -> int:
        """Count the pages of this thread."""
        return -(-len(self.posts) // POSTS_A_PAGE)


@dataclass(frozen=True, slots=True)
class Board:
    """A board with its threads, the one last written to first."""

    number: int
    name: str
    about: str
    threads: tuple[Thread, ...]


@dataclass(frozen=True, slots=True)
class Forum:
    """The whole forum, with what is looked up by number."""

    boards: dict[int, Board]
    threads: dict[int, Thread]
    posts: dict[int, Post]
    members: dict[int, Member]
    written: dict[int, tuple[Post, ...]]
    """The posts of each member, newest first."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A post that has no number yet: numbers follow the dates over the whole forum."""

    author: Member
    date: datetime
    paragraphs: tuple[str, ...]
    quotes: int


@cache
def forum() -> Forum:
    """Write the forum; the same one every time."""
    members = {number: _member(number, name) for number, name in enumerate(_NAMES, 1)}
    plan = _plan()
    titles = _titles(plan)
    drafts = {thread: _drafts(thread, _BOARDS[board - 1][1], members) for thread, board in plan.items()}
    order = sorted(
        (draft.date, thread, place) for thread, found in drafts.items() for place, draft in enumerate(found)
    )
    numbers = {(thread, place): number for number, (_, thread, place) in enumerate(order, 1)}
    threads = {}
    for thread, board in plan.items():
        posts = tuple(
            _post(numbers[thread, place], thread, place, draft) for place, draft in enumerate(drafts[thread])
        )
        views = 40 * len(posts) + thread * 7 % 31
        threads[thread] = Thread(thread, board, titles[thread], views, posts)
    every = {post.number: post for thread in threads.values() for post in thread.posts}
    return Forum(_boards(threads), threads, every, members, _written(every))


def _plan() -> dict[int, int]:
    """Deal the threads to the boards, in turn until each is full: thread number to board number."""
    left = {number: board[3] for number, board in enumerate(_BOARDS, 1)}
    dealt: list[int] = []
    while any(left.values()):
        for number, room in left.items():
            if room:
                dealt.append(number)
                left[number] -= 1
    return dict(enumerate(dealt, 1))


def _titles(plan: dict[int, int]) -> dict[int, str]:
    """Find a title for each thread, no two alike."""
    writers = {number: Writer(f"titles {number}", TOPICS[board[1]]) for number, board in enumerate(_BOARDS, 1)}
    titles: dict[int, str] = {}
    for thread, board in plan.items():
        title = writers[board].title()
        while title in titles.values():
            title = writers[board].title()
        titles[thread] = title
    return titles


def _member(number: int, name: str) -> Member:
    rng = random.Random(f"member {number}")
    joined = FOUNDED + timedelta(days=between(rng, 0, 90), minutes=between(rng, 0, 900))
    return Member(number, name, pick(rng, _HOMES), pick(rng, _MOTTOS), joined)


def _drafts(thread: int, topic: str, members: dict[int, Member]) -> list[_Draft]:
    """Write a thread: somebody asks, others answer, days pass."""
    writer = Writer(f"thread {thread}", TOPICS[topic])
    rng = writer.rng
    regulars = [members[between(rng, 1, len(members))] for _ in range(between(rng, 4, 9))]
    date = FOUNDED + timedelta(days=100 + thread * 9, minutes=between(rng, 0, 1200))
    drafts: list[_Draft] = []
    for place in range(between(rng, 12, 38) if thread % _LONG_EVERY == 0 else between(rng, 1, 9)):
        quotes = between(rng, 0, place - 1) if place and chance(rng, 0.35) else -1
        drafts.append(_Draft(pick(rng, regulars), date, _text(writer, opening=place == 0), quotes))
        date = min(date + timedelta(minutes=between(rng, 4, 2400)), LATEST)
    return drafts


def _text(writer: Writer, *, opening: bool) -> tuple[str, ...]:
    rng = writer.rng
    if opening:
        return tuple(writer.paragraph(between(rng, 4, 6)) for _ in range(between(rng, 3, 5)))
    first = f"{writer.remark()} {writer.paragraph(between(rng, 1, 3))}"
    return (first, *(writer.paragraph(between(rng, 2, 4)) for _ in range(between(rng, 0, 2))))


def _post(number: int, thread: int, place: int, draft: _Draft) -> Post:
    return Post(number, thread, place, draft.author, draft.date, draft.paragraphs, draft.quotes)


def _boards(threads: dict[int, Thread]) -> dict[int, Board]:
    boards = {}
    for number, (name, _, about, _) in enumerate(_BOARDS, 1):
        own = [thread for thread in threads.values() if thread.board == number]
        latest_first = sorted(own, key=lambda thread: thread.posts[-1].number, reverse=True)
        boards[number] = Board(number, name, about, tuple(latest_first))
    return boards


def _written(posts: dict[int, Post]) -> dict[int, tuple[Post, ...]]:
    found: dict[int, list[Post]] = {number: [] for number in range(1, len(_NAMES) + 1)}
    for number in sorted(posts, reverse=True):
        found[posts[number].author.number].append(posts[number])
    return {member: tuple(own) for member, own in found.items()}
