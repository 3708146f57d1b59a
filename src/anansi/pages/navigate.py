"""Navigation actions: a page of a known type → where to go on, and where not.

Every link is looked up in the type's table of addresses: it leads to a level, or says why it is not followed.
The level's actions add the links that they point to and that no row speaks against. What no row is about and no
action points to is not the application's own (a page made by hand beside a forum): it is followed sparingly,
after all else, unless the table of the generic entry knows it for noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from anansi.knowledge.addresses import Address, Place, Tables
from anansi.knowledge.entry import Kind, Level, Navigation, Type
from anansi.knowledge.search import Search, Trail
from anansi.model import Link, Role, Skip
from anansi.pages.addresses import SCORES, Judge, Verdicts, host
from anansi.pages.links import LinkFinder
from anansi.pages.parts import Parts, Shown
from anansi.text.page_model import PageModel
from anansi.url import DEFAULT, Rules, canonical

SITES: Final = 200
"""Sites of which it is remembered how their links are read, and levels of which their actions are kept ready."""


@dataclass(frozen=True, slots=True)
class Directions:
    """Where a page leads."""

    links: list[Link]
    skips: list[Skip]


@dataclass(frozen=True, slots=True)
class Tools:
    """What can be shared with other stages."""

    search: Search = field(default_factory=Search)
    tables: Tables = field(default_factory=Tables)


class _Actions(NamedTuple):
    """The actions of a level and of its type, with their paths made ready."""

    entry: Type
    level: Level | None
    """Kept, as the entry is, for their identity is what it is remembered by."""
    trails: tuple[tuple[Navigation, Trail], ...]


class Navigator:
    """Runs navigation actions.

    Mutable: `_verdicts`, by host and types, and `_actions`, by type and level; each dropped when full.
    """

    def __init__(
        self,
        finder: LinkFinder,
        noise: tuple[Address, ...] = (),
        *,
        rules: Rules = DEFAULT,
        pages_only: bool = True,
        lists: bool = False,
        tools: Tools | None = None,
    ):
        self._finder, self._rules = finder, rules
        tools = Tools() if tools is None else tools
        self._search, self._tables = tools.search, tools.tables
        self._judge = Judge(self._tables, noise, rules, pages_only=pages_only, lists=lists)
        self._parts = Parts(self._judge)
        self._verdicts: dict[tuple[object, ...], Verdicts] = {}
        self._actions: dict[tuple[int, int], _Actions] = {}

    def way(self, page: PageModel, url: str, entries: Sequence[Type], level: Level | None) -> Directions:
        """Say where a page leads; of the types that its site is made of, the page's own comes first."""
        base, raws = self._finder.references(page, url)
        verdicts = self._verdicts_of(entries, host(url))
        judged = self._finder.read(raws, base, verdicts)
        judged = self._parts.told(judged, entries[0], Shown(page, url, base, raws))
        pointed: dict[str, Navigation] = {}
        for action, trail in self._actions_of(entries[0], level).trails:
            raws = _raws(self._search.follow(page, trail))
            for each in self._finder.read(raws, base, verdicts).values() if raws else ():
                judged.setdefault(each.key, each)  # forms and menus are no anchors
                pointed.setdefault(each.key, action)
        links: dict[str, Link] = {}
        skips: list[Skip] = []
        for each in judged.values():
            verdict = each.verdict
            if not each.final and each.key in pointed:
                verdict = self._judge.towards(Link(each.url, each.key), entries[0], pointed[each.key].to)
            if isinstance(verdict, Link):
                links.setdefault(verdict.key, verdict)
            else:
                skips.append(verdict)
        return Directions(list(links.values()), skips)

    def listed(self, urls: Sequence[str], url: str, entries: Sequence[Type], leads: str = "") -> Directions:
        """Judge the addresses that a site lists as its content, in their order; `leads` is their level if unknown."""
        here = host(url)
        links: dict[str, Link] = {}
        skips: dict[str, Skip] = {}
        for each in urls:
            link = Link(each, canonical(each, self._rules))
            elsewhere = host(each) != here
            told = None if elsewhere else self._judge.by_tables(link, entries)
            verdict = told or self._judge.towards(link, entries[0], leads)
            if isinstance(verdict, Link):
                known = verdict if leads or verdict.action.rpartition(":")[2] or elsewhere else _trusted(verdict)
                links.setdefault(known.key, known)
            else:
                skips.setdefault(verdict.key, verdict)
        return Directions(list(links.values()), list(skips.values()))

    def known(self, url: str, entry: Type) -> Place | None:
        """Return what a type's table says about an address."""
        found = self._tables.place(entry.addresses, url)
        # what rows leave alone may still hold a session
        return found._replace(key=canonical(found.key, self._rules)) if found is not None else None

    def by_tables(self, link: Link, entries: Sequence[Type]) -> Link | None:
        """Return a link as tables alone have it; None where they speak against it, or say nothing."""
        verdict = self._judge.by_tables(link, entries)
        return verdict if isinstance(verdict, Link) else None

    def _verdicts_of(self, entries: Sequence[Type], here: str) -> Verdicts:
        """Return what reads the links of a site; one as long as its types are: what it said is remembered."""
        context = here, *map(id, entries)
        known = self._verdicts.get(context)
        if known is None:
            if len(self._verdicts) >= SITES:
                self._verdicts.clear()
            known = self._verdicts[context] = Verdicts(self._judge, entries, here)
        return known

    def _actions_of(self, entry: Type, level: Level | None) -> _Actions:
        """Return the actions of a level and of its type that need a look at the page."""
        known = self._actions.get((id(entry), id(level)))
        if known is None:
            if len(self._actions) >= SITES:
                self._actions.clear()
            own = (*(level.navigation if level is not None else ()), *entry.navigation)
            trails = tuple((each, self._search.trail(each.expression)) for each in own if not each.by_address)
            known = self._actions[id(entry), id(level)] = _Actions(entry, level, trails)
        return known


def _raws(nodes: list[Any]) -> list[str]:
    if not nodes:
        return []
    found = (each if isinstance(each, str) else each.get("href") or each.get("src") for each in nodes)
    return [each for each in found if each]


def _trusted(link: Link) -> Link:
    """Take a page that the site itself lists for content, though no table knows it."""
    score = SCORES[Kind.TERMINAL]
    return Link(link.url, link.key, link.hop, Role.CONTENT, score, link.anchor, link.path, link.action)
