"""An entry made for an item that no capture shows: another entry as a mould, filled with what is known of the item.

What all entries of the page say alike is the template's and stays. Title, link, date, author, tags and text are
replaced; whatever else belongs to the other item (its pictures, counts) is taken out, and it is said what is missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from anansi.feeds.channel import HEADINGS, Entry, key_of, texts
from anansi.feeds.dating import rewritten
from anansi.feeds.settings import SETTINGS
from anansi.feeds.timeline import Fact, When
from anansi.url import resolve

LONGEST: Final = 20_000
"""Characters of a summary that are written."""

_TAG: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_DATED: Final = ("datetime", "title", "content")
_OWN: Final = ("id", "name", "data-id", "data-post-id", "data-url", "data-title", "srcset")
_MEDIA: Final = ("img", "picture", "video", "audio", "iframe", "object", "embed", "svg")
_ELLIPSES: Final = ("[…]", "[...]", "…", "...")


@dataclass(frozen=True, slots=True)
class Filled:
    """An entry out of a mould."""

    nodes: tuple[Any, ...]
    missing: tuple[str, ...]
    """What of it could not be known."""


@dataclass(frozen=True, slots=True)
class Mould:
    """An entry whose item is known, and what the entries of its page have in common."""

    entry: Entry
    fact: Fact
    when: When
    base: str
    common: Common


@dataclass(frozen=True, slots=True)
class Common:
    """What the entries of a page have in common."""

    texts: frozenset[str]
    names: frozenset[str]
    """Names of classes of the entries themselves."""
    links: Mapping[str, str]
    """Where links lead, by their text: an author has one page, whoever's entry names him."""


def common(entries: Sequence[Entry]) -> Common:
    """Find out what most entries have."""
    said = Counter(text for entry in entries for text in set(texts(entry.nodes)))
    names = Counter(name for entry in entries for name in set((entry.nodes[0].get("class") or "").split()))
    links = {
        " ".join("".join(anchor.itertext()).split()).lower(): anchor.get("href")
        for entry in entries
        for node in entry.nodes
        for anchor in node.iter("a")
        if anchor.get("href")
    }
    least = max(2.0, SETTINGS.common * len(entries))
    often = [frozenset(each for each, count in counts.items() if count >= least) for counts in (said, names)]
    return Common(often[0], often[1], links)


def plain(markup: str) -> str:
    """Return the text of some markup in one line; nothing of it can be markup again unless it is escaped."""
    return " ".join(unescape(_TAG.sub(" ", markup[: 4 * LONGEST])).split())[:LONGEST]


def fill(mould: Mould, fact: Fact) -> Filled:
    """Make the entry of an item."""
    nodes = [deepcopy(node) for node in mould.entry.nodes]
    work = _Work(mould, fact)
    for node in nodes:
        if isinstance(node.tag, str):
            work.node(node)
    names = [name for name in (nodes[0].get("class") or "").split() if name in mould.common.names]
    if nodes[0].get("class"):
        nodes[0].set("class", " ".join(names))
    return Filled(tuple(nodes), tuple(work.missing()))


def dated(nodes: Iterable[Any], known: float, wanted: float | None) -> bool:
    """Write another date into nodes, or none where it is not known; tell whether they had one."""

    def written(text: str) -> str | None:
        made = rewritten(text, known, known if wanted is None else wanted)
        return "" if made is not None and wanted is None else made

    done = False
    for element in (each for node in nodes for each in node.iter() if isinstance(each.tag, str)):
        for name in _DATED:
            if (made := written(element.get(name) or "")) is not None:
                element.set(name, made)
        for read, write in _places(element):
            if (made := written(read)) is not None:
                write(made)
                done = True
    return done


def _places(element: Any) -> Iterator[tuple[str, Any]]:
    """Go through the texts of an element: its own, and those behind its children."""
    yield element.text or "", lambda text: setattr(element, "text", text)
    for child in element:
        yield child.tail or "", lambda text, child=child: setattr(child, "tail", text)


