"""What kind of feed a tree is, and of which version."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from lxml import etree

from anansi.feeds.decoding import Source
from anansi.feeds.names import name_of

_LOOKED_AT: Final = 1000  # elements; what a feed is, its first ones say
_HEAD: Final = 4096  # characters in which its namespaces are named
_SPACES: Final = {
    "http://www.w3.org/2005/atom": ("atom", "1.0"),
    "http://purl.org/atom/ns#": ("atom", "0.3"),
    "http://purl.org/rss/1.0/": ("rdf", "1.0"),
    "http://my.netscape.com/rdf/simple/0.9/": ("rdf", "0.9"),
}


def kind_of(root: Any, source: Source) -> tuple[str, str, Any]:
    """Say what kind of feed a tree is, of which version, and which element says so."""
    netscape = "0.91" if "netscape" in source.prolog.lower() else ""
    for element in islice(root.iter(etree.Element), _LOOKED_AT):
        name = name_of(element)
        if name == "rss":
            version = element.get("version", "").strip()[:10]
            return "rss", version or netscape, element
        if name in ("rdf:rdf", "rdf") and (_names_rss(source) or _tells_of_items(element)):
            return "rdf", _rdf_version(element), element
        if name == "feed":
            return "atom", _atom_version(element), element
        if name == "channel":
            return ("cdf" if element.get("href") and element.find("item") is not None else "rss"), "", element
    return ("rss", netscape, root) if netscape else (*_SPACES.get(_space(root), ("", "")), root)


def _space(root: Any) -> str:
    """Return the namespace of a document whose first element has no name that is known."""
    first = next((each for each in root.iter(etree.Element) if each.get("xmlns")), root)
    return (root.nsmap.get(None) or first.get("xmlns") or "").lower()


def _names_rss(source: Source) -> bool:
    """Tell whether RDF is a feed by its own word; it says other things, too."""
    head = source.text[:_HEAD].lower()
    return any(space in head for space, (kind, _) in _SPACES.items() if kind == "rdf")


def _tells_of_items(element: Any) -> bool:
    inside = islice(element.iter(etree.Element), _LOOKED_AT)
    return any(name_of(each) in ("channel", "item") for each in inside)


def _rdf_version(element: Any) -> str:
    spaces = {uri.lower() for uri in element.nsmap.values() if uri}
    spaces |= {str(child.tag).lower() for child in element.iterchildren(etree.Element)}
    return "0.9" if any("rdf/simple/0.9" in space for space in spaces) else "1.0"


def _atom_version(element: Any) -> str:
    own = element.tag[1:].partition("}")[0] if element.tag.startswith("{") else element.get("xmlns", "")
    said: str = element.get("version", "").strip()[:10]
    return said or _SPACES.get(own.lower(), ("", ""))[1]
