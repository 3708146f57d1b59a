"""The list of a channel page: which blocks of it are entries, and which item each is about.

Elements that hold links to items and stand at the same place of the tree (the same tags and names of classes above
them) are one candidate for the list. All captures of the channel vote together: a sidebar of recent titles holds as
many links as the list itself and far less text, and a day on which one post stood alone shows one level too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from typing import Any, Final
from urllib.parse import urlsplit

from lxml import etree

from anansi.markup import bounded
from anansi.url import canonical, host_of, resolve

LARGEST: Final = 4 << 20
"""Bytes of a page that are read; no list of entries is longer."""
MOST_ENTRIES: Final = 500
"""Entries of a page."""
MOST_LINKS: Final = 20_000
"""Links of a page that are looked at."""
ENOUGH: Final = 600
"""Characters of a block that count; long posts do not outweigh many."""
MOST_TEMPLATES: Final = 6
"""Templates that a channel may have had."""
LEAST: Final = 2
"""Entries that make a list."""
ASIDE: Final = 0.3
"""What a list beside the content counts."""
DEEPEST: Final = 60
"""Levels above a link that are looked at."""

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BESIDE: Final = frozenset(("aside", "nav", "footer"))
_BESIDE_WORDS: Final = ("sidebar", "widget", "recent", "related", "footer", "popular", "navigation", "archive-list")

Place = tuple[str, ...]
"""Where an element stands: itself and what is around it, as tags and names."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A captured page of a channel, parsed."""

    url: str
    at: float
    tree: Any
    capture: str = ""
    """How the archive names the capture."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a page shows of one item."""

    key: str
    link: str
    nodes: tuple[Any, ...]
    """Siblings, in their order."""
    header: tuple[Any, ...] = ()
    """What stands before it, said once for several entries (a day)."""
    group: Any = None
    """The block around it and its like, where entries stand in groups."""
    place: Place = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a page, in their order."""

    page: Shown
    container: Any
    entries: tuple[Entry, ...]
    place: Place
    """Where they stand: captures with the same place have the same template."""
    leads: int = 0
    """How many of them, the first, stand apart from the list."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The items that it shows."""
        return tuple(entry.key for entry in self.entries)


def parse(data: bytes, charset: str) -> Any | None:
    """Parse a page with all that stands in it, comments too; None when nothing of it can be parsed."""
    make: Any = etree.HTMLParser
    # no document type where none stands: browsers lay out such pages in another way
    data, charset, _ = bounded(data[:LARGEST], charset)
    parser = make(encoding=charset, no_network=True, collect_ids=False, default_doctype=False)
    try:
        return etree.fromstring(data, parser) if data.strip() else None
    except (etree.LxmlError, LookupError, ValueError, AssertionError):
        return None


def key_of(link: str) -> str:
    """Return the name under which the spellings of an item's link meet: with and without `www`, by http and https."""
    return canonical(link.partition("#")[0]).partition("://")[2].removeprefix("www.").rstrip("/")


def listings(pages: Sequence[Shown], known: Collection[str]) -> list[Listing]:
    """Return the list of each page that has one; items are known by the keys of their links.

    Where none is known, links in headings stand for items. Pages that have nothing at the place where the others have
    their list are of another template, and vote among themselves.
    """
    shapes = {_shape(key) for key in known}
    found: list[Listing] = []
    left = list(pages)
    for _ in range(MOST_TEMPLATES):
        place = _place_of_entries(left, known)
        if place is None:
            break
        here = [(page, _elements(page, place, known, shapes)) for page in left]
        headers = frozenset().union(*(_header_labels([nodes for _, _, nodes in rows]) for _, rows in here))
        found += [_listing(page, rows, headers, place) for page, rows in here if len(rows) >= LEAST]
        left = [page for page, rows in here if len(rows) < LEAST]
    return sorted(found, key=lambda each: each.page.at)


# ── which place ──────────────────────────────────────────────────────────────────────────────────────────────────


def links_of(page: Shown) -> Iterator[tuple[Any, str]]:
    """Go through the anchors of a page with their addresses."""
    base = base_of(page)
    for anchor in islice(page.tree.iter("a"), MOST_LINKS):
        url = resolve((anchor.get("href") or "").strip(), base) if anchor.get("href") else None
        if url is not None:
            yield anchor, url


