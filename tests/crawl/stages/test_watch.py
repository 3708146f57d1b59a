"""What a watched page brings, page by page: due dates, what is carried, what is followed."""

from __future__ import annotations

from email.utils import formatdate
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.config import Definition, Watch
from anansi.crawl.findings import Findings
from anansi.crawl.stages.articles import Articles
from anansi.crawl.stages.read import Reader
from anansi.crawl.stages.watch import DAY, Watcher
from anansi.feeds.past import ARCHIVE, FEED, ITEM
from anansi.model import Link, Page, Recognition, Value, Visit, WebObject
from anansi.state import Watched
from anansi.text import tree as html
from anansi.text.page_model import PageModel

NOW = 1_790_000_000.0
HOUR = 3600.0
FEED_URL = "http://ant.org/feed"


@pytest.fixture
def watcher(tmp_path: Path) -> Watcher:
    settings = Watch(what="feeds")
    reader = Reader(Definition(watch=settings), tmp_path)
    return Watcher(settings, reader, Articles(Collection(tmp_path / "collection")))


def rss(*published: float, channel: str = "", links: bool = True) -> bytes:
    items = "".join(
        f"<item><title>Story {int(at)}</title><guid>{int(at)}</guid>{f'<link>/{int(at)}</link>' if links else ''}"
        f"<pubDate>{formatdate(at, usegmt=True)}</pubDate><description>About {int(at)}.</description></item>"
        for at in published
    )
    return f"<rss version='2.0'><channel><title>News</title>{channel}{items}</channel></rss>".encode()


def fetched(
    watcher: Watcher, data: bytes = b"", *, at: float = NOW, after: Findings | None = None, **how: object
) -> Findings:
    """Look at what a feed answers, with what the last visit left."""
    told = {name: how.pop(name) for name in ("watched", "via") if name in how}
    watched = after.watched if after is not None else None
    visit = Visit(FEED_URL, FEED_URL, **{"watched": watched, **told})  # type: ignore[arg-type]
    page = Page(visit, at, 0.1, **{"status": 200, **how})  # type: ignore[arg-type]
    return watcher.look(page, Findings(mime="application/rss+xml", data=data))


def often(watcher: Watcher, gap: float, count: int = 40, channel: str = "") -> Findings:
    """Watch a feed that publishes at even intervals until it is known; return the last visit."""
    seen: Findings | None = None
    for number in range(count):
        at = NOW + gap * number
        shown = [at - gap * back - gap / 3 for back in range(10)]
        seen = fetched(watcher, rss(*shown, channel=channel), at=at, after=seen)
    assert seen is not None
    return seen


def test_a_busy_feed_is_visited_more_often_than_a_quiet_one(watcher: Watcher) -> None:
    hourly, weekly = often(watcher, HOUR), often(watcher, 7 * DAY)
    assert hourly.again is not None and weekly.again is not None
    assert hourly.again <= 2 * HOUR < weekly.again <= Watch().longest


