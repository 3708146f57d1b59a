"""What leads a crawl through sites that nobody described: guides for the frontier."""

from __future__ import annotations

import random
from zlib import crc32

from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.frontier.guides import MakeGuide
from anansi.frontier.site import Guide


def guides(definition: Definition, collection: Collection) -> MakeGuide | None:
    """Return what makes guides; None in a blind crawl."""
    if definition.strategy == "blind":
        return None
    from anansi.learn.pathfinder import Pathfinder

    def make(site: str, packed: bytes | None) -> Guide:
        return Pathfinder(random.Random(definition.chance ^ crc32(site.encode())), packed=packed)

    return make
