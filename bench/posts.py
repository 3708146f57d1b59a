"""Posts extracted with author, date and text, beside those that pages show.

Reads WARC files, or the collections of crawls, and looks at each page as a crawl does: recognition with what is
known of the site, then extraction. The posts that a page shows are counted in another way (`visible.py`), and each of
them is looked for among the extracted ones by its number. Author and date are also compared with what that other way
found.

A post without words of its own (a picture, a film, a quote and nothing else) has no text; it counts as a failure all
the same, for the other way cannot tell.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastwarc import ArchiveIterator, WarcRecordType
from measure import Floor, conclude, machine, options, show_machine, table
from visible import ARTICLE, Visible, posts, way_of

from anansi.fetch import charset, mime
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT, site_of

LEAST = 0.98
"""Share of the visible posts that must be extracted with author, date and text."""
POSTS = ("post", "comment", "answer", "status")
_DIGITS = re.compile(r"(\d+)\D*$")


@dataclass(slots=True)
class Tally:
    """What was counted on a site. Mutable: it grows page by page."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def main() -> int:
    """Count on each site, and judge."""
    parser = options(__doc__)
    parser.add_argument("sites", nargs="+", type=Path, metavar="PATH", help="a WARC file, or a collection's folder")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth page only")
    parser.add_argument("--failures", type=int, default=10, metavar="N", help="posts that failed to be listed (10)")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="posts drawn by lot to be printed whole")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    tallies = {path.name.partition(".")[0]: _site(path, asked.every, asked.show) for path in asked.sites}
    for name, tally in tallies.items():
        for told in (
            *random.Random(1).sample(tally.failures, min(asked.failures, len(tally.failures))),
            *tally.shown,
        ):
            print(f"{name}: {told}")
    columns = ("pages", "visible", "extracted", "author", "date", "text", "all", "same author", "same date", "extra")
    table(("site", *columns), [(name, *(each.counts[key] for key in columns)) for name, each in tallies.items()])
    numbers = {name: dict(each.counts) for name, each in tallies.items()}
    floors = [
        Floor(f"{name}: author, date and text", each.counts["all"] / max(1, each.counts["visible"]), LEAST)
        for name, each in tallies.items()
    ]
    return conclude("posts", facts, numbers, floors, check=asked.check)


def _site(path: Path, every: int, show: int) -> Tally:
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    tally, rng = Tally(), random.Random(7)
    for number, (document, now) in enumerate(_pages(path, every)):
        way = way_of(document.url, document.source)
        if way is None:
            continue
        site = site_of(document.url)
        recognition = interpreter.recognise(document, site)
        found = interpreter.act(document, recognition, site, now).objects
        visible = list(posts(document.source, way))
        tally.counts["pages"] += 1
        _compare(visible, found, document.url, tally)
        _draw(tally, [each for each in found if each.kind in POSTS], show, rng, number)
    return tally


def _pages(path: Path, every: int) -> Iterator[tuple[Document, float]]:
    files = sorted(path.glob("archive/*.warc*")) if path.is_dir() else [path]
    number = 0
    for file in files:
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
                http = record.http_headers
                declared = http.get("Content-Type") or "" if http is not None else ""
                if http is None or http.status_code != 200 or "html" not in declared:
                    continue
                number += 1
                if number % every == 0:
                    yield _document(record, declared), record.record_date.timestamp()


def _document(record: Any, declared: str) -> Document:
    data = record.reader.read(32 << 20)
    url = record.headers.get("WARC-Target-URI").strip("<>")
    assert mime.is_html(mime.sniff(declared, data[: mime.HEAD], url)) or not data
    return document_of(data, charset.detect(declared, data), url)


def _compare(visible: list[Visible], found: list[WebObject], url: str, tally: Tally) -> None:
    extracted = {_number(each): each for each in found if each.kind in (*POSTS, "article")}
    counts = tally.counts
    counts["extra"] += len([each for each in found if each.kind in POSTS]) - len(
        {each.number for each in visible} & set(extracted) - {ARTICLE}
    )
    for post in visible:
        counts["visible"] += 1
        mine = extracted.get(post.number)
        if mine is None:
            tally.failures.append(f"{url} {post.number}: not extracted")
            continue
        counts["extracted"] += 1
        there = {name: mine.get(name) for name in ("author", "date", "text")}
        counts.update(name for name, value in there.items() if value)
        counts["all"] += all(there.values())
        lacking = [name for name, value in there.items() if not value]
        if lacking:
            tally.failures.append(f"{url} {post.number}: no {', '.join(lacking)}")
        _agree(post, mine, url, tally)


def _agree(post: Visible, mine: WebObject, url: str, tally: Tally) -> None:
    if post.author:
        same = post.author == mine.get("author")
        tally.counts["same author"] += same
        if not same:
            tally.failures.append(f"{url} {post.number}: author {mine.get('author')!r}, seen {post.author!r}")
    if post.moment:
        same = _same_moment(mine.get("date"), post.moment)
        tally.counts["same date"] += same
        if not same:
            tally.failures.append(f"{url} {post.number}: date {mine.get('date')!r}, seen {post.moment!r}")


def _same_moment(date: str, moment: str) -> bool:
    """Say whether a date has the year and the time that were seen."""
    seen = moment.split()
    return bool(date) and date[:4] == seen[0][:4] and (len(seen) == 1 or date[11:16] == seen[1])


def _number(each: WebObject) -> str:
    if each.kind == "article":
        return ARTICLE
    found = _DIGITS.search(each.get("id")) or _DIGITS.search(each.uri)
    return found[1] if found else ""


def _draw(tally: Tally, found: list[WebObject], show: int, rng: random.Random, page: int) -> None:
    """Keep some of the posts, drawn by lot, to be looked at."""
    for each in found if show else ():
        told = f"{each.uri} (part of {each.part_of})\n" + "".join(
            f"    {name}: {value.text[:600]!r}{f'  ← {value.original!r}' if value.original else ''}\n"
            for name, value in each.properties
        )
        if len(tally.shown) < show:
            tally.shown.append(told)
        elif (place := rng.randrange(page * 10 + 1)) < show:
            tally.shown[place] = told


if __name__ == "__main__":
    raise SystemExit(main())
