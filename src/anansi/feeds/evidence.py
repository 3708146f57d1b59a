"""A page at a moment as a value, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from anansi.feeds.channel import Shown
from anansi.feeds.dating import iso
from anansi.feeds.timeline import Gap

Certainty = Literal["certain", "likely", "possible"]


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry of the page, and why it is there."""

    key: str
    link: str
    title: str
    why: str
    certainty: Certainty
    pinned: bool = False
    source: str = ""
    """The capture whose markup it is; of the mould where it was made."""
    captured: str = ""
    made: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The page at a moment."""

    status: Literal["captured", "unchanged", "reconstructed"]
    at: float
    page: Shown
    """The capture that is the page, or its template."""
    entries: tuple[Placed, ...] = ()
    possible: tuple[Placed, ...] = ()
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    around: tuple[Shown | None, Shown | None] = (None, None)
    html: bytes = b""
    """Empty where the capture is the page."""
    beside: Mapping[str, int] = field(default_factory=dict)
    """Parts of the template that link to items and are not rebuilt, with how many links each has."""


def said(found: Rebuilt, url: str) -> list[str]:
    """Say on the page what it is."""
    made = sum(entry.made for entry in found.entries)
    return [
        f"Reconstructed page: {url} as it must have been at {iso(found.at)}",
        f"No crawl saw it then. Template: capture of {iso(found.page.at)}. Of {len(found.entries)} entries "
        f"{len(found.entries) - made} are as captured at another time and {made} made from feeds and objects.",
        *found.notes[:3],
    ]


def evidence(found: Rebuilt, url: str) -> dict[str, Any]:
    """Return all that speaks for a page, as JSON has it."""
    before, after = found.around
    return {
        "channel": url,
        "at": iso(found.at),
        "status": found.status,
        "template": _capture(found.page),
        "before": _capture(before),
        "after": _capture(after),
        "entries": [_row(entry) for entry in found.entries],
        "possible": [_row(entry) for entry in found.possible],
        "not_rebuilt": dict(found.beside),
        "gaps": [{"from": iso(gap.first), "to": iso(gap.last)} for gap in found.gaps],
        "notes": list(found.notes),
    }


def _capture(page: Shown | None) -> dict[str, str] | None:
    return {"url": page.url, "captured": iso(page.at), "record": page.capture} if page is not None else None


def _row(entry: Placed) -> dict[str, Any]:
    return {
        "url": entry.link,
        "title": entry.title,
        "why": entry.why,
        "certainty": entry.certainty,
        "pinned": entry.pinned,
        "made": entry.made,
        "markup_of": {"record": entry.source, "captured": entry.captured},
        "missing": list(entry.missing),
    }
