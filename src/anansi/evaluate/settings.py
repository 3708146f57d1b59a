"""What crawls are measured by, in numbers: each with the data that it was found on, or the paper that it is of.

Figures that were made with others cannot be compared: when one of these changes, all of docs/evaluation.md does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of evaluation."""

    # ── what is content (`content`, `reference`, `score`) ─────────────────────────────────────────────────────────
    listed: float = 0.4
    """Share of a page's own 2-grams that may stand in links before it counts as a list.

    Measured on whole forums (phpBB, XenForo, Discourse) and a WordPress blog: 2.5% of the threads and posts at most
    are taken for lists, and 41 to 94% of the forums' lists are. Lists of a blog, which show whole posts, pass as
    content; they are captured when their posts are. Count pages by kind again when this changes."""
    boilerplate: float = 0.2
    """Share of the distinct pages; what stands on more of them is boilerplate."""
    captured: float = 0.95
    """Share of a content page's own 2-grams that must have been fetched for the page to count as captured."""

    # ── what is relevant (`relevance`, `holding`) ─────────────────────────────────────────────────────────────────
    near: float = 0.333
    """Cosine with the sum of the seeds' vectors above which a page counts in the harvest ratio, as in the paper."""
    seed_terms: tuple[int, int, int] = (10, 50, 100)
    """Terms of the seeds that are held against pages, as in the paper."""
    windows: int = 20
    """Parts of a crawl over which relevance is averaged; the paper takes 1,000 pages each."""
    topical: float = 0.05
    """Cosine from which on a page is about a topic. Of 911 pages of an encyclopaedia, four topics of five terms each
    found 0.81 to 1.00 of the pages that are labelled so, and 0.006 to 0.021 of the others; at 0.1 0.53 to 1.00."""
    speaks: float = 0.5
    """Score from which on a page speaks of an event; not measured."""


SETTINGS: Final = Settings()
