"""A tree of RSS, RDF or Atom → a feed. Names of elements are those of `names`, in lower case; only children count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from html import escape, unescape
from itertools import islice
from typing import Any, Final

from lxml import etree

from anansi.feeds.dates import seconds
from anansi.feeds.decoding import Source
from anansi.feeds.feed import Cloud, Feed
from anansi.feeds.kinds import kind_of
from anansi.feeds.names import ITEMS, XML, name_of
from anansi.state import PUBLISHED, UPDATED, Comments, Enclosure, Hints, Item, Stamp
from anansi.url import resolve

MOST_VALUES: Final = 200
"""Categories, enclosures, dates, hubs … of one item or feed."""

_DATES: Final = {name.lower(): name for name in (*PUBLISHED, *UPDATED)}
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TAG: Final = re.compile(r"<[^<>]*>")
_NUMBER: Final = re.compile(r"\s*(\d{1,9})")
_AUTHORS: Final = ("author", "dc:creator", "itunes:author", "dc:author", "managingeditor")

Fields = dict[str, list[Any]]


class Tree:
    """A tree and where it was found; it knows what relative addresses mean."""

    def __init__(self, root: Any, url: str):
        self.root = root
        self._url = url
        self._bases = any(f"{XML}base" in each.attrib for each in root.iter(etree.Element))

    def absolute(self, raw: str, element: Any) -> str:
        """Return what an address means where it stands, with its fragment; nothing when it leads nowhere."""
        address, mark, fragment = raw.strip().partition("#")
        base = self._base(element) if self._bases else self._url
        if not address and not mark:
            return ""
        whole = resolve(address, base or None)
        return f"{whole}{mark}{fragment}" if whole else ""

    def _base(self, element: Any) -> str:
        base = self._url
        for each in reversed([element, *element.iterancestors()]):
            base = resolve(each.get(f"{XML}base", ""), base or None) or base if f"{XML}base" in each.attrib else base
        return base


def items_in(root: Any, most: int) -> list[Any]:
    """Return the items of a tree, wherever they stand, one more than `most` at the most.

    One within another is moved out of it, or the texts of a nest of items would be read once for each of them.
    """
    found = list(islice((each for each in root.iter(etree.Element) if name_of(each) in ITEMS), most + 1))
    for each in found:
        if any(name_of(outer) in ITEMS for outer in each.iterancestors()):
            root.append(each)
    return found


def feed_of(tree: Tree, source: Source, most: int) -> Feed | None:
    """Read a feed; None when nothing shows that it is one. Items after the first `most` are left out."""
    kind, version, top = kind_of(tree.root, source)
    elements = items_in(tree.root, most)
    if not kind and not elements:
        return None
    channel = _channel(tree.root, top)
    fields = _fields(channel)
    if kind == "rdf":  # RSS 1.0 has some of it beside the channel
        fields = {**_fields(top), **fields}
    links = _links(tree, fields)
    return Feed(
        kind,
        version,
        title=plain(_text(fields, "title", "dc:title")),
        link=next(iter(links.get("alternate", [])), ""),
        description=_text(fields, "description", "subtitle", "tagline"),
        language=_text(fields, "language", "dc:language") or _language(channel, top),
        dates=_dates(fields),
        hints=_hints(fields),
        hubs=tuple(links.get("hub", [])[:MOST_VALUES]),
        self_link=next(iter(links.get("self", [])), ""),
        next_link=next(iter(links.get("next", [])), ""),
        cloud=_cloud(fields),
        items=tuple(item_of(tree, each) for each in elements[:most]),
        cut=len(elements) > most,
    )


def _channel(root: Any, top: Any) -> Any:
    if name_of(top) in ("feed", "channel"):
        return top
    return next((each for each in root.iter(etree.Element) if name_of(each) == "channel"), top)


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _fields(element: Any) -> Fields:
    found: Fields = {}
    for child in element.iterchildren(etree.Element):
        name = name_of(child)
        if name not in ITEMS:
            values = found.setdefault(name, [])
            if len(values) < MOST_VALUES:
                values.append(child)
    return found


def plain(text: str) -> str:
    """Return a title without markup."""
    if "<" in text or "&" in text:
        text = unescape(_TAG.sub("", text))
    return " ".join(text.split())


def inner(element: Any) -> str:
    """Return what stands in an element: its text, or the markup where it holds elements."""
    if not len(element):
        return (element.text or "").strip()
    written: list[str] = [escape(element.text or "", quote=False)]
    for event, each in etree.iterwalk(element, events=("start", "end")):
        if each is element or not isinstance(each.tag, str):
            continue
        name = each.tag.rpartition("}")[2]
        if event == "start":
            attributes = "".join(f' {key.rpartition("}")[2]}="{escape(value)}"' for key, value in each.attrib.items())
            written.append(f"<{name}{attributes}>{escape(each.text or '', quote=False)}")
        else:
            written.append(("" if name in _VOID else f"</{name}>") + escape(each.tail or "", quote=False))
    return "".join(written).strip()


_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)


def _content(element: Any) -> str:
    """Return a text of Atom: without the element that XHTML is wrapped in."""
    wrapped = element.get("type", "") in ("xhtml", "application/xhtml+xml") and len(element) == 1
    return inner(element[0] if wrapped and name_of(element[0]).rpartition(":")[2] in ("div", "body") else element)


def _text(fields: Fields, *names: str) -> str:
    """Return the first text of the first of these elements that says something."""
    return next((text for name in names for each in fields.get(name, ()) if (text := _content(each))), "")


def _dates(fields: Fields) -> tuple[Stamp, ...]:
    named = ((_DATES[name], element) for name, elements in fields.items() if name in _DATES for element in elements)
    texts = ((name, " ".join("".join(element.itertext()).split())) for name, element in named)
    return tuple(Stamp(name, text, seconds(text)) for name, text in texts if text)


def _number(text: str) -> int | None:
    found = _NUMBER.match(text)
    return int(found[1]) if found else None


# ── the channel ──────────────────────────────────────────────────────────────────────────────────────────────────


def _links(tree: Tree, fields: Fields) -> dict[str, list[str]]:
    """Gather the links of a feed or item by what they are; a link of RSS is its text."""
    found: dict[str, list[str]] = {}
    for link in fields.get("link", ()):
        href = link.get("href")
        address = tree.absolute(href if href is not None else link.text or "", link)
        if address:
            relation = (link.get("rel") or "alternate").lower().rpartition("/")[2]
            found.setdefault(relation, []).append(address)
    return found


def _language(*elements: Any) -> str:
    return next((each.get(f"{XML}lang", "") for each in elements if each.get(f"{XML}lang")), "")


def _hints(fields: Fields) -> Hints:
    start = _text(fields, "sy:updatebase")
    hours = {
        number % 24 for text in _listed(fields, "skiphours") if (number := _number(text)) is not None and number <= 24
    }
    days = {_DAYS.index(text[:3].lower()) for text in _listed(fields, "skipdays") if text[:3].lower() in _DAYS}
    return Hints(
        ttl=_number(_text(fields, "ttl")),
        skip_hours=tuple(sorted(hours)),
        skip_days=tuple(sorted(days)),
        period=_text(fields, "sy:updateperiod").lower()[:20],
        frequency=_number(_text(fields, "sy:updatefrequency")),
        start=Stamp("sy:updateBase", start, seconds(start)) if start else None,
    )


def _listed(fields: Fields, name: str) -> Iterable[str]:
    for element in fields.get(name, ()):
        yield from (" ".join("".join(each.itertext()).split()) for each in element.iterchildren(etree.Element))


def _cloud(fields: Fields) -> Cloud | None:
    for each in fields.get("cloud", ()):
        said = {name.lower(): value for name, value in each.attrib.items()}
        procedure = said.get("registerprocedure", "")
        return Cloud(
            said.get("domain", ""),
            _number(said.get("port", "")),
            said.get("path", ""),
            procedure,
            said.get("protocol", ""),
        )
    return None


# ── items ────────────────────────────────────────────────────────────────────────────────────────────────────────


def item_of(tree: Tree, element: Any) -> Item:
    """Read an item."""
    fields = _fields(element)
    links = _links(tree, fields)
    title = plain(_text(fields, "title", "dc:title"))
    description, content = _texts(fields)
    own = _text(fields, "guid", "id") or _about(element)
    link = next(iter(links.get("alternate", [])), "") or _permanent(tree, fields, element)
    return Item(
        id=own or link or name_for(title, description, content),
        link=link,
        title=title,
        description=description,
        content=content,
        author=_author(fields),
        dates=_dates(fields),
        categories=_categories(fields),
        enclosures=_enclosures(tree, fields),
        comments=_comments(tree, fields),
    )


def name_for(*texts: str) -> str:
    """Make a name for an item that has none: the same for the same texts."""
    digest = sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()
    return f"urn:sha256:{digest}"


def _about(element: Any) -> str:
    return next(
        (value.strip() for key, value in element.attrib.items() if key.rpartition("}")[2].lower() == "about"), ""
    )


def _permanent(tree: Tree, fields: Fields, element: Any) -> str:
    """Return the address that an item without a link has all the same: its name where that is one, or CDF's."""
    for guid in (*fields.get("guid", ()), *fields.get("id", ())):
        said = {name.lower(): value for name, value in guid.attrib.items()}.get("ispermalink", "true")
        named = (guid.text or "").strip()
        if said.strip().lower() != "false" and named.startswith(("http://", "https://")):
            return tree.absolute(named, guid)
    address = tree.absolute(element.get("href", ""), element)
    return address or (tree.absolute(_about(element), element) if _about(element).startswith("http") else "")


