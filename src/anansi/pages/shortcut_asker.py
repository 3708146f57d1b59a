"""Asks a site's shortcuts: pages and answers in, links out. What it decides by is in `shortcuts`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from anansi.knowledge.addresses import place
from anansi.knowledge.entry import Kind, Level, Shortcut, Type
from anansi.knowledge.search import Search, about_exchange
from anansi.model import Corner, CornerKind, Hop, Link, Role
from anansi.pages import shortcut_answers as listing
from anansi.pages import shortcuts
from anansi.pages.addresses import LATER, SCORES
from anansi.pages.navigate import Directions, Navigator
from anansi.pages.shortcuts import FEW, SCORE, Answered, Ask, Trail
from anansi.text.page_model import PageModel
from anansi.url import canonical, host_of, resolve

SITES: Final = 5000
"""Sites whose trails are remembered; the hub reminds a worker of the others."""

HOME: Final = "home"
"""The level that shortcuts are relative to; a type without it has them on every page."""

SOON: Final = SCORES[Kind.TERMINAL] + 0.05
"""Of a list that tells which others need no visit."""

LAST: Final = LATER - 0.05
"""Of an address that may redirect to one that a list will show."""

LIST: Final = "list"
"""The kind of shortcut that is a page for people: followed where no other tells."""

_CONTENT: Final = Role.CONTENT
_LAST_NUMBER: Final = re.compile(r"\d+(?=\D*$)")
_EMPTY: Final = Trail()
_AFTER_ALL: Final = Corner(CornerKind.LAST)


@dataclass(frozen=True, slots=True)
class View:
    """A page of a known type, and where it leads."""

    site: str
    url: str
    page: PageModel
    entry: Type
    level: Level | None
    way: Directions


class ShortcutAsker:
    """Follows the shortcuts of sites. Mutable: `_trails` (site → what is known) and `_named` (site → sitemaps)."""

    def __init__(self, navigator: Navigator, search: Search | None = None):
        self._navigator = navigator
        self._search = Search() if search is None else search
        self._trails: dict[str, Trail] = {}
        self._named: dict[str, tuple[str, ...]] = {}

    def trail(self, site: str) -> Trail:
        """Return what is known about a site's shortcuts."""
        return self._trails.get(site, _EMPTY)

    def remind(self, site: str, trail: Trail) -> None:
        """Take over what others know about a site's shortcuts, if they know more."""
        if len(trail.asked) + trail.span > len(self.trail(site).asked) + self.trail(site).span:
            self._keep(site, trail)

    def name(self, site: str, sitemaps: Sequence[str]) -> None:
        """Take in the sitemaps that a robots.txt names."""
        if len(self._named) >= SITES:
            self._named.clear()
        known = dict.fromkeys((*self._named.get(site, ()), *sitemaps))
        self._named[site] = tuple(known)[: shortcuts.MOST_NAMED]

    # ── pages ────────────────────────────────────────────────────────────────────────────────────────────────────

    def look(self, view: View) -> list[Link]:
        """Say what a page gives reason to ask for."""
        before = trail = self.trail(view.site)
        urls: list[str] = []
        if view.entry.id not in trail.types and _is_home(view):
            lists = _lists(view) if view.entry.level(HOME) is not None else FEW
            trail = _with_front(trail, view)
            trail, urls = shortcuts.considered(
                trail, view.entry.id, self.asks(view), lists=lists, shown=len(trail.front)
            )
            trail = (
                msgspec.structs.replace(trail, lists=self._for_people(view)) if lists >= FEW or not lists else trail
            )
        elif trail.newest and not trail.span:
            trail = _measured(trail, view)
        if trail is not before:
            self._keep(view.site, trail)
        behind = trail.span and not before.span
        if behind:
            return self._page(trail, view.entry, shortcuts.covered(trail) + 1, SOON)
        return [*map(_ask, urls), *self._instead(view.site, [view.entry])]

    def ranked(self, view: View) -> list[Link]:
        """Put the links last that look like none the site lists: a list may show what they redirect to."""
        trail, links = self.trail(view.site), view.way.links
        if trail.broken:
            links = [
                _followed(link) if link.corner and self._is_of(trail.root, link, view) else link for link in links
            ]
        if not trail.shapes or view.level is None:
            return links
        if view.level.kind is not Kind.TERMINAL and not _of_list(view, trail.root):
            return links  # what other lists show may look as it will
        return [
            msgspec.structs.replace(link, role=Role.ALIAS, score=LAST, corner=_AFTER_ALL)
            if link.role is _CONTENT and shortcuts.odd(trail, link.url)
            else link
            for link in links
        ]

    def _is_of(self, root: str, link: Link, view: View) -> bool:
        """Tell whether a link leads to a page of the list that the home page begins."""
        known = self._navigator.known(link.url, view.entry)
        return bool(root) and known is not None and known.whole == root

    def asks(self, view: View) -> list[Ask]:
        """List the shortcuts that a site of this type has by its home page and its robots.txt."""
        named = [Ask(url, "sitemap", family="robots.txt", named=True) for url in self._named.get(view.site, ())]
        own = [self._ask(view, each) for each in view.entry.shortcuts if each.kind != LIST]
        found = [ask for ask in own if ask is not None]
        place = next((number for number, ask in enumerate(found) if ask.kind != "json"), len(found))
        ordered = [*found[:place], *named, *found[place:]]
        return list({ask.url: ask for ask in ordered if host_of(ask.url) == host_of(view.url)}.values())

    def _ask(self, view: View, shortcut: Shortcut) -> Ask | None:
        base = view.url
        if shortcut.at is not None:
            if about_exchange(shortcut.at):
                return None
            nodes = self._search.find(view.page, shortcut.at)
            raws = (node if isinstance(node, str) else node.get("href") for node in nodes)
            base = next((url for raw in raws if raw and (url := resolve(raw, view.url))), "")
        url = resolve(listing.first(shortcut.address), base) if shortcut.address and base else base
        family = f"{shortcut.kind} {shortcut.at or shortcut.address}"
        named = shortcut.at is not None
        return Ask(url, shortcut.kind, shortcut.leads, shortcut.size, family, named) if url else None

    def _page(self, trail: Trail, entry: Type, number: int, score: float) -> list[Link]:
        """Return the link to a page of the list by its number."""
        url = trail.numbered.replace("{page}", str(number))
        known = self._navigator.known(url, entry)
        if known is None or known.skip or known.whole != trail.root:
            return []
        return [Link(url, known.key, role=Role.LIST, score=score, action=f"{entry.id}:{known.leads}")]

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def read(self, data: bytes, url: str, entries: Sequence[Type]) -> tuple[Directions, Answered]:
        """Read the answer of a shortcut; data is empty when there was none."""
        own = [each for entry in entries for each in entry.shortcuts]
        asked = next((each for each in own if each.kind == "json" and listing.answers(each.address, url)), None)
        found = listing.read(data, url, asked.links if asked is not None else "") if data else listing.Listing()
        asked = asked or next((each for each in own if each.kind == found.kind == "feed"), None)
        way = self._navigator.listed(found.links, url, entries, asked.leads if asked is not None else "")
        content = tuple(link for link in way.links if link.role is _CONTENT)
        following = listing.following(asked.address, asked.next, url, data) if asked is not None and data else ""
        return way, Answered(url, found.kind, len(found.links), content, found.sitemaps, found.next or following)

    def after(self, site: str, answer: Answered, news: int, entries: Sequence[Type]) -> list[Link]:
        """Say what to ask after an answer that brought so much content nobody knew."""
        before = self.trail(site)
        trail, urls = shortcuts.after(before, answer, news)
        self._keep(site, trail)
        if trail.broken and not before.broken and trail.front and entries:  # go on in the list where it broke off
            number = max(2, shortcuts.told_before(before, answer) // len(trail.front))
            return [*map(_ask, urls), *self._page(trail, entries[0], number, SOON)]
        number = 0 if trail.open or trail.complete else shortcuts.far_page(trail)
        tells = self._page(trail, entries[0], number, SOON) if entries and number else []
        asks = (_ask(url) for url in urls if host_of(url) == host_of(answer.url))
        return [*asks, *tells, *self._instead(site, entries)]

    def lost(self, site: str, answer: Answered) -> int:
        """Estimate what an interface would have told that broke off: as much again as it did."""
        return shortcuts.told_before(self.trail(site), answer) if answer.broken else 0

    def refused(self, site: str, url: str, entries: Sequence[Type] = ()) -> list[Link]:
        """Say what to ask instead of a shortcut that must not be asked."""
        trail, urls = shortcuts.refused(self.trail(site), url)
        self._keep(site, trail)
        return [*map(_ask, urls), *self._instead(site, entries)]

    def _for_people(self, view: View) -> tuple[str, ...]:
        """Return the addresses of the lists that a type has for people."""
        found = [self._ask(view, each) for each in view.entry.shortcuts if each.kind == LIST]
        return tuple(dict.fromkeys(ask.url for ask in found if ask and host_of(ask.url) == host_of(view.url)))

    def _instead(self, site: str, entries: Sequence[Type]) -> list[Link]:
        """Return the lists for people of a site, once, where no shortcut told of its content."""
        trail = self.trail(site)
        if not trail.lists or not trail.barren or not entries:
            return []
        self._keep(site, msgspec.structs.replace(trail, lists=()))
        return self._navigator.listed(trail.lists, trail.lists[0], entries).links

    # ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────

    def left_out(self, site: str, url: str, entries: Sequence[Type]) -> str:
        """Say why a list needs no visit, or nothing."""
        trail = self.trail(site)
        last = shortcuts.covered(trail)
        for entry in entries if last else ():
            known = place(entry.addresses, url)
            if known is not None and known.whole == trail.root:
                number = shortcuts.number_of(known.key, trail.root)
                return f"the feed lists what pages 1 to {last:,} of this list show" if 1 < number <= last else ""
        return ""

    def _keep(self, site: str, trail: Trail) -> None:
        if len(self._trails) >= SITES and site not in self._trails:
            del self._trails[next(iter(self._trails))]
        self._trails[site] = trail


def _ask(url: str) -> Link:
    return Link(url, canonical(url), Hop.MANIFEST.value, Role.SHORTCUT, SCORE, action="shortcut")


def _followed(link: Link) -> Link:
    """Follow a list to its end, whether it tells news or not."""
    return msgspec.structs.replace(link, corner=None)


def _is_home(view: View) -> bool:
    return view.entry.level(HOME) is None or (view.level is not None and view.level.name == HOME)


def _front_list(view: View) -> str:
    """Return the key of the list that the home page is the first page of, if it is one."""
    known = place(view.entry.addresses, view.url)
    return known.whole if known is not None and _numbered(view, known.whole) else ""


def _numbered(view: View, root: str) -> dict[int, str]:
    """Return the numbered pages of a list that a page leads to."""
    found: dict[int, str] = {}
    for link in view.way.links:
        if link.role is not _CONTENT and (known := place(view.entry.addresses, link.url)) and known.whole == root:
            number = shortcuts.number_of(known.key, root)
            if number > 1:
                found.setdefault(number, link.url)
    return found


def _lists(view: View) -> int:
    """Count the lists ahead: those that the page leads to, or as many as the number of the last says."""
    lists = {link.key for link in view.way.links if link.role is not _CONTENT and link.action.rpartition(":")[2]}
    return max([len(lists), *_numbered(view, _front_list(view))])


def _of_list(view: View, root: str) -> int:
    """Return the number of a page of a list; 0 when it is none."""
    known = place(view.entry.addresses, view.url)
    return shortcuts.number_of(known.key, root) if known is not None and root and known.whole == root else 0


def _with_front(trail: Trail, view: View) -> Trail:
    root = _front_list(view)
    if not root:
        return trail
    pages = _numbered(view, root)
    front = tuple(shortcuts.mark(link.key) for link in view.way.links if link.role is _CONTENT)
    numbered = _LAST_NUMBER.sub("{page}", pages[min(pages)])
    return msgspec.structs.replace(trail, root=root, front=front[: shortcuts.NEWEST], numbered=numbered)


def _measured(trail: Trail, view: View) -> Trail:
    """Learn from a page of the list how many entries each page shows."""
    number = _of_list(view, trail.root)
    if number <= 1:
        return trail
    shown = frozenset(shortcuts.mark(link.key) for link in view.way.links if link.role is _CONTENT)
    size = shortcuts.span(trail.newest, number, shown, shortcuts.shown_first(trail))
    return msgspec.structs.replace(trail, span=size) if size else trail
