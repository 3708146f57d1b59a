"""Know what a page is and act on it: where knowledge, recognition and action meet, for crawls and for whoever asks.

document ─► recognise (type, level) ─► act (links to follow, links not to follow, objects)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from anansi.act.dates import Reader as Dates
from anansi.act.extract import Extractor, Place
from anansi.act.links import LinkFinder, base_of
from anansi.act.navigate import Navigator, Way
from anansi.adapt.favour import Favoured, favoured
from anansi.adapt.newsite import wanting
from anansi.adapt.rule import slug
from anansi.adapt.scene import Scene
from anansi.knowledge.addresses import place
from anansi.knowledge.catalogue import GENERIC, Catalogue, specificity
from anansi.knowledge.entry import Type
from anansi.model import Recognition, WebObject
from anansi.recognise.document import Document
from anansi.recognise.recogniser import Recogniser

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
    list_kind: str = ""
    """What kind of list it is, if one that is of no use once such lists lead to nothing new."""
    failed: bool = False
    """Whether objects or properties are missing that such a page has: the template may be another one."""


class Awareness:
    """Recognises pages and acts on them. Mutable state: `_types` (site → types seen there, the latest first); the
    catalogue, the recogniser and `_learned` (types that a crawl made), replaced when something is learned."""

    def __init__(self, catalogue: Catalogue, finder: LinkFinder, *, pages_only: bool = True):
        self._catalogue = catalogue
        self._recogniser = Recogniser(catalogue)
        noise = catalogue[GENERIC].addresses if GENERIC in catalogue.types else ()
        self._navigator = Navigator(finder, noise, rules=finder.rules, pages_only=pages_only)
        self._extractor = Extractor()
        self._types: dict[str, tuple[str, ...]] = {}
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
        if found is not None and specificity(found.type) >= 1 and known[:1] != (found.type,):
            self._keep(site, (found.type, *(name for name in known if name != found.type)))
        if found is not None and self._catalogue[found.type].evidence:
            return replace(found, adapted=True)
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
        if recognition is None:
            return Understanding(recognition, way, [], self.list_kind(document.url, site))
        objects = self._objects(document, entries[0], recognition, now)
        failed = self._failed(entries[0], recognition, objects, way)
        return Understanding(recognition, way, objects, self.list_kind(document.url, site), failed)

    def list_kind(self, url: str, site: str) -> str:
        """Return the kind of list that an address leads to, if one that is followed only while it leads to news."""
        for name in self.types(site):
            known = place(self._catalogue[name].addresses, url)
            if known is not None:
                level = self._catalogue[name].level(known.leads)
                return f"{name}:{level.name}" if level is not None and level.while_new else ""
        return ""

    def learn(self, entry: Type) -> None:
        """Go by what was learned at a site, from now on."""
        self._catalogue = self._catalogue.with_entry(entry)
        self._recogniser = Recogniser(self._catalogue)
        self._learned = _learned(self._catalogue)

    def _own(self, name: str, site: str) -> str:
        """Return the type that was learned for a site below a type, or the type."""
        own = f"{name}/{slug(site)}" if self._learned else name
        return own if own in self._learned else name

    def entry(self, name: str) -> Type | None:
        """Return what is known about a type."""
        return self._catalogue.types.get(name)

    def favoured(self, entry: Type) -> Favoured:
        """Return the names that types of the same category use in their actions."""
        return favoured(self._catalogue.types.values(), entry.category)

    @staticmethod
    def _failed(entry: Type, recognition: Recognition, objects: list[WebObject], way: Way | None) -> bool:
        if specificity(entry.id) < 1:
            return False  # standards have no templates
        level = entry.level(recognition.level)
        if level is None:
            return not recognition.level
        if recognition.terminal:
            return wanting(level.extraction, objects)
        return bool(level.navigation) and way is not None and not any(link.action for link in way.links)

    def scene(self, document: Document, recognition: Recognition, objects: Sequence[WebObject], now: float) -> Scene:
        """Return a page with all that mending its rules needs."""
        entry = self._catalogue[recognition.type]
        level = entry.level(recognition.level)
        assert level is not None
        return Scene(self._place(document, entry, now), entry, level, objects)

    def _objects(self, document: Document, entry: Type, recognition: Recognition, now: float) -> list[WebObject]:
        level = entry.level(recognition.level)
        if level is None or not level.extraction:
            return []
        return self._extractor.objects(self._place(document, entry, now), level.extraction)

    @staticmethod
    def _place(document: Document, entry: Type, now: float) -> Place:
        known = place(entry.addresses, document.url)
        return Place(
            tree=document.tree,
            source=document.source,
            exchange=document.exchange,
            url=document.url,
            base=base_of(document.tree.iter("base"), document.url),
            whole=known.whole if known is not None else document.url,
            dates=Dates(now),
        )

    def _keep(self, site: str, types: tuple[str, ...]) -> None:
        if len(self._types) >= SITES and site not in self._types:
            del self._types[next(iter(self._types))]
        self._types[site] = types[:TYPES]


def _learned(catalogue: Catalogue) -> frozenset[str]:
    return frozenset(name for name, entry in catalogue.types.items() if entry.evidence)
