"""The address that a page names as its own: `rel=canonical` in its head or in the header `Link`, else `og:url`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from anansi.text.page_model import PageModel
from anansi.url import resolve

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
    found += _in_head(page, "link", ("rel", "canonical"), "href")
    raws = found or _in_head(page, "meta", ("property", "og:url"), "content")
    urls = {resolve(raw.strip(), base if found else url) for raw in raws} - {None}
    return urls.pop() or "" if len(urls) == 1 else ""


def _in_head(page: PageModel, tag: str, wanted: tuple[str, str], told: str) -> list[str]:
    """Return what elements of the head tell that say what they are for."""
    name, value = wanted
    fits = (each for each in page.of(tag) if each.get(name) == value and told in each.attrib)
    heads = page.tree.findall("head")
    return [each.get(told) for each in fits if each.getparent() in heads]
