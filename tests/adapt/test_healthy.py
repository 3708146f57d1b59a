"""Pages that the entries describe are left as they are."""

from __future__ import annotations

import pytest

from anansi.adapt.adapter import Adapter
from anansi.adapt.failed_page import FailedPage
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.pages import missing
from anansi.pages.extract import Extractor
from tests.adapt.quality import PAGES
from tests.adapt.repairs import LEARNING, SITE, Template, adapted, templates, where


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return shelf.catalogue()


@pytest.fixture(scope="module")
def healthy(catalogue: Catalogue) -> list[Template]:
    return list(templates(PAGES, catalogue))


@pytest.mark.parametrize("recrawl", [False, True], ids=["new site", "recrawl"])
def test_no_value_of_a_healthy_page_changes(catalogue: Catalogue, healthy: list[Template], *, recrawl: bool) -> None:
    extractor = Extractor()
    changed = []
    for each in healthy:
        before = [extractor.objects(where(page, each.entry), each.level.extraction) for page in each.pages]
        known = before[:LEARNING] if recrawl else None
        mended = adapted(each.entry, each.level, each.pages[:LEARNING], known, catalogue).level(each.level.name)
        assert mended is not None
        after = [extractor.objects(where(page, each.entry), mended.extraction) for page in each.pages]
        changed += [each.name] if after != before else []
    assert len(healthy) > 70
    assert changed == []


def test_what_is_whole_is_not_looked_at(healthy: list[Template]) -> None:
    """A page of a new site on which nothing is missing costs no study, not even that of its text."""
    extractor = Extractor()
    whole = []
    for each in healthy:
        place = where(each.pages[0], each.entry)
        failed = FailedPage(place, each.entry, each.level, extractor.objects(place, each.level.extraction))
        if not missing.failures(each.level.extraction, failed.objects):
            assert Adapter().mend(failed, SITE) == []
            whole.append(failed)
    assert len(whole) > len(healthy) / 2
    assert not any("spans" in vars(failed) for failed in whole)
