"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.sites import Sites, served


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Serve four sites of 150 pages: two workers take two each, for about a second."""
    with served(4, 150) as found:
        yield found


@pytest.fixture
def small() -> Iterator[Sites]:
    """Serve two small sites to one test alone."""
    with served(2, 60) as found:
        yield found
