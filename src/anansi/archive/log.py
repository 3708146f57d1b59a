"""The lines of `crawl.log`, in Heritrix's columns: written and read."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from anansi.archive.disk import guarded
from anansi.archive.record import warc_date
from anansi.model import Outcome, Visit

COLUMNS: Final = 12
_SPACE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")


def log_line(visit: Visit, outcome: Outcome, *, worker: int = 0, now: float | None = None) -> str:
    """Write how a visit ended as one line.

    The columns: time of writing, status, size, URL, hop path, via, media type, worker, fetch time+duration (ms),
    digest, seed, annotations. `-` stands for what is not known.
    """
    digest = outcome.validators.digest if outcome.validators else ""
    columns = (
        warc_date(time.time() if now is None else now),
        f"{outcome.status:>5}",
        f"{outcome.size if outcome.size else '-':>10}",
        _url(visit.url),
        _word(visit.hops),
        _url(visit.via),
        _word(outcome.mime),
        f"#{worker:03d}",
        _fetched(outcome),
        _word(digest),
        _url(visit.seed),
        _annotations(outcome),
    )
    return " ".join(columns) + "\n"


class Visited(NamedTuple):
    """What a line says, as far as somebody asks."""

    at: str
    status: int
    url: str
    annotations: str
    hops: str
    via: str
    fetched: str
    """When the fetch began, in fourteen digits; empty when nothing was fetched."""
    seed: str


def visits(path: Path, start: int = 0) -> Iterator[Visited]:
    """Go through a log, from an offset on; lines that a crash cut, or somebody else wrote, are left out."""
    with guarded(path), path.open("rb") as file:
        file.seek(start)
        for line in file:
            if (visited := read_line(line)) is not None:
                yield visited


def read_line(line: bytes) -> Visited | None:
    """Read a line of the log; None when it is none."""
    columns = line.decode("utf-8", "replace").split()
    if len(columns) != COLUMNS or not columns[1].lstrip("-").isdigit():
        return None
    told = ["" if column == "-" else column for column in columns]
    return Visited(columns[0], int(columns[1]), columns[3], columns[-1], told[4], told[5], told[8][:14], told[10])


def _fetched(outcome: Outcome) -> str:
    """Write when the fetch began, to the millisecond, and how many milliseconds it took."""
    if not outcome.started:
        return "-"
    whole = int(outcome.started)
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(whole))
    return f"{stamp}{int((outcome.started - whole) * 1000):03d}+{round(outcome.seconds * 1000)}"


def _annotations(outcome: Outcome) -> str:
    marks = (
        outcome.annotations,
        outcome.fault,
        outcome.reason,
        outcome.detail,
        "duplicate" if outcome.duplicate else "",
    )
    return ",".join(_SPACE.sub("_", mark.strip()) for mark in marks if mark) or "-"


def _word(text: str) -> str:
    return _SPACE.sub("_", text) or "-"


def _url(text: str) -> str:
    return _SPACE.sub("%20", text) or "-"
