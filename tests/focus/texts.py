"""Small texts of reference crawls."""

from __future__ import annotations

from collections.abc import Sequence

from anansi.focus.corpus import Corpus, corpus_of
from anansi.focus.page import Region, regions
from anansi.text import tree as html

FLOODS = (
    "The flood reached Passau in the night. Angela Merkel spoke of the flood and of high water along the Danube.",
    "High water stood in the streets of Passau. Merkel promised help against the flood, said Angela Merkel.",
    "A levee broke when the high water came. The European Flood Awareness System (EFAS) had warned of a flood.",
    "The flood damaged a levee near Dresden. In Dresden the European Flood Awareness System was consulted.",
)
KITCHEN = (
    "Boil the potatoes in a pan, then peel the potatoes and add butter to the soup of onions.",
    "The soup needs onions, potatoes and butter. Stir the soup while the potatoes boil in the pan.",
    "Melt butter in a pan, fry onions and serve the soup with potatoes.",
)


def page(*paragraphs: str, title: str = "") -> tuple[Region, ...]:
    """Read a page of paragraphs."""
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    tree = html.parse(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(), "utf-8")
    return regions(tree)


def corpus(texts: Sequence[str], given: Sequence[str] = (), language: str = "en") -> Corpus:
    """Make a corpus of pages of a paragraph each."""
    pages = [(f"http://site.example/{number}", page(each), language) for number, each in enumerate(texts)]
    return corpus_of(pages, given, [])
