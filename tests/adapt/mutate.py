"""Templates rewritten as theme authors rewrite them, and pages of one template with other content.

A mutation is a function of a seed: what happens to an element depends on its tag, class and place in the template
alone, so all pages of a template change in the same way. Content stays: no text changes, and no number in an
attribute, for that is an address.
"""

from __future__ import annotations

import copy
import hashlib
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

from anansi.induce.page_text import PageText, squeezed
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.text.elements import BLOCKS

THEMES = 1000
"""Seeds from here on rename as themes do; those below leave nothing of a name."""

SWAPPED = ("span", "div", "article", "section", "li")
_NAMES = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Lena")
_WORDS = (
    "amber",
    "basin",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "haven",
    "inlet",
    "jetty",
    "knoll",
    "ledge",
    "marsh",
    "north",
    "oasis",
    "pearl",
    "quarry",
    "ridge",
    "stone",
    "tidal",
    "upland",
    "vale",
    "willow",
    "yarrow",
    "zenith",
    "anchor",
    "birch",
    "cove",
    "dune",
    "eddy",
    "falls",
    "glade",
    "harbour",
    "isle",
)


def choice(seed: int, *said: str) -> random.Random:
    """Return the chance that belongs to some words."""
    digest = hashlib.sha256("\0".join((str(seed), *said)).encode()).digest()
    return random.Random(digest)


# ── templates ────────────────────────────────────────────────────────────────────────────────────────────────────


def mutated(document: Document, seed: int, changes: int) -> Document:
    """Return a page as another template writes it, with so many changes to every element that a template names."""
    tree = copy.deepcopy(document.tree)
    body = tree.find("body")
    elements = [each for each in (body if body is not None else tree).iter() if isinstance(each.tag, str)]
    planned = [(each, _plan(each, seed, changes)) for each in elements if each.tag not in ("body", "script", "style")]
    for element, operations in planned:
        for operation in operations:
            _OPERATIONS[operation](element, seed)
    source = etree.tostring(tree, encoding="unicode", method="html")
    return Document(tree, source, document.url, document.status, document.headers)


def signature(element: Any) -> str:
    """Say what an element is in its template: its tag and first name (others are odd, even …), or what numbers it."""
    if any(map(str.isdigit, element.get("id", ""))):
        return f"{element.tag}#{_stem(element)}"
    own = f"{element.tag}.{' '.join(_tokens(element)[:1])}#{_stem(element) if not _tokens(element) else ''}"
    parent = element.getparent()
    above = f"{parent.tag}.{' '.join(_tokens(parent)[:1])}" if parent is not None and not _tokens(element) else ""
    return f"{above}>{own}"


def _tokens(element: Any) -> list[str]:
    return [each for each in element.get("class", "").split() if not any(map(str.isdigit, each))]


def _stem(element: Any) -> str:
    return re.sub(r"\d+", "", element.get("id", ""))


def _plan(element: Any, seed: int, changes: int) -> list[str]:
    """Say what happens to an element: the same to all that are the same in the template."""
    numbered = any(map(str.isdigit, element.get("id", "")))
    can = ["class"] if _tokens(element) or numbered else []
    can += ["id"] if element.get("id") and not numbered else []
    can += ["tag"] if can and element.tag in SWAPPED else []
    can += ["wrap"] if can and element.tag not in ("li", "td", "tr", "tbody", "th", "dd", "dt") else []
    can += ["move"] if can and not numbered and _can_move(element) else []
    order = ["class", "class", "id", "tag", "wrap", "move"]
    choice(seed, signature(element)).shuffle(order)
    return [each for each in dict.fromkeys(order) if each in can][:changes]


def _can_move(element: Any) -> bool:
    parent = element.getparent()
    if parent is None or len(parent) < 2 or (parent.text or "").strip() or (element.tail or "").strip():
        return False
    mine = signature(element)
    return all(each is element or (isinstance(each.tag, str) and signature(each) != mine) for each in parent) and all(
        not (each.tail or "").strip() for each in parent
    )


def _rename_class(element: Any, seed: int) -> None:
    names = element.get("class", "").split()
    if names:
        new = [each if any(map(str.isdigit, each)) else renamed(each, seed) for each in names]
        element.set("class", " ".join(new))


def _rename_id(element: Any, seed: int) -> None:
    element.set("id", renamed(element.get("id"), seed))


_SYNONYMS = (
    ("author", "poster", "writer", "byline", "username", "creator"),
    ("date", "time", "published", "datetime", "timestamp"),
    ("title", "headline", "subject", "heading"),
    ("content", "body", "text", "message", "copy"),
    ("comment", "reply", "response"),
    ("post", "entry", "item", "message"),
    ("list", "items", "index"),
    ("signature", "sig"),
    ("quote", "blockquote", "cite"),
    ("user", "member", "profile", "poster"),
    ("tag", "label", "keyword"),
    ("category", "section", "forum"),
)


def renamed_as_themes_do(name: str, seed: int) -> str:
    """Return another name for the same thing: a word for a word that means it, else with a theme's name before it."""
    drawn = choice(seed, "theme", name)
    theme = choice(seed, "theme").choice(("nova", "fjell", "mono", "atlas"))
    for group in _SYNONYMS:
        for word in group:
            if re.search(rf"(?:^|[-_]){word}(?:$|[-_])", name):
                other = drawn.choice([each for each in group if each != word])
                return re.sub(rf"(^|[-_]){word}($|[-_])", rf"\g<1>{other}\g<2>", name)
    return f"{theme}-{name}"


