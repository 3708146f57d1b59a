"""Know what a page is and act on it: where knowledge, recognition and action meet, for crawls and for whoever asks.

document ─► recognise (type, level) ─► act (links to follow, links not to follow, objects)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from anansi.knowledge.addresses import Tables
from anansi.knowledge.catalogue import GENERIC, Catalogue, slug, specificity
from anansi.knowledge.entry import Kind, Level, Type
from anansi.knowledge.search import Search
from anansi.model import Corner, CornerKind, Link, Page, Reason, Recognition, Role, Skip, Stated, Visit, WebObject
from anansi.pages.addresses import LATER
from anansi.pages.aliases import Address, Aliases
from anansi.pages.canonical import named
from anansi.pages.document import Document
from anansi.pages.doubts import Doubts, Read
from anansi.pages.extract import Extractor, Place
from anansi.pages.links import LinkFinder, base_of
from anansi.pages.missing import OPTIONAL, failures, wanting
from anansi.pages.navigate import Directions, Navigator, Tools
from anansi.pages.recogniser import BY_OBJECTS, BY_SITE, Recogniser
from anansi.pages.short_lists import ShortLists
from anansi.pages.shortcut_asker import ShortcutAsker, View
from anansi.pages.shortcuts import Answered, Ask
from anansi.pages.stated import Shown, stated
from anansi.text.dates import Order
from anansi.text.dates import Reader as Dates
from anansi.url import canonical, host_of, origin_of, resolve, site_of

SITES: Final = 5000
"""Sites whose types are remembered; the hub reminds a worker of the others."""

_OF_A_TIME: Final = re.compile(r"(?:/\d+)+/?$|[?&;][a-z]*=\d{4,8}$")
"""Addresses of what a site holds of a day, a month or a year, to which a page's own date may lead."""

NO_WAY: Final = Directions([], [])
SAME: Final = "the same as {}, which names it"

TYPES: Final = 4
"""Types that one site may be made of (a blog beside a forum)."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a page is, where it leads, and what stands on it."""

    recognition: Recognition | None
    way: Directions | None
    """Where it leads; None when nothing is known about the site, and every link is worth a look."""
    objects: list[WebObject]
    duplicates: tuple[Skip, ...] = ()
    """Addresses that show the same page."""
    failed: bool = False
    """Whether objects or properties are missing that such a page has: the template may be another one."""
    stated: tuple[Stated, ...] = ()
    """Numbers that the page states of what the site holds."""
    doubts: tuple[str, ...] = ()
    """What speaks against how it and pages like it were read, told once, in words for people."""


