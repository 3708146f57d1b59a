"""The feeds that a collection watches: what crawl.log tells of their visits, and when the frontier has them due."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from anansi.archive.layout import Collection
from anansi.evaluate.watched import watched
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Visit
from anansi.url import site_of

NOW = 1_763_287_200.0  # 2025-11-16T10:00:00Z
LINE = (
    "2026-11-16T10:00:0{n}.000Z   {status}  710 {url} - - application/rss+xml #000 20261116100000810+0 sha1:A {url} "
    "{note}\n"
)
NEWS = "feed:new={};changed=0;lost={};again=3600.0;risk=0.02"


def log(folder: Path, *visits: tuple[str, int, str]) -> Collection:
    """Make a collection whose crawl.log tells of visits."""
    collection = Collection(folder / "c")
    collection.create()
    lines = [LINE.format(n=n, url=url, status=status, note=note) for n, (url, status, note) in enumerate(visits)]
    collection.crawl_log.parent.mkdir(parents=True, exist_ok=True)
    collection.crawl_log.write_text("".join(lines))
    return collection


def schedule(collection: Collection, again: dict[str, float | None]) -> None:
    """Let the frontier know feeds as visited, to be visited again after so many seconds."""
    with closing(Store(collection.state / "frontier", UPDATES["first"])) as store:
        for url, seconds in again.items():
            site = site_of(url)
            store.discover([(site, Visit(url=url, key=url))])
            ((token, _),) = store.take(store.sites[site], 1)
            store.settle(token, Outcome(Ended.DONE, 200, again=seconds), NOW)
        store.commit()


def test_what_feeds_brought_is_added_up(tmp_path: Path) -> None:
    collection = log(
        tmp_path,
        ("http://a.org/feed", 200, NEWS.format(5, 0)),
        ("http://a.org/story", 200, "new"),
        ("http://a.org/feed", 200, NEWS.format(2, 1)),
        ("http://a.org/feed", 503, "failures:1"),
        ("http://b.org/feed", 200, NEWS.format(1, 0)),
    )
    first, second = watched(collection)
    assert (first.url, first.visits, first.items, first.lost, first.failures) == ("http://a.org/feed", 3, 7, 1, 1)
    assert (second.url, second.risk) == ("http://b.org/feed", 0.02)


def test_a_feed_is_due_when_the_frontier_says_whatever_the_log_expected(tmp_path: Path) -> None:
    urls = [f"http://{name}.org/feed" for name in "abc"]
    collection = log(tmp_path, *((url, 200, NEWS.format(5, 0)) for url in urls))
    schedule(collection, {urls[0]: 7200.0, urls[1]: 60.0, urls[2]: None})
    due = {feed.url: feed.due for feed in watched(collection)}
    assert due == {urls[0]: "2025-11-16T12:00:00Z", urls[1]: "2025-11-16T10:01:00Z", urls[2]: "-"}
    assert [feed.url for feed in watched(collection)] == [urls[2], urls[1], urls[0]]


def test_a_collection_that_came_without_its_frontier_says_nothing_of_due_dates(tmp_path: Path) -> None:
    (feed,) = watched(log(tmp_path, ("http://a.org/feed", 200, NEWS.format(5, 0))))
    assert feed.due == "-"


def test_lines_that_are_torn_or_foreign_are_left_out(tmp_path: Path) -> None:
    collection = log(tmp_path, ("http://a.org/feed", 200, NEWS.format(5, 0)))
    with collection.crawl_log.open("ab") as file:
        file.write(b"2026-11-16T10:00 20\n\xff\xfe garbage\n\n")
    assert [feed.items for feed in watched(collection)] == [5]
