"""Types as XML: read with messages that name file, line and cure; written as a person would write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Any, Final, TypeVar, cast

from lxml import etree

from anansi.errors import KnowledgeError
from anansi.knowledge import evidence
from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import (
    SITE,
    As,
    Extraction,
    Kind,
    Level,
    Navigation,
    Pattern,
    Property,
    Shortcut,
    States,
    Type,
)
from anansi.knowledge.learned import Follow, Learned, read_follow
from anansi.knowledge.vocabulary import OBJECTS, PROPERTIES, STATED
from anansi.knowledge.xpath import Expression, parse

T = TypeVar("T")

LARGEST: Final = 1 << 20
"""Bytes of an entry; the built-in ones have ten thousand."""

EITHER: Final = "|"
"""What separates the expressions of `without` and the formats of `format`."""


@cache
def schema() -> Any:
    """Return the schema of entries."""
    return etree.RelaxNG(_grammar())


@cache
def _grammar() -> Any:
    return etree.fromstring(resources.files(__package__).joinpath("knowledge.rng").read_bytes())


def read(data: bytes, source: str) -> Type:
    """Read an entry."""
    if len(data) > LARGEST:
        raise KnowledgeError(f"{source}: {len(data)} bytes are too many for an entry; split it into several types")
    root = _parsed(data, source)
    checker = schema()
    if not checker.validate(root):
        raise KnowledgeError("\n".join(_misplaced(root, checker.error_log, source)))
    _tidy(root)
    reader = _Reader(source)
    entry = reader.type(root)
    if reader.problems:
        raise KnowledgeError("\n".join(reader.problems))
    return entry


def _misplaced(root: Any, log: Iterable[Any], source: str) -> list[str]:
    """Word what the schema has to say, once a line: what it says further is a consequence."""
    first: dict[int, str] = {}
    for error in log:
        if error.line not in first:
            first[error.line] = f"{line_of(error.message)}; {_takes(_at(root, error.path or ''))}"
    return [f"{source}, line {line}: {message}" for line, message in first.items()]


def _at(root: Any, path: str) -> Any:
    """Return the element that a message is about; its path may have prefixes, which need their names."""
    names = {prefix: name for each in root.iter() for prefix, name in each.nsmap.items() if prefix}
    try:
        found = root.getroottree().xpath(path, namespaces=names) if path else []
    except etree.XPathError:  # one prefix may stand for two names
        found = []
    return found[0] if found else root


def _takes(element: Any) -> str:
    """Say what an element may have, or the one around it when it is unknown itself."""
    known = _grammar().xpath("//*[local-name()='element'][@name=$name]", name=element.tag)
    if not known:
        return _takes(element.getparent()) if element.getparent() is not None else "the outermost element is `type`"
    parts = list(_parts(known[0]))
    attributes = ", ".join(part for attribute, part in parts if attribute)
    below = ", ".join(part for attribute, part in parts if not attribute)
    said = [f"has {attributes}" if attributes else "", f"holds {below}" if below else "holds text"]
    return f"`{element.tag}` {' and '.join(filter(None, said))} (docs/knowledge/format.md)"


def _parts(rule: Any) -> Iterator[tuple[bool, str]]:
    """Go through what a rule of the schema allows: attributes with their values (true), elements (false)."""
    for each in rule:
        kind, name = etree.QName(each).localname, each.get("name", "")
        if kind == "attribute":
            values = each.xpath(".//*[local-name()='value']/text()")
            yield True, f"{name} ({' or '.join(values)})" if values else name
        elif kind == "element" or (kind == "ref" and name not in ("words", "name")):
            yield False, name
        else:
            yield from _parts(each)


def line_of(text: object) -> str:
    """Put a message in one line."""
    return " ".join(str(text).split())


def _tidy(root: Any) -> None:
    """Remove the spaces around attributes' values, which the schema does not count; expressions keep them."""
    for element in root.iter():
        for name, value in element.items():
            if name not in ("match", "without", "at"):
                element.set(name, line_of(value))


def _parsed(data: bytes, source: str) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,  # or they would cut an expression in two
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        message = f"{source}, line {line}: not well-formed XML: {line_of(error.msg)}; mend it there"
        raise KnowledgeError(message) from None
    if cast("Any", root).getroottree().docinfo.doctype:
        raise KnowledgeError(f"{source}, line 1: an entry has no document type; remove it")
    return root


