"""What the blog says: its articles and the comments under them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

from anansi_demo.prose import Writer, between, chance, pick
from anansi_demo.words import TOPICS, listed

ARTICLES_A_PAGE = 5
COMMENTS_A_PAGE = 20

_BUSY = "the-slug-census"
_BUSY_COMMENTS = 47
"""Comments of the one article whose comments fill several pages."""

_READERS = listed(
    "Marguerite|Jon B.|hedgerow|A. Lindqvist|Tomasz|Auntie Peg|the other Paul|Saoirse|K. Vanhoutte|reader from Ulm|"
    "Bruno|Delphine|Mr Oakapple|Hanneke|Ivo|Sunniva|grumpy|Lucía|Fenella|Vaclav"
)

_PLAN = """
2023-09-04 garden    The Slug Census                               slugs, counting, evenings
2023-09-21 trains    A Seat on the Left                            rivers, windows
2023-10-08 kitchen   Soup for Forty, Bowls for Twelve              soup, neighbours
2023-10-29 languages The Word for Drizzle                          weather, words
2023-11-12 garden    What Frost Forgives                           winter, patience
2023-11-30 trains    The Clock at Kesselbach                       clocks, stations
2023-12-17 kitchen   In Defence of Caraway                         spices, arguments
2024-01-07 languages Counting by Twenties                          numbers, words
2024-01-28 garden    Catalogue Season                              seeds, winter, patience
2024-02-11 trains    Four Minutes at the Junction                  stations, timetables
2024-02-25 kitchen   Rye Bread, Seventh Attempt                    bread, patience
2024-03-10 languages A Dictionary from 1931                        words, books
2024-03-24 garden    Clay, and Other Character Traits              soil, neighbours
2024-04-14 trains    The Night Train Does Not Sleep                night, windows
2024-05-05 garden    Pigeons: A Negotiation                        birds, arguments
2024-05-19 kitchen   The Pan That Came with the House              pans, neighbours
2024-06-09 languages I Thanked the Wrong Aunt                      mistakes, family
2024-06-30 trains    Narrow Gauge, Wide Detour                     timetables, rivers
2024-07-21 garden    Water Before Breakfast                        summer, mornings
2024-08-11 kitchen   Plum Dumplings and the Theory of Dough        bread, family
2024-09-01 languages Radio for Slow Listeners                      radio, mornings
2024-09-22 trains    The Signal Box Is a Café Now                  stations, cafés
2024-10-13 garden    Leaf Mould, a Love Story                      soil, autumn
2024-11-10 kitchen   What the Pressure Cooker Said                 pans, evenings
2024-12-08 languages Proverbs That Do Not Travel                   words, weather
"""
_LINE = re.compile(r"(\S+) +(\w+) +(.+?)  +(.+)")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; `answers` is the number of the comment it replies to, or 0."""

    number: int
    author: str
    date: datetime
    text: str
    answers: int


@dataclass(frozen=True, slots=True)
class Article:
    """An article with its comments, oldest first."""

    number: int
    date: datetime
    category: str
    title: str
    slug: str
    tags: tuple[str, ...]
    paragraphs: tuple[str, ...]
    comments: tuple[Comment, ...]

    @property
    def path(self) -> str:
        """Give the permalink."""
        return f"/blog/{self.date:%Y/%m}/{self.slug}/"

    @property
    def modified(self) -> datetime:
        """Tell when something was last added."""
        return self.comments[-1].date if self.comments else self.date

    @property
    def pages(self) -> int:
        """Count the pages over which the comments run."""
        return max(1, -(-len(self.comments) // COMMENTS_A_PAGE))


@cache
def articles() -> dict[str, Article]:
    """Write the blog, newest article first, by path; the same one every time."""
    written = [_article(number, line) for number, line in enumerate(_PLAN.strip().splitlines(), 1)]
    return {article.path: article for article in reversed(written)}


def slug(title: str) -> str:
    """Turn a title into the part of an address."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def _article(number: int, line: str) -> Article:
    fields = _LINE.fullmatch(line)
    assert fields is not None, line
    day, category, title, tags = fields.groups()
    writer = Writer(f"article {number}", TOPICS[category])
    date = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(minutes=between(writer.rng, 400, 1200))
    text = tuple(writer.paragraph(between(writer.rng, 3, 6)) for _ in range(between(writer.rng, 7, 12)))
    comments = _comments(number, date, writer, many=slug(title) == _BUSY)
    return Article(number, date, category, title, slug(title), tuple(tags.split(", ")), text, comments)


def _comments(number: int, date: datetime, writer: Writer, *, many: bool) -> tuple[Comment, ...]:
    rng = writer.rng
    comments: list[Comment] = []
    for place in range(_BUSY_COMMENTS if many else between(rng, 0, 9)):
        date += timedelta(minutes=between(rng, 11, 900))
        # A reply stands on the page of what it answers, so only comments of the same page are answered.
        page = [
            comment.number
            for comment in comments[place // COMMENTS_A_PAGE * COMMENTS_A_PAGE :]
            if not comment.answers
        ]
        answers = pick(rng, page) if page and chance(rng, 0.3) else 0
        text = f"{writer.remark()} {writer.paragraph(between(rng, 1, 2))}"
        comments.append(Comment(number * 100 + place + 1, pick(rng, _READERS), date, text, answers))
    return tuple(comments)