class Interpreter:
    """Recognises pages and acts on them.

    Mutable state: `_types` (site → types seen there, the latest first), `_hosts` (host → the latest there),
    `_orders` (site → order of day and month), `_aliases` (site → what is known about addresses of one page), the
    asker's; the catalogue, the recogniser and `_learned` (types that a crawl made), replaced when one is learned.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        finder: LinkFinder,
        *,
        pages_only: bool = True,
        lists: bool = False,
        shortcuts: bool = True,
    ):
        self._catalogue = catalogue
        self._search = search = Search()  # one for all, so that a page's elements are listed once
        self._tables = Tables()
        self._recogniser = Recogniser(catalogue, search, self._tables)
        noise = catalogue[GENERIC].addresses if GENERIC in catalogue.types else ()
        tools = Tools(search, self._tables)
        self._navigator = Navigator(
            finder, noise, rules=finder.rules, pages_only=pages_only, lists=lists, tools=tools
        )
        self._short = ShortLists(self._tables)
        self.asker = ShortcutAsker(self._navigator, search)
        self._shortcuts = shortcuts
        self._extractor = Extractor(search)
        self._finder = finder
        self._doubts = Doubts()
        self._types: dict[str, tuple[str, ...]] = {}
        self._hosts: dict[str, str] = {}
        self._orders: dict[str, Order] = {}
        self._aliases: dict[str, Aliases] = {}
        self._rules = finder.rules
        self._learned = _learned(catalogue)

    def types(self, site: str) -> tuple[str, ...]:
        """Return the types that were seen at a site."""
        return self._types.get(site, ())

    def remind(self, site: str, types: tuple[str, ...]) -> None:
        """Take over what others saw at a site."""
        known = self.types(site)
        more = tuple(name for name in types if name in self._catalogue.types and name not in known)
        if more:
            self._keep(site, (*known, *more))

    def recognise(self, document: Document, site: str) -> Recognition | None:
        """Find out what a page is; what the site was of before is tried first."""
        known = self.types(site)
        found = self._recogniser.recognise(document, self._own(known[0], site) if known else "")
        if found is None or specificity(found.type) < 1:
            found = self._as_its_site(document, site, known) or found
        else:
            self._note_host(document.url, found.type)
            if known[:1] != (found.type,):
                self._keep(site, (found.type, *(name for name in known if name != found.type)))
            found = found if found.level else self._by_its_objects(document, found.type, found.pattern) or found
        if found is not None and self._catalogue[found.type].evidence:
            return replace(found, adapted=True)
        return found

    def _as_its_site(self, document: Document, site: str, known: tuple[str, ...]) -> Recognition | None:
        """Take a page that says nothing of its own for one of its site's types, if it is of a level of that."""
        if not known:
            return None
        host = host_of(document.url)
        at = self._hosts.get(host)
        names = [at] if at else list(known) if host.removeprefix("www.") == site else []
        for name in (self._own(name, site) for name in names):
            found = self._recogniser.of_level(document, name) or self._by_its_objects(document, name, BY_SITE)
            if found is not None:
                return found
        return None

    def _by_its_objects(self, document: Document, name: str, pattern: str) -> Recognition | None:
        """Take a page whose level nothing tells for content, if it holds one whole thing that it is called by.

        Of a list the first entry would be read: a list is not called as its first entry, and has more than one text.
        """
        entry = self._catalogue[name]
        if specificity(name) < 1 or self._tables.place(entry.addresses, document.url) is not None:
            return None
        place = replace(self._place(document, entry, "", 0.0), dates=Dates(0.0, page=document.source))
        head = document.page.title
        for level in entry.levels:
            if level.kind is not Kind.TERMINAL or not self._has_one_text(document, level):
                continue
            found = self._extractor.objects(place, level.extraction)
            whole = found[0] if found else None
            dated = whole is not None and bool(whole.get("date") or whole.get("author"))
            if whole is not None and dated and whole.get("text") and whole.get("title") in head:
                return Recognition(name, level.name, terminal=True, pattern=pattern, level_pattern=BY_OBJECTS)
        return None

    def _has_one_text(self, document: Document, level: Level) -> bool:
        """Tell whether what a page of a level is about has its text at one place."""
        wholes = (action for action in level.extraction if not action.each and not action.part_of)
        rules = [prop.expression for action in wholes for prop in action.properties if prop.name == "text"]
        texts = (self._recogniser.find(document, each) for each in rules)
        return len(next((nodes for nodes in texts if nodes), ())) == 1

    def _note_host(self, url: str, name: str) -> None:
        host = host_of(url)
        if len(self._hosts) >= SITES and host not in self._hosts:
            del self._hosts[next(iter(self._hosts))]
        self._hosts[host] = name

    def act(self, document: Document, recognition: Recognition | None, site: str, now: float) -> Understanding:
        """Say where a page leads and what stands on it."""
        way = self.way(document, recognition, site)
        view = self._view(document, recognition, site, now)
        objects = self._objects(document, view) if view is not None else []
        failed = recognition is not None and self._failed(recognition, objects, way)
        stated = self._stated(view, objects, way) if view is not None else ()
        return Understanding(recognition, way, objects, self._duplicates(document, site), failed, stated)

    def doubt(self, document: Document, done: Understanding, site: str) -> Understanding:
        """Note how a page of a crawl was read, and add what speaks against it."""
        found = done.recognition
        if found is None and not self.types(site):
            doubt = self._doubts.unread(site, document.url, objects=bool(done.objects))
            return replace(done, doubts=doubt.said) if doubt.said else done
        if (name := self._of_no_level(document, done, site)) is not None:
            doubt = self._doubts.unplaced(site, name, document.url)
            return replace(done, doubts=doubt.said) if doubt.said else done
        if found is None or not found.terminal or specificity(found.type) < 1:
            return done
        entry = self._catalogue[found.type]
        level = entry.level(found.level)
        if level is None or not level.extraction or not self._holds_content(document, entry):
            return done
        whole = [each for each in done.objects if not each.incomplete]
        missing = failures(level.extraction, whole) if done.failed else {}
        missing = {kind: names for kind, names in missing.items() if kind not in OPTIONAL}
        doubt = self._doubts.note(
            Read(
                site=site,
                type=found.type,
                level=found.level,
                url=document.url,
                source=document.source,
                actions=level.extraction,
                objects=done.objects,
                missing=missing,
            )
        )
        return replace(done, doubts=doubt.said, failed=done.failed or doubt.failed) if doubt.failed else done

    def _of_no_level(self, document: Document, done: Understanding, site: str) -> str | None:
        """Return the type of the site of a page that is of none of its levels and gave nothing, or None."""
        found = done.recognition
        if done.objects or (found is not None and found.level and specificity(found.type) >= 1):
            return None
        name = next((name for name in self.types(site) if specificity(name) >= 1), None)
        known = self._tables.place(self._catalogue[name].addresses, document.url) if name is not None else None
        return name if known is None or known.skip else None

    def way(self, document: Document, recognition: Recognition | None, site: str) -> Directions | None:
        """Say where a page leads; None when nothing is known about the site."""
        names = dict.fromkeys((*((recognition.type,) if recognition else ()), *self.types(site)))
        entries = [self._catalogue[name] for name in names]
        if not any(specificity(entry.id) >= 1 for entry in entries):
            return None
        level = entries[0].level(recognition.level) if recognition is not None else None
        way = self._navigator.way(document.page, document.url, entries, level)
        way = Directions(self._short.weigh(way.links, document.url, entries[0]), way.skips)
        return self._scouted(View(site, document.url, document.page, entries[0], level, way))

    def objects(self, document: Document, recognition: Recognition | None, site: str, now: float) -> list[WebObject]:
        """Say what stands on a page."""
        view = self._view(document, recognition, site, now)
        return self._objects(document, view) if view is not None else []

    def stated(
        self,
        document: Document,
        recognition: Recognition | None,
        objects: list[WebObject],
        way: Directions | None,
        now: float,
    ) -> tuple[Stated, ...]:
        """Return the numbers that a page states of what its site holds."""
        view = self._view(document, recognition, site_of(document.url), now)
        return self._stated(view, objects, way) if view is not None else ()

    def _view(
        self, document: Document, recognition: Recognition | None, site: str, now: float
    ) -> tuple[Place, Type, Level] | None:
        """Return where on a page rules look, and the rules; None where there are none."""
        entry = self._catalogue[recognition.type] if recognition is not None else None
        level = entry.level(recognition.level) if entry is not None and recognition is not None else None
        if entry is None or level is None or not (level.extraction or level.states):
            return None
        return self._place(document, entry, site, now), entry, level

    def _objects(self, document: Document, view: tuple[Place, Type, Level]) -> list[WebObject]:
        place, entry, level = view
        if not level.extraction:
            return []
        place = replace(
            place,
            inside=True,
            lenient=self._holds_content(document, entry),
            elsewhere=self._elsewhere(document, entry, place),
        )
        return self._extractor.objects(place, level.extraction)

    def _stated(
        self, view: tuple[Place, Type, Level], objects: list[WebObject], way: Directions | None
    ) -> tuple[Stated, ...]:
        place, entry, level = view
        if not (level.states or objects):
            return ()
        wholes = {each.part_of for each in objects}
        if specificity(entry.id) < 1:
            wholes.update(each.uri for each in objects)
        kinds = frozenset(each.kind for each in objects)
        shown = Shown(place, entry, level, frozenset(wholes), kinds, way.links if way else [])
        return stated(self._extractor, self._tables, shown)

    def _holds_content(self, document: Document, entry: Type) -> bool:
        """Tell whether what looks like an object and lacks something is one: standards have no templates."""
        known = self._tables.place(entry.addresses, document.url) if specificity(entry.id) >= 1 else None
        return specificity(entry.id) >= 1 and (known is None or not known.skip)

    # ── what is learned ──────────────────────────────────────────────────────────────────────────────────────────

    def learn(self, entry: Type) -> None:
        """Go by what was learned at a site, from now on."""
        self._catalogue = self._catalogue.with_entry(entry)
        self._recogniser = Recogniser(self._catalogue, self._search, self._tables)
        self._learned = _learned(self._catalogue)

    def _own(self, name: str, site: str) -> str:
        """Return the type that was learned for a site below a type, or the type."""
        own = f"{name}/{slug(site)}" if self._learned else name
        return own if own in self._learned else name

    def entry(self, name: str) -> Type | None:
        """Return what is known about a type."""
        return self._catalogue.types.get(name)

    def category(self, entry: Type) -> list[Type]:
        """Return the types of the same category as one."""
        return [each for each in self._catalogue.types.values() if each.category == entry.category]

    def _failed(self, recognition: Recognition, objects: list[WebObject], way: Directions | None) -> bool:
        entry = self._catalogue[recognition.type]
        if specificity(entry.id) < 1:
            return False  # standards have no templates
        level = entry.level(recognition.level)
        if level is None:
            return not recognition.level
        if recognition.terminal:
            return wanting(level.extraction, [each for each in objects if not each.incomplete])
        return bool(level.navigation) and way is not None and not any(link.action for link in way.links)

    def place(self, document: Document, recognition: Recognition, now: float) -> tuple[Place, Type, Level]:
        """Return where on a page rules look, and the rules."""
        entry = self._catalogue[recognition.type]
        level = entry.level(recognition.level)
        assert level is not None
        return self._place(document, entry, site_of(document.url), now), entry, level

    # ── parts of a page ──────────────────────────────────────────────────────────────────────────────────────────

    def _place(self, document: Document, entry: Type, site: str, now: float) -> Place:
        base = base_of(document.page, document.url)
        return Place(
            tree=document.tree,
            source=document.source,
            exchange=lambda: document.exchange,
            url=document.url,
            base=base,
            whole=self._whole(document, entry, base),
            dates=self._dates(document, site, now),
            linked=lambda: document.linked,
            resolve=self._finder.resolved,
            page=document.page,
        )

    def _elsewhere(self, document: Document, entry: Type, place: Place) -> Callable[[str], bool]:
        """Return what tells whether a link on a page leads to what another page is about."""
        own = {canonical(url, self._rules) for url in (document.url, place.whole)}

        def leads(href: str) -> bool:
            url = None if href.startswith("#") else self._finder.resolved(href, place.base)
            if url is None or canonical(url, self._rules) in own:
                return False
            known = self._tables.place(entry.addresses, url) if origin_of(url) == origin_of(document.url) else None
            if known is not None:
                level = entry.level(known.leads)
                return level is not None and level.kind is Kind.TERMINAL and known.whole != place.whole
            if url == named(document.page, document.headers, document.url, place.base):
                return False
            return _OF_A_TIME.search(url) is None

        return leads

    def _whole(self, document: Document, entry: Type, base: str) -> str:
        """Return the address of what a page shows, or shows a part of; a page elsewhere may tell which."""
        known = self._tables.place(entry.addresses, document.url)
        if known is not None and not known.skip:
            return known.whole
        links = document.page.of("link")
        told = next((each.get("href", "") for each in links if each.get("rel") == "canonical"), "")
        link = resolve(told, base) if told else None
        here = link is not None and origin_of(link) == origin_of(document.url)
        meant = self._tables.place(entry.addresses, link) if link is not None and here else None
        return meant.whole if meant is not None and meant.leads else document.url

    def _dates(self, document: Document, site: str, now: float) -> Dates:
        """Return the reader of a page's dates; a site keeps to one order of day and month."""
        return Dates(now, order=self._order(site), page=document.source)

    def _order(self, site: str) -> Order:
        if len(self._orders) >= SITES and site not in self._orders:
            del self._orders[next(iter(self._orders))]
        return self._orders.setdefault(site, Order())

    def order(self, site: str) -> tuple[int, int]:
        """Return how many dates of a site were seen that can be read only day first, and only month first."""
        known = self._orders.get(site)
        return (known.day_first, known.month_first) if known is not None else (0, 0)

    def remind_order(self, site: str, seen: tuple[int, int]) -> None:
        """Take over what others saw of a site's dates, if that is more."""
        if sum(seen) > sum(self.order(site)):
            order = self._order(site)
            order.day_first, order.month_first = seen

    def _duplicates(self, document: Document, site: str) -> tuple[Skip, ...]:
        """Return the address that a page names as its own, where experience says that it shows the same page."""
        base = base_of(document.page, document.url)
        url = named(document.page, document.headers, document.url, base)
        aliases = self._aliases.get(site)
        if aliases is None:
            if not url or url == document.url:
                return ()
            if len(self._aliases) >= SITES:
                self._aliases.clear()
            aliases = self._aliases[site] = Aliases()
        own = self._address(url, site) if url else None
        page = self._address(document.url, site)
        same = aliases.note(page, own, lambda: document.page.text)
        if own is None or not same:
            return ()
        return (Skip(own.url, own.key, Reason.DUPLICATE, SAME.format(document.url)),)

    def _address(self, url: str, site: str) -> Address:
        return Address(url, self.key(Link(url, canonical(url, self._rules)), site))

    def _scouted(self, view: View) -> Directions:
        """Add to where a page leads the shortcuts that are worth a request."""
        if not self._shortcuts or specificity(view.entry.id) < 1:
            return view.way
        more = self.asker.look(view)
        links = self.asker.ranked(view)
        asked = self.asker.trail(view.site).asked
        skips = [skip for skip in view.way.skips if skip.url not in asked] if asked else view.way.skips
        return Directions([*self._listed_otherwise(links, view), *more], skips)

    def _listed_otherwise(self, links: list[Link], view: View) -> list[Link]:
        """Put back the lists of a site whose content a shortcut has listed: they are left when two tell no news."""
        trail = self.asker.trail(view.site)
        if not trail.complete and not trail.sitemap:
            return links
        return [self._late(link, view) if link.role is Role.LIST else link for link in links]

    def _late(self, link: Link, view: View) -> Link:
        level = view.entry.level(link.action.rpartition(":")[2])
        known = self._navigator.known(link.url, view.entry)
        further = known is not None and known.key != known.whole
        if level is None or level.kind is not Kind.INTERMEDIATE or not (level.while_new or further):
            return link
        return msgspec.structs.replace(
            link, score=min(link.score, LATER), corner=Corner(CornerKind.LISTED, link.action)
        )

    def shortcuts(self, document: Document, recognition: Recognition | None, site: str) -> list[Ask]:
        """List the shortcuts that the site of a page may have, seen from that page."""
        if recognition is None or specificity(recognition.type) < 1:
            return []
        view = View(site, document.url, document.page, self._catalogue[recognition.type], None, NO_WAY)
        return self.asker.asks(view)

    def answer(self, data: bytes, url: str, site: str) -> tuple[Directions, Answered]:
        """Read what a shortcut answered; data is empty when that was nothing."""
        return self.asker.read(data, url, self._entries(site))

    def asks_after(self, answer: Answered, site: str, news: int) -> list[Link]:
        """Say what to ask after an answer that brought so much content nobody knew."""
        return self.asker.after(site, answer, news, self._entries(site))

    def key(self, link: Link, site: str) -> str:
        """Return the key of a link by what is known about its site."""
        found = (self._navigator.known(link.url, entry) for entry in self._entries(site))
        return next((known.key for known in found if known is not None), link.key)

    def by_tables(self, link: Link, site: str) -> Link | None:
        """Return a link as the tables of its site have it; None where they say nothing, or speak against it."""
        return self._navigator.by_tables(link, self._entries(site))

    def lost(self, page: Page, answer: Answered | None) -> int:
        """Estimate how much content a list or a shortcut would have told of that failed."""
        if answer is not None:
            return self.asker.lost(site_of(page.visit.url), answer)
        failed = page.fault is not None or page.status >= 400
        return self._short.lost(page.visit, self._entries(site_of(page.visit.url))) if failed else 0

    def claimed(self, visit: Visit, links: Sequence[Link]) -> int:
        """Return how much content a list says it holds, by the numbers of its pages."""
        entries = self._entries(site_of(visit.url))
        return self._short.claimed(visit.url, links, entries[0]) if entries else 0

    def spared(self, visit: Visit, known: Container[str]) -> tuple[Reason, str] | None:
        """Say why a visit is not needed any more, or None when it is; `known` holds the keys of what was found."""
        if visit.role is Role.ALIAS and visit.key in known:
            return Reason.DUPLICATE, "found under another address, which the site lists"
        if visit.role is Role.SHORTCUT:
            return None
        site = site_of(visit.url)
        if site in self._aliases and (same := self._aliases[site].same.get(visit.key)):
            return Reason.DUPLICATE, SAME.format(same)
        if not visit.via:  # a person named it, or it was kept before and its capture is lost
            return None
        spared = self.asker.left_out(site, visit.url, self._entries(site))
        return (Reason.NO_CONTENT, spared) if spared else None

    def instead(self, visit: Visit) -> list[Link]:
        """Say what to ask for instead of a visit that must not be made."""
        if visit.role is not Role.SHORTCUT:
            return []
        site = site_of(visit.url)
        return self.asker.refused(site, visit.url, self._entries(site))

    def _entries(self, site: str) -> list[Type]:
        return [self._catalogue[name] for name in self.types(site)]

    def _keep(self, site: str, types: tuple[str, ...]) -> None:
        if len(self._types) >= SITES and site not in self._types:
            del self._types[next(iter(self._types))]
        self._types[site] = types[:TYPES]


def _learned(catalogue: Catalogue) -> frozenset[str]:
    return frozenset(name for name, entry in catalogue.types.items() if entry.evidence)
