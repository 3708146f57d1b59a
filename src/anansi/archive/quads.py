"""A page's objects in words of RDF: N-Quads, one named graph a capture.

The text is put together here and not by a library: a page of 150 statements has a quarter of a millisecond. The last
statement of a page is the time of its capture, so a page that was cut off is known by its absence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Final
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec

from anansi import __version__
from anansi.archive.iri import node
from anansi.knowledge.vocabulary import (
    ACCOUNT,
    CAPTURE,
    DATES,
    INCOMPLETE,
    KEYWORD,
    NUMBERS,
    OBJECTS,
    PROPERTIES,
    STATED,
    STATUS,
    WHOLES,
    term,
)
from anansi.model import Recognition, Stated, Value, WebObject
from anansi.url import origin_of, resolve, site_of

LONGEST: Final = 1 << 20
"""Characters of a literal; a longer one is cut."""
ACCOUNTS: Final = 5000
"""Accounts whose introductions are kept, half a KB each: those of the sites at hand."""

_LINK: Final = "link"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_WITHOUT_SECONDS: Final = re.compile(r"(.*T[0-9]{2}:[0-9]{2})(Z|[+-][0-9]{2}:[0-9]{2})?")

# JSON escapes quotes, backslashes and control characters as N-Quads does, and msgspec does it five times faster than
# `str.replace`: 0.7 µs for 700 characters.
_json: Final = msgspec.json.Encoder().encode

Authors = list[tuple[str, str]]
"""Names and addresses; either may be missing."""


def _predicate(name: str) -> bytes:
    return f" <{term(name)}> ".encode()


def _typed(name: str) -> bytes:
    return f"^^<{term('xsd:' + name)}>".encode()


_IS: Final = _predicate("rdf:type")
_TYPES: Final = {kind: tuple(_IS + node(term(each)) for each in terms) for kind, terms in OBJECTS.items()}
_TERMS: Final = {name: _predicate(each) for name, each in PROPERTIES.items() if each}
_WHOLES: Final = {kind: tuple(_predicate(each) for each in terms) for kind, terms in WHOLES.items()}
_WORDINGS: Final = {name: _predicate(each) for name, each in DATES.items()}
_CAPTURE: Final = {name: _predicate(each) for name, each in CAPTURE.items()}
_NAME: Final = _predicate("sioc:name")
_ACCOUNT_NAME: Final = _predicate("foaf:accountName")
_ACCOUNT_SITE: Final = _predicate("foaf:accountServiceHomepage")
_PAGE: Final = _predicate("foaf:page")
_DESCRIPTION: Final = _predicate("schema:description")
_NOTE: Final = _predicate("sioc:note")
_KEYWORD: Final = _predicate(KEYWORD)
_PARENT: Final = _predicate("sioc:has_parent")
_REPLY: Final = _TERMS["reply-to"]
_CREATOR: Final = _TERMS["author"]
_TITLE: Final = _TERMS["title"]
_INTEGER: Final = _typed("integer")
_STATED: Final = {kind: _predicate(each) for kind, each in STATED.items()}
_SITE: Final = node(term("sioc:Site"))
_INCOMPLETE: Final = _predicate(STATUS) + _json(INCOMPLETE)

_MONTH: Final = "(?:0[1-9]|1[0-2])"
_DAY: Final = "(?:0[1-9]|[12][0-9]|3[01])"
_TIME: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
_ZONE: Final = "(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?"
_DATE_TIME: Final = _typed("dateTime")
_MOMENT: Final = re.compile(f"[0-9]{{4}}-{_MONTH}-{_DAY}T{_TIME}{_ZONE}")
_DATES: Final = (
    (_DATE_TIME, _MOMENT),
    (_typed("date"), re.compile(f"[0-9]{{4}}-{_MONTH}-{_DAY}")),
    (_typed("gYearMonth"), re.compile(f"[0-9]{{4}}-{_MONTH}")),
    (_typed("gYear"), re.compile("[0-9]{4}")),
)

_AGENT: Final = node(f"urn:uuid:{uuid5(NAMESPACE_URL, f'anansi/{__version__}')}")
_AGENT_SAYS: Final = (
    _AGENT + _IS + node(term("prov:SoftwareAgent")),
    _AGENT + _predicate("foaf:name") + b'"Anansi"',
    _AGENT + _predicate("schema:softwareVersion") + _json(__version__),
)

END: Final = b">" + _CAPTURE["date"]
"""What the last line of a page holds after its subject."""


@dataclass(frozen=True, slots=True)
class Capture:
    """The capture that objects were found in."""

    page: str
    """The URL."""
    date: str
    """As `WARC-Date` has it."""
    identity: str
    """As `WARC-Record-ID` has it, with or without angle brackets."""
    recognition: Recognition | None = None
    read: str = ""
    """When it was read, if not for the first time; written as `date` is."""


def nquads(capture: Capture, objects: Sequence[WebObject], stated: Sequence[Stated] = ()) -> bytes:
    """Write the statements of a page's objects, of the numbers that it states, and of their capture."""
    graph = _Graph(capture)
    graph.describe(objects, stated)
    graph.said.append(b"")
    return (b" " + graph.name + b" .\n").join(graph.said)


