"""Where feeds meet crawling: what a watched page brings, what it leads to, and when to come back.

A feed is a URL with a due date. What is known of it (its items, its rhythm) is carried by its visit; so are,
of a page, what feeds say of it and how it was. A worker looks at one page at a time and remembers nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

import msgspec

from anansi import config
from anansi.archive.record import payload_digest
from anansi.crawl.findings import Findings, noted, only, replace
from anansi.crawl.settings import SETTINGS
from anansi.crawl.stages.articles import Articles
from anansi.crawl.stages.read import Reader
from anansi.crawl.stages.revision import Look, Seen, seen
from anansi.errors import AnansiError
from anansi.feeds import change
from anansi.feeds import rhythm as rhythms
from anansi.feeds.discovery import Named, known_by_type, named_by_page
from anansi.feeds.feed import Feed
from anansi.feeds.objects import comment_objects, objects_of_feed
from anansi.feeds.opml import subscriptions
from anansi.feeds.past import ARCHIVE, CHANNEL, FEED, ITEM, News, is_comments, news, short
from anansi.feeds.reading import read
from anansi.feeds.schedule import Limits, due
from anansi.model import REDIRECTS, Hop, Link, Page, Role, WebObject
from anansi.state import MOST_ITEMS, Hints, Item, Rhythm, Watched
from anansi.url import origin_of, resolve

GONE: Final = 410
DAY: Final = 86400.0
MOVED: Final = {301: 7 * DAY, 308: 7 * DAY}
"""When to look again at a feed's address that leads elsewhere for good; at one that does so for now after a day."""
FEEDS: Final = 20
"""Feeds of one page that are watched."""
ROLES: Final = {FEED: Role.LIST, ARCHIVE: Role.LIST, ITEM: Role.CONTENT, CHANNEL: Role.PAGE}
POSTED: Final = frozenset(("post", "comment", "answer"))
"""Objects whose dates tell how a page lives."""


