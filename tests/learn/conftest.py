"""Sites that nobody described, and what was learned of them: once for all tests that compare sites."""

from __future__ import annotations

import pytest

from anansi.knowledge.entry import Type
from anansi.learn.drafts import draft_of
from anansi.learn.regions import propose
from anansi.text.dates import Reader
from tests.learn.unknown import Unknown, blog, forum, shop

NOW = 1_700_000_000.0


def learned(site: Unknown, host: str) -> Type:
    return draft_of(propose(site.parsed(), Reader(NOW).read), f"http://{host}/")


@pytest.fixture(scope="session")
def sites() -> dict[str, Unknown]:
    return {
        "a.example": forum(seed=11),
        "b.example": forum(20, seed=12),
        "c.example": forum(seed=13, prefix="zz-"),
        "d.example": blog(seed=14),
        "e.example": blog(16, seed=15),
        "f.example": shop(seed=16),
    }


@pytest.fixture(scope="session")
def entries(sites: dict[str, Unknown]) -> list[Type]:
    return [learned(site, host) for host, site in sites.items()]
