"""A recorded forum, for every strategy to crawl."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.evaluate.recorded import Recorded, of_collection
from tests.evaluate.collections import collect
from tests.evaluate.forums import forum


@pytest.fixture
def site(tmp_path: Path) -> Recorded:
    return of_collection(collect(tmp_path / "forum", forum()))
