"""What leads a crawl through sites that nobody described: guides for the frontier, and what they learned."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.settings import SETTINGS
from anansi.errors import UserError
from anansi.frontier.guide import Guide
from anansi.frontier.guides import MakeGuide
from anansi.frontier.site import Site
from anansi.url import site_of

if TYPE_CHECKING:  # a blind crawl starts sooner without
    from anansi.knowledge.entry import Type

LEARNED = "learned"


def guides(definition: Definition, collection: Collection) -> MakeGuide | None:
    """Return what makes guides; None in a blind crawl, and in one that is about something: scores lead there."""
    if definition.strategy == "blind" or definition.focus.is_set():
        return None
    from anansi.knowledge import shelf
    from anansi.learn.guides import Follower, Sample
    from anansi.learn.known_ways import patterns_of, prior_of
    from anansi.learn.link_kinds import ChooserSettings
    from anansi.learn.novelty import Novelty
    from anansi.learn.pathfinder import Pathfinder
    from anansi.learn.sampler import PAGES

    folders = (shelf.personal() / LEARNED, collection.knowledge / LEARNED)
    known = [entry for folder in folders if folder.is_dir() for entry in shelf.in_folder(folder)]
    if definition.strategy == "patterns" and not any(entry.learned for entry in known):
        raise UserError(f"no patterns to follow: nothing was learned yet; run `anansi learn {collection.root}` first")
    prior, limit = prior_of(known), definition.scope.limit or PAGES

    def make(site: str, packed: bytes | None) -> Guide:
        rng = random.Random(definition.chance ^ crc32(site.encode()))
        if definition.strategy == "patterns":
            return Follower(patterns_of(known, site), packed=packed)
        if definition.strategy == "sample":
            return Sample(rng, most=limit)
        if definition.strategy == "auto":
            return Pathfinder(
                rng, packed=packed, prior=prior, settings=ChooserSettings(early=SETTINGS.early), novelty=Novelty()
            )
        return Pathfinder(rng, packed=packed, prior=prior, settings=ChooserSettings())

    return make


def write_ways(sites: Iterable[Site], seeds: list[str], collection: Collection) -> int:
    """Write what guides learned as entries of the collection's knowledge; return how many."""
    led = [site for site in sites if site.guide is not None]
    if not led:
        return 0
    from anansi.knowledge import writing
    from anansi.learn.known_ways import entry_of
    from anansi.learn.pathfinder import Pathfinder

    roots = {site_of(seed): seed for seed in reversed(seeds)}
    written = 0
    for site in led:
        guide = site.guide.guide if site.guide is not None else None
        if not isinstance(guide, Pathfinder):
            continue
        entry = entry_of(site.row.name, roots.get(site.row.name, f"http://{site.row.name}/"), guide.chooser)
        if entry is not None:
            path = collection.knowledge / f"{entry.id}.xml"
            with guarded(path), replacing(path) as target:
                target.write_bytes(writing.write(_with_levels(entry, path)))
            written += 1
    return written


def _with_levels(entry: Type, path: Path) -> Type:
    """Keep what an entry that stands there says beyond the ways."""
    from anansi.knowledge import shelf

    if not path.exists():
        return entry
    return replace(shelf.in_file(path), about=entry.about, learned=entry.learned)
