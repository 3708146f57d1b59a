"""How relevant crawls are, on one page: the paper's Tables 3 to 5 and Figure 8."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from anansi.evaluate.figures import Figure, bars, curves
from anansi.evaluate.relevance import Ranked, Relevance
from anansi.evaluate.report import framed, shown, tabulated, write_page

NAME: Final = "relevance.html"
TRUTHS: Final = ("measure", "relevant", "average", "maximum", "deviation")
SITES: Final = ("site", "pages", "relevant", "similarity")
PAGES: Final = ("similarity", "page", "title", "found")
DRAWN: Final = 30
"""Bars of what is looked for."""


def write_relevance(folder: Path, crawls: Sequence[Relevance]) -> Path:
    """Write the page into a folder, which is made when it is missing."""
    return write_page(folder / NAME, page(crawls))


def headings(crawls: Sequence[Relevance]) -> tuple[str, ...]:
    """Return the headings of the table of what is looked for: a crawl a column."""
    return "kind", "what", *(f"% of {each.folder}" for each in crawls)


def mentions(crawls: Sequence[Relevance]) -> list[tuple[str, ...]]:
    """Write Table 3: the percentage of pages that have each keyword, name, event and topic, for each crawl."""
    columns = zip(*(each.mentioned for each in crawls), strict=True)
    return [(row[0].kind, row[0].name, *(f"{100 * each.share:.4f}" for each in row)) for row in columns]


def truths(crawl: Relevance) -> list[tuple[str, ...]]:
    """Write Table 4 or 5."""
    return [
        (
            each.name,
            f"{each.relevant:.2%}",
            f"{each.average:.4f}",
            f"{each.maximum:.4f}",
            f"{each.deviation:.4f}",
        )
        for each in crawl.truths
    ]


def sites(crawl: Relevance) -> list[tuple[str, ...]]:
    """Write what each site contributed."""
    return [(each.name, f"{each.pages:,}", f"{each.relevant:.2%}", f"{each.similarity:.4f}") for each in crawl.sites]


def listed(pages: Sequence[Ranked]) -> list[tuple[str, ...]]:
    """Write pages with what they have of the definition."""
    return [(f"{each.similarity:.4f}", each.url, each.title, ", ".join(each.found)) for each in pages]


def harvested(crawl: Relevance) -> str:
    """Say what a crawl is worth in one line."""
    said = f"{crawl.pages:,} pages, average similarity {crawl.similarity:.4f}"
    if crawl.harvest is None or crawl.seed_similarity is None:
        return said
    return f"{said}; against the seeds: harvest ratio {crawl.harvest:.4f}, average {crawl.seed_similarity:.4f}"


def page(crawls: Sequence[Relevance]) -> str:
    """Write the page."""
    parts = [
        "<h2>Pages that have what is looked for (Table 3)</h2>",
        tabulated(headings(crawls), mentions(crawls)),
        *map(shown, figures(crawls)),
    ]
    for crawl in crawls:
        parts += [
            f"<h2>{escape(crawl.folder)}</h2><p>{escape(harvested(crawl))}</p>",
            *(f'<p class="soft">{escape(note)}</p>' for note in crawl.notes),
            "<h3>By what is taken for relevant (Tables 4 and 5)</h3>",
            tabulated(TRUTHS, truths(crawl)),
            "<h3>Sites</h3>",
            tabulated(SITES, sites(crawl)),
            "<h3>The nearest pages</h3>",
            tabulated(PAGES, listed(crawl.best)),
            "<h3>Pages off the subject, the longest first</h3>",
            tabulated(PAGES, listed(crawl.worst)),
        ]
    return framed("Relevance of crawls", parts)


def figures(crawls: Sequence[Relevance]) -> list[Figure]:
    """Draw what was found how often, and relevance over time (Figure 8)."""
    groups = [
        (each.folder, [(one.name, one.pages) for one in sorted(each.mentioned, key=lambda one: -one.pages)[:DRAWN]])
        for each in crawls
    ]
    lines = [(each.folder, [(one.until, round(100 * one.relative)) for one in each.course]) for each in crawls]
    return [
        bars("found", "Pages that have what is looked for", groups),
        curves("course", "Relevance over time, % of the best part of each crawl (Figure 8)", lines, "pages fetched"),
    ]
