"""How many rules that a new template broke are mended, and how many wrong values that lets in."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from anansi.adapt.adapter import Adapter
from anansi.adapt.failed_page import FailedPage
from anansi.adapt.rule import Rule, entry_of
from anansi.fetch import charset
from anansi.induce.names import name_words
from anansi.induce.page_text import squeezed
from anansi.inspection import story
from anansi.inspection.look import Inspector, document_of
from anansi.knowledge.addresses import place as place_of
from anansi.knowledge.catalogue import Catalogue, inherited
from anansi.knowledge.entry import Level, Type
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.extract import Extractor, Place
from anansi.pages.links import base_of
from anansi.text.dates import Reader
from tests.adapt.mutate import mutated, sibling

SITE = "example.org"
LEARNING = 10
"""Pages that are learned from; the rest are held out."""
HELD_OUT = 4


@dataclass(frozen=True)
class Template:
    """Pages of one level, made by one template."""

    name: str
    entry: Type
    level: Level
    pages: tuple[Document, ...]


@dataclass
class Tally:
    """What came of it. Mutable."""

    broken: int = 0
    repaired: int = 0
    values: int = 0
    wrong: int = 0
    seconds: float = 0.0
    pages: int = 0
    left: list[str] = field(default_factory=list)
    mistaken: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.broken += other.broken
        self.repaired += other.repaired
        self.values += other.values
        self.wrong += other.wrong
        self.seconds += other.seconds
        self.pages += other.pages
        self.left += other.left
        self.mistaken += other.mistaken

    @property
    def share(self) -> float:
        return self.repaired / self.broken if self.broken else 1.0

    @property
    def wrongs(self) -> float:
        return self.wrong / self.values if self.values else 0.0


def templates(folder: Path, catalogue: Catalogue) -> Iterator[Template]:
    """Make pages of one template out of each page of a folder."""
    inspector = Inspector(catalogue)
    for path in story.pages(folder):
        _, document = story.read(path)
        look = inspector.look(document, story.NOW)
        if look.recognition is None or not look.objects or document.tree is None:
            continue
        entry = catalogue[look.recognition.type]
        level = entry.level(look.recognition.level)
        assert level is not None
        pages = tuple(sibling(document, look.objects, number) for number in range(LEARNING + HELD_OUT))
        yield Template(f"{path.parent.name}/{path.stem}", entry, level, pages)


def where(document: Document, entry: Type) -> Place:
    known = place_of(entry.addresses, document.url)
    return Place(
        tree=document.tree,
        source=document.source,
        exchange=lambda: document.exchange,
        url=document.url,
        base=base_of(document.page, document.url),
        whole=known.whole if known is not None else document.url,
        dates=Reader(story.NOW),
    )


def measured(template: Template, catalogue: Catalogue, seed: int, changes: int, *, recrawl: bool) -> Tally:
    """Change a template, adapt to it, and count on pages that were not learned from."""
    extractor = Extractor()
    entry, level = template.entry, template.level
    before = [extractor.objects(where(page, entry), level.extraction) for page in template.pages]
    after = [mutated(page, seed, changes) for page in template.pages]
    learning = min(LEARNING, len(after) - 2)
    begun = time.process_time()
    learned = adapted(entry, level, after[:learning], before[:learning] if recrawl else None, catalogue)
    tally = Tally(seconds=time.process_time() - begun, pages=learning)
    mended = learned.level(level.name)
    assert mended is not None
    for page, truth in list(zip(after, before, strict=True))[learning:]:
        place = where(page, entry)
        old = extractor.objects(place, level.extraction)
        new = extractor.objects(place, mended.extraction)
        _count(tally, template.name, truth, old, new)
    tally.left = sorted(set(tally.left))
    return tally


def adapted(
    entry: Type,
    level: Level,
    pages: Sequence[Document],
    known: Sequence[Sequence[WebObject]] | None,
    catalogue: Catalogue,
) -> Type:
    """Go through pages as a crawl does; return the type with what was learned."""
    extractor = Extractor()
    names = name_words(each for each in catalogue.types.values() if each.category == entry.category)
    adapter = Adapter(lambda _: names)
    now, own = entry, None
    rules: list[Rule] = []
    for number, page in enumerate(pages):
        place = where(page, entry)
        current = now.level(level.name)
        assert current is not None
        objects = extractor.objects(place, current.extraction)
        failed = FailedPage(place, now, current, objects, known[number] if known is not None else ())
        proved = adapter.mend(failed, SITE)
        if proved:
            rules += proved
            own = entry_of(entry, SITE, proved, own)
            now = inherited(own, entry)
    return now


Values = dict[tuple[str, str], Counter[str]]


def _values(objects: Sequence[WebObject]) -> Values:
    found: Values = {}
    for each in objects:
        for name, value in each.properties:
            words = sorted(value.text.split()) if value.read_as == "body" else [value.text]  # blocks are moved
            found.setdefault((each.kind, name), Counter())[squeezed("".join(words))] += 1
    return found


def _count(
    tally: Tally, name: str, truth: Sequence[WebObject], old: Sequence[WebObject], new: Sequence[WebObject]
) -> None:
    wanted, broken, mended = _values(truth), _values(old), _values(new)
    for key, values in wanted.items():
        got = mended.get(key, Counter())
        if broken.get(key) != values:
            tally.broken += 1
            if got == values:
                tally.repaired += 1
            else:
                tally.left.append(f"{name} {key[0]}.{key[1]}")
    for key, got in mended.items():
        before = broken.get(key, Counter())
        if got != before:  # found by what was learned
            tally.values += sum(got.values())
            wrong = got - wanted.get(key, Counter()) - before
            tally.wrong += sum(wrong.values())
            tally.mistaken += [f"{name} {key[0]}.{key[1]} {each[:40]}" for each in wrong]


# ── recorded sites ───────────────────────────────────────────────────────────────────────────────────────────────


def recorded(warc: Path, catalogue: Catalogue, most: int = 1500) -> Iterator[Template]:
    """Take the pages of one level out of a recorded site, as many as are learned from and held out."""
    inspector = Inspector(catalogue)
    found: dict[tuple[str, str, bool], list[Document]] = {}
    for document in _documents(warc, most):
        look = inspector.look(document, story.NOW)
        if look.recognition is None or not look.objects or "/" not in look.recognition.type:
            continue
        comments = any(each.kind == "comment" for each in look.objects)
        pages = found.setdefault((look.recognition.type, look.recognition.level, comments), [])
        if len(pages) < LEARNING + HELD_OUT:
            pages.append(document)
    for (type_id, level_name, _), pages in found.items():
        level = catalogue[type_id].level(level_name)
        if level is not None and len(pages) >= LEARNING:
            name = f"{warc.name.partition('.')[0]}/{type_id}/{level_name}"
            yield Template(name, catalogue[type_id], level, tuple(pages))


def _documents(warc: Path, most: int) -> Iterator[Document]:
    for number, record in enumerate(ArchiveIterator(str(warc), record_types=WarcRecordType.response)):
        if number > most:
            return
        record.parse_http()
        kind = (record.http_headers.get("content-type", "") if record.http_headers else "") or ""
        if "html" not in kind or record.http_headers.status_code != 200 or record.content_length > 400_000:
            continue
        data = record.reader.read()
        document = document_of(data, charset.detect(kind, data), record.headers.get("WARC-Target-URI", "") or "")
        if document.tree is not None:
            yield document