class _Graph:
    """The statements of one capture.

    Mutable state: `said`, the statements; `_once`, those about accounts and forums, which many objects name;
    `_known`, name → link; `_accounts`, name and link → account; `_by`, the first author of the object at hand;
    `_nodes`, what other objects are part of.
    """

    __slots__ = (
        "_accounts",
        "_at",
        "_by",
        "_capture",
        "_known",
        "_nodes",
        "_once",
        "_origin",
        "_site",
        "name",
        "said",
    )

    def __init__(self, capture: Capture) -> None:
        identity = capture.identity.strip("<> ")
        self.name = node(identity if _SCHEME.match(identity) else f"urn:uuid:{identity}")
        self.said: list[bytes] = []
        self._capture = capture
        self._origin = origin_of(capture.page) or capture.page
        self._at = site_of(self._origin)
        self._site = _ACCOUNT_SITE + node(self._origin + "/")
        self._known: dict[str, str] = {}
        self._accounts: dict[tuple[str, str], bytes] = {}
        self._once: set[bytes] = set()
        self._nodes: dict[str, bytes] = {}
        self._by = b""

    def describe(self, objects: Sequence[WebObject], stated: Sequence[Stated] = ()) -> None:
        """Say everything; the time of the capture last."""
        authors = [_authors(each) for each in objects]
        self._meet(authors)
        for each, by in zip(objects, authors, strict=True):
            self._object(each, by)
        for number in stated:
            self._number(number)
        self._provenance()

    def _provenance(self) -> None:
        capture, name, add = self._capture, self.name, self.said.append
        recognition = capture.recognition
        if recognition is not None:
            add(name + _CAPTURE["type"] + _literal(recognition.type))
            if recognition.level:
                add(name + _CAPTURE["level"] + _literal(recognition.level))
        if capture.read:
            add(name + _CAPTURE["read"] + _date(capture.read))
        add(name + _CAPTURE["page"] + node(capture.page))
        add(name + _CAPTURE["agent"] + _AGENT)
        self.said += _AGENT_SAYS
        add(name + _CAPTURE["date"] + _date(capture.date))

    def _number(self, stated: Stated) -> None:
        """Say how much the page says something holds, what level that is of, and which list it stands in."""
        holder, add = node(stated.of), self.said.append
        if stated.kind:
            add(holder + _STATED[stated.kind] + b'"%d"' % stated.count + _INTEGER)
        self._say_once(holder + (_IS + _SITE if not stated.level else _CAPTURE["level"] + _literal(stated.level)))
        if stated.within:
            self._say_once(holder + _PARENT + node(stated.within))

    # ── objects ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _object(self, each: WebObject, authors: Authors) -> None:
        subject, add, plain = node(each.uri), self.said.append, _PLAIN
        for statement in _TYPES.get(each.kind, ()):
            add(subject + statement)
        if each.incomplete:
            add(subject + _INCOMPLETE)
        if each.part_of:
            self._part(subject, each)
        if each.kind == "account":
            plain = _PLAIN_OF_ACCOUNT
            self._say_once(subject + self._site)
        elif authors:
            self._author(subject, authors)
        for name, value in each.properties:
            predicate = plain.get(name)
            if predicate is not None:
                add(subject + predicate + _literal(value[0]))
            elif name in _WAYS:
                _WAYS[name](self, subject, each, (name, value))
        self._by = b""

    def _part(self, subject: bytes, each: WebObject) -> None:
        whole = self._nodes.get(each.part_of) or self._nodes.setdefault(each.part_of, node(each.part_of))
        for predicate in _WHOLES.get(each.kind, ()):
            if predicate != _REPLY or not each.get("reply-to"):
                self.said.append(subject + predicate + whole)

    def _say_once(self, statement: bytes) -> None:
        if statement not in self._once:
            self._once.add(statement)
            self.said.append(statement)

    # ── accounts ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _meet(self, authors: Iterable[Authors]) -> None:
        """Note which page each name has: where the name stands without a link, it means that one."""
        unclear = set()
        for pairs in authors:
            for name, link in pairs:
                if name and self._is_here(link) and self._known.setdefault(name, link) != link:
                    unclear.add(name)
        for name in unclear:
            del self._known[name]

    def _author(self, subject: bytes, authors: Authors) -> None:
        for pair in authors:
            account = self._accounts.get(pair) or self._account(*pair)
            self.said.append(subject + _CREATOR + account)
            self._by = self._by or account

    def _account(self, name: str, link: str) -> bytes:
        here = link if self._is_here(link) or not name else ""
        address = here or self._known.get(name) or f"{self._origin}#account-{_anchor(name)}"
        account, introduction = _introduced(address, name, self._site)
        self._accounts[name, link] = account
        if link and not here:
            self._say_once(account + _PAGE + node(link))
        for statement in introduction:
            self._say_once(statement)
        return account

    def _is_here(self, link: str) -> bool:
        """Say whether a page is of this site: who comments a blog may link to a site of their own."""
        return bool(link) and (link.startswith(self._origin) or site_of(link) == self._at)

    # ── properties that are more than a text ─────────────────────────────────────────────────────────────────────

    def signature(self, subject: bytes, _: WebObject, said: tuple[str, Value]) -> None:
        """Say a signature of the account; one that nobody signed stays with the object."""
        text = _literal(said[1].text)
        if self._by:
            self._say_once(self._by + _DESCRIPTION + text)
        else:
            self.said.append(subject + _NOTE + text)

    def date(self, subject: bytes, _: WebObject, said: tuple[str, Value]) -> None:
        """Say when, and how the page worded it."""
        name, value = said
        self.said.append(subject + _TERMS[name] + _date(value.text))
        if value.original and value.original != value.text:
            self.said.append(subject + _WORDINGS[name] + _literal(value.original))

    def number(self, subject: bytes, _: WebObject, said: tuple[str, Value]) -> None:
        """Say how many."""
        name, value = said
        text = value.text.strip()
        datatype = _INTEGER if text.isascii() and text.removeprefix("-").isdigit() else b""
        self.said.append(subject + _TERMS[name] + _literal(text) + datatype)

    def link(self, subject: bytes, _: WebObject, said: tuple[str, Value]) -> None:
        """Say where an object leads; an address that no one can follow is left out."""
        name, value = said
        address = value.text if value.read_as == _LINK else resolve(value.text, self._capture.page)
        if address:
            self.said.append(subject + _TERMS[name] + node(address))

    def reply(self, subject: bytes, each: WebObject, said: tuple[str, Value]) -> None:
        """Name the object that is answered; an id stands for the object of that id beside this one."""
        value = said[1]
        beside = (each.part_of or each.uri).partition("#")[0]
        target = value.text if value.read_as == _LINK else f"{beside}#{_anchor(value.text.lstrip('#'))}"
        self.said.append(subject + _REPLY + node(target))

    def tag(self, subject: bytes, each: WebObject, said: tuple[str, Value]) -> None:
        """Name a topic by its address, or by its word."""
        if said[1].read_as == _LINK:
            self.link(subject, each, said)
        else:
            self.said.append(subject + _KEYWORD + _literal(said[1].text))

    def section(self, subject: bytes, each: WebObject, said: tuple[str, Value]) -> None:
        """Say in which forum a thread stands, the forums above it included; other objects have sections by name."""
        name, value = said
        if each.kind not in ("thread", "forum"):
            self.said.append(subject + _TERMS[name] + _literal(value.text))
            return
        values = [found for key, found in each.properties if key == name]
        if value is values[0]:
            self._forums(subject, _paired(values, values))

    def _forums(self, child: bytes, sections: Authors) -> None:
        for title, link in reversed(sections):
            forum = node(link or f"{self._origin}#forum-{_anchor(title)}")
            if forum == child:
                continue
            self._say_once(child + _PARENT + forum)
            self._say_once(forum + _TYPES["forum"][0])
            if title:
                self._say_once(forum + _TITLE + _literal(title))
            child = forum


