"""`anansi learn`: which ways lead to the content of a site that nobody has described?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, table
from anansi.config import Definition, Scope
from anansi.crawl.run import check_seeds
from anansi.crawl.run import crawl as run_crawl
from anansi.errors import UserError
from anansi.evaluate.recorded import Recorded, complete, of_collection, sampled
from anansi.evaluate.trees import pages_in
from anansi.knowledge import notation, writing
from anansi.knowledge.entry import Level, Type
from anansi.learn.drafts import with_levels
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Lesson, Parameters, entry_of, learn
from anansi.learn.regions import propose
from anansi.learn.sampler import PAGES
from anansi.learn.sitemap import SiteMap
from anansi.text.dates import Reader as Dates

_SITE = "A collection of an earlier crawl, or the address of a site to sample first."
_INTO = (
    "With a site, the collection to make; with a collection, where the entry goes (its own `knowledge` by default)."
)
_SAMPLE = (
    "Learn from a random sample of so many pages, fewer when nothing new turns up (d); 0 takes all that is there."
)
_STEPS = "Clicks of a pattern at the most (k)."
_LIMITED = "Follow a repeated click three times only while learning (ac)."
_ATTRIBUTES = "Attributes that tell the places of links apart (a)."
_RATIO = "Share of the 2-grams seen at which the choice of patterns ends (cr)."
_SEED = "Where chance begins; the same seed learns the same."
_ROOT = "The page that patterns begin at; by default the first one that was fetched."

Site = Annotated[str, typer.Argument(metavar="SITE_OR_DIR", help=_SITE, show_default=False)]
Into = Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help=_INTO, show_default=False)]
Sample = Annotated[int, typer.Option("--sample", min=0, max=1_000_000, metavar="PAGES", help=_SAMPLE)]
Steps = Annotated[int, typer.Option("--steps", "-k", min=1, max=10, help=_STEPS)]
Limited = Annotated[bool, typer.Option("--limited/--unlimited", help=_LIMITED)]
By = Annotated[Attributes, typer.Option("--attributes", "-a", help=_ATTRIBUTES)]
Cover = Annotated[float, typer.Option("--ratio", min=0.01, max=1.0, metavar="SHARE", help=_RATIO)]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", help=_SEED)]
Root = Annotated[str, typer.Option("--root", metavar="URL", help=_ROOT, show_default=False)]


def command(
    site: Site,
    output: Into = None,
    sample: Sample = PAGES,
    steps: Steps = 3,
    limited: Limited = True,
    attributes: By = Attributes.ID,
    ratio: Cover = 0.95,
    seed: Seed = 0,
    root: Root = "",
    json: Json = False,
) -> None:
    """Learn the ways to a site's content and what stands on its pages, as an entry to be read and edited.

    A site that is named by its address is crawled first, up to --sample pages, into the collection DIR.
    """
    folder = Path(site)
    if not folder.is_dir():
        folder = _fetched(site, output, sample, seed)
        output = None
    recorded = of_collection(folder, root)
    parameters = Parameters(steps, limited, attributes, ratio)
    sitemap = _sitemap(recorded, parameters, sample, seed)
    lesson = learn(sitemap, parameters)
    proposal = propose(pages_in(Collection(folder).warcs()), Dates(time.time()).read)
    entry = with_levels(entry_of(lesson, sitemap), proposal)
    path = _written(entry, output or Collection(folder).knowledge)
    if json:
        as_json(_plain(lesson, path) | {"levels": [_told(level) for level in entry.levels]})
    else:
        _print(lesson, entry, path)


def _fetched(site: str, output: Path | None, sample: int, seed: int) -> Path:
    """Sample a live site with the ordinary crawl; what it fetches is archived."""
    if "." not in site and "://" not in site:
        raise UserError(f"{site} is neither a folder nor a web address; name a collection or https://example.org/")
    if output is None:
        raise UserError(
            "name the collection that the sample goes to, as in `anansi learn https://example.org/ -o DIR`"
        )
    seeds = check_seeds([site])
    whole = Definition(seeds=seeds, strategy="blind", scope=Scope(requisites=False))
    part = Definition(
        seeds=seeds, strategy="sample", chance=seed, scope=Scope(limit=sample or None, requisites=False)
    )
    definition = part if sample else whole
    run_crawl(definition, Collection(output), quiet=True)
    return output


def _sitemap(site: Recorded, parameters: Parameters, sample: int, seed: int) -> SiteMap:
    if not sample:
        return complete(site, parameters.attributes)
    return sampled(site, parameters.attributes, Random(seed), most=sample)[0]


def _written(entry: Type, folder: Path) -> Path:
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file; name a folder for the entry")
    path = folder / f"{entry.id}.xml"
    data = writing.write(entry)
    notation.read(data, str(path))  # what cannot be read must not be written: it would stop every later crawl
    with guarded(path), replacing(path) as target:
        target.write_bytes(data)
    return path


def _plain(lesson: Lesson, path: Path) -> dict[str, Any]:
    return {
        "root": lesson.root,
        "pages": lesson.pages,
        "items": lesson.items,
        "covered": lesson.covered,
        "patterns": list(map(str, lesson.patterns)),
        "entry": str(path),
    }


def _told(level: Level) -> dict[str, Any]:
    objects = [
        {"object": each.object, "confidence": round(each.confidence, 2), "properties": list(each.names)}
        for each in level.extraction
    ]
    return {"level": level.name, "kind": level.kind.value, "seen": _seen(level), "objects": objects}


def _seen(level: Level) -> str:
    return ", ".join(each.seen for each in level.detection)


def _print(lesson: Lesson, entry: Type, path: Path) -> None:
    say(f"{lesson.root}: {lesson.pages:,} pages with {lesson.items:,} distinct 2-grams")
    rows = [(number, each.pages, each.items, f"{each.covered:.1%}") for number, each in enumerate(lesson.chosen, 1)]
    table(("choice", "new pages", "new 2-grams", "covered"), rows)
    for pattern in lesson.patterns:
        say(str(pattern))
    if not lesson.patterns:
        say("no way leads to anything that the first page does not say")
    if entry.levels:
        table(("level", "kind", "seen on", "object", "confidence", "properties"), _levels(entry))
    else:
        say("no pages that are built alike: nothing is known to take from them")
    say(f"entry      {path}  (anansi kb show, anansi kb check)")


def _levels(entry: Type) -> Iterator[tuple[str, ...]]:
    for level in entry.levels:
        about = level.name, level.kind.value, _seen(level)
        if not level.extraction:
            yield *about, "", "", ""
        for each in level.extraction:
            yield *about, each.object, f"{each.confidence:.2f}", ", ".join(each.names)