class Watcher:
    """Says what watched pages bring. Mutable state: that of `articles`; `price`, what a request is worth now."""

    def __init__(self, settings: config.Watch, reader: Reader, articles: Articles):
        self._settings, self._reader, self.articles = settings, reader, articles
        self.price = SETTINGS.price

    def look(self, page: Page, found: Findings) -> Findings:
        """Add when to come back; take back what is not news. Whatever goes wrong over it, the page is watched on."""
        past = page.visit.watched or Watched()
        try:
            return self._look(page, past, found)
        except AnansiError:
            raise  # of the disk: whoever runs the crawl must know
        except Exception as error:
            return _watched(found, self._settings.longest, past, f"notRead:{type(error).__name__}")

    def _look(self, page: Page, past: Watched, found: Findings) -> Findings:
        seed = not page.visit.via
        if page.fault is not None or page.status >= 400:
            return self._failed(page, past, found, seed=seed)
        if page.status in REDIRECTS:
            return self._moved(page, past, found, seed=seed)
        if page.status == 304:
            return self._unchanged(page, past, found)
        if found.tree is None:
            return self._data(page, past, found)
        if past.kind == ITEM:
            return self._item(page, past, found)
        if past.kind == CHANNEL:
            return _watched(only(found, []), past=past, note="channel")
        if feeds := self._feeds(page, found) if seed and self._settings.what == "feeds" else ():
            links = [link for each in feeds if (link := self._link(each.url, FEED, Watched(FEED))) is not None]
            return _watched(only(found, links), self._settings.longest, past, f"feeds:{len(links)}")
        return self._compared(page, past, found)  # of a site without feeds: what it leads to is followed, as ever

    # ── feeds ────────────────────────────────────────────────────────────────────────────────────────────────

    def _data(self, page: Page, past: Watched, found: Findings) -> Findings:
        """Read what is no page: a feed, a list of feeds, or something that an item links to."""
        feed = read(found.data, page.visit.url, page.headers) if found.data else None
        if feed is not None:
            return self._feed(page, feed, past, found)
        lists = subscriptions(found.data, page.visit.url) if found.data else None
        if lists is not None:
            links = [link for each in lists if (link := self._link(each.url, FEED, Watched(FEED))) is not None]
            return _watched(only(found, links), self._settings.longest, past, f"feeds:{len(links)}")
        if past.kind == FEED and past.rhythm is not None:  # it was one, and may be one again
            return self._failed(page, past, found, seed=True)
        return _watched(found, note="noFeed" if past.kind == FEED else "")

    def _feed(self, page: Page, feed: Feed, past: Watched, found: Findings) -> Findings:
        now, url = page.started, page.visit.url
        fresh = news(feed, past.seen)
        comments = bool(past.whole) or is_comments(feed, url)
        links = self._told(feed, fresh, past, now, comments=comments)
        objects = _said(feed, fresh, past, url, comments=comments)
        if past.kind == ARCHIVE:
            return _watched(only(found, links, objects), past=Watched(ARCHIVE), note=f"archive:{len(fresh.new)}")
        dates = [item.published for item in fresh.new]
        window = len(feed.items)
        rhythm = (
            rhythms.noted(past.rhythm, dates, now, window=window, overlap=fresh.overlap)
            if past.rhythm is not None
            else rhythms.began(dates, now, window=window)
        )
        kept = msgspec.structs.replace(
            past, kind=FEED, rhythm=rhythm, seen=fresh.seen, hints=feed.hints, items=(), failures=0
        )
        again, risk = self._due(rhythm, now, feed.hints)
        said = {"new": len(fresh.new), "changed": len(fresh.changed), "lost": int(not fresh.overlap)}
        return _watched(only(found, links, objects), again, kept, _note(said, again, risk))

    def _told(self, feed: Feed, fresh: News, past: Watched, now: float, *, comments: bool) -> list[Link]:
        """Return what a feed leads to: pages of items that are new or changed, feeds of comments, its channel."""
        links: list[Link | None] = []
        pages: dict[str, list[Item]] = {}
        for item in (*fresh.new, *fresh.changed):
            if item.link:
                pages.setdefault(item.link.partition("#")[0], []).append(item)
        changed = {item.id for item in fresh.changed}
        for url, items in pages.items():
            since = max(now if item.id in changed else _dated(item, now) for item in items)
            told = Watched(ITEM) if comments else Watched(ITEM, tuple(short(item) for item in items[-MOST_ITEMS:]))
            if not comments or url == past.whole or not past.whole:
                links.append(self._link(url, ITEM, told, score=0.8, since=since or None))
        if not comments:
            asked = {item.comments.feed: item.link for item in fresh.new if item.comments.feed}
            links += [self._link(url, FEED, Watched(FEED, whole=whole), score=0.4) for url, whole in asked.items()]
        if feed.link and (fresh.new or past.rhythm is None) and past.kind != ARCHIVE and not past.whole:
            changed_at = now if fresh.new and past.rhythm is not None else None
            links.append(self._link(feed.link, CHANNEL, Watched(CHANNEL), since=changed_at))
        if feed.next_link and past.rhythm is None:
            links.append(self._link(feed.next_link, ARCHIVE, Watched(ARCHIVE, whole=past.whole), score=0.3))
        return [link for link in links if link is not None]

    def _feeds(self, page: Page, found: Findings) -> Sequence[Named]:
        """Return the feeds of a site's page: those it names, else those that its type is known to have."""
        named = named_by_page(found.tree, page.visit.url)
        if named or self._reader.interpreter is None or found.recognition is None:
            return named[:FEEDS]
        entry = self._reader.interpreter.entry(found.recognition.type)
        return known_by_type(entry, origin_of(page.visit.url) + "/") if entry is not None else ()

    # ── pages ────────────────────────────────────────────────────────────────────────────────────────────────

    def _item(self, page: Page, past: Watched, found: Findings) -> Findings:
        """Take the objects out of the page of an item; nothing else there is followed."""
        known = any(each.get("text") for each in found.objects)
        if not known:
            self.articles.study(found.tree, page.visit.url, past.items)
        return self._compared(page, past, replace(found, links=[], skips=[], unknown=False))

    def _compared(self, page: Page, past: Watched, found: Findings) -> Findings:
        """Hold the objects of a page against those of the last visit; what did not change is not written again."""
        now = page.started
        now_seen = self._seen(page, past, found)
        before = change.current(past.version)
        changed = change.compare(before, now_seen.version) if before is not None else None
        rhythm = _page_rhythm(past, now_seen.objects, now, changed=changed is None or changed.content)
        again, _ = self._due(rhythm, now)
        kept = msgspec.structs.replace(past, rhythm=rhythm, version=now_seen.version, failures=0)
        if changed is None or changed.content:
            note = "new" if changed is None else f"changed:{'+'.join(changed.told)}"
            return _watched(replace(found, objects=list(now_seen.objects)), again, kept, note)
        return _watched(replace(found, objects=[]), again, kept, f"unchanged:{changed.kind}")

    def _seen(self, page: Page, past: Watched, found: Findings) -> Seen:
        """Say what stands on a page: the objects that actions found, or those that items are about."""
        url, digest = page.visit.url, payload_digest(found.payload)
        if len(past.items) > 1 and not found.objects:
            objects = self.articles.of_page(found.tree, url, past.items)
            return Seen(objects, change.version_of(objects, by="items", page=digest))
        item = past.items[-1] if past.items else None
        look = Look(
            url=url,
            tree=found.tree,
            objects=found.objects,
            recognition=found.recognition,
            links=[link.key for link in found.links if link.role is Role.CONTENT],
            item=item,
            wrappers=self.articles.wrappers(url),
            digest=digest,
        )
        return seen(look)

    # ── what brought nothing ─────────────────────────────────────────────────────────────────────────────────

    def _unchanged(self, page: Page, past: Watched, found: Findings) -> Findings:
        if past.rhythm is None:
            return _watched(found, past=past)
        now, feed = page.started, past.kind == FEED
        rhythm = rhythms.noted(past.rhythm, [], now, window=0) if feed else rhythms.seen(past.rhythm, False, now)
        again, risk = self._due(rhythm, now, past.hints)
        note = _note({"new": 0, "changed": 0, "lost": 0}, again, risk) if feed else "unchanged"
        return _watched(found, again, msgspec.structs.replace(past, rhythm=rhythm, failures=0), note)

    def _failed(self, page: Page, past: Watched, found: Findings, *, seed: bool) -> Findings:
        """Come back ever later to what is not there; to what is gone for good not at all."""
        if page.status == GONE or (past.rhythm is None and not seed):
            return _watched(found, past=past, note="gone" if page.status == GONE else "")
        failures = past.failures + 1
        again = min(self._settings.longest, self._settings.shortest * 2.0 ** min(failures, 30))
        return _watched(found, again, msgspec.structs.replace(past, failures=failures), f"failures:{failures}")

    def _moved(self, page: Page, past: Watched, found: Findings, *, seed: bool) -> Findings:
        """Follow what moved, with all that is known of it; look at a feed's old address again some day."""
        links = [msgspec.structs.replace(link, watched=past) for link in found.links]
        again = MOVED.get(page.status, DAY) if seed or past.kind == FEED else None
        return _watched(replace(found, links=links), again, msgspec.structs.replace(past, rhythm=None), "moved")

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────

    def _due(self, rhythm: Rhythm, now: float, hints: Hints | None = None) -> tuple[float, float]:
        limits = Limits(self._settings.shortest, self._settings.longest, hints or Hints())
        found = due(rhythm, now, limits, self.price)
        return max(self._settings.shortest, found.at - now), found.risk

    def _link(
        self, url: str, action: str, told: Watched, *, score: float = 0.6, since: float | None = None
    ) -> Link | None:
        where = resolve(url)
        if where is None:
            return None
        key = self._reader.key(where)
        return Link(where, key, Hop.LINK.value, ROLES[action], score, action=action, watched=told, since=since)


