"""A collection as the evaluation sees it: what it cost, and its captures in the order they were fetched in."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, status_of
from anansi.archive.layout import Collection
from anansi.archive.reader import Damage, Record, past_damage
from anansi.errors import CollectionError
from anansi.fetch import mime
from anansi.model import Hop

FINISHED: Final = "finished"

_CAPTURES: Final = ("response", "revisit")
_NOT_PAGES: Final = (Hop.EMBED.value, Hop.PREREQUISITE.value, Hop.MANIFEST.value)
_TERMINAL: Final = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Capture:
    """One answered request, and where its answer lies."""

    date: str
    url: str
    file: Path
    offset: int
    digest: str = ""
    page: bool = False
    """Whether it may be a page: a successful answer that nothing says is not HTML."""
    type: str = ""
    """The application that it was recognised as made by."""
    terminal: bool | None = None
    """Whether recognition called it content; None where nothing was recognised."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """What a crawl left behind."""

    folder: Path
    requests: int
    """Every request sent, robots.txt and retries included."""
    state: str
    strategy: str
    captures: tuple[Capture, ...]
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know."""


def open_crawl(folder: Path) -> Crawl:
    """Open a collection whose crawl has ended, and list its captures."""
    collection = Collection(folder)
    collection.require()
    with guarded(folder):
        if unfinished := collection.unfinished():
            raise CollectionError(
                f"{folder}: {unfinished[0].name} is not finished: a crawl is running, or was cut off; wait for it, "
                f"run it again to its end, or close the file with `anansi check {folder} --repair`"
            )
        summary = _summary(collection)
        captures: list[Capture] = []
        notes: list[str] = []
        for warc in collection.warcs():
            captures += _captures(warc, notes)
    if not any(capture.page for capture in captures):
        raise CollectionError(f"{folder} holds no page: there is nothing to compare; see its logs/crawl.log")
    captures.sort(key=lambda capture: capture.date)
    state = str(summary.get("state", ""))
    if state != FINISHED:
        notes.append(f"the crawl is not complete, its state is `{state}`: what it would have fetched is missing here")
    return Crawl(folder, summary["requests"], state, _strategy(summary), tuple(captures), tuple(notes))


def _summary(collection: Collection) -> dict[str, Any]:
    try:
        found = json.loads(collection.summary.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CollectionError(f"{collection.root} has no reports/summary.json: no crawl has run there") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("requests"), int):
        raise CollectionError(
            f"{collection.summary} does not tell the number of requests; run the crawl again to its end"
        )
    return found


def _strategy(summary: dict[str, Any]) -> str:
    """Return the strategy of the site that took most requests; the summary lists it first."""
    sites = summary.get("sites")
    first = next(iter(sites.values()), None) if isinstance(sites, dict) else None
    return str(first.get("strategy", "")) if isinstance(first, dict) else ""


def _captures(warc: Path, notes: list[str]) -> list[Capture]:
    """List the captures of a file, those behind damage included; the damage is noted."""
    found: list[Capture] = []
    identity = ""

    def take(record: Record) -> tuple[()]:
        nonlocal identity
        if record.kind in _CAPTURES:
            capture = _capture(record, warc)
            record.finish()  # one that cannot be read to its end is not listed
            found.append(capture)
            identity = record.get("warc-record-id")
        elif record.kind == "metadata" and identity and record.get("warc-concurrent-to") == identity:
            found[-1] = _told(found[-1], record.peek())
        return ()

    def hear(damage: Damage) -> None:
        where = f"{warc.name} is damaged at byte {damage.start:,}"
        notes.append(f"{where}: {damage.reason}; what stands there is left out")

    for _ in past_damage(warc, take, hear):
        pass
    return found


def _capture(record: Record, warc: Path) -> Capture:
    identified = record.get("warc-identified-payload-type")
    answered = status_of(head_of(record.peek())).startswith("2")
    return Capture(
        date=record.get("warc-date"),
        url=record.url,
        file=warc,
        offset=record.offset,
        digest=record.get("warc-payload-digest"),
        page=answered and (not identified or mime.is_html(identified)),
    )


def _told(capture: Capture, block: bytes) -> Capture:
    """Add what the metadata record says."""
    pairs = (line.decode("utf-8", "replace").partition(": ") for line in block.split(b"\r\n"))
    fields = {name: value for name, _, value in pairs}
    return replace(
        capture,
        page=capture.page and not fields.get("hopsFromSeed", "").endswith(_NOT_PAGES),
        type=fields.get("recognisedType", ""),
        terminal=_TERMINAL.get(fields.get("recognisedTerminal", "")),
    )