def base_of(page: Shown) -> str:
    """Return the address that links of a page start from."""
    bases = (each.get("href") for each in page.tree.iter("base"))
    return next((resolve(raw, page.url) or page.url for raw in bases if raw), page.url)


def _place_of_entries(pages: Sequence[Shown], known: Collection[str]) -> Place | None:
    votes: dict[Place, float] = {}
    for page in pages:
        for place, weight in _weights(page, known):
            votes[place] = votes.get(place, 0.0) + weight
    # of places with the same worth the outer one: it holds what the inner one holds
    return max(votes, key=lambda place: (round(votes[place], 3), -len(place))) if votes else None


def _weights(page: Shown, known: Collection[str]) -> Iterator[tuple[Place, float]]:
    """Weigh the places at which elements hold links to items."""
    found: dict[Place, dict[Any, set[str]]] = {}
    own = key_of(page.url)
    for anchor, url in links_of(page):
        key = key_of(url)
        wanted = key in known if known else host_of(url) == host_of(page.url) and in_heading(anchor)
        if not wanted or key == own:
            continue
        for element in islice(anchor.iterancestors(), DEEPEST):
            if element.tag in ("body", "html"):
                break
            found.setdefault(place_of(element), {}).setdefault(element, set()).add(key)
    for place, elements in found.items():
        different = len(set().union(*elements.values()))
        if min(different, len(elements)) >= LEAST:
            weight = sum(1 + _length(element) / 100 for element in elements)
            yield place, weight * (ASIDE if is_beside(place) else 1.0)


def place_of(element: Any) -> Place:
    """Say where an element stands; its own names are left out, for they may be those of its item."""
    return (str(element.tag), *(label(above) for above in islice(element.iterancestors(), DEEPEST)))