class _Reader:
    """Reads the elements of one entry. Mutable: `problems`, each with its line; what has one is left out."""

    def __init__(self, source: str):
        self._source = source
        self.problems: list[str] = []

    def wrong(self, element: Any, message: object) -> KnowledgeError:
        return KnowledgeError(f"{self._source}, line {element.sourceline}: {line_of(message)}")

    def type(self, root: Any) -> Type:
        return Type(
            id=root.get("id"),
            title=root.get("title"),
            about=line_of(root.findtext("about") or ""),
            detection=self._detection(root),
            addresses=self._each(root, "addresses/address", self._address),
            navigation=self._each(root, "navigate", self._navigation),
            levels=self._each(root, "level", self._level),
            shortcuts=self._each(root, "shortcut", self._shortcut),
            evidence=evidence.read(root),
            learned=self._each(root, "ways", self._learned),
            source=self._source,
            line=root.sourceline,
        )

    def _each(self, parent: Any, path: str, make: Callable[[Any], T]) -> tuple[T, ...]:
        made = []
        for element in parent.findall(path):
            try:
                made.append(make(element))
            except KnowledgeError as error:
                self.problems.append(str(error))
        return tuple(made)

    def _detection(self, parent: Any) -> tuple[Pattern, ...]:
        return self._each(parent, "detect/*", self._pattern)

    def _pattern(self, element: Any) -> Pattern:
        parts = element.findall("pattern") if element.tag == "all" else [element]
        seen = element.get("seen", "") or "; ".join(filter(None, (part.get("seen", "") for part in parts)))
        return Pattern(tuple(self._expression(part) for part in parts), seen, element.sourceline)

    def _expression(self, element: Any) -> Expression:
        return self._parse(element, element.text or "")

    def _parse(self, element: Any, text: str) -> Expression:
        try:
            return parse(text)
        except KnowledgeError as error:
            raise self.wrong(element, error) from None

    def _regex(self, element: Any, text: str) -> re.Pattern[str]:
        try:
            return re.compile(text)
        except (re.error, OverflowError, RecursionError) as error:
            raise self.wrong(element, f"`{text[:200]}` is not a regular expression: {error}; mend it") from None

    def _address(self, element: Any) -> Address:
        given = element.attrib
        if "match" not in given and "has" not in given:
            raise self.wrong(element, "an address would be about every address; give it a `match` or a `has`")
        match = self._regex(element, given["match"]) if "match" in given else None
        for name in ("write", "whole", "request"):
            if "\\" in given.get(name, "") or (name != "whole" and name in given):
                self._check_write(element, match, name)
        return Address(
            leads=given.get("leads", ""),
            skip=given.get("skip", ""),
            match=match,
            has=tuple(self._parameter(element, each) for each in given.get("has", "").split()),
            keep=tuple(given["keep"].split()) if "keep" in given else None,
            drop=frozenset(given.get("drop", "").split()),
            default=frozenset(_pair(each) for each in given.get("default", "").split()),
            write=given.get("write", ""),
            whole=given.get("whole", ""),
            request=given.get("request", ""),
            never=given.get("never") == "yes",
            lists=given.get("lists") == "yes",
            part=given.get("part") == "yes",
            line=element.sourceline,
        )

    def _check_write(self, element: Any, match: re.Pattern[str] | None, name: str) -> None:
        written = element.get(name)
        if match is None:
            raise self.wrong(element, f"`{name}` uses groups of `match`, which is not there; add one")
        try:
            match.sub(written, "")  # reads the template even where there is nothing to replace
        except (re.error, IndexError) as error:
            cure = "use groups that are there"
            raise self.wrong(element, f"`{written}` does not fit `{match.pattern}`: {error}; {cure}") from None

    def _parameter(self, element: Any, text: str) -> tuple[str, re.Pattern[str] | None]:
        name, equals, shape = text.partition("=")
        return name, self._regex(element, shape) if equals else None

    def _level(self, element: Any) -> Level:
        name = element.get("name")
        if any(other.get("name") == name for other in element.itersiblings("level", preceding=True)):
            raise self.wrong(element, f"the level `{name}` is there already; give one of them another name")
        kind = Kind(element.get("kind"))
        if kind is Kind.INTERMEDIATE and element.find("extract") is not None:
            cure = "make the level terminal, or take the extraction out"
            raise self.wrong(element, f"the level `{name}` is intermediate and extracts; {cure}")
        return Level(
            name=name,
            kind=kind,
            detection=self._detection(element),
            navigation=self._each(element, "navigate", self._navigation),
            extraction=self._each(element, "extract", self._extraction),
            while_new=element.get("while") == "new",
            states=self._each(element, "states", self._states),
            line=element.sourceline,
        )

    def _navigation(self, element: Any) -> Navigation:
        by_address = element.get("by") == "address"
        if not by_address and not element.get("to"):
            raise self.wrong(element, 'a navigation action leads nowhere; add `to`, a level, or `by="address"`')
        return Navigation(element.get("to", ""), self._expression(element), by_address, element.sourceline)

    def _extraction(self, element: Any) -> Extraction:
        self._known(element, element.get("object"), OBJECTS, "object")
        properties = self._each(element, "property", self._property)
        needs = tuple(element.get("needs", "").split())
        there = {each.get("name") for each in element.findall("property")}
        if missing := [name for name in needs if name not in there]:
            cure = "add it, or take it out of `needs`"
            raise self.wrong(element, f"`needs` names `{missing[0]}`, which is not among the properties; {cure}")
        return Extraction(
            object=element.get("object"),
            each=self._each(element, "each", self._expression),
            runs=frozenset(self._each(element, "each[@to='next']", self._expression)),
            part_of=element.get("part-of", ""),
            properties=properties,
            needs=needs,
            line=element.sourceline,
            confidence=float(element.get("confidence", "1")),
        )

    def _states(self, element: Any) -> States:
        self._known(element, element.get("counts"), STATED, "kind to count")
        each, links = self._each(element, "each", self._expression), self._each(element, "link", self._row_link)
        if bool(each) != bool(links):
            cure = "`each` finds the rows of a list and `link` what a row is about; give both or none"
            raise self.wrong(element, cure)
        if each and element.get("of") == SITE:
            raise self.wrong(element, "rows of a list are not about the site; name in `of` the level they lead to")
        needs = ("link", "number") if each else ("number",)
        numbers = self._each(element, "number", self._number)
        action = Extraction("thread", each, "", (*links, *numbers), needs, element.sourceline)
        return States(element.get("counts"), element.get("of"), action, int(element.get("plus", 0)))

    def _row_link(self, element: Any) -> Property:
        return Property("link", self._expression(element), As.LINK, line=element.sourceline)

    def _number(self, element: Any) -> Property:
        match = element.get("match", "")
        if match:
            self._regex(element, match)
        return Property("number", self._expression(element), As.NUMBER, match, line=element.sourceline)

    def _property(self, element: Any) -> Property:
        self._known(element, element.get("name"), PROPERTIES, "property")
        if "match" in element.attrib:
            self._regex(element, element.get("match"))
        return Property(
            name=element.get("name"),
            expression=self._expression(element),
            read_as=As(element.get("as", "text")),
            match=element.get("match", ""),
            without=tuple(self._parse(element, each) for each in _either(element.get("without", ""), _EXPRESSIONS)),
            formats=_either(element.get("format", ""), _WORDS),
            many=element.get("many") == "yes",
            line=element.sourceline,
            confidence=float(element.get("confidence", "1")),
        )

    def _known(self, element: Any, name: str, names: Iterable[str], what: str) -> None:
        if name not in names:
            raise self.wrong(element, f"`{name}` is not a known {what}; known are {', '.join(names)}")

    def _shortcut(self, element: Any) -> Shortcut:
        given = element.attrib
        if given["kind"] == "json" and not given.get("links"):
            raise self.wrong(element, "a shortcut of JSON holds no links; say in `links` where they stand in it")
        if "address" not in given and "at" not in given:
            raise self.wrong(
                element, "a shortcut leads nowhere; give it an `address`, or say with `at` what names it"
            )
        return Shortcut(
            kind=given["kind"],
            address=given.get("address", ""),
            links=given.get("links", ""),
            leads=given.get("leads", ""),
            at=self._parse(element, given["at"]) if "at" in given else None,
            next=given.get("next", ""),
            size=int(given.get("size", 0)),
            line=element.sourceline,
        )

    def _learned(self, element: Any) -> Learned:
        follows = self._each(element, "follow", self._follow)
        numbers = int(element.get("pages", "0")), int(element.get("items", "0"))
        return Learned(element.get("site"), element.get("root"), *numbers, follows, element.sourceline)

    def _follow(self, element: Any) -> Follow:
        try:
            return read_follow(element)
        except KnowledgeError as error:
            raise self.wrong(element, error) from None


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


_WORDS: Final = re.compile(r"[^|]+")
_EXPRESSIONS: Final = re.compile(r"""(?:[^|"']|"[^"]*"|'[^']*'|["'])+""")  # a string may hold what separates


def _either(text: str, part: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(found.strip() for found in part.findall(text) if found.strip())
