"""Where reading meets gaps: what of a page tells whether it withholds its content."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from anansi.act import tree as html
from anansi.act.gap_rules import BOUNDS, Suspect
from anansi.act.links import MOST
from anansi.model import WALLS, Cut, Gap, Page, WebObject
from anansi.reading import Acts, Reading

FEW: Final = 3
"""Objects of a page that may be a wall: an article or a thread, and what is said there."""


def suspect_of(page: Page, reading: Reading, acts: Acts) -> Suspect:
    """Put together what is known of a page, for who looks for gaps."""
    known = reading.recognition
    return Suspect(
        page,
        reading.tree,
        reading.title,
        lambda: html.text(reading.tree),
        links=len(acts.links) + len(acts.skips),
        objects=len(acts.objects),
        said=_said(acts.objects),
        listed=known is not None and known.level != "" and not known.terminal,
        paid=reading.paid,
        unread=_unread(page, reading, acts),
    )


def standing(gap: str, objects: list[WebObject]) -> list[WebObject]:
    """Return what stands on a page though it is a gap: what a wall says is not what it hides."""
    if gap == Gap.PAYWALL:
        return [replace(each, incomplete=True) for each in objects]
    return [] if gap in WALLS else objects


def _said(objects: list[WebObject]) -> str | None:
    said = " ".join(each.get("text") for each in objects[:FEW])
    return said if len(objects) <= FEW and len(said) < BOUNDS.frame else None


def _unread(page: Page, reading: Reading, acts: Acts) -> str:
    """Say what of a page was not kept or read, for there is too much of it."""
    if page.cut is Cut.LENGTH:
        return f"cut after {page.body.size:,} bytes (fetch.max_body)"
    if reading.bomb:
        return "inflates beyond what is read"
    links = f"{acts.left_out:,} links after the first {MOST:,}" if acts.left_out else ""
    left_out = ", ".join(filter(None, (reading.left_out, links)))
    return f"left out: {left_out}" if left_out else ""
