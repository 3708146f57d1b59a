"""WordPress switched between its packaged themes: every object is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapt.themes import switches
from tests.adapt.wordpress import missing


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "all there")
def test_all_objects_are_recovered_when_the_theme_changes(tmp_path: Path) -> None:
    (tmp_path / "wordpress").mkdir()
    found = list(switches(tmp_path))
    assert len(found) == 6
    for each in found:
        assert each.values >= 70, each
        assert each.all_knowledge == each.values, each
        assert each.first_theme < each.values, f"the second theme is no change: {each}"
        assert each.recrawl == each.values, each
        assert each.new_site >= 60, each  # what is not sure is not mended
        assert each.wrong == 0, each
    assert sum(each.new_site == each.values for each in found) >= 3  # a rule that finds the site's name stays
