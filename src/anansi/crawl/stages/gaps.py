"""What of a page tells whether it withholds its content: the stage that looks for gaps."""

from __future__ import annotations

import dataclasses

import msgspec

from anansi.crawl.findings import Findings, replace
from anansi.crawl.settings import SETTINGS
from anansi.model import BESIDE, WALLS, Cut, Gap, Page, Seen, WebObject
from anansi.pages import gaps
from anansi.pages.gap_rules import BOUNDS, Suspect
from anansi.pages.links import MOST
from anansi.url import site_of


class Gaps:
    """Says what keeps the content of pages from being captured. Mutable state: short pages that are compared."""

    def __init__(self) -> None:
        self._gaps = gaps.Gaps()

    def look(self, page: Page, found: Findings) -> Findings:
        """Add the gap that a page is; take back what stands on a wall."""
        if page.visit.role in BESIDE:
            return found
        gap = self._gaps.look(suspect_of(page, found), site_of(page.visit.url))
        if gap is None:
            return found
        kind, detail = gap
        if kind in WALLS:
            says_so = kind is Gap.SOFT_404 and detail != gaps.SAME  # the same page may also be a view of another
            found = _without_links(found) if says_so and page.visit.via else found
            return replace(found, seen=Seen(gap=kind.value, gap_detail=detail), objects=[], stated=())
        seen = msgspec.structs.replace(found.seen or Seen(), gap=kind.value, gap_detail=detail)
        return replace(found, seen=seen, objects=_standing(kind, found.objects))


def suspect_of(page: Page, found: Findings) -> Suspect:
    """Put together what is known of a page, for who looks for gaps."""
    known = found.recognition
    return Suspect(
        page,
        found.model,
        found.title,
        links=len(found.links) + len(found.skips),
        objects=len(found.objects),
        said=_said(found.objects),
        listed=known is not None and known.level != "" and not known.terminal,
        paid=found.paid,
        unread=_unread(page, found),
    )


def _without_links(found: Findings) -> Findings:
    """Follow nothing from where nothing is, as from a 404: a site may have such a page for every address."""
    return replace(found, links=[], skips=[], unknown=False)


def _standing(gap: Gap, objects: list[WebObject]) -> list[WebObject]:
    """Return what stands on a page though it is a gap: behind a paywall is the rest of it."""
    return [dataclasses.replace(each, incomplete=True) for each in objects] if gap is Gap.PAYWALL else objects


def _said(objects: list[WebObject]) -> str | None:
    said = " ".join(each.get("text") for each in objects[: SETTINGS.wall_objects])
    return said if len(objects) <= SETTINGS.wall_objects and len(said) < BOUNDS.frame else None


def _unread(page: Page, found: Findings) -> str:
    """Say what of a page was not kept or read, for there is too much of it."""
    if page.cut is Cut.LENGTH:
        return f"cut after {page.body.size:,} bytes (fetch.max_body)"
    if found.bomb:
        return "inflates beyond what is read"
    links = f"{found.left_out:,} links after the first {MOST:,}" if found.left_out else ""
    left_out = ", ".join(filter(None, (found.unread, links)))
    return f"left out: {left_out}" if left_out else ""
