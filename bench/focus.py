"""What online analysis costs a page: reading its tree and scoring its links, with all default modules.

The pages of WARC files named on the command line go through in the order they stand in, the first twenty as examples
of the topic. A page's tree is parsed and its links are resolved before the clock starts: a crawl does both anyway.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import Floor, conclude, give_up, machine, middle, options, show_machine, table

from anansi.archive.head import head_of, status_of
from anansi.archive.reader import records
from anansi.fetch import charset
from anansi.focus.page import page_terms, regions
from anansi.focus.scorer import Scorer
from anansi.focus.topic import Topic
from anansi.state import PageTerms
from anansi.text import tree as html
from anansi.url import canonical, resolve

MOST_MS = 1.5  # processor time of a page
EXAMPLES = 20
PIECE = 200  # pages held in memory as trees


def main() -> int:
    """Measure."""
    parser = options(__doc__)
    parser.add_argument("warcs", nargs="+", type=Path, metavar="WARC", help="recorded pages, uncompressed or gzip")
    parser.add_argument("--pages", type=int, default=5_000, help="pages of each file (default 5000)")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    most = 300 if asked.quick else asked.pages
    rows, floors, numbers = [], [], {}
    for warc in asked.warcs:
        name = warc.name.partition(".")[0]
        rounds = [measured(warc, most) for _ in range(asked.rounds)]
        reading, scoring, pages = (middle(each[number] for each in rounds) for number in range(3))
        rows.append((name, int(pages), f"{reading:.2f}", f"{scoring:.2f}", f"{reading + scoring:.2f}"))
        floors.append(Floor(f"{name}: ms a page", reading + scoring, MOST_MS, most=True))
        numbers[name] = {"pages": int(pages), "reading": reading, "scoring": scoring}
    table(("web", "pages", "reading, ms a page", "scoring, ms a page", "both"), rows)
    return conclude("focus", facts, numbers, floors, check=asked.check)


def measured(warc: Path, most: int) -> tuple[float, float, int]:
    """Return the milliseconds of reading and of scoring a page, and how many pages there were."""
    scorer: Scorer | None = None
    reading = scoring = 0.0
    count = 0
    examples: list[PageTerms] = []
    for trees in pieces(warc, most):
        gc.collect()
        started = time.process_time()
        pages = [page_terms(regions(tree), key, found.get) for tree, key, found in trees]
        read_by = time.process_time()
        if scorer is None:
            examples, pages = pages[:EXAMPLES], pages[EXAMPLES:]
            scorer = Scorer(Topic(examples=tuple(examples)))
            scorer.begin(examples)
        for page in pages:
            scorer.read(page)
            if scorer.due:
                scorer.settle()
                scorer.revised()
        reading, scoring = reading + read_by - started, scoring + time.process_time() - read_by
        count += len(trees)
    if not count:
        give_up(f"{warc} holds no page")
    return 1000 * reading / count, 1000 * scoring / count, count


def pieces(warc: Path, most: int) -> Iterator[list[tuple[Any, str, dict[str, str]]]]:
    """Go through the pages of a file, some at a time: tree, key, and the keys of its links as they are written."""
    piece = []
    for url, data in responses(warc, most):
        tree = html.parse(data, charset.detect("", data))
        if tree is not None:
            hrefs = {each.get("href", "") for each in tree.iter("a")}
            links = {href: resolve(href, url) for href in hrefs if href and href[0] != "#"}
            found = {href: canonical(link) for href, link in links.items() if link is not None}
            piece.append((tree, canonical(url), found))
        if len(piece) >= PIECE:
            yield piece
            piece = []
    if piece:
        yield piece


def responses(warc: Path, most: int) -> Iterator[tuple[str, bytes]]:
    """Go through the pages of a file as bytes."""
    found = 0
    for record in records(warc):
        if record.kind == "response" and found < most:
            block = b"".join(record.chunks())
            head = head_of(block)
            if status_of(head) == "200" and b"text/html" in head.lower():
                found += 1
                yield record.url, block[len(head) :]
        record.finish()
        if found >= most:
            return


if __name__ == "__main__":
    raise SystemExit(main())
