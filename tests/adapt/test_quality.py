"""Adaptation mends at least as much as it did, and lets in no more wrong values."""

from __future__ import annotations

import json

from anansi.knowledge import shelf
from tests.adapt import quality
from tests.adapt.mutate import mutated, sibling
from tests.adapt.repairs import templates


def test_figures_do_not_fall() -> None:
    pinned = json.loads(quality.FLOORS.read_text())
    assert pinned["corpus"] == quality.corpus(), "the pages changed: run `python -m tests.adapt.quality`"
    assert list(quality.missed(quality.figures(), pinned["floors"])) == []


def test_floors_fall_by_a_flag_only() -> None:
    found = {name: {"repaired": 0.5, "wrong": 0.2} for name in quality.RUNS}
    floors = {name: {"repaired": 0.9, "wrong": 0.0} for name in quality.RUNS}
    assert len(list(quality.missed(found, floors))) == 2 * len(quality.RUNS)


def test_a_mutation_changes_the_template_and_no_word() -> None:
    (template,) = (each for each in templates(quality.PAGES, shelf.catalogue()) if each.name == quality.PINNED[2])
    page = template.pages[1]
    changed = mutated(page, 7, 1)
    letters = sorted("".join("".join(page.tree.find("body").itertext()).split()))
    assert sorted("".join("".join(changed.tree.find("body").itertext()).split())) == letters
    assert changed.source != mutated(page, 8, 1).source != page.source
    assert changed.source == mutated(page, 7, 1).source


def test_pages_of_one_template_differ_in_their_content() -> None:
    (template,) = (each for each in templates(quality.PAGES, shelf.catalogue()) if each.name == quality.PINNED[2])
    assert len({page.url for page in template.pages}) == len({page.source for page in template.pages})
    assert sibling(template.pages[0], (), 0) is template.pages[0]