def test_what_a_feed_asks_for_is_granted(watcher: Watcher) -> None:
    assert often(watcher, HOUR, channel="<ttl>600</ttl>").again >= 600 * 60  # type: ignore[operator]
    hours = "".join(f"<hour>{hour}</hour>" for hour in range(24) if hour != 5)
    quiet = fetched(watcher, rss(NOW - HOUR, channel=f"<skipHours>{hours}</skipHours>"))
    assert quiet.again is not None
    assert int((NOW + quiet.again) % DAY // HOUR) == 5


def test_it_is_granted_too_when_nothing_changed(watcher: Watcher) -> None:
    seen = often(watcher, HOUR, channel="<ttl>600</ttl>")
    same = fetched(watcher, at=NOW + 50 * HOUR, after=seen, status=304)
    assert same.again is not None and same.again >= 600 * 60
    assert "new=0" in same.notes[0]


def test_only_news_is_told(watcher: Watcher) -> None:
    first = fetched(watcher, rss(NOW - 2 * HOUR, NOW - HOUR))
    assert [link.url for link in first.links if link.action == ITEM] == [
        f"http://ant.org/{int(NOW - HOUR)}",
        f"http://ant.org/{int(NOW - 2 * HOUR)}",
    ]
    second = fetched(watcher, rss(NOW - HOUR, NOW), at=NOW + 60, after=first)
    assert [link.url for link in second.links if link.action == ITEM] == [f"http://ant.org/{int(NOW)}"]


def test_items_that_may_have_come_and_gone_between_two_visits_are_reported(watcher: Watcher) -> None:
    first = fetched(watcher, rss(NOW - 20, NOW - 10))
    second = fetched(watcher, rss(NOW + 90 * HOUR, NOW + 91 * HOUR), at=NOW + 100 * HOUR, after=first)
    assert "lost=1" in second.notes[0]
    assert "lost=0" in first.notes[0]


def test_an_earlier_part_of_a_feed_is_read_once(watcher: Watcher) -> None:
    whole = fetched(
        watcher, rss(NOW - HOUR, channel="<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='next' href='/2'/>")
    )
    assert [link.url for link in whole.links if link.action == ARCHIVE] == ["http://ant.org/2"]
    part = fetched(watcher, rss(NOW - DAY), watched=Watched(ARCHIVE), via=FEED_URL)
    assert part.again is None
    assert [link.action for link in part.links] == [ITEM]


@pytest.mark.parametrize("status", [404, 500, 403])
def test_a_feed_that_fails_is_tried_ever_later(watcher: Watcher, status: int) -> None:
    seen = fetched(watcher, rss(NOW - HOUR))
    waits = []
    for number in range(1, 20):
        seen = fetched(watcher, at=NOW + number * DAY, after=seen, status=status)
        assert seen.again is not None
        waits.append(seen.again)
    assert waits == sorted(waits)
    assert waits[0] == 2 * Watch().shortest and waits[-1] == Watch().longest


def test_what_was_a_feed_and_is_none_now_is_looked_at_again(watcher: Watcher) -> None:
    seen = fetched(watcher, rss(NOW - HOUR))
    assert fetched(watcher, b"Sorry, we are closed.", after=seen).again is not None
    assert fetched(watcher, b"Never was one.", watched=Watched(FEED), via="http://ant.org/").again is None


def posts(*dates: float) -> list[WebObject]:
    from anansi.feeds.objects import moment

    return [
        WebObject(
            "post", f"http://ant.org/t#{number}", (("date", Value(moment(at))), ("text", Value(f"Post {number}")))
        )
        for number, at in enumerate(dates)
    ]


def thread(watcher: Watcher, objects: list[WebObject], at: float, after: Findings | None = None) -> Findings:
    watched = after.watched if after is not None else None
    page = Page(
        Visit("http://ant.org/t", "http://ant.org/t", via="http://ant.org/", watched=watched), at, 0.1, status=200
    )
    tree = html.parse(b"<html><body><p>Posts</p></body></html>", "utf-8")
    known = Recognition("forum/phpbb", "thread", terminal=True)
    return watcher.look(page, Findings(mime="text/html", model=PageModel(tree), recognition=known, objects=objects))


def test_a_thread_is_visited_by_the_time_since_its_last_post(watcher: Watcher) -> None:
    live = thread(watcher, posts(*(NOW - HOUR * number for number in range(1, 10))), NOW)
    dead = thread(watcher, posts(*(NOW - 900 * DAY - HOUR * number for number in range(1, 10))), NOW)
    assert live.again is not None and dead.again is not None
    assert live.again < DAY < dead.again


def test_a_page_of_which_nothing_changed_is_not_written_again(watcher: Watcher) -> None:
    first = thread(watcher, posts(NOW - HOUR), NOW)
    again = thread(watcher, posts(NOW - HOUR), NOW + DAY, first)
    more = thread(watcher, posts(NOW - HOUR, NOW + DAY + HOUR), NOW + 2 * DAY, again)
    assert (len(first.objects), len(again.objects), len(more.objects)) == (1, 0, 2)
    assert (first.notes, again.notes) == (("new",), ("unchanged:nothing",))
    assert more.notes == ("changed:1 added",)


def test_where_a_feed_moved_for_good_all_that_is_known_goes_along(watcher: Watcher) -> None:
    seen = fetched(watcher, rss(NOW - HOUR))
    assert seen.watched is not None
    visit = Visit(FEED_URL, FEED_URL, watched=seen.watched)
    moved = watcher.look(
        Page(visit, NOW + DAY, 0.1, status=301), Findings(links=[Link("http://ant.org/new", "k", "R")])
    )
    assert moved.links[0].watched == seen.watched
    assert moved.again == 7 * DAY


def test_what_goes_wrong_over_a_page_does_not_end_its_watch(
    watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = fetched(watcher, rss(NOW - HOUR))

    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("anansi.crawl.stages.watch.read", fail)
    odd = fetched(watcher, rss(NOW - HOUR), at=NOW + DAY, after=seen)
    assert odd.notes == ("notRead:RecursionError",)
    assert (odd.again, odd.watched) == (Watch().longest, seen.watched)
