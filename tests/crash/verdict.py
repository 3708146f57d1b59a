"""What must hold of a collection after everything that was done to its crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from warcio.archiveiterator import ArchiveIterator

from anansi.archive.layout import Collection
from anansi.crawl.restore.soundness import check
from tests.web import Request, ScriptedWeb


@dataclass(frozen=True, slots=True)
class Verdict:
    """The three numbers that count, and what they were taken from."""

    lost: list[str]
    """URLs of the sites that no successful capture holds."""
    invalid: list[str]
    """What our checker found wrong."""
    doubles: int
    """Requests for a URL beyond its first, robots.txt aside."""
    captures: int
    index_lines: int

    def __str__(self) -> str:
        return (
            f"lost {len(self.lost)}, invalid {len(self.invalid)}, double fetches {self.doubles}, "
            f"{self.captures} captures, {self.index_lines} index lines"
        )

    @property
    def sound(self) -> bool:
        """Tell whether nothing is missing and nothing is wrong."""
        return not self.lost and not self.invalid and self.captures == self.index_lines


def judge(collection: Collection, wanted: Iterable[str], log: Iterable[tuple[str, Request]]) -> Verdict:
    """Compare an archive with what its sites hold and with what their servers saw."""
    report = check(collection)
    captured = captures(collection)
    kept = {url for url, status in captured if status == "200"}
    asked = Counter(base + request.target for base, request in log if request.target != "/robots.txt")
    lines = collection.index.read_bytes().splitlines() if collection.index.exists() else []
    return Verdict(
        lost=sorted(set(wanted) - kept),
        invalid=[f"{problem.file} at {problem.offset}: {problem.what}" for problem in report.problems],
        doubles=sum(asked.values()) - len(asked),
        captures=len(captured),
        index_lines=len(lines),
    )


def captures(collection: Collection) -> list[tuple[str, str]]:
    """Read all captures with warcio, which raises on what it cannot read, as (URL, status)."""
    found = []
    for path in collection.warcs():
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
                if record.rec_type in ("response", "revisit"):
                    url = record.rec_headers.get_header("WARC-Target-URI")
                    found.append((url, record.http_headers.get_statuscode()))
    return found


def logs(webs: Iterable[ScriptedWeb], since: Iterable[int]) -> list[tuple[str, Request]]:
    """Join the logs of several webs, each from a place on, as (address of the web, request)."""
    return [(web.url, request) for web, begin in zip(webs, since, strict=True) for request in web.log[begin:]]
