"""A page through the pipeline of one worker, with a notebook for an archive."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import msgspec

from anansi import config
from anansi.archive.dedup import Original
from anansi.archive.exchange import Kept, Notes, Records
from anansi.archive.layout import Collection
from anansi.archive.writer import WarcWriter
from anansi.config import Definition
from anansi.crawl.pipeline import Pipeline, Tools, verdict_on
from anansi.fetch.retry import Verdict
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.model import (
    Body,
    Link,
    Outcome,
    Page,
    Skip,
)
from tests.archive.exchanges import answer

SEED = "http://example.org/"
PAGES = config.Scope(requisites=False)
"""Pages alone, without what they show."""
TEXT = "Some words of a page that is long enough to be worth a revisit record. " * 20


@dataclass
class Notebook:
    """A writer that keeps in mind what it was given."""

    written: list[tuple[Page, bytes, Notes, Original | None]] = field(default_factory=list)

    def write_exchange(self, page: Page, payload: Body, notes: Notes, *, revisit_of: Original | None = None) -> Kept:
        self.written.append((page, payload.read(), notes, revisit_of))
        exchange = Records.of(page, payload, notes, revisit_of)
        return Kept(exchange, exchange.place("a.warc.gz", 0, 0))

    def write_notes(self, page: Page, kept: Kept, notes: Notes) -> None:
        last, payload, before, original = self.written[-1]
        assert last is page
        told = msgspec.structs.replace(before, title=notes.title, charset=notes.charset, fields=notes.fields)
        self.written[-1] = (page, payload, told, original)


@dataclass
class Bench:
    """A pipeline with a notebook for an archive."""

    pipeline: Pipeline
    archive: Notebook
    traps: Traps = field(default_factory=Traps)

    def process(self, page: Page, verdict: Verdict | None = None) -> tuple[Outcome, list[Link], list[Skip]]:
        outcome, links, skips, _ = self.pipeline.process(page, verdict or verdict_on(page), self.traps)
        return outcome, [link for link in links if not link.url.endswith("/favicon.ico")], skips  # of every site


def bench(folder: Path, definition: Definition | None = None) -> Bench:
    """Make a pipeline for one seed."""
    definition = definition or Definition()
    archive = Notebook()
    scope = compile_scope(definition.scope, [SEED])
    tools = Tools(definition, cast(WarcWriter, archive), collection=Collection(folder))
    return Bench(Pipeline(tools, scope, folder), archive)


def page(html: str, url: str = SEED, *, depth: int = 0, **more: Any) -> Page:
    """Make the page that a server answered with, found so many links from the seed."""
    made = answer(url, html.encode(), **more)
    return replace(made, visit=msgspec.structs.replace(made.visit, depth=depth))


def anchors(*hrefs: str) -> str:
    return "".join(f'<a href="{href}">x</a>' for href in hrefs)


def spooled(data: bytes) -> Body:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the body
    file.write(data)
    return Body(len(data), file=cast(Any, file))


def urls(links: list[Link]) -> list[str]:
    return [link.url for link in links]
