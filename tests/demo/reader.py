"""Read the example site without a server: the links and the objects of its pages."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urljoin, urlsplit

from lxml import html

from anansi_demo.site import ORIGIN, answer

_SESSION = re.compile(r"[?&]sid=[0-9a-f]{32}")


def tree(path: str) -> html.HtmlElement:
    """Parse the page at a path."""
    return html.document_fromstring(answer(path).body.decode())


def plain(path: str) -> str:
    """Drop the session id, the fragment and a start at zero."""
    bare = _SESSION.sub("", path.partition("#")[0])
    return bare.replace("&start=0", "")


@cache
def links(path: str) -> frozenset[str]:
    """List the pages of the site that a page links to, as plain paths."""
    if not answer(path).header("Content-Type").startswith("text/html"):
        return frozenset()
    found = (urljoin(ORIGIN + path, str(href)) for href in tree(path).xpath("//a/@href | //link/@href | //img/@src"))
    return frozenset(
        plain(url.removeprefix(ORIGIN)) for url in found if urlsplit(url).netloc == urlsplit(ORIGIN).netloc
    )
