"""What it costs a page to read the numbers that it states.

    python bench/stated.py [WARC.gz …]

Without arguments the pages of tests/knowledge/pages are read. Prints milliseconds of processor time a page: for links
and objects, and for the numbers on top; the best of five rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from anansi.inspection import story
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT, site_of

ROUNDS = 5
MOST = 600
"""Pages of a WARC file."""
PAGES = Path(__file__).parent.parent / "tests" / "knowledge" / "pages"


def documents(files: list[str]) -> Iterable[Document]:
    """Read the pages."""
    if not files:
        yield from (story.read(path)[1] for path in story.pages(PAGES))
    for file in files:
        with Path(file).open("rb") as stream:
            records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True)
            for _, record in zip(range(MOST), records, strict=False):
                kind = record.http_headers.get("Content-Type") if record.http_headers else None
                if kind is not None and kind.startswith("text/html"):
                    yield document_of(record.reader.read(), "utf-8", record.headers["WARC-Target-URI"])


def main() -> None:
    """Measure."""
    pages = [each for each in documents(sys.argv[1:]) if each.tree is not None]
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    before, added, found = [], [], 0
    for _ in range(ROUNDS):
        without = on_top = 0.0
        found = 0
        for page in pages:
            site = site_of(page.url)
            began = time.process_time()
            recognition = interpreter.recognise(page, site)
            way = interpreter.way(page, recognition, site)
            objects = interpreter.objects(page, recognition, site, story.NOW)
            done = time.process_time()
            found += len(interpreter.stated(page, recognition, objects, way, story.NOW))
            without, on_top = without + done - began, on_top + time.process_time() - done
        before.append(1000 * without / len(pages))
        added.append(1000 * on_top / len(pages))
    print(f"{len(pages)} pages, {found} numbers: {min(before):.3f} ms, and {min(added):.3f} ms for what they state")


if __name__ == "__main__":
    main()
