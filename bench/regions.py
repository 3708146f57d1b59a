"""Objects of sites that nobody described, beside those that the built-in entries take from the same pages.

    python bench/regions.py SITE.warc.gz… [--pages 800] [--seed 1]

No HTTP and no committed data: name WARC files of whole sites. So many pages are drawn at random; half of them teach,
and on the others the objects of the learned entry alone are compared with those of the built-in entries. `text`,
`author` and `date` are the shares of the built-in objects with a text that the learned entry has on the same page
with the same value (spaces aside); `wrong` is the share of the learned objects beyond the built-in ones of a page,
`elsewhere` the share that stands on pages of which the built-in entries take nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from measure import conclude, machine, options, show_machine, table

from anansi.archive.head import head_of, status_of
from anansi.archive.reader import records
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.learn.drafts import draft_of
from anansi.learn.regions import SitePage, propose
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.text.dates import Reader
from anansi.url import DEFAULT

NOW = 1_600_000_000.0
NAMES = ("text", "author", "date")
KINDS = ("post", "comment", "article", "document", "question", "answer", "status")


@dataclass
class Score:
    """What was compared so far."""

    pages: int = 0
    objects: int = 0
    learned: int = 0
    wrong: int = 0
    elsewhere: int = 0
    had: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))
    equal: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))


def main() -> int:
    """Compare on each site."""
    parser = options(__doc__)
    parser.add_argument("warcs", nargs="+", type=Path, metavar="WARC")
    parser.add_argument("--pages", type=int, default=800, metavar="N", help="pages that are drawn (default 800)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="where chance begins (default 1)")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    numbers: dict[str, Any] = {}
    for warc in asked.warcs:
        name = warc.name.partition(".")[0]
        numbers[name] = compare(drawn(warc, asked.pages, Random(asked.seed)))
    heads = ("site", "learn s", "pages", "objects", "text", "author", "date", "wrong", "elsewhere")
    table(heads, [(name, *each.values()) for name, each in numbers.items()])
    return conclude("regions", facts, numbers, [], check=asked.check)


def compare(pages: Sequence[Document]) -> dict[str, Any]:
    """Learn from half of the pages and compare on the others."""
    half = len(pages) // 2
    began = time.process_time()
    proposal = propose((SitePage(page.url, page.tree) for page in pages[:half]), Reader(NOW).read)
    entry = draft_of(proposal, pages[0].url)
    took = time.process_time() - began
    root = [each for each in shelf.built_in() if each.id == "learned"]
    known, learned = (
        Interpreter(shelf.catalogue(), LinkFinder(DEFAULT)),
        Interpreter(Catalogue([*root, entry]), LinkFinder(DEFAULT)),
    )
    score = Score()
    for page in pages[half:]:
        tally(objects(known, page), objects(learned, page), score)
    shares = {name: round(score.equal[name] / max(1, score.had[name]), 3) for name in NAMES}
    wrong, elsewhere = (round(each / max(1, score.learned), 3) for each in (score.wrong, score.elsewhere))
    return {
        "learn": round(took, 1),
        "pages": score.pages,
        "objects": score.objects,
        **shares,
        "wrong": wrong,
        "elsewhere": elsewhere,
    }


def objects(aware: Interpreter, page: Document) -> list[WebObject]:
    """Return the objects of a page that have a text, the page judged by itself."""
    found = aware.objects(page, aware.recognise(page, page.url), page.url, NOW)
    return [each for each in found if each.kind in KINDS and each.get("text")]


def tally(expected: list[WebObject], found: list[WebObject], score: Score) -> None:
    """Count what is equal: objects of one text belong together, else those at the same place among the rest."""
    score.learned += len(found)
    if not expected:
        score.elsewhere += len(found)
        return
    score.pages += 1
    score.objects += len(expected)
    for mine, other in pairs(expected, found):
        for name in NAMES:
            if value := said(mine, name):
                score.had[name] += 1
                score.equal[name] += other is not None and said(other, name) == value
    score.wrong += max(0, len(found) - len(expected))


def pairs(expected: list[WebObject], found: list[WebObject]) -> Iterator[tuple[WebObject, WebObject | None]]:
    """Pair objects of two lists."""
    rest, left = list(found), []
    for mine in expected:
        same = next((each for each in rest if said(each, "text") == said(mine, "text")), None)
        if same is None:
            left.append(mine)
        else:
            rest.remove(same)
            yield mine, same
    for number, mine in enumerate(left):
        yield mine, rest[number] if number < len(rest) else None


def said(found: WebObject, name: str) -> str:
    """Return the values of a property without their spaces."""
    return "".join("".join(value.text for key, value in found.properties if key == name).split())


def drawn(warc: Path, count: int, rng: Random) -> list[Document]:
    """Draw pages of a WARC file at random."""
    kept: list[tuple[str, bytes]] = []
    met = 0
    for record in records(warc):
        if record.kind == "response":
            block = b"".join(record.chunks())
            if b"html" in block[:2000].lower():
                met += 1
                place = len(kept) if len(kept) < count else rng.randrange(met)
                kept[place : place + 1] = [(record.url, block)] if place < count else kept[place : place + 1]
        record.finish()
    rng.shuffle(kept)
    return [page for url, block in kept if (page := document(url, block)) is not None]


def document(url: str, block: bytes) -> Document | None:
    """Parse a response; None when it is no page."""
    head = head_of(block)
    _, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    payload, _ = decode.transfer_decode(headers, block[len(head) :])
    data = decode.content_decode(named.get("content-encoding", ""), payload, 32 << 20).data
    declared = named.get("content-type", "")
    if status_of(head) != "200" or not mime.is_html(mime.sniff(declared, data[: mime.HEAD], url)):
        return None
    page = document_of(data, charset.detect(declared, data), url, 200, tuple(headers))
    return page if page.tree is not None else None


if __name__ == "__main__":
    raise SystemExit(main())