_Way = Callable[[_Graph, bytes, WebObject, tuple[str, Value]], None]
_WAYS: Final[dict[str, _Way]] = {
    **dict.fromkeys(DATES, _Graph.date),
    **dict.fromkeys(NUMBERS, _Graph.number),
    "signature": _Graph.signature,
    "link": _Graph.link,
    "image": _Graph.link,
    "reference": _Graph.link,
    "media": _Graph.link,
    "reply-to": _Graph.reply,
    "tag": _Graph.tag,
    "section": _Graph.section,
}
_PLAIN: Final = {name: each for name, each in _TERMS.items() if name not in _WAYS and name != "author"}
_PLAIN_OF_ACCOUNT: Final = {**_PLAIN, **{name: _predicate(each) for name, each in ACCOUNT.items()}}


def _authors(each: WebObject) -> Authors:
    names = [value for key, value in each.properties if key == "author"]
    links = [value for key, value in each.properties if key == "author-link" and value.read_as == _LINK]
    if len(names) == 1 and len(links) <= 1 and names[0].read_as != _LINK:
        return [(names[0].text, links[0].text if links else "")]
    return _paired(names, [*links, *names]) if names or links else []


def _paired(names: Sequence[Value], links: Sequence[Value]) -> Authors:
    """Pair texts with links in the order they stand in."""
    texts = [value.text for value in names if value.read_as != _LINK]
    addresses = [value.text for value in links if value.read_as == _LINK]
    return list(zip_longest(texts, addresses, fillvalue=""))


