"""Verdicts on links by what their addresses tell: where a link leads, or why it is not followed.

    the site's tables  ─►  a file?  ─►  the generic table, which knows what is noise  ─►  followed sparingly

What a table of the site says is final. What none of them is about may still be pointed to by a navigation action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from anansi.knowledge.addresses import Address, Place, Tables
from anansi.knowledge.entry import Kind, Level, Type
from anansi.model import Corner, CornerKind, Link, Reason, Role, Skip
from anansi.pages.link_shapes import Copy, Form, copies, form_of
from anansi.url import Rules, canonical, host_of, resolve

SCORES: Final = {Kind.TERMINAL: 0.8, Kind.INTERMEDIATE: 0.6}
"""Content before lists before the rest."""

_ROLES: Final = {Kind.TERMINAL: Role.CONTENT, Kind.INTERMEDIATE: Role.LIST}

LATER: Final = 0.4
"""Of a list that is of no use once content leads to content by itself."""

UNKNOWN: Final = 0.3

BEHIND: Final = 0.01
"""What the further pages of such lists come behind the first ones."""

_PAGES: Final = (
    "x?html?|shtml?|xht|php[3-7]?|phtml|aspx?|jspx?|jsf|cgi|pl|py|rb|cfm|do|action|nsf|dll|exe|htmlx?|mspx|page|print"
    "|pdf|docx?|odt|rtf|txt|md|ps|epub|com|net|org|info|de|fr|uk|eu"
)
"""How the addresses of pages and documents end; some end in what looks like the name of a host."""

_FILE: Final = re.compile(r"/[^/?]*(?<!\.html)\.(?!(?:" + _PAGES + r")(?:$|\?))[a-z][a-z0-9]{0,5}(?:\?[^/]*)?$", re.I)
"""Addresses of files that are no pages."""

_ENDS_IN_DIGITS: Final = re.compile(r"/[^/?]*\.[a-z][^/?]*\d[^/?]*(?:\?[^/]*)?$", re.I)
"""Addresses of which a digit may tell whether they are files."""

_NO_CONTENT: Final = Reason.NO_CONTENT  # to look up a member of an enum costs as much as making a verdict


class Judged(msgspec.Struct, frozen=True, gc=False):
    """A link and the verdict on it."""

    key: str
    """Of the link; the verdict may have another one."""
    url: str
    verdict: Link | Skip
    final: bool
    """Whether a table of the site says so; else an action may point to it."""


class Judge:
    """Judges links by their addresses."""

    def __init__(
        self, tables: Tables, noise: tuple[Address, ...], rules: Rules, *, pages_only: bool, lists: bool
    ) -> None:
        self.tables, self.noise, self.rules = tables, noise, rules
        self._pages_only, self._lists = pages_only, lists

    def by_tables(self, link: Link, entries: Sequence[Type]) -> Link | Skip | None:
        """Say what the tables of a site's types say of a link; None when they say nothing."""
        for entry in entries:
            known = self.tables.place(entry.addresses, link.url)
            if known is not None and known.lists and self._lists:
                return self.otherwise(link)
            if known is not None and known.skip:
                return self._against(link, f"{entry.title}: {known.skip}", known)
            if known is not None:
                return (
                    self._whole(link, entry, known) if known.part else self.towards(link, entry, known.leads, known)
                )
        return None

    def _whole(self, link: Link, entry: Type, known: Place) -> Link:
        """Return a link to what an address is a part of; its own pages tell of its parts."""
        whole = msgspec.structs.replace(link, url=known.whole, key=canonical(known.whole, self.rules))
        place = self.tables.place(entry.addresses, known.whole)
        return self.towards(whole, entry, known.leads, place if place is not None and place.leads else None)

    def otherwise(self, link: Link) -> Link | Skip:
        """Say what to do with a link that no table of its site is about, and no action points to."""
        if self._pages_only and _is_file(link.url):
            why = "a file, not a page; `scope.requisites` keeps files"
            return Skip(link.url, link.key, _NO_CONTENT, why, never=True)
        noise = self.tables.place(self.noise, link.url)
        if noise is not None and noise.skip:
            return self._against(link, noise.skip, noise)
        return Link(link.url, link.key, link.hop, Role.PAGE, UNKNOWN, link.anchor, link.path, link.action)

    def towards(self, link: Link, entry: Type, leads: str, known: Place | None = None) -> Link:
        """Return a link to a level, with the address and the key that a row gives it."""
        level = entry.level(leads)
        score = _score(level) if level is not None else UNKNOWN
        role = _role(level) if level is not None else Role.PAGE
        action, corner = f"{entry.id}:{leads}", None
        if level is not None and level.while_new:
            further = known is not None and known.key != known.whole
            corner = Corner(CornerKind.FURTHER if further else CornerKind.LISTS, action)
            score -= BEHIND if further else 0.0
        # what rows leave alone may still hold a session
        key = canonical(known.key, self.rules) if known is not None else link.key
        url = known.request or link.url if known is not None else link.url
        return Link(url, key, link.hop, role, score, link.anchor, link.path, action, corner)

    def _against(self, link: Link, why: str, known: Place) -> Skip:
        noise = None if known.never else self.tables.place(self.noise, link.url)
        never = known.never or (noise is not None and noise.never) or _is_file(link.url)
        return Skip(link.url, link.key, _NO_CONTENT, why, never, known.lists)


