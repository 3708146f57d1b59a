"""WordPress switched from one theme to another: what knowledge of the first theme finds, and what adaptation adds."""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from urllib.request import urlopen

from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.crawl.findings import Captured, Findings
from anansi.crawl.stages.mend import Mender
from anansi.induce.page_text import squeezed
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Extraction, Type
from anansi.model import Page, Visit, WebObject
from anansi.pages.document import Document
from anansi.pages.extract import Extractor
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT
from tests.adapt.repairs import where
from tests.adapt.wordpress import THEMES, WordPress

TYPE = "blog/wordpress"
SAID = {"article": ("title", "author", "date", "text"), "comment": ("author", "date", "text")}
"""What must come back of each object."""


@dataclass(frozen=True)
class Switch:
    """What became of the objects of a site when its theme changed: how many of their values were found."""

    before: str
    after: str
    objects: int
    values: int
    all_knowledge: int
    """By the built-in entries, which describe several themes."""
    first_theme: int
    """By the rules that the first theme needs, and no others."""
    recrawl: int
    """By those, mended by what was known."""
    new_site: int
    """By those, mended by how values look."""
    wrong: int
    """Values that mended rules found and that are not there, in both ways together."""


def switches(folder: Path) -> Iterator[Switch]:
    """Go through all pairs of packaged themes."""
    with WordPress(folder / "wordpress") as site:
        pages = {}
        for theme in THEMES:
            site.switch(theme)
            pages[theme] = _posts(site)
        for number, (before, after) in enumerate(permutations(THEMES, 2)):
            yield _switch(folder / str(number), before, after, pages[before], pages[after])


def _posts(site: WordPress) -> list[Document]:
    """Fetch all posts, found on the pages of the front page's list."""
    links: dict[str, None] = {}
    for number in (1, 2):
        text = _fetch(f"{site.url}page/{number}/" if number > 1 else site.url).decode()
        links.update(dict.fromkeys(re.findall(rf'href="({re.escape(site.url)}2024/\d+/[^"#?]+/)"', text)))
    return [document_of(_fetch(url), "utf-8", url) for url in sorted(links)]


def _fetch(url: str) -> bytes:
    with urlopen(url, timeout=60) as answer:
        return bytes(answer.read())


def _switch(folder: Path, before: str, after: str, old: Sequence[Document], new: Sequence[Document]) -> Switch:
    everything = shelf.catalogue()
    truth = [_objects(everything[TYPE], page) for page in old]
    restricted = _restricted(everything, old)
    wanted = _said(truth)
    found = {
        "all": _said([_objects(everything[TYPE], page) for page in new]),
        "first": _said([_objects(restricted[TYPE], page) for page in new]),
        "recrawl": _said(_mended(folder / "recrawl", restricted, old, new)),
        "new": _said(_mended(folder / "new", restricted, [], new)),
    }
    right = {name: sum((wanted & each).values()) for name, each in found.items()}
    wrong = sum(sum((found[name] - wanted - found["first"]).values()) for name in ("recrawl", "new"))
    count = sum(each.kind in SAID for page in truth for each in page)
    return Switch(
        before,
        after,
        count,
        sum(wanted.values()),
        right["all"],
        right["first"],
        right["recrawl"],
        right["new"],
        wrong,
    )


def _said(pages: Sequence[Sequence[WebObject]]) -> Counter[tuple[int, str, str, str]]:
    """Count values by page, kind and property; a date to the minute, as one theme writes seconds and one not."""
    found: Counter[tuple[int, str, str, str]] = Counter()
    for number, page in enumerate(pages):
        for each in page:
            for name in SAID.get(each.kind, ()):
                values = [value.text for key, value in each.properties if key == name]
                if values:
                    text = values[0][:16] if name == "date" else squeezed("".join(values))
                    found[number, each.kind, name, text] += 1
    return found


def _objects(entry: Type, page: Document) -> list[WebObject]:
    level = entry.level("post")
    assert level is not None
    return Extractor().objects(where(page, entry), level.extraction)


def _restricted(catalogue: Catalogue, pages: Sequence[Document]) -> Catalogue:
    """Return knowledge of one theme: of all rules those without which something of its pages is lost."""
    entry = catalogue[TYPE]
    level = entry.level("post")
    assert level is not None
    actions = tuple(_needed(entry, action, pages) for action in level.extraction)
    slim = replace(level, extraction=actions)
    others = [each for each in shelf.built_in() if each.id != TYPE]
    (own,) = (each for each in shelf.built_in() if each.id == TYPE)
    levels = tuple(slim if each.name == "post" else each for each in own.levels)
    return Catalogue([*others, replace(own, levels=levels)])


def _needed(entry: Type, action: Extraction, pages: Sequence[Document]) -> Extraction:
    def found(candidate: Extraction) -> list[list[WebObject]]:
        return [Extractor().objects(where(page, entry), [replace(candidate, part_of="")]) for page in pages[:4]]

    wanted = found(action)
    for prop in action.properties:
        less = replace(action, properties=tuple(each for each in action.properties if each is not prop))
        if all(name in less.names for name in less.needs) and found(less) == wanted:
            action = less
    for each in action.each:
        less = replace(action, each=tuple(other for other in action.each if other is not each))
        if less.each and found(less) == wanted:
            action = less
    return action


def _mended(
    folder: Path, catalogue: Catalogue, old: Sequence[Document], new: Sequence[Document]
) -> list[list[WebObject]]:
    """Crawl pages of the first theme, then those of the other, as a worker does; return what was written of these."""
    shutil.rmtree(folder, ignore_errors=True)
    collection = Collection(folder)
    collection.create()
    for pages in (old, new):
        log = _Log(collection, 0)
        interpreter = Interpreter(catalogue, LinkFinder(DEFAULT))
        mender = Mender(interpreter, collection, log)
        for number, page in enumerate(pages):
            found = interpreter.recognise(page, "127.0.0.1")
            done = interpreter.act(page, found, "127.0.0.1", time.time())
            log.write(page.url, time.time(), f"urn:uuid:{id(pages)}-{number}", found, done.objects)
            captured = Captured(f"urn:uuid:{id(pages)}-{number}")
            visited = Page(Visit(page.url, page.url), time.time(), 0.0)
            mender.look(visited, Findings(document=page, done=done, captured=captured))
        log.close()
        last = log.latest
    return [list(last.get(page.url, ())) for page in new]


class _Log(ObjectLog):
    """A log that can be asked what was written last of a page."""

    def __init__(self, collection: Collection, number: int):
        super().__init__(collection, number)
        self.latest: dict[str, Sequence[WebObject]] = {}

    def write(self, page_url, date, record_id, recognition, objects, **how) -> bool:  # type: ignore[no-untyped-def]
        self.latest[page_url] = objects
        return super().write(page_url, date, record_id, recognition, objects, **how)