def label(element: Any) -> str:
    """Name an element by its tag and those of its names that have no numbers."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}".split()
    return ".".join((str(element.tag), *sorted(name for name in names if not any(map(str.isdigit, name)))))


def is_beside(place: Place) -> bool:
    """Tell whether a place is beside the content, by its names."""
    return any(
        each.partition(".")[0] in _BESIDE or any(word in each.lower() for word in _BESIDE_WORDS) for each in place
    )


def _length(element: Any) -> int:
    length = 0
    for text in element.itertext():
        length += len(text.strip())
        if length >= ENOUGH:
            return ENOUGH
    return length


def in_heading(anchor: Any) -> bool:
    """Tell whether a link is a heading, or has one in it."""
    return any(above.tag in HEADINGS for above in islice(anchor.iterancestors(), 4)) or any(
        isinstance(below.tag, str) and below.tag in HEADINGS for below in anchor.iter()
    )


@cache
def _shape(key: str) -> tuple[str, int, bool]:
    """Say how an address is built, so that items of one kind look alike."""
    parts = urlsplit(f"//{key}")
    return parts.netloc, parts.path.strip("/").count("/"), bool(parts.query)


# ── which entries ────────────────────────────────────────────────────────────────────────────────────────────────


Found = tuple[str, str, list[Any]]
"""Key, link and nodes of an entry."""


def _elements(page: Shown, place: Place, known: Collection[str], shapes: set[tuple[str, int, bool]]) -> list[Found]:
    """Find the elements at the place that are about an item, each item once; what goes on with it joins it."""
    found: list[Found] = []
    seen: set[str] = set()
    base = base_of(page)
    for element in page.tree.iter(place[0]):
        if len(found) >= MOST_ENTRIES or place_of(element) != place:
            continue
        link = _own_link(element, base, page.url, known, shapes)
        if link is None:
            continue
        key = key_of(link)
        if found and found[-1][0] == key and element.getparent() is found[-1][2][-1].getparent():
            found[-1][2].append(element)
        elif key not in seen:
            seen.add(key)
            found.append((key, link, [element]))
    return found


def _own_link(
    element: Any, base: str, own: str, known: Collection[str], shapes: set[tuple[str, int, bool]]
) -> str | None:
    """Return the link of what an element is about: that of its heading before those of its text."""
    first = None
    for anchor in islice(element.iter("a"), MOST_LINKS):
        url = resolve((anchor.get("href") or "").strip(), base) if anchor.get("href") else None
        if url is None or key_of(url) == key_of(own):
            continue
        fits = key_of(url) in known
        alike = not fits and host_of(url) == host_of(own) and (not shapes or _shape(key_of(url)) in shapes)
        if (fits or alike) and in_heading(anchor):
            return url
        first = url if first is None and fits else first
    return first


def _listing(page: Shown, found: list[Found], headers: frozenset[str], place: Place) -> Listing:
    parents = {nodes[0].getparent() for _, _, nodes in found}
    if len(parents) > 1:
        container = _common([nodes[0] for _, _, nodes in found])
        entries = [
            Entry(key, link, tuple(nodes), group=_child(container, nodes[0]), place=place)
            for key, link, nodes in found
        ]
        return Listing(page, container, tuple(entries), place)
    entries = [replace(entry, place=place) for entry in _with_neighbours(found, headers)]
    return Listing(page, parents.pop(), tuple(entries), place)


def _common(elements: Sequence[Any]) -> Any:
    chains = [[*reversed(list(element.iterancestors()))] for element in elements]
    common = chains[0][0]
    for levels in zip(*chains, strict=False):
        if any(each is not levels[0] for each in levels):
            break
        common = levels[0]
    return common


def _child(container: Any, element: Any) -> Any:
    while element.getparent() is not container:
        element = element.getparent()
    return element


def _header_labels(runs: Sequence[list[Any]]) -> frozenset[str]:
    """Return the names of what stands before the first entry and between others: headings of days."""
    if not runs or any(nodes[0].getparent() is not runs[0][0].getparent() for nodes in runs):
        return frozenset()
    before = {label(each) for each in runs[0][0].itersiblings(preceding=True) if isinstance(each.tag, str)}
    between = {label(each) for one, other in pairwise(runs) for each in _between(one[-1], other[0])}
    return frozenset(before & between)


def _between(one: Any, other: Any) -> list[Any]:
    """List the elements between two siblings."""
    found = []
    for each in one.itersiblings():
        if each is other:
            break
        if isinstance(each.tag, str):
            found.append(each)
    return found


def _with_neighbours(found: list[Found], headers: frozenset[str]) -> Iterator[Entry]:
    """Give each entry what stands around it: the heading of its day, and what follows every entry."""
    gaps = [_between(one[2][-1], other[2][0]) for one, other in pairwise(found)]
    names = Counter(label(each) for gap in gaps for each in gap)
    often = {name for name, count in names.items() if 2 * count >= len(gaps) and name not in headers}
    header: tuple[Any, ...] = tuple(
        reversed([each for each in found[0][2][0].itersiblings(preceding=True) if named(each) in headers][:1])
    )
    last = list(islice((each for each in found[-1][2][-1].itersiblings()), len(often)))
    for (key, link, nodes), gap in zip(found, [*gaps, last], strict=True):
        after = [each for each in gap if named(each) in often]
        yield Entry(key, link, (*nodes, *after), header)
        header = tuple(each for each in gap if named(each) in headers)[-1:] or header


def named(element: Any) -> str:
    """Name a node; comments have no name."""
    return label(element) if isinstance(element.tag, str) else ""


def beside(listing: Listing, known: Collection[str]) -> dict[str, int]:
    """Return the parts of a page that link to items outside its list, by name, each with how many links it has."""
    inside = {node for entry in listing.entries for node in entry.nodes}
    found: Counter[str] = Counter()
    for anchor, url in links_of(listing.page):
        around = list(islice(anchor.iterancestors(), DEEPEST))
        if key_of(url) in known and key_of(url) != key_of(listing.page.url) and inside.isdisjoint(around):
            found[next((label(each) for each in around if "." in label(each)), str(around[-1].tag))] += 1
    return dict(found)


def titled(entry: Entry) -> str:
    """Return the text of an entry's link to its item."""
    best = ""
    for node in entry.nodes:
        for anchor in node.iter("a"):
            text = " ".join("".join(anchor.itertext()).split())
            if text and (anchor.get("href") or "").split("#")[0].rstrip("/").endswith(entry.key.rpartition("/")[2]):
                if in_heading(anchor):
                    return text
                best = best or text
    return best


def texts(nodes: Iterable[Any]) -> Iterator[str]:
    """Go through the texts of nodes, white space put in order."""
    for node in nodes:
        if isinstance(node.tag, str):
            yield from filter(None, (" ".join(text.split()) for text in node.itertext()))
