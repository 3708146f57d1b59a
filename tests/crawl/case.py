"""A whole crawl as a case: run the command, then see what it kept, said and counted.

    crawled = crawl(tmp_path, web.url + "/", options=("--max-hops", "1"))
    assert crawled.code == 0 and crawled.statuses(web.url + "/") == [200]

Every crawl is checked afterwards, by our own checker and with warcio: no record may be wrong.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from warcio.archiveiterator import ArchiveIterator

from anansi.archive.check import check
from anansi.archive.layout import Collection
from tests.web import Connection, Request, html

SECONDS = 240.0
"""The longest that a crawl may take before it counts as hanging."""
HURRY = Path(__file__).parent / "hurry"
_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True, slots=True)
class Kept:
    """One WARC record as warcio reads it."""

    kind: str
    url: str
    headers: dict[str, str]
    """WARC headers, names in lower case."""
    block: bytes

    @property
    def head(self) -> bytes:
        """Return the HTTP head with the empty line that ends it."""
        return self.block[: self.block.find(b"\r\n\r\n") + 4]

    @property
    def body(self) -> bytes:
        """Return what stands behind the HTTP head."""
        return self.block[len(self.head) :]

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return int(self.block.split(None, 2)[1])


@dataclass(frozen=True)
class Crawled:
    """What a crawl left behind."""

    collection: Collection
    code: int
    output: str
    errors: str
    memory: int
    """Bytes that the largest of its processes held at its peak."""

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Return the numbers as the command printed them."""
        found: dict[str, Any] = json.loads(self.output)
        return found

    @cached_property
    def skipped(self) -> dict[str, tuple[str, str]]:
        """Return URL → reason and detail, as skipped.jsonl has them."""
        return {line["url"]: (line["reason"], line["detail"]) for line in json_lines(self.collection.skipped)}

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return URL → title, as pages.jsonl has them."""
        return {line["url"]: line.get("title", "") for line in json_lines(self.collection.pages) if "url" in line}

    @cached_property
    def log(self) -> list[list[str]]:
        """Return the columns of crawl.log."""
        return [line.split(" ") for line in _squeezed(self.collection.crawl_log.read_text(encoding="utf-8"))]

    @cached_property
    def records(self) -> list[Kept]:
        """Return every record of every WARC file."""
        return [record for path in self.collection.warcs() for record in read_warc(path)]

    def kept(self, url: str, kind: str = "response") -> list[Kept]:
        """Return the records of a URL."""
        return [record for record in self.records if record.url == url and record.kind == kind]

    def one(self, url: str, kind: str = "response") -> Kept:
        """Return the only record of a URL."""
        (record,) = self.kept(url, kind)
        return record

    def statuses(self, url: str) -> list[int]:
        """Return how the visits to a URL ended, as crawl.log has it."""
        return [int(line[1]) for line in self.log if line[3] == url]

    def annotations(self, url: str) -> str:
        """Return what crawl.log notes about the last visit to a URL."""
        return [line[-1] for line in self.log if line[3] == url][-1]

    def everything_written(self) -> bytes:
        """Return all files of the collection, WARC files as plain text."""
        files = (path for path in self.collection.root.rglob("*") if path.is_file())
        plain = b"".join(path.read_bytes() for path in files if path.suffix != ".gz")
        return plain + b"".join(repr(record.headers).encode() + record.block for record in self.records)


def crawl(folder: Path, *seeds: str, sound: bool = True, **how: Any) -> Crawled:
    """Crawl to the end; see `begin` for how."""
    return finish(begin(folder, *seeds, **how), sound=sound)


@dataclass(frozen=True, slots=True)
class Running:
    """A crawl under way."""

    process: subprocess.Popen[bytes]
    collection: Collection
    output: Path
    errors: Path

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)


def begin(
    folder: Path,
    *seeds: str,
    settings: Mapping[str, Any] | None = None,
    options: Sequence[str] = (),
    delay: float | None = 0,
    workers: int = 1,
    environment: Mapping[str, str] | None = None,
    verb: str = "crawl",
) -> Running:
    """Start a crawl into `folder/collection`, by `settings` (a crawl.yaml) and `options` (on the command line).

    Only pages are fetched, so that each test counts what it is about, unless `options` say `--requisites`.
    """
    collection = Collection(folder / "collection")
    folder.mkdir(parents=True, exist_ok=True)
    definition = folder / "crawl.yaml"
    definition.write_text(yaml.safe_dump(dict(settings or {})))
    patience = [] if delay is None else ["--delay", str(delay)]
    chosen = [
        "--config",
        str(definition),
        "--workers",
        str(workers),
        *patience,
        "--no-requisites",
        *options,
        "--json",
    ]
    command = [sys.executable, "-m", "anansi.cli", verb, *seeds, "-o", str(collection.root), *chosen]
    path = os.pathsep.join(filter(None, (str(HURRY), os.environ.get("PYTHONPATH"))))
    surroundings = {**os.environ, "PYTHONPATH": path, **(environment or {})}
    output, errors = folder / "output", folder / "errors"
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=surroundings)
    return Running(process, collection, output, errors)


def finish(running: Running, *, seconds: float = SECONDS, sound: bool = True) -> Crawled:
    """Wait for the end of a crawl and check what it kept."""
    code, memory = _wait(running.process, seconds)
    errors = running.errors.read_text(errors="replace")
    assert "Traceback" not in errors, errors
    crawled = Crawled(running.collection, code, running.output.read_text(), errors, memory)
    if sound:
        assert_sound(crawled)
    return crawled


def _wait(process: subprocess.Popen[bytes], seconds: float) -> tuple[int, int]:
    """Wait for a process; return its exit code and the memory of the largest among it and its children."""
    until, memory = time.monotonic() + seconds, 0
    try:
        while (code := process.poll()) is None:
            memory = max(memory, _peak(process.pid))
            assert time.monotonic() < until, f"the crawl did not end in {seconds} s"
            time.sleep(0.02)
    except BaseException:
        process.kill()  # its workers end when it is gone
        process.wait()
        raise
    return code, memory


def _peak(pid: int) -> int:
    """Return the most bytes that a process or a child of it has held (`getrusage` adds what its parent held)."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        texts = [Path(f"/proc/{each}/status").read_text() for each in (str(pid), *children)]
        return max((int(kilobytes) << 10 for text in texts for kilobytes in _PEAK.findall(text)), default=0)
    return 0


def assert_sound(crawled: Crawled) -> None:
    """See that no record is wrong, in our eyes or in warcio's."""
    report = check(crawled.collection)
    assert report.ok, report.problems
    for record in crawled.records:
        if digest := record.headers.get("warc-block-digest"):
            assert digest == sha1(record.block), (record.kind, record.url)


def read_warc(path: Path) -> Iterator[Kept]:
    """Read a WARC file with warcio."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, no_record_parse=True):
            headers = {name.lower(): value for name, value in record.rec_headers.headers}
            yield Kept(record.rec_type, headers.get("warc-target-uri", ""), headers, record.raw_stream.read())


async def in_letters(request: Request, connection: Connection) -> None:
    """Answer with words that are this page's alone, so that many of them are no trap."""
    words = request.path.translate(str.maketrans("0123456789", "abcdefghij"))
    await html("A page", (), words)(request, connection)


def sha1(data: bytes) -> str:
    """Return a digest as WARC writes it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]
