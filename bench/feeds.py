"""How feeds are read, beside feedparser: `python bench/feeds.py [--spoiled N] [WARC…]`.

Good feeds are spoiled in N ways by chance (the same ways every time); those of WARC files are read as they are. It is
told how often feedparser found something that Anansi did not (the other way round is no fault), how often titles,
links and dates of the items are the same, and the processor time of both. feedparser, a development dependency, is
called with its cleaning of HTML switched off.
"""

from __future__ import annotations

import argparse
import calendar
import io
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import feedparser

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.feeds.samples import GOOD, spoiled  # noqa: E402

from anansi.evaluate.feeds import captures  # noqa: E402
from anansi.feeds.feed import Feed  # noqa: E402
from anansi.feeds.reading import read  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("warcs", nargs="*", type=Path)
    parser.add_argument("--spoiled", type=int, default=3000)
    asked = parser.parse_args()
    if asked.warcs:
        report("recorded", ((each.url, each.data) for each in captures(asked.warcs)))
    else:
        report("spoiled", chance(asked.spoiled))


def chance(count: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(7)
    texts = [text for text, _ in GOOD.values()]
    for number in range(count):
        yield f"https://spoiled.example/{number}", spoiled(rng.choice(texts), rng)


def report(name: str, feeds: Iterable[tuple[str, bytes]]) -> None:
    counts: Counter[str] = Counter()
    own = other = size = 0.0
    for url, data in feeds:
        start = time.process_time()
        feed = read(data, url)
        middle = time.process_time()
        told = beside(data, url)
        own, other, size = own + middle - start, other + time.process_time() - middle, size + len(data)
        counts.update(compared(feed, told))
        if "refused" in compared(feed, told) or "items lost" in compared(feed, told):
            print(f"{url}: feedparser {told.get('version')!r} {len(told.entries)}, here {feed and len(feed.items)}")
            if name == "spoiled" and counts["refused"] + counts["items lost"] < 6:
                print(data[-3000:])
    print(f"{name}: {dict(counts)}")
    speed = size / 1e6 / own
    print(
        f"{size / 1e6:.1f} MB; here {own:.2f} s ({speed:.1f} MB/s), feedparser {other:.2f} s, {other / own:.1f} times"
    )


def beside(data: bytes, url: str) -> Any:
    """Read a feed with feedparser; nothing is found where it raises, as it does on some."""
    headers = {"content-location": url}
    try:
        return feedparser.parse(
            io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False, response_headers=headers
        )
    except (ValueError, AssertionError, RecursionError):
        return feedparser.FeedParserDict(entries=[], raised=True)


def compared(feed: Feed | None, told: Any) -> list[str]:
    if told.get("raised"):
        return ["feeds", "feedparser raises"]
    if feed is None:
        return ["feeds", "refused"] if told.entries or told.get("version") else ["feeds", "no feed for both"]
    found = ["feeds"] + ["items"] * len(feed.items)
    if len(feed.items) < len(told.entries):
        found.append("items lost")
    if len(feed.items) > len(told.entries):
        found.append("more items here")
    for item, entry in zip(feed.items, told.entries, strict=False):
        found += ["items of both"]
        found += ["same title"] if item.title == " ".join(entry.get("title", "").split()) else []
        found += ["same link"] if item.link == entry.get("link", "") else []
        parsed = entry.get("published_parsed") or entry.get("updated_parsed")
        found += ["same date"] if item.published == (calendar.timegm(parsed) if parsed else None) else []
    return found


if __name__ == "__main__":
    main()
