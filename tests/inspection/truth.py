"""How well pages are rebuilt: blogs captured at some times, rebuilt at others, and held against what they showed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
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
    "feed without dates": replace(_USUAL, posts=blogs.posts(8), feed="undated"),
    "no feed": replace(_USUAL, posts=blogs.posts(9), feed=""),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """How a rebuilt list compares with the true one, over all hidden times."""

    times: int
    precision: float
    recall: float
    order: float
    """Share of the times at which the entries that are right stand in the true order."""
    exact: float
    """Share of the times at which the list is the true one."""
    titles: float
    """Share of the right entries that show the true title; of dates the same."""
    dates: float
    made: float
    """Share of the entries that came out of a mould."""


def hidden(blog: Blog, seed: int = 11) -> list[float]:
    """Choose times that no capture saw, within the time of the captures."""
    rng = random.Random(seed)
    return [START + rng.uniform(1, WEEKS * 7 - 10) * DAY for _ in range(HIDDEN)]


Row = tuple[str, str, str]
"""Address, title and date."""


def rows(blog: Blog, page: bytes | str) -> list[Row]:
    """Read the entries of a page by the knowledge of who wrote its template."""
    data = page.decode() if isinstance(page, bytes) else page
    found = []
    for entry in html.document_fromstring(data).xpath(blog.entry):
        (link, *_) = entry.xpath(blog.link)
        date: Any = entry.xpath(blog.date)
        found.append(
            (urljoin(f"{HOST}/", link.get("href")), link.text_content().strip(), " ".join(str(date).split()))
        )
    return found


def measure(blog: Blog, folder: Path, at: Sequence[float] = ()) -> Figures:
    """Rebuild a blog at hidden times."""
    blogs.archive(blog, folder)
    moments = at or hidden(blog)
    told, shown, right, made, ordered, exact, titles, dates = 0, 0, 0, 0, 0, 0, 0, 0
    for moment in moments:
        rebuilt, page, _ = page_at(folder, f"{HOST}/", moment)
        truth = {row[0]: row for row in rows(blog, blog.front(moment))}
        found = rows(blog, page)
        hits = [row for row in found if row[0] in truth]
        told += len(truth)
        shown += len(found)
        right += len(hits)
        made += sum(entry.made for entry in rebuilt.entries)
        links = [row[0] for row in hits]
        ordered += links == [link for link in truth if link in links]
        exact += [row[0] for row in found] == list(truth)
        titles += sum(row[1] == truth[row[0]][1] for row in hits)
        dates += sum(row[2] == truth[row[0]][2] for row in hits)
    count = len(moments)
    return Figures(
        count, _share(right, shown), _share(right, told), _share(ordered, count), _share(exact, count),
        _share(titles, right), _share(dates, right), _share(made, shown),
    )  # fmt: skip


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
