"""Navigation actions: a page of a known type → where to go on, and where not.

Every link is looked up in the type's table of addresses: it leads to a level, or says why it is not followed.
The level's actions add the links that they point to and that no row speaks against. What no row is about and no
action points to is not the application's own (a page made by hand beside a forum): it is followed sparingly,
after all else, unless the table of the generic entry knows it for noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from anansi.act.links import LinkFinder
from anansi.knowledge.addresses import Address, Place, Tables, shape_of
from anansi.knowledge.entry import Kind, Level, Navigation, Type
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression, parse
from anansi.model import CONTENT, Hop, Link, Reason, Skip
from anansi.url import DEFAULT, Rules, canonical, host_of

SCORES: Final = {Kind.TERMINAL: CONTENT, Kind.INTERMEDIATE: 0.6}
"""Content before lists before the rest."""

LATER: Final = 0.4
"""Of a list that is of no use once content leads to content by itself."""

UNKNOWN: Final = 0.3

FURTHER: Final = ", further pages"
"""What is added to the name of a corner for all but the first pages of its lists, which tell other news."""

BEHIND: Final = 0.01
"""What such pages come behind the first ones."""
ANYWHERE: Final = parse("*")
"""Of the action that stands for a site's own list."""

_PAGES: Final = (
    "x?html?|shtml?|xht|php[3-7]?|phtml|aspx?|jspx?|jsf|cgi|pl|py|rb|cfm|do|action|nsf|dll|exe|htmlx?|mspx|page|print"
    "|pdf|docx?|odt|rtf|txt|md|ps|epub|com|net|org|info|de|fr|uk|eu"
)
"""How the addresses of pages and documents end; some end in what looks like the name of a host."""

MEMO: Final = 20_000
"""Verdicts remembered of one site, about 400 bytes each."""

CONTEXTS: Final = 200
"""Sites, and levels that actions lead to, of which verdicts are remembered."""

_LINK: Final = Hop.LINK.value  # an enum's value costs a call, and this is done per link
_FILE: Final = re.compile(r"/[^/?]*(?<!\.html)\.(?!(?:" + _PAGES + r")(?:$|\?))[a-z][a-z0-9]{0,5}(?:\?[^/]*)?$", re.I)
"""Addresses of files that are no pages."""


_ENDS_IN_DIGITS: Final = re.compile(r"\.[a-z][^/?]*\d[^/?]*(?:\?|$)", re.I)
"""Addresses of which a digit may tell whether they are files."""


def _score(level: Level) -> float:
    return LATER if level.while_new else SCORES[level.kind]


@dataclass(frozen=True, slots=True)
class Way:
    """Where a page leads."""

    links: list[Link]
    skips: list[Skip]


@dataclass(frozen=True, slots=True)
class Tools:
    """What can be shared with other stages."""

    search: Search = field(default_factory=Search)
    tables: Tables = field(default_factory=Tables)


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """What was said of links, by their addresses. Mutable: `said`."""

    entries: tuple[Type, ...]
    """The types that said it; kept, for their identity is what it is remembered by."""
    said: dict[str, Link | Skip] = field(default_factory=dict)
    alike: dict[bytes, Link | Skip | None] = field(default_factory=dict)
    """What holds for all addresses of a shape; None where each must be judged."""


