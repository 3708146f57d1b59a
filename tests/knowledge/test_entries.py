"""Every built-in entry against pages of the software it describes (`anansi.inspection.story` has their form)."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.inspection import story
from anansi.inspection.look import Inspector
from anansi.knowledge import shelf

PAGES = Path(__file__).parent / "pages"
ALL = story.pages(PAGES)

inspector = Inspector(shelf.catalogue())


def names(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", ALL, ids=names)
def test_a_page_is_what_is_expected_of_it(path: Path) -> None:
    told, document = story.read(path)
    look = inspector.look(document, story.NOW)
    assert story.differences(story.type_of(path), told, look) == []


def test_every_application_is_described_by_pages() -> None:
    described = {story.type_of(path) for path in ALL}
    applications = {name.replace(".", "/") for name, entry in shelf.catalogue().types.items() if entry.detection}
    assert applications <= described
