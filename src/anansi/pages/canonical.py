"""The address that a page names as its own: `rel=canonical` in its head or in the header `Link`, else `og:url`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from lxml import etree

from anansi.text.page_model import PageModel
from anansi.url import resolve

# not of the page's model: these look into the head alone, and take less than to list elements
_LINKS: Any = etree.XPath("/html/head/link[@rel='canonical']/@href", smart_strings=False)
_SHARED: Any = etree.XPath("/html/head/meta[@property='og:url']/@content", smart_strings=False)
_HEADER: Final = re.compile(r"<([^<>]*)>\s*((?:;[^,<>]*)*)")
_CANONICAL: Final = re.compile(r";\s*rel\s*=\s*\"?canonical\"?\s*(?:;|$)", re.I)
_LONGEST: Final = 8192
"""Characters of a header that are looked at."""


def named(page: PageModel, headers: Iterable[tuple[str, str]], url: str, base: str) -> str:
    """Return the address that a page names as its own; nothing when it names none, or several.

    Links are relative to `base`, what is shared to the page.
    """
    told = [value for name, value in headers if name == "link"]
    found = [raw for value in told for raw, rest in _HEADER.findall(value[:_LONGEST]) if _CANONICAL.search(rest)]
    found += _LINKS(page.tree)
    urls = {resolve(raw.strip(), base if found else url) for raw in found or _SHARED(page.tree)} - {None}
    return urls.pop() or "" if len(urls) == 1 else ""