def _anchor(text: str) -> str:
    return quote(text, safe="", errors="replace")


@lru_cache(ACCOUNTS)
def _introduced(address: str, name: str, site: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    """Return an account, and what is said of it wherever it is met."""
    account = node(address)
    said = (account + _TYPES["account"][0], account + site)
    text = _literal(name)
    return account, (*said, account + _NAME + text, account + _ACCOUNT_NAME + text) if name else said


def _date(text: str) -> bytes:
    """Write a date as a literal, typed where XML Schema has a type for it."""
    if _MOMENT.fullmatch(text):  # the usual case
        return b'"%b"%b' % (text.encode(), _DATE_TIME)
    text = text.strip()
    short = _WITHOUT_SECONDS.fullmatch(text)
    if short is not None:
        text = f"{short[1]}:00{short[2] or ''}"
    datatype = next((name for name, form in _DATES if form.fullmatch(text)), b"")
    return _literal(text) + datatype


def _literal(text: str) -> bytes:
    """Write a text as N-Quads writes a literal."""
    if len(text) > LONGEST:
        text = text[:LONGEST]
    try:
        return _json(text)
    except UnicodeEncodeError:  # half a character: pages hold such, and UTF-8 has no place for it
        return _json(_SURROGATE.sub("\ufffd", text))
