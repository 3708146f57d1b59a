"""Know what a page is and act on it: where knowledge, recognition and action meet, for crawls and for whoever asks.

document ─► recognise (type, level) ─► act (links to follow, links not to follow, objects)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anansi.act.dates import Order
from anansi.act.dates import Reader as Dates
from anansi.act.extract import Extractor, Place
from anansi.act.links import LinkFinder, base_of
from anansi.act.navigate import Navigator, Way
from anansi.act.short import ShortLists
from anansi.knowledge.addresses import place
from anansi.knowledge.catalogue import GENERIC, Catalogue, specificity
from anansi.knowledge.entry import Type
from anansi.model import Recognition, WebObject
from anansi.recognise.document import Document
from anansi.recognise.recogniser import Recogniser
from anansi.url import origin_of, resolve

SITES: Final = 5000
"""Sites whose types are remembered; the hub reminds a worker of the others."""

TYPES: Final = 4
"""Types that one site may be made of (a blog beside a forum)."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a page is, where it leads, and what stands on it."""

    recognition: Recognition | None
    way: Way | None
    """Where it leads; None when nothing is known about the site, and every link is worth a look."""
    objects: list[WebObject]


class Awareness:
    """Recognises pages and acts on them.

    Mutable state: `_types` (site → types seen there, the latest first), `_orders` (site → order of day and month).
    """

    def __init__(self, catalogue: Catalogue, finder: LinkFinder, *, pages_only: bool = True):
        self._catalogue = catalogue
        self._recogniser = Recogniser(catalogue)
        noise = catalogue[GENERIC].addresses if GENERIC in catalogue.types else ()
        self._navigator = Navigator(finder, noise, rules=finder.rules, pages_only=pages_only)
        self._short = ShortLists()
        self._extractor = Extractor()
        self._types: dict[str, tuple[str, ...]] = {}
        self._orders: dict[str, Order] = {}

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
        found = self._recogniser.recognise(document, known[0] if known else "")
        if found is not None and specificity(found.type) >= 1 and known[:1] != (found.type,):
            self._keep(site, (found.type, *(name for name in known if name != found.type)))
        return found

    def act(self, document: Document, recognition: Recognition | None, site: str, now: float) -> Understanding:
        """Say where a page leads and what stands on it."""
        names = dict.fromkeys((*((recognition.type,) if recognition else ()), *self.types(site)))
        entries = [self._catalogue[name] for name in names]
        if not any(specificity(entry.id) >= 1 for entry in entries):
            way = None
        else:
            level = entries[0].level(recognition.level) if recognition is not None else None
            way = self._navigator.way(document.tree, document.url, entries, level, source=document.source)
            way = Way(self._short.weigh(way.links, document.url, entries[0]), way.skips)
        dates = self._dates(document, site, now)
        objects = self._objects(document, entries[0], recognition, dates) if recognition is not None else []
        return Understanding(recognition, way, objects)

    def _dates(self, document: Document, site: str, now: float) -> Dates:
        """Return the reader of a page's dates; a site keeps to one order of day and month."""
        if len(self._orders) >= SITES and site not in self._orders:
            del self._orders[next(iter(self._orders))]
        return Dates(now, order=self._orders.setdefault(site, Order()), page=document.source)

    def _objects(self, document: Document, entry: Type, recognition: Recognition, dates: Dates) -> list[WebObject]:
        level = entry.level(recognition.level)
        if level is None or not level.extraction:
            return []
        base = base_of(document.tree.iter("base"), document.url)
        where = Place(
            tree=document.tree,
            source=document.source,
            exchange=document.exchange,
            url=document.url,
            base=base,
            whole=_whole(document, entry, base),
            dates=dates,
            linked=lambda: document.linked,
        )
        return self._extractor.objects(where, level.extraction)

    def _keep(self, site: str, types: tuple[str, ...]) -> None:
        if len(self._types) >= SITES and site not in self._types:
            del self._types[next(iter(self._types))]
        self._types[site] = types[:TYPES]


def _whole(document: Document, entry: Type, base: str) -> str:
    """Return the address of what a page shows, or shows a part of; a page at another address of it may tell which."""
    known = place(entry.addresses, document.url)
    if known is not None and not known.skip:
        return known.whole
    told = next((each.get("href", "") for each in document.tree.iter("link") if each.get("rel") == "canonical"), "")
    link = resolve(told, base) if told else None
    meant = place(entry.addresses, link) if link is not None and origin_of(link) == origin_of(document.url) else None
    return meant.whole if meant is not None and meant.leads else document.url
