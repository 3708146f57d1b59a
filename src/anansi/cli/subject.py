"""The definition that a command holds pages against, made ready."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Final

import typer

from anansi.archive.layout import Collection
from anansi.cli.output import warn
from anansi.config import Definition, load, texts_of, urls_of
from anansi.crawl.run import agent_of, check_seeds
from anansi.errors import UserError
from anansi.focus.definition import Subject, subject_of
from anansi.focus.page import own, regions, text_of
from anansi.inspection.ask import page_at

MOST_EXAMPLES: Final = 50
"""Examples of topics that are fetched."""

_DEFINITION = "A definition (crawl.yaml) that says under `focus` what the archive is about, or a collection with one."

File = Annotated[Path, typer.Option("--definition", metavar="FILE", help=_DEFINITION, show_default=False)]

Texts = Callable[[list[str]], dict[str, str]]
"""URLs of examples → their texts, of those that can be had."""


def focused(path: Path) -> Definition:
    """Read a definition that looks for something, or say what must be added to it."""
    file = Collection(path).definition if path.is_dir() else path
    if not file.is_file():
        raise UserError(
            f"{file} is not there; name a definition with --definition, or write one with `anansi define`"
        )
    definition = load(file)
    if not definition.focus.is_set():
        raise UserError(
            f"{file} does not say what the archive is about; add `focus:` with `keywords:`, `entities:`, "
            "`topics:` or `events:` (`anansi define` proposes them)"
        )
    return definition


def compiled(definition: Definition, texts: Texts) -> Subject:
    """Make the subject of a definition, the examples of its topics read; those that cannot be had are told."""
    topics = definition.focus.topics
    wanted = urls_of(topics)[:MOST_EXAMPLES]
    had = texts(wanted) if wanted else {}
    for url in wanted:
        if url not in had:
            warn(f"`focus.topics.examples`: {url} cannot be read; nothing is learned from it")
    return subject_of(definition.focus, examples={**texts_of(topics), **had})


def fetched(urls: Iterable[str]) -> dict[str, str]:
    """Fetch examples."""
    found = {}
    for url in urls:
        try:
            document = page_at(check_seeds([url])[0], agent_of(Definition()))
        except UserError:
            continue
        if document.tree is not None:
            found[url] = text_of(own(regions(document.tree)))
    return found
