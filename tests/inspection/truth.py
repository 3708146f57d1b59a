"""How well pages are rebuilt: blogs captured at some times, rebuilt at others, and held against what they showed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import html

from anansi.inspection.past import page_at
from tests.inspection import blogs
from tests.inspection.blogs import DAY, HOST, START, WEEKS, Blog

HIDDEN = 24
"""Times at which a blog is rebuilt."""

_USUAL = Blog("Notes", blogs.posts(1), blogs.wordpress, "//main/article", ".//h2/a")
BLOGS = {
    "wordpress": replace(_USUAL, form="%B %d, %Y"),
    "wordpress, sticky": replace(_USUAL, posts=blogs.posts(2), form="%d %b %Y", sticky=4),
    "wordpress, a post taken away": replace(_USUAL, posts=blogs.posts(3), gone=(40, START + 20 * DAY)),
    "blogger": Blog(
        "Diary", blogs.posts(4), blogs.blogger, "//div[@class='post-outer']", ".//h3/a",
        "string(ancestor::div[@class='date-outer']/h2)", form="%A, %B %d, %Y",
    ),
    "by hand": Blog(
        "Old page", blogs.posts(5), blogs.handmade, "//td[h2]/p[b]", ".//b/a", "string(i)", form="%d.%m.%Y",
        address="/news/{slug}.html",
    ),
    "definition list": Blog(
        "Titles", blogs.posts(6), blogs.headlines, "//dl/dt", "a", "string(following-sibling::dd[1]/em)",
    ),
    "by day": Blog(
        "Stream", blogs.posts(7), blogs.daily, "//section/div[@class='item']", ".//h4/a",
        "string(preceding-sibling::h3[1])", form="%d %B %Y",
    ),
    "redesigned": Blog(
        "New look", blogs.posts(10), blogs.redesigned, "//main/article|//section/div[@class='item']",
        ".//h2/a|.//h4/a", "string(.//time|preceding-sibling::h3[1])", form="%d %B %Y",
    ),
    "magazine": Blog(
        "Magazine", blogs.posts(12), blogs.magazine, "//main//article", "a", window=7, form="%d %b",
    ),
    "ranked": Blog(
        "Ranks", blogs.posts(13), blogs.ranked, "//table[@class='all']//tr[@class='thing']", ".//a", "string(td[1])",
    ),
    "portal": Blog(
        "Portail", blogs.posts(14), blogs.portal, "//div[@class='col']/div[@class='news']|//ul[@class='more']/li",
        "a[not(@class='pic')]", "string(span)", window=10, feed_items=12,
    ),
    "notes": Blog(
        "Notes", blogs.posts(15), blogs.notes, "//li[@class='note']", ".//a", form="%b %d, %Y %H:%M",
    ),
    "feed without dates": replace(_USUAL, posts=blogs.posts(8), feed="undated"),
    "no feed": replace(_USUAL, posts=blogs.posts(9), feed=""),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """How rebuilt lists compare with the true ones, over all hidden times."""

    times: int
    precision: float
    recall: float
    order: float
    """Share of the times at which the entries that are right stand in the true order."""
    exact: float
    """Share of the times at which the list is the true one."""
    titles: float
    """Share of the right entries that show the true title; of dates and whole texts the same."""
    dates: float
    texts: float
    false_dates: float
    """Share of the right entries that show another date than the true one; the others show none."""
    made: float
    """Share of the entries that came out of a mould."""


def hidden(seed: int = 11) -> list[float]:
    """Choose times that no capture saw, within the time of the captures."""
    rng = random.Random(seed)
    return [START + rng.uniform(1, WEEKS * 7 - 10) * DAY for _ in range(HIDDEN)]


class Row(NamedTuple):
    """An entry as a reader sees it."""

    url: str
    title: str
    date: str
    text: str


def rows(blog: Blog, page: bytes | str) -> list[Row]:
    """Read the entries of a page by the knowledge of who wrote its template."""
    tree: Any = html.document_fromstring(page.decode() if isinstance(page, bytes) else page)
    found = []
    for entry in tree.xpath(blog.entry):
        link = entry.xpath(blog.link)[0]
        date, text = (" ".join(str(each).split()) for each in (entry.xpath(blog.date), entry.text_content()))
        found.append(Row(urljoin(f"{HOST}/", link.get("href")), link.text_content().strip(), date, text))
    return found


def measure(blog: Blog, folder: Path, at: Sequence[float] = ()) -> Figures:
    """Rebuild a blog at hidden times."""
    blogs.archive(blog, folder)
    counts: Counter[str] = Counter()
    for moment in at or hidden():
        rebuilt, page, _ = page_at(folder, f"{HOST}/", moment)
        counts["made"] += sum(entry.made for entry in rebuilt.entries)
        counts.update(_compared(rows(blog, page), {row.url: row for row in rows(blog, blog.front(moment))}))
    right, times = counts["right"], counts["times"]
    return Figures(
        times,
        _share(right, counts["shown"]),
        _share(right, counts["told"]),
        _share(counts["order"], times),
        _share(counts["exact"], times),
        _share(counts["title"], right),
        _share(counts["date"], right),
        _share(counts["text"], right),
        _share(counts["false date"], right),
        _share(counts["made"], counts["shown"]),
    )


def _compared(found: list[Row], truth: dict[str, Row]) -> dict[str, int]:
    hits = [row for row in found if row.url in truth]
    links = [row.url for row in hits]
    return {
        "times": 1,
        "told": len(truth),
        "shown": len(found),
        "right": len(hits),
        "order": links == [link for link in truth if link in links],
        "exact": [row.url for row in found] == list(truth),
        "title": sum(row.title == truth[row.url].title for row in hits),
        "date": sum(row.date == truth[row.url].date for row in hits),
        "text": sum(row.text == truth[row.url].text for row in hits),
        "false date": sum(bool(row.date) and row.date != truth[row.url].date for row in hits),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