def renamed(name: str, seed: int) -> str:
    """Return another name: nothing of the old one is left; seeds from 1,000 on are for themes' ways."""
    if seed >= THEMES:
        return renamed_as_themes_do(name, seed)
    drawn = choice(seed, "name", name)
    return "".join(drawn.choice("bcdfghjklmnprstvz") + drawn.choice("aeiou") for _ in range(3))


def _swap_tag(element: Any, seed: int) -> None:
    drawn = choice(seed, "tag", signature(element))
    element.tag = drawn.choice([each for each in SWAPPED if each != element.tag])


def _wrap(element: Any, seed: int) -> None:
    parent = element.getparent()
    if parent is None:
        return
    wrapper = etree.Element("div" if element.tag in BLOCKS else "span")
    wrapper.set("class", renamed("around " + signature(element), seed))
    wrapper.tail, element.tail = element.tail, None
    parent.replace(element, wrapper)
    wrapper.append(element)


def _move(element: Any, seed: int) -> None:
    parent = element.getparent()
    if parent is None or (element.tail or "").strip() or (parent.text or "").strip():
        return
    drawn = choice(seed, "move", signature(element))
    parent.remove(element)
    parent.insert(0 if drawn.random() < 0.5 else len(parent), element)


_OPERATIONS: dict[str, Callable[[Any, int], None]] = {
    "class": _rename_class,
    "id": _rename_id,
    "tag": _swap_tag,
    "wrap": _wrap,
    "move": _move,
}


# ── content ──────────────────────────────────────────────────────────────────────────────────────────────────────


def sibling(document: Document, objects: Sequence[WebObject], number: int) -> Document:
    """Return another page of the same template: other titles and texts, the people of one site, other numbers."""
    if not number:
        return document
    tree = copy.deepcopy(document.tree)
    spans = PageText(tree)
    for each in objects:
        for name, value in each.properties:
            if name in ("title", "text", "quote") and value.read_as in ("text", "body"):
                _reword(tree, spans, value.text, number, longer=name == "text")
            elif name == "author" and value.read_as == "text":
                _rename(spans, value.text, _NAMES[choice(number, value.text).randrange(len(_NAMES))])
            elif name in ("date", "modified") and value.original:
                _later(spans, value.original, number)
    for element in tree.iter():
        if isinstance(element.tag, str):
            _renumber(element, number)
    source = etree.tostring(tree, encoding="unicode", method="html")
    url = f"{_numbered(document.url, number)}{'&' if '?' in document.url else '?'}page-of-test={number}"
    return Document(tree, source, url, document.status, document.headers)


def _reword(tree: Any, spans: PageText, text: str, number: int, *, longer: bool) -> None:
    plain = squeezed(text)
    found = spans.holding(plain) or (spans.around(plain[:24], plain[-24:])[:1] if len(plain) > 60 else [])
    for element in {below: None for each in found for below in each.iter()}:
        if not isinstance(element.tag, str) or element.get("data-said") == str(number):
            continue
        element.text = _said(element.text, number)
        if element not in found:
            element.tail = _said(element.tail, number)
    if longer and found:
        _lengthen(found[0], text, number)
    title = tree.find("head/title")
    if title is not None and title.text and text in title.text:
        title.text = title.text.replace(text, _said(text, number) or "")


def _lengthen(element: Any, text: str, number: int) -> None:
    """Let a text go on for a while: the pages that stand for templates are terse."""
    drawn = choice(number, "more", text)
    more = " ".join(drawn.choice(_WORDS) for _ in range(drawn.randrange(15, 60)))
    inner = [each for each in element.iter() if isinstance(each.tag, str) and len((each.text or "").strip()) > 3]
    if inner and inner[-1].tag in ("p", "div", "span", "td", "section", "article", "blockquote"):
        inner[-1].text = f"{inner[-1].text.rstrip()} {more}."


def _said(text: str | None, number: int) -> str | None:
    """Put other words for words, the same for the same."""
    if not text:
        return text
    return re.sub(r"[^\W\d_]{4,}", lambda match: _WORDS[choice(number, match[0]).randrange(len(_WORDS))], text)


def _rename(spans: PageText, old: str, new: str) -> None:
    for element in spans.holding(squeezed(old)):
        for each in element.iter():
            if each.text and squeezed(each.text) == squeezed(old):
                each.text = new


def _later(spans: PageText, wording: str, number: int) -> None:
    """Move the minutes of a date."""
    for element in spans.elements:
        for name in ("datetime", "content", "title", "data-time", "value"):
            if wording and wording in element.get(name, ""):
                element.set(name, _minutes(element.get(name), number))
        if element.text and wording in " ".join(element.text.split()):
            element.text = _minutes(element.text, number)
        if element.tail and wording in " ".join(element.tail.split()):
            element.tail = _minutes(element.tail, number)


def _minutes(text: str, number: int) -> str:
    return re.sub(r":(\d\d)\b", lambda match: f":{(int(match[1]) + number) % 60:02d}", text, count=1)


def _renumber(element: Any, number: int) -> None:
    for name in ("id", "name", "href", "data-id", "data-post-id", "data-postid", "data-pid", "data-content", "for"):
        value = element.get(name)
        if value:
            element.set(name, _numbered(value, number))


def _numbered(text: str, number: int) -> str:
    return re.sub(
        r"(?<![\d.])\d{2,7}(?!\d)",
        lambda match: match[0] if re.fullmatch("(?:19|20)[0-9]{2}", match[0]) else str(int(match[0]) + 1000 * number),
        text,
    )
