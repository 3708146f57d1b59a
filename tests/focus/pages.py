"""Pages for the tests of focusing, as readings."""

from __future__ import annotations

from anansi.focus.page import page_terms, regions
from anansi.state import PageTerms
from anansi.text import tree as html
from anansi.url import canonical, resolve

SITE = "http://site.example"


def reading(path: str, body: str, *, title: str = "") -> PageTerms:
    """Read a page of a site."""
    url = SITE + path
    tree = html.parse(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(), "utf-8")

    def find(raw: str) -> str | None:
        target = resolve(raw, url)
        return canonical(target) if target is not None else None

    return page_terms(regions(tree), url, find)


def key(path: str) -> str:
    return SITE + path


RAIL = "The steam locomotive pulled carriages along the railway track past the signal and the station platform."
FRUIT = "The orchard gave apples and pears; their juice was pressed to cider when the blossom was long gone."


def article(number: int, text: str = RAIL, links: str = "") -> PageTerms:
    """Read an article that is a little different from every other."""
    return reading(f"/a/{number}", f"<h1>Article {number}</h1><p>{text} {'signal ' * (number % 3)}</p>{links}")
