"""What scoring goes by, in one place: limits, and weights with the data that they were found on.

Fitted on the labelled topic web of docs/stages/focus.md; re-run `anansi simulate --half 0` when one of these changes,
and report `--half 1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of scoring."""

    # ── a page ────────────────────────────────────────────────────────────────────────────────────────────────────
    longest_text: int = 400_000
    """Characters of a page's text that are read: the longest articles have a third of them; 10 MB cost no more."""
    most_links: int = 2_000
    """Links of a page that are scored; the others get the score of the page."""
    most_authors: int = 500
    """Links of a page whose authors are named."""
    longest_anchor: int = 300
    """Characters of an anchor that are read."""
    within_anchor: int = 64
    """Elements in an anchor whose text is read: a card has a dozen; anchors that hold each other may be many."""
    most_steps: int = 500_000
    """Beginnings and ends of elements that are looked at, a third of a second: a page of 2,000 links has 20,000."""
    deepest: int = 8
    """Steps of a place, counted from the region upwards."""
    remembered: int = 50_000
    """Anchors and addresses whose terms are remembered, about 300 bytes each."""

    # ── what is known of a URL ────────────────────────────────────────────────────────────────────────────────────
    titles: int = 8
    """Terms of a URL's anchors and address that are kept."""
    labels: int = 3
    """Places of the links to a URL that are kept."""
    shared: int = 12
    """Pages and lists with a link to a URL that are asked what their other links led to."""
    beside: int = 4
    """Links on either side of a link that stand beside it."""
    most_urls: int = 1_000_000
    """URLs of which evidence is kept, about 1 KB each; what is found beyond them gets the score of its page."""
    in_a_row: int = 1_000
    """URLs whose evidence is kept in one row of the frontier's memory, 300 KB."""
    most_places: int = 1_000
    """Places of the links to a URL that are kept: those pages are told what it turned out to be."""
    most_means: int = 200_000
    """Words, places, sites and authors, of each so many, of which a mean of what they led to is kept."""
    most_counted: int = 2_000_000
    """Terms (or links) that are counted, about 100 bytes each; beyond them the half met least is forgotten."""
    often: int = 255
    """How often a term stands on a page, above which it counts no more."""

    # ── when all URLs are scored anew ─────────────────────────────────────────────────────────────────────────────
    soonest: int = 10
    """Pages after which all URLs may be scored anew."""
    early: int = 300
    """Pages up to which all URLs are scored anew when the crawl has grown by a fifth, and then by a half: what that
    costs a page stays the same however long the crawl is."""

    revised: int = 250
    """URLs that are scored anew with each page that is read, while some are left: 3 ms. A crawl that found 100 URLs
    a page is done before it is due again. No clock has a say, so that the order is the same each time."""

    # ── how relevant a page is ────────────────────────────────────────────────────────────────────────────────────
    before: float = 0.3
    """Relevance that pages are expected to have before any was fetched."""
    farthest: float = 2.0
    """Times the nearness of an example, above which nearer is no better: stuffing words gains no more."""
    fed_back: int = 40
    """Pages found most relevant that enrich the topic vector (60 and 20 gave as much, none at all less)."""
    feedback: float = 0.5
    """Weight of such a page beside an example's."""
    refused: int = 20
    """Pages found least relevant that are held against the topic vector."""
    against: float = 0.3
    """Weight of all of them together beside that of all examples (0 and 1 gave less)."""
    said: int = 100
    """Terms of such a page that count: those that stand there most often; all of them cost three times as much."""
    counted: float = 0.2
    """Relevance from which on a page says what relevant pages are like."""
    words_near: float = 0.25
    """Cosine of a relevant page with a handful of words, where no example says what is near."""
    teacher: tuple[float, float, float] = (-4.0, 3.0, 2.0)
    """Bias and weights of text and company, whose logistic function is the relevance; an example has 0.73."""


SETTINGS: Final = Settings()
