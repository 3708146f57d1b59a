"""The walks of docs/architecture.md, taken: crawls of the example site, every process traced."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from anansi.archive.layout import Collection
from anansi.crawl.settings import SETTINGS
from anansi_demo.command import describe
from anansi_demo.server import DemoServer
from tests.crawl.case import crawl

TRACED = Path(__file__).parent / "traced"
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
THREAD, ENTRY, FEED = "/forum/thread.php?t=12", "/blog/2024/07/water-before-breakfast/", "/blog/feed.xml"
FOCUS = {"focus": {"keywords": ["water", "breakfast", "garden"]}}
FEW = {"scope": {"limit": 2}}

WALKS: dict[str, tuple[str, dict[str, Any]]] = {
    "page": (THREAD, {"options": ("--max-hops", "0")}),
    "feed": (FEED, {"options": ("--once",), "verb": "watch", "settings": FEW}),
    "focused": (ENTRY, {"options": ("--max-hops", "0"), "settings": FOCUS}),
    "unknown": (THREAD, {"settings": {"scope": {"limit": SETTINGS.soon + 2}}}),
}
"""Walk → the page that takes it, and how it is crawled."""


def table() -> list[tuple[str, set[str]]]:
    """Read the table of walks: each function, and the walks that pass it."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## Walks\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    walks = rows[0][2:]
    return [
        (re.sub(r"[`\s↳]", "", cells[0]), {name for name, mark in zip(walks, cells[2:], strict=True) if mark})
        for cells in rows[2:]
    ]


def traced(folder: Path, seeds: Sequence[str], functions: Sequence[str], **how: Any) -> list[str]:
    """Crawl, and return the functions that the last seed passed, in the order of time."""
    (folder / "names").write_text("\n".join(functions))
    path = os.pathsep.join(filter(None, (str(TRACED), os.environ.get("PYTHONPATH"))))
    crawl(folder, *seeds, environment={"PYTHONPATH": path, "ANANSI_WALKS": str(folder)}, **how)
    lines = [line.split("\t") for each in folder.glob("*.walk") for line in each.read_text().splitlines()]
    return [name for _, name, about in sorted(lines, key=lambda line: int(line[0])) if about == seeds[-1]]


def test_every_walk_is_in_the_table() -> None:
    assert {walk for _, walks in table() for walk in walks} == WALKS.keys()


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_passes_the_functions_that_are_listed_each_once_and_no_other_stage(walk: str, tmp_path: Path) -> None:
    path, how = WALKS[walk]
    rows = table()
    collection = Collection(tmp_path / "collection")
    collection.create()
    if walk != "unknown":
        describe(collection)
    with DemoServer() as server:
        before = ["/about/", *(f"/forum/thread.php?t={number}" for number in range(20, 20 + SETTINGS.soon))]
        earlier = before if walk == "unknown" else before[:1]  # the first one asks for robots.txt
        seeds = [server.url + each for each in (*earlier, path)]
        taken = traced(tmp_path, seeds, [name for name, _ in rows], **how)
    assert taken == [name for name, walks in rows if walk in walks]