class Navigator:
    """Runs navigation actions.

    Mutable state: `_verdicts`, by host, level that an action leads to, and types; `_quiet`, shapes of addresses that
    are no noise. Both are dropped when full.
    """

    def __init__(
        self,
        finder: LinkFinder,
        noise: tuple[Address, ...] = (),
        *,
        rules: Rules = DEFAULT,
        pages_only: bool = True,
        tools: Tools | None = None,
    ):
        self._finder, self._noise, self._rules, self._pages_only = finder, noise, rules, pages_only
        tools = Tools() if tools is None else tools
        self._search, self._tables = tools.search, tools.tables
        self._verdicts: dict[tuple[str | int | None, ...], _Verdicts] = {}
        self._quiet: set[bytes] = set()

    def way(
        self, tree: Any, url: str, entries: Sequence[Type], level: Level | None, *, source: str | None = None
    ) -> Way:
        """Say where a page leads; of the types that its site is made of, the page's own comes first."""
        found = self._finder.links(tree, url)
        pointed = self._pointed(tree, url, entries[0], level, source)
        others = [link for link in found if link.hop != _LINK]
        candidates = {link.key: link for link in found if link.hop == _LINK}
        for link, _ in pointed.values():
            candidates.setdefault(link.key, link)  # forms and menus are no anchors
        links: dict[str, Link] = {}
        skips: dict[str, Skip] = {}
        here = _host(url)
        usual = self._known(entries, None, here)
        for link in candidates.values():
            action = pointed[link.key][1] if link.key in pointed else None
            known = usual if action is None else self._known(entries, action.to, here)
            verdict = known.said.get(link.url)
            if verdict is None:
                verdict = known.said[link.url] = self._new(link, known, action, here)
            if isinstance(verdict, Link):
                links.setdefault(verdict.key, verdict)
            else:
                skips.setdefault(verdict.key, verdict)
        return Way([*links.values(), *others], list(skips.values()))

    def listed(self, urls: Sequence[str], url: str, entries: Sequence[Type], leads: str = "") -> Way:
        """Judge the addresses that a site lists as its content, in their order; `leads` is their level if unknown."""
        here = _host(url)
        action = Navigation(leads, ANYWHERE)
        links: dict[str, Link] = {}
        skips: dict[str, Skip] = {}
        for each in urls:
            elsewhere = _host(each) != here
            verdict = self._judge(Link(each, canonical(each, self._rules)), entries, action, elsewhere=elsewhere)
            if isinstance(verdict, Link):
                known = verdict if leads or verdict.action.rpartition(":")[2] or elsewhere else _trusted(verdict)
                links.setdefault(known.key, known)
            else:
                skips.setdefault(verdict.key, verdict)
        return Way(list(links.values()), list(skips.values()))

    def known(self, url: str, entry: Type) -> Place | None:
        """Return what a type's table says about an address."""
        found = self._tables.place(entry.addresses, url)
        # what rows leave alone may still hold a session
        return found._replace(key=canonical(found.key, self._rules)) if found is not None else None

    def _known(self, entries: Sequence[Type], leads: str | None, here: str) -> _Verdicts:
        """Return what was said of links from that host: by their addresses, or because of an action."""
        context = here, leads, *map(id, entries)
        known = self._verdicts.get(context)
        if known is None or len(known.said) >= MEMO:
            if len(self._verdicts) >= CONTEXTS:
                self._verdicts.clear()
            known = self._verdicts[context] = _Verdicts(tuple(entries))
        return known

    def _new(self, link: Link, known: _Verdicts, action: Navigation | None, here: str) -> Link | Skip:
        """Judge a link that was not met before; most are of a shape that was."""
        start = link.url.find("/", 8)
        shape = link.url[:start].encode() + shape_of(link.url[start:])
        verdict = known.alike.get(shape)
        if isinstance(verdict, Skip):
            return Skip(link.url, link.key, verdict.reason, verdict.detail, verdict.never)
        if verdict is not None:
            told = verdict.score, link.anchor, link.path, verdict.action, verdict.corner
            return Link(link.url, link.key, link.hop, *told)
        elsewhere = _host(link.url) != here
        found = self._judge(link, known.entries, action, elsewhere=elsewhere)
        if b"0" in shape and shape not in known.alike:
            known.alike[shape] = found if self._is_alike(link, found, known.entries, elsewhere=elsewhere) else None
        return found

    def _is_alike(self, link: Link, found: Link | Skip, entries: Sequence[Type], *, elsewhere: bool) -> bool:
        """Tell whether a verdict holds for all links of one shape, each with its own address and key."""
        if isinstance(found, Link) and (found.url, found.key) != (link.url, link.key):
            return False
        tables = [
            self._tables.of(rows) for rows in (*(() if elsewhere else (e.addresses for e in entries)), self._noise)
        ]
        return _ENDS_IN_DIGITS.search(link.url) is None and all(table.alike(link.url) for table in tables)

    def _judge(
        self, link: Link, entries: Sequence[Type], action: Navigation | None, *, elsewhere: bool
    ) -> Link | Skip:
        for entry in () if elsewhere else entries:  # a table knows nothing of other hosts
            known = self._tables.place(entry.addresses, link.url)
            if known is not None and known.skip:
                return self._against(link, f"{entry.title}: {known.skip}", known)
            if known is not None:
                return self._towards(link, entry, known.leads, known)
        if action is not None:
            return self._towards(link, entries[0], action.to)
        if self._pages_only and _FILE.search(link.url):
            why = "a file, not a page; `scope.requisites` keeps files"
            return Skip(link.url, link.key, Reason.NO_CONTENT, why, never=True)
        noise = self._noise_at(link.url)
        if noise is not None and noise.skip:
            return self._against(link, noise.skip, noise)
        return Link(link.url, link.key, link.hop, UNKNOWN, link.anchor, link.path, link.action)

    def _against(self, link: Link, why: str, known: Place) -> Skip:
        noise = None if known.never else self._noise_at(link.url)
        never = known.never or (noise is not None and noise.never) or _FILE.search(link.url) is not None
        return Skip(link.url, link.key, Reason.NO_CONTENT, why, never)

    def _noise_at(self, url: str) -> Place | None:
        """Return what the generic table says about an address; that it says nothing is remembered by the shape."""
        table = self._tables.of(self._noise)
        shape = shape_of(url[url.find("/", 8) :])
        if shape in self._quiet:
            return None
        found = table.place(url)
        if found is None and b"0" in shape and table.alike(url):
            if len(self._quiet) >= MEMO:
                self._quiet.clear()
            self._quiet.add(shape)
        return found

    def _towards(self, link: Link, entry: Type, leads: str, known: Place | None = None) -> Link:
        """Return a link to a level, with the address and the key that a row gives it."""
        level = entry.level(leads)
        score = _score(level) if level is not None else UNKNOWN
        action, corner = f"{entry.id}:{leads}", ""
        if level is not None and level.while_new:
            further = known is not None and known.key != known.whole
            corner = action + FURTHER if further else action
            score -= BEHIND if further else 0.0
        # what rows leave alone may still hold a session
        key = canonical(known.key, self._rules) if known is not None else link.key
        url = known.request or link.url if known is not None else link.url
        return Link(url, key, link.hop, score, link.anchor, link.path, action, corner)

    def _pointed(
        self, tree: Any, url: str, entry: Type, level: Level | None, source: str | None
    ) -> dict[str, tuple[Link, Navigation]]:
        """Return the links that actions point to, by their keys, with the action."""
        pointed: dict[str, tuple[Link, Navigation]] = {}
        for action in (*(level.navigation if level is not None else ()), *entry.navigation):
            if not action.by_address:
                for link in self._finder.some(tree, self._raws(tree, action.expression, source), url):
                    pointed.setdefault(link.key, (link, action))
        return pointed

    def _raws(self, tree: Any, expression: Expression, source: str | None) -> list[str]:
        nodes = self._search.find(tree, source, expression)
        found = (each if isinstance(each, str) else each.get("href") or each.get("src") for each in nodes)
        return [each for each in found if each]


def _trusted(link: Link) -> Link:
    """Take a page that the site itself lists for content, though no table knows it."""
    return Link(link.url, link.key, link.hop, SCORES[Kind.TERMINAL], link.anchor, link.path, link.action)


def _host(url: str) -> str:
    return host_of(url).removeprefix("www.")