class _Work:
    """One entry being filled. Mutable: what was put in, and what was taken out."""

    def __init__(self, mould: Mould, fact: Fact):
        self._mould, self._fact = mould, fact
        self._old_title = plain(mould.fact.title).lower()
        self._old_words = set(plain(f"{mould.fact.summary} {mould.fact.content}").lower().split())
        self._old_tags = {each.lower() for each in mould.fact.categories}
        self._tags = iter(fact.categories)
        self._done: set[str] = set()
        self._emptied: set[str] = set()

    def missing(self) -> list[str]:
        """Say what is not there."""
        fact = self._fact
        wanted = {"title": fact.title, "author": fact.author, "summary": fact.summary, "tags": fact.categories}
        lost = {name for name in self._emptied if name in wanted}
        return sorted((self._emptied - wanted.keys()) | {name for name in lost if not wanted[name]})

    def node(self, node: Any) -> None:
        self._media(node)
        for element in list(node.iter()):
            if isinstance(element.tag, str):
                self._attributes(element)
        known = self._fact.published
        if dated([node], self._mould.when.at, known) and known is None:
            self._emptied.add("date")
        for element in list(node.iter()):
            if isinstance(element.tag, str):
                for read, write in list(_places(element)):
                    self._text(element, read, write)
        for anchor in node.iter("a"):
            self._link(anchor)

    def _media(self, node: Any) -> None:
        for element in [each for each in node.iter(*_MEDIA) if each is not node]:
            self._emptied.add("pictures and media")
            element.tag, element.text = "span", None
            for child in list(element):
                element.remove(child)
            element.attrib.clear()

    def _attributes(self, element: Any) -> None:
        for name in _OWN:
            if any(map(str.isdigit, element.get(name) or "")) or name.startswith("data-"):
                element.attrib.pop(name, None)
        if (named := element.get("title")) and plain(named).lower() == self._old_title:
            element.set("title", self._fact.title)
        classes = (element.get("class") or "").split()
        if any(any(map(str.isdigit, each)) for each in classes):
            element.set("class", " ".join(each for each in classes if not any(map(str.isdigit, each))))

    def _text(self, element: Any, read: str, write: Any) -> None:
        said = " ".join(read.split())
        if not said or element.tag in ("script", "style"):
            return
        name, value = self._meaning(element, said)
        if name == "kept":
            return
        if name in self._done and name in ("title", "summary"):
            value = self._fact.title if name == "title" else ""
        else:
            self._emptied.add(name)
        self._done.add(name)
        head, tail = read[: len(read) - len(read.lstrip())], read[len(read.rstrip()) :]
        write(f"{head}{value}{tail}")

    def _meaning(self, element: Any, said: str) -> tuple[str, str]:
        """Say what a text is, and what stands in its place."""
        low = said.lower()
        if said in self._mould.common.texts:
            if self._mould.fact.author and low == self._mould.fact.author.lower():
                return "author", self._fact.author
            return "kept", said
        if self._old_title and low == self._old_title:
            return "title", self._fact.title
        if (
            self._mould.fact.author
            and self._mould.fact.author.lower() in low
            and len(said.split()) <= SETTINGS.least_summary
        ):
            at = low.index(self._mould.fact.author.lower())
            end = at + len(self._mould.fact.author)
            return "author", said[:at] + self._fact.author + said[end:] if self._fact.author else ""
        if low in self._old_tags:
            return "tags", next(self._tags, "")
        known = self._fact.published
        if known is not None and rewritten(said, known, known) is not None:
            return "kept", said
        words = low.split()
        if len(words) >= SETTINGS.least_summary and 2 * sum(word in self._old_words for word in words) >= len(words):
            return "summary", self._told(said)
        if element.tag in HEADINGS or self._is_title_link(element):
            return "title", self._fact.title
        return (
            ("summary", self._told(said))
            if len(words) >= 3 * SETTINGS.least_summary
            else ("counts and other texts", "")
        )

    def _told(self, like: str) -> str:
        """Return as much of the text as the other entry shows of its own."""
        shown = len(plain(self._mould.fact.summary).split())
        if len(like.split()) > 1.2 * shown and not self._fact.content:
            self._emptied.add("the rest of the text")
        longer = self._fact.content if len(like.split()) > 1.2 * shown else ""
        return _shortened(plain(longer or self._fact.summary), like)

    def _is_title_link(self, element: Any) -> bool:
        above = element.getparent()
        return element.tag == "a" and above is not None and above.tag in HEADINGS

    def _link(self, anchor: Any) -> None:
        """Let a link lead to the item, or where others of its text lead; else nowhere."""
        raw = anchor.get("href")
        url = resolve(raw or "", self._mould.base)
        if url is not None and key_of(url) == self._mould.entry.key:
            fragment = raw.partition("#")[2]
            anchor.set("href", self._fact.link.partition("#")[0] + (f"#{fragment}" if fragment else ""))
        elif raw:
            led = self._mould.common.links.get(" ".join("".join(anchor.itertext()).split()).lower())
            if led is None:
                del anchor.attrib["href"]
            else:
                anchor.set("href", led)


def _shortened(text: str, like: str) -> str:
    """Cut a text as another one was cut; that a feed cut it shows only where the other one is longer."""
    ending, cut = _ellipsis(like), _ellipsis(text)
    words, count = text.removesuffix(cut).split(), len(like.removesuffix(ending).split())
    if not ending:
        return " ".join(words) + (" …" if cut and len(words) < count else "")
    gap = " " if like.removesuffix(ending).endswith(" ") else ""
    return " ".join(words[:count]) + (gap + ending if cut or len(words) > count else "")


def _ellipsis(text: str) -> str:
    return next((each for each in _ELLIPSES if text.endswith(each)), "")