class Verdicts:
    """Reads the links of one site as what is to be done with them: those on pages of some types, at a host.

    Whatever it says is remembered by who asks (`links.LinkFinder`), so it must hold on every page of that host.
    """

    def __init__(self, judge: Judge, entries: Sequence[Type], here: str) -> None:
        self._judge, self.entries, self._here = judge, tuple(entries), here

    def meant(self, raw: str, base: str) -> Judged | None:
        """Judge a link as it is written."""
        url = resolve(raw, base)
        return self._judged(url, canonical(url, self._judge.rules)) if url is not None else None

    def form(self, raw: str, base: str, value: Judged) -> Callable[[str], Judged | None]:
        """Return what judges all links that differ from this one in numbers alone."""
        form = form_of(raw, value.url, value.key) if not self._judge.rules.rewrites else None
        if form is None:
            return lambda raw: self.meant(raw, base)
        verdict = value.verdict
        if not self._holds_for_all(value.url):
            return lambda raw: self._judged(*form.filled(raw))
        if isinstance(verdict, Skip):
            return _against_all(form, verdict, final=value.final)
        if (verdict.url, verdict.key) == (value.url, value.key):
            return _towards_all(form, verdict, final=value.final)
        written = copies(value.url, self._written)
        if written is None:
            return lambda raw: self._judged(*form.filled(raw))
        return _rewritten_all(form, verdict, *written)

    def _written(self, url: str) -> tuple[str, str]:
        """Return the address and the key that a table gives a link."""
        verdict = self._judged(url, url).verdict
        return verdict.url, verdict.key

    def _judged(self, url: str, key: str) -> Judged:
        link = Link(url, key)
        # a table knows nothing of other hosts
        verdict = self._judge.by_tables(link, self.entries) if host(url) == self._here else None
        return Judged(key, url, verdict or self._judge.otherwise(link), verdict is not None)

    def _holds_for_all(self, url: str) -> bool:
        """Tell whether the verdict on an address holds for all that differ from it in numbers alone."""
        tables = self._judge.tables
        own = (entry.addresses for entry in self.entries) if host(url) == self._here else ()
        return _ENDS_IN_DIGITS.search(url) is None and all(
            tables.of(rows).alike(url) for rows in (*own, self._judge.noise)
        )


def _against_all(form: Form, verdict: Skip, *, final: bool) -> Callable[[str], Judged]:
    filled = form.filled
    told = verdict.reason, verdict.detail, verdict.never, verdict.repeats
    head, begin, end, order = form

    def judged(raw: str) -> Judged:
        url, key = filled(raw)
        return Judged(key, url, Skip(url, key, *told), final)

    def judged_at_once(raw: str) -> Judged:  # most links are such: a third of the time
        url = head + raw[begin:end]
        return Judged(url, url, Skip(url, url, *told), final)

    return judged if order is not None else judged_at_once


def _towards_all(form: Form, verdict: Link, *, final: bool) -> Callable[[str], Judged]:
    filled = form.filled
    rest = verdict.hop, verdict.role, verdict.score, verdict.anchor, verdict.path, verdict.action, verdict.corner

    def judged(raw: str) -> Judged:
        url, key = filled(raw)
        return Judged(key, url, Link(url, key, *rest), final)

    return judged


def _rewritten_all(form: Form, verdict: Link, request: Copy, rewritten: Copy) -> Callable[[str], Judged]:
    """Make links whose address or key is another one by the table: to the posts of a thread, which are the thread."""
    filled = form.filled
    rest = verdict.hop, verdict.role, verdict.score, verdict.anchor, verdict.path, verdict.action, verdict.corner

    def judged(raw: str) -> Judged:
        url, key = filled(raw)
        return Judged(key, url, Link(request.of(url), rewritten.of(url), *rest), True)

    return judged


def host(url: str) -> str:
    """Return the host by which a site knows its own addresses."""
    return host_of(url).removeprefix("www.")


def _is_file(url: str) -> bool:
    return "." in url[url.find("/", 8) :] and _FILE.search(url) is not None


def _role(level: Level) -> Role:
    return Role.LIST if level.while_new else _ROLES[level.kind]


def _score(level: Level) -> float:
    return LATER if level.while_new else SCORES[level.kind]
