"""Parts of one thing, as its own pages tell of them: the pages of a post's comments, of a thread.

The address of a post shows one of the pages of its comments: the first, or the last where the newest comments come
first. Which it is no address tells. The page does: what stands on it links to itself under the address of its part,
`comment-page-7/#comment-412`. That part needs no visit; all others do.

A table may say that the first page of a thread is the thread's own address. Where that shows the last page, it names
the first one as the page before it: then they are two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
from lxml import etree

from anansi.knowledge.addresses import Place
from anansi.knowledge.entry import Type
from anansi.model import Link, Reason, Skip
from anansi.pages.addresses import Judge, Judged
from anansi.text.page_model import PageModel
from anansi.url import resolve

_NAMES: Any = etree.XPath("//@id | //a/@name", smart_strings=False)
_BEFORE: Final = frozenset(("prev", "previous"))
_NUMBERED: Final = re.compile(r"[0-9]")


class Shown(NamedTuple):
    """A page, with what it refers to."""

    model: PageModel
    url: str
    base: str
    raws: list[str]


class Parts:
    """Judges the links from pages of a whole to its parts."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def told(self, judged: dict[str, Judged], entry: Type, page: Shown) -> dict[str, Judged]:
        """Return the verdicts on a page's links, those to other parts of the same whole leading there."""
        here = self._judge.tables.place(entry.addresses, page.url)
        judged = self._before(judged, here, page) if here is not None else judged
        if not self._judge.tables.of(entry.addresses).has_parts:
            return judged
        whole = (here.whole if here is not None else page.url).rstrip("/")
        own = {each.key: part for each in judged.values() if (part := self._part(each, entry, whole)) is not None}
        shown = _shown(page, {judged[key].url for key in own}) - {page.url} if own else set()
        more = {key: self._verdict(judged[key], part, entry, page.url, shown) for key, part in own.items()}
        return {**judged, **more} if more else judged

    def _before(self, judged: dict[str, Judged], here: Place, page: Shown) -> dict[str, Judged]:
        """Let a link lead where it says that has the page's own key by the table, and is the page before it."""
        same = {each.url: each for each in judged.values() if each.verdict.key == here.key and each.key != here.key}
        if not same:
            return judged
        urls = {resolve(raw, page.base) for raw in _before(page.model)} - {page.url}
        found = [same[url] for url in urls if url in same]
        return {**judged, **{each.key: _as_it_is(each) for each in found}} if found else judged

    def _part(self, each: Judged, entry: Type, whole: str) -> Place | None:
        """Return where a link leads that is to a part of a whole."""
        if isinstance(each.verdict, Skip) or each.verdict.url == each.url:
            return None
        known = self._judge.tables.place(entry.addresses, each.url)
        return known if known is not None and known.part and known.whole.rstrip("/") == whole else None

    def _verdict(self, each: Judged, part: Place, entry: Type, url: str, shown: set[str]) -> Judged:
        link = self._judge.towards(Link(each.url, each.key), entry, part.leads, part)
        if each.url not in shown:
            return msgspec.structs.replace(each, verdict=link)
        same = Skip(each.url, link.key, Reason.DUPLICATE, f"{entry.title}: {url} shows it", never=True)
        return msgspec.structs.replace(each, verdict=same)


def _before(page: PageModel) -> Iterator[str]:
    """Go through where a page says that the one before it is."""
    if page.may_hold("prev"):
        for each in (*page.of("link"), *page.of("a")):
            if each.get("rel") in _BEFORE and (raw := each.get("href")) is not None:
                yield raw


def _shown(page: Shown, urls: set[str]) -> set[str]:
    """Return those of some addresses that the page is: what they point to, by a number, stands on it."""
    names: frozenset[str] | None = None
    found: set[str] = set()
    for raw in page.raws:
        target, _, name = raw.partition("#")
        if name and _NUMBERED.search(name) and (url := resolve(target, page.base)) in urls and url not in found:
            names = frozenset(_NAMES(page.model.tree)) if names is None else names
            if name in names:
                found.add(url)
    return found


def _as_it_is(each: Judged) -> Judged:
    """Give a link its own address and key."""
    if isinstance(each.verdict, Skip):
        return each
    link = msgspec.structs.replace(each.verdict, url=each.url, key=each.key)
    return msgspec.structs.replace(each, verdict=link)
