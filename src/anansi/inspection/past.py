"""A channel page at a moment, from what a collection holds: captures of the page, of its feeds and of its items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from anansi.archive.layout import Collection
from anansi.archive.objects import segments
from anansi.errors import UserError
from anansi.feeds.channel import LARGEST, Listing, Shown, key_of, links_of, listings, parse
from anansi.feeds.dates import seconds
from anansi.feeds.dating import iso
from anansi.feeds.discovery import named_by_page
from anansi.feeds.evidence import Rebuilt
from anansi.feeds.feed import Feed
from anansi.feeds.leads import with_leads
from anansi.feeds.reading import read
from anansi.feeds.rebuilding import Case, captured, first_known, rebuild
from anansi.feeds.timeline import DAY, Fact, Sighting
from anansi.fetch import charset, mime
from anansi.inspection.captured import FEEDS, Captured, Line
from anansi.inspection.dated import facts_of
from anansi.url import host_of, resolve, site_of

MOST_PAGES: Final = 300
"""Captures of a channel page, and of each of its feeds, that are read: those nearest to the time."""
MOST_OLDER: Final = 40
"""Captures of older pages of its list that are read."""
MOST_FEEDS: Final = 200
"""Feeds of a collection that are looked at for whether they are of the channel."""
MOST_OBJECTS: Final = 200_000
"""Objects of a collection that are looked at."""
MOST_REDIRECTS: Final = 5
SUGGESTED: Final = 5
"""Addresses that are named to whoever asked for one that was never captured."""

_REDIRECTS: Final = frozenset(("301", "302", "303", "307", "308"))
_OLDER: Final = re.compile(
    r"(?:[/?&;=_-]|^)(?:page|paged|p|seite|pagina|older|offset|start|updated-max)[/=_-]?\d*", re.I
)


def page_at(folder: Path, channel: str, at: float) -> tuple[Rebuilt, bytes, str]:
    """Return a channel page at a moment, its bytes, and the address that it stands for."""
    collection = Collection(folder)
    collection.require()
    found = Captured(collection, site_of(channel) or host_of(channel))
    url, lines, notes = _channel(found, channel)
    pages = _pages(found, _nearest(lines, at), notes)
    if not pages:
        raise UserError(f"{url} was captured, but no capture is a page: {'; '.join(notes[-3:]) or 'none is HTML'}")
    case = _case(collection, found, url, pages, at, notes)
    exact = captured(case, at)
    if exact is None and not case.listings:
        raise UserError(
            f"no capture of {url} shows a list of items; name the page that lists them, or crawl its feed, too"
        )
    rebuilt = exact or rebuild(case, at)
    if rebuilt is None:
        first = first_known(case)
        raise UserError(
            f"nothing is known of {url} at {iso(at)}: the first known item came {iso(first) if first else 'later'}, "
            f"the first capture is of {iso(pages[0].at)}"
        )
    return rebuilt, rebuilt.html or _bytes(found, lines, rebuilt.page), url


def _bytes(found: Captured, lines: Iterable[Line], page: Shown) -> bytes:
    line = next(line for line in lines if line.name == page.capture)
    answer = found.answer(line)
    return answer.data if answer is not None else b""


def _nearest(lines: list[Line], at: float) -> list[Line]:
    near = sorted(lines, key=lambda line: abs(line.at - at))[:MOST_PAGES]
    return sorted(near, key=lambda line: line.at)


# ── the channel ──────────────────────────────────────────────────────────────────────────────────────────────────


def _channel(found: Captured, channel: str) -> tuple[str, list[Line], list[str]]:
    """Find the captures of a channel: where it redirected to, and what a feed is about, if one was named."""
    url = channel
    notes: list[str] = []
    for _ in range(MOST_REDIRECTS):
        lines = found.of(url)
        if not lines:
            break
        onward = _onward(found, url, lines)
        if onward is None or onward == url:
            return url, lines, notes
        notes.append(f"{url} leads to {onward}")
        url = onward
    raise UserError(_never(found, channel, url))


def _onward(found: Captured, url: str, lines: list[Line]) -> str | None:
    """Return where an address leads that was never a page: the target of a redirect, the channel of a feed."""
    if any(line.status.startswith("2") and found.mime(line) not in FEEDS for line in lines):
        return None
    for line in reversed(lines):
        answer = found.answer(line)
        if answer is None:
            continue
        if line.status in _REDIRECTS:
            return resolve(answer.header("location"), url)
        feed = read(answer.data, url, answer.headers)
        if feed is not None and feed.kind and feed.link:
            return feed.link
    return None


def _never(found: Captured, channel: str, url: str) -> str:
    """Say that a page was never captured, and which may be meant."""
    host = host_of(channel)
    pages = [lines[0].url for lines in found.all() if any(_is_page(found, line) for line in lines)]
    near = sorted((each for each in pages if host_of(each) == host), key=len) or sorted(pages, key=len)
    told = f"{url} was never captured" if url == channel else f"{channel} leads to {url}, which was never captured"
    if not near:
        return f"{told}, nor anything else of its site; crawl it first: `anansi crawl {url}`"
    return f"{told}; captured are, for example: {', '.join(near[:SUGGESTED])}"


def _is_page(found: Captured, line: Line) -> bool:
    return line.status.startswith("2") and mime.is_html(found.mime(line))


def _pages(found: Captured, lines: Iterable[Line], notes: list[str]) -> list[Shown]:
    """Read the captures that are pages; the same bytes are parsed once."""
    trees: dict[str, Any] = {}
    pages = []
    for line in lines:
        if not line.status.startswith("2") and line.status:
            notes.append(f"the capture of {iso(line.at)} answered {line.status} and is left out")
            continue
        if not line.digest or line.digest not in trees:
            trees[line.digest] = _tree(found, line, notes)
        if trees[line.digest] is not None:
            pages.append(Shown(line.url, line.at, trees[line.digest], line.name))
    return pages


def _tree(found: Captured, line: Line, notes: list[str]) -> Any | None:
    answer = found.answer(line)
    if answer is None:
        notes.append(f"the capture of {iso(line.at)} cannot be read; `anansi check` says why")
        return None
    declared = answer.header("content-type")
    if not mime.is_html(mime.sniff(declared, answer.data[: mime.HEAD], line.url.partition("?")[0])):
        notes.append(f"the capture of {iso(line.at)} is no HTML page and is left out")
        return None
    if answer.cut or len(answer.data) > LARGEST:
        notes.append(f"the capture of {iso(line.at)} is larger than {LARGEST >> 20} MB and is read in part")
    return parse(answer.data, charset.detect(declared, answer.data))


# ── what is known of it ──────────────────────────────────────────────────────────────────────────────────────────


def _case(collection: Collection, found: Captured, url: str, pages: list[Shown], at: float, notes: list[str]) -> Case:
    facts: dict[str, Fact] = {}
    sightings = list(_feeds(found, url, pages, at, facts))
    if not sightings:
        notes.append("no feed of the channel was captured: dates are those of objects, and of captures around")
    shapes = {urlsplit(f"//{key}").path.count("/") for key in facts}
    for fact in _objects(collection, site_of(url)):
        if fact.key in facts or not shapes or urlsplit(f"//{fact.key}").path.count("/") in shapes:
            _learn(facts, fact)
    facts.pop(key_of(url), None)
    older = _older(found, url, pages, notes)
    everything = with_leads(listings([*pages, *older], facts), facts)
    own = {page.capture for page in pages}
    shown = [each for each in everything if each.page.capture in own]
    elsewhere = [each for each in everything if each.page.capture not in own]
    for fact in (fact for each in everything for fact in facts_of(each)):
        _learn(facts, fact)
    sightings += [Sighting("page", url, each.page.at, each.keys, each.page.capture) for each in shown]
    keys = {key for each in everything for key in each.keys} | facts.keys()
    sightings += _items(found, keys, {each.key: each.link for each in facts.values()} | _links(everything))
    facts = {key: fact for key, fact in facts.items() if fact.title or fact.published is not None}
    return Case(url, pages, shown, elsewhere, facts, sightings, tuple(dict.fromkeys(notes)))


def _links(found: Iterable[Listing]) -> dict[str, str]:
    return {entry.key: entry.link for listing in found for entry in listing.entries}


def _learn(facts: dict[str, Fact], fact: Fact) -> None:
    """Add what one source says of an item to what others said; the first that says something is believed."""
    old = facts.get(fact.key)
    if old is None:
        facts[fact.key] = fact
        return
    dated = old if old.published is not None else fact
    facts[fact.key] = replace(
        old,
        title=old.title or fact.title,
        summary=old.summary or fact.summary,
        content=old.content or fact.content,
        author=old.author or fact.author,
        categories=old.categories or fact.categories,
        published=dated.published,
        precision=dated.precision,
        source=dated.source,
    )


def _feeds(found: Captured, url: str, pages: list[Shown], at: float, facts: dict[str, Fact]) -> Iterator[Sighting]:
    """Read the feeds that the channel names, and those that say they are about it."""
    named = {
        key_of(each.url)
        for page in pages
        for each in named_by_page(page.tree, page.url)
        if not _replies(each.url + each.title)
    }
    looked = 0
    for lines in found.all():
        ours = key_of(lines[0].url) in named
        if not ours and (not any(found.mime(line) in FEEDS for line in lines) or looked >= MOST_FEEDS):
            continue
        looked += 1
        for line in _nearest([line for line in lines if line.status.startswith("2") or not line.status], at):
            answer = found.answer(line)
            feed = read(answer.data, line.url, answer.headers) if answer is not None else None
            if feed is None or not feed.kind or _replies(line.url):
                break
            if not ours and key_of(feed.link) != key_of(url):
                break
            yield _sighted(line, feed, facts)


def _replies(told: str) -> bool:
    return "comment" in told.lower()


def _sighted(line: Line, feed: Feed, facts: dict[str, Fact]) -> Sighting:
    keys = []
    for item in feed.items:
        if not item.link or item.comments.reply_to or "#comment" in item.link:
            continue
        key = key_of(item.link)
        keys.append(key)
        fact = Fact(
            key,
            item.link,
            item.title,
            item.description or item.content,
            item.content,
            item.author,
            item.categories,
            item.published,
            source=f"the feed {line.url}",
        )
        _learn(facts, fact)
    return Sighting("feed", line.url, line.at, tuple(dict.fromkeys(keys)), line.name)


def _objects(collection: Collection, site: str) -> Iterator[Fact]:
    """Read the articles of the site that are known in RDF."""
    if not segments(collection):
        return
    from anansi.archive.export import objects  # here: Oxigraph costs every command 11 MB

    for found in islice(objects(collection, ("article", "post", "document")), MOST_OBJECTS):
        row = found.row()
        if site_of(found.uri) != site or (row["type"] == "post" and "#" in found.uri):
            continue
        date = str(row.get("date", ""))
        author = row.get("author") or [""]
        yield Fact(
            key_of(found.uri),
            found.uri.partition("#")[0],
            str(row.get("title", "")),
            str(row.get("summary", "") or row.get("text", "")),
            str(row.get("text", "")),
            str(author[0]),
            tuple(map(str, row.get("tag") or ())),
            published=seconds(date),
            precision=DAY if len(date) == len("2000-01-01") else 0.0,
            source=f"the object of {row['page']}",
        )


def _older(found: Captured, url: str, pages: list[Shown], notes: list[str]) -> list[Shown]:
    """Read the pages on which the list goes on: those that captures of it link to and that look like it."""
    seen: dict[str, str] = {}
    for page in pages:
        for anchor, link in links_of(page):
            relation = (anchor.get("rel") or "").lower()
            part = urlsplit(link)
            if ("next" in relation or _OLDER.search(f"{part.path}?{part.query}")) and key_of(link) != key_of(url):
                seen.setdefault(key_of(link), link)
    lines = [line for link in seen.values() for line in found.of(link) if _is_page(found, line)]
    return _pages(found, lines[:MOST_OLDER], notes)


def _items(found: Captured, keys: Iterable[str], links: dict[str, str]) -> Iterator[Sighting]:
    """Say when each item was first captured itself."""
    for key in keys:
        lines = [line for line in found.of(links.get(key, "")) if line.status.startswith("2")]
        if lines:
            yield Sighting("item", lines[0].url, lines[0].at, (key,), lines[0].name)
