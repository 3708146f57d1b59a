"""A page's bytes → its tree."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from lxml import etree

from anansi.markup import bounded

DEEP = 2 << 20  # bytes of the largest page that may nest more than 256 deep

_ASKING: Any = {name: etree.XPath(f"//@{name}[contains(., '?')]/..", smart_strings=False) for name in ("href", "src")}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_IN_QUERIES = "!$%&()*+,/:;=?@[\\]^`{|}~"  # what a query may hold as it is, beside letters and digits
_TITLE: Any = etree.XPath("string(/html/head/title)", smart_strings=False)
_TITLE_ELSEWHERE: Any = etree.XPath("string(//title[not(ancestor::svg)])", smart_strings=False)
_TEXT: Any = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)
_ALL_TEXT: Any = etree.XPath("/descendant::text()", smart_strings=False)  # `//` takes half as long again


class Parsed(NamedTuple):
    """A page's tree."""

    tree: Any
    """None when nothing of the page can be parsed."""
    left_out: str = ""
    """What of the page does not stand in it, in words for people."""


def parse(data: bytes, charset: str) -> Any | None:
    """Parse HTML; None when nothing of it can be parsed."""
    return parsed(data, charset).tree


def parsed(data: bytes, charset: str) -> Parsed:
    """Parse HTML, in bounded time, and say what of it was left out."""
    if not data:
        return Parsed(None)
    written = charset
    data, charset, left_out = bounded(data, charset)
    parser = _parser(charset, deep=len(data) <= DEEP)
    try:
        tree = etree.fromstring(data, parser)
    except (etree.LxmlError, LookupError, ValueError, AssertionError):
        return Parsed(None, left_out)
    _join(tree)
    if tree is not None and not written.startswith("utf-"):
        _encode_queries(tree, written)
    last = parser.error_log.last_error
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        left_out = ", ".join(filter(None, (left_out, "all after elements nested too deep")))
    return Parsed(tree, left_out)


@lru_cache(maxsize=16)  # a tenth of the time of a small page is taken by making one
def _parser(charset: str, *, deep: bool) -> Any:
    # libxml2 drops what follows an element 256 deep, or 2048 with `huge_tree`: old pages that never close a tag and
    # threads of replies need that, and a small page cannot make it costly (8 MB of stray end tags at 2000: 5 s)
    return etree.HTMLParser(
        encoding=charset,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        huge_tree=deep,
    )


def _join(tree: Any) -> None:
    """Put what stands behind `</html>`, which libxml2 takes for another document, where browsers put it."""
    while tree is not None and (later := tree.getnext()) is not None:
        body = tree.find("body")
        (tree if body is None else body).append(later)


def _encode_queries(tree: Any, charset: str) -> None:
    """Write the queries of addresses in the page's own encoding, as browsers send them; all else goes as UTF-8."""
    for name, asking in _ASKING.items():
        for element in asking(tree):
            before, _, query = element.get(name).partition("?")
            query, mark, fragment = query.partition("#")
            if not query.isascii():
                query = _NOT_ASCII.sub(lambda found: _percent(found[0], charset), query)
                with suppress(ValueError):  # characters that XML forbids, which libxml2 reads and lxml does not write
                    element.set(name, f"{before}?{query}{mark}{fragment}")


def _percent(text: str, charset: str) -> str:
    """Write characters as a query has them in an encoding (WHATWG URL, "percent-encode after encoding")."""
    data = text.encode(charset, "xmlcharrefreplace").replace(b"&#", b"%26%23").replace(b";", b"%3B")
    return quote(data, safe=_IN_QUERIES)


def title(tree: Any) -> str:
    """Return the page's title in one line."""
    return " ".join((_TITLE(tree) or _TITLE_ELSEWHERE(tree)).split())[:500]


def text(tree: Any) -> str:
    """Return the page's text with its line breaks, scripts and styles left out."""
    return "\n".join(_seen(tree))


def _seen(tree: Any) -> list[str]:
    """List all texts but those of scripts and styles; to compare parents takes twenty times as long."""
    unseen = [each.text for each in tree.iter("script", "style") if each.text]
    if not unseen:
        return list(_ALL_TEXT(tree))
    unseen.append("")
    waiting = iter(unseen)
    following, kept = next(waiting), []
    for each in _ALL_TEXT(tree):
        if each == following:
            following = next(waiting)
        else:
            kept.append(each)
    return kept if not following else list(_TEXT(tree))