def _watched(found: Findings, again: float | None = None, past: Watched | None = None, note: str = "") -> Findings:
    """Add when to come back, and what the next visit is to know."""
    return noted(replace(found, again=again, watched=past), note)


def _page_rhythm(past: Watched, objects: Sequence[WebObject], now: float, *, changed: bool) -> Rhythm:
    """Add a visit of a page: the dates of posts tell when it lived, of others whether it changed."""
    posted = [at for each in objects if each.kind in POSTED and (at := _moment(each)) is not None and at <= now]
    if past.rhythm is None:
        return rhythms.began(posted or [item.published for item in past.items], now)
    if not posted:
        return rhythms.seen(past.rhythm, changed, now)
    latest = past.rhythm.latest or 0.0
    return rhythms.noted(past.rhythm, [at for at in posted if at > latest], now)


def _moment(each: WebObject) -> float | None:
    try:
        when = datetime.fromisoformat(each.get("date"))
    except ValueError:
        return None
    return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()


def _note(said: dict[str, int], again: float, risk: float) -> str:
    """Write what a feed brought, for crawl.log; `anansi feeds list` reads it."""
    values = {**said, "again": f"{again:.1f}", "risk": f"{risk:.2g}"}
    return "feed:" + ";".join(f"{name}={value}" for name, value in values.items())


def _dated(item: Item, now: float) -> float:
    """Return when an item was last changed, as far as that can be true; 0 when nothing says."""
    when = item.updated or item.published
    return when if when is not None and when <= now else 0.0


def _said(feed: Feed, fresh: News, past: Watched, url: str, *, comments: bool) -> list[WebObject]:
    """Return the objects that stand in a feed itself: comments, and items that link to no page."""
    items = (*fresh.new, *fresh.changed)
    if comments:
        about: dict[str, list[Item]] = {}
        for item in items:
            about.setdefault(past.whole or item.link.partition("#")[0], []).append(item)
        told = [(msgspec.structs.replace(feed, items=tuple(those)), whole) for whole, those in about.items() if whole]
        return [each for part, whole in told for each in comment_objects(part, whole)]
    alone = tuple(
        msgspec.structs.replace(item, link=f"{url}#{quote(item.id, safe='')}") for item in items if not item.link
    )
    return objects_of_feed(msgspec.structs.replace(feed, items=alone))