def _texts(fields: Fields) -> tuple[str, str]:
    description = _text(fields, "description", "summary", "dc:description", "itunes:summary", "abstract")
    content = _text(fields, "content:encoded", "content", "xhtml:body", "body", "fullitem")
    return description, content


def _author(fields: Fields) -> str:
    for name in _AUTHORS:
        for each in fields.get(name, ()):
            inside = _fields(each)
            text = _text(inside, "name", "email") or " ".join("".join(each.itertext()).split())
            if text:
                return plain(text)
    return ""


def _categories(fields: Fields) -> tuple[str, ...]:
    elements = [each for name in ("category", "dc:subject", "keywords") for each in fields.get(name, ())]
    named = (each.get("label") or each.get("term") or each.text or "" for each in elements)
    return tuple(dict.fromkeys(name for each in named if (name := " ".join(each.split()))))


def _enclosures(tree: Tree, fields: Fields) -> tuple[Enclosure, ...]:
    links = (each for each in fields.get("link", ()) if (each.get("rel") or "").lower() == "enclosure")
    found: dict[str, Enclosure] = {}
    for each in (*fields.get("enclosure", ()), *links, *fields.get("media:content", ())):
        raw = each.get("url") or each.get("href") or ""
        url = tree.absolute(raw, each) or raw.strip()
        length = _number(each.get("length") or each.get("fileSize") or "")
        if url:
            found.setdefault(url, Enclosure(url, each.get("type") or "", length))
    return tuple(found.values())


def _comments(tree: Tree, fields: Fields) -> Comments:
    replies = [each for each in fields.get("link", ()) if (each.get("rel") or "").lower() == "replies"]
    feeds = [each for each in replies if "xml" in (each.get("type") or "xml")]
    pages = [each for each in replies if each not in feeds]
    page = next(
        (address for each in fields.get("comments", ()) if (address := tree.absolute(each.text or "", each))), ""
    )
    feed = next(
        (address for each in fields.get("wfw:commentrss", ()) if (address := tree.absolute(each.text or "", each))),
        "",
    )
    counts = (_text(fields, "slash:comments", "thr:total"), *(_attribute(each, "count") for each in replies))
    answered = next(
        (_attribute(each, "ref") or _attribute(each, "href") for each in fields.get("thr:in-reply-to", ())), ""
    )
    return Comments(
        page or next((tree.absolute(each.get("href", ""), each) for each in pages), ""),
        feed or next((tree.absolute(each.get("href", ""), each) for each in feeds), ""),
        next((number for text in counts if (number := _number(text)) is not None), None),
        answered,
    )


def _attribute(element: Any, local: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == local), "")
