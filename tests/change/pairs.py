"""Pairs of pages by templates and changes, read as a crawl reads them, and how often that was right.

python -m tests.change.pairs [--all]
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from anansi.config import Definition
from anansi.crawl.stages.read import Reader
from anansi.crawl.stages.revision import Look, Seen, seen
from anansi.feeds.change import Change, compare, current
from anansi.knowledge import shelf
from anansi.model import Body, Page, Visit
from anansi.state import Item, Stamp, Version
from tests.change.content import AROUND, REAL, Around, Case, Content, Real, Setting, sample
from tests.change.templates import TEMPLATES, Template
from tests.change.unseen import LATE_AROUND, LATE_REAL, LATE_REWRITTEN, UNSEEN

NOW = 1_790_000_000.0
DAY = 86_400.0


def _spaced(page: str) -> str:
    """Write the same page with other white space."""
    return re.sub(r">\s*<(?=/?(?:div|li|ul|p|td|tr|h\d))", ">\n\t  <", page)


def _encoded(page: str) -> str:
    """Write the same page with entities for characters, and characters for entities."""
    head, cut, body = page.partition("<body")
    return head + cut + body.replace(" times near", "&nbsp;times&#32;near").replace("valley", "v&#97;lley")


def _commented(page: str) -> str:
    """Write the same page with the remarks of a cache."""
    return page.replace("</body>", "<!-- served from cache, 17 queries --></body>").replace(
        "<div", "<!-- x --><div", 3
    )


REWRITTEN: dict[str, Callable[[str], str]] = {
    "white space": _spaced,
    "entities": _encoded,
    "remarks of a cache": _commented,
}


@dataclass(frozen=True)
class Changes:
    """What is done to pages."""

    real: dict[str, Real]
    around: dict[str, Around]
    rewritten: dict[str, Callable[[str], str]]


FIRST = Changes(REAL, AROUND, REWRITTEN)
LAST = Changes(LATE_REAL, LATE_AROUND, LATE_REWRITTEN)


def cases(
    templates: dict[str, Template], changes: Changes = FIRST, *, seed: int = 1, long: bool = False
) -> Iterator[Case]:
    """Go through the pairs; long pages have 60 times as much text and 80 times as many comments."""
    for name, template in templates.items():
        content, setting = sample(seed * 1000 + len(name), *((320, 360) if long else (4, 6))), Setting()
        before = template.write(content, setting)
        for feed in (False, True):
            make = _Make(name, template.url, feed, before, content)
            for change, real in changes.real.items():
                changed = real(content, random.Random(seed))
                yield make(change, template.write(changed, setting), real=True)
                both = template.write(changed, AROUND["everything around"](setting))
                yield make(f"{change}, and all around it", both, real=True)
            for change, around in changes.around.items():
                yield make(change, template.write(content, around(setting)), real=False)
            for change, rewrite in changes.rewritten.items():
                yield make(change, rewrite(before), real=False)


@dataclass(frozen=True)
class _Make:
    name: str
    url: str
    feed: bool
    before: str
    content: Content

    def __call__(self, change: str, after: str, *, real: bool) -> Case:
        return Case(self.name, change, real, self.feed, self.before, after, self.content, self.url)


@cache
def reader() -> Reader:
    """Return what reads pages in a crawl that knows what it crawls."""
    return Reader(Definition(), Path("/tmp"), shelf.catalogue())


def visited(html: str, url: str, at: float, item: Item | None) -> Seen:
    """Read a page as a crawl does."""
    data = html.encode()
    page = Page(
        Visit(url, url),
        at,
        0.1,
        status=200,
        headers=(("content-type", "text/html; charset=utf-8"),),
        body=Body(len(data), data=data),
    )
    found = reader().act(page, reader().read(page))
    digest = sha256(data).hexdigest()
    return seen(Look(url, found.tree, found.objects, found.recognition, item=item, digest=digest))


def item_of(case: Case) -> Item | None:
    """Return what the feed said when the page was new: it is the same at both visits."""
    if not case.feed:
        return None
    dates = (Stamp("pubDate", case.content.date, 1_770_000_000.0),)
    return Item(
        case.url, case.url, case.content.title, f"<p>{case.content.about()}</p>", "", case.content.author, dates
    )


def judged(case: Case) -> Change:
    """Say what changed between the two pages; the version goes through its packed form."""
    item = item_of(case)
    kept = msgspec.msgpack.encode(_seen_before(case.before, case.url, item).version)
    before = current(msgspec.msgpack.decode(kept, type=Version))
    assert before is not None
    return compare(before, visited(case.after, case.url, NOW + DAY, item).version)


@cache
def _seen_before(html: str, url: str, item: Item | None) -> Seen:
    return visited(html, url, NOW, item)


@dataclass(frozen=True)
class Figures:
    """How often it was right."""

    pairs: int
    around: int
    mistaken: tuple[tuple[Case, Change], ...]
    """Changes around the content that were taken for changes of it."""
    missed: tuple[tuple[Case, Change], ...]


def measured(pairs: Iterable[Case]) -> Figures:
    """Judge every pair. A change that a template does not show (the bytes are the same) is no pair."""
    every = [(case, judged(case)) for case in pairs if case.before != case.after]
    around = [each for each in every if not each[0].real]
    return Figures(
        len(every),
        len(around),
        tuple(each for each in around if each[1].content),
        tuple(each for each in every if each[0].real and not each[1].content),
    )


SETS: dict[str, Callable[[], Iterator[Case]]] = {
    "eight templates": lambda: cases(TEMPLATES),
    "their long pages": lambda: cases(TEMPLATES, long=True),
    "templates written last": lambda: cases(UNSEEN),
    "changes written last": lambda: cases({**TEMPLATES, **UNSEEN}, LAST),
}


def main() -> None:
    """Print the table."""
    write = sys.stdout.write
    write(f"{'pairs':>30} {'boilerplate':>12} {'mistaken':>9} {'missed':>7}\n")
    for title, pairs in SETS.items():
        found = measured(pairs())
        write(f"{title:24} {found.pairs:5} {found.around:12} {len(found.mistaken):9} {len(found.missed):7}\n")
        for kind, wrong in (("mistaken", found.mistaken), ("missed", found.missed)) if "--all" in sys.argv else ():
            for case, change in wrong:
                how = "feed" if case.feed else "page"
                write(f"    {kind}: {case.template}, {how}: {case.change} {change.told}\n")


if __name__ == "__main__":
    main()
