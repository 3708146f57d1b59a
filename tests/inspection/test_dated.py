"""What entries say of their own dates."""

from __future__ import annotations

import pytest

from anansi.feeds.channel import Shown, listings, parse
from anansi.feeds.timeline import DAY
from anansi.inspection.dated import facts_of

NOW = 1_614_900_000.0  # 4 March 2021, 23:20 UTC
DATE = 1_614_729_600.0  # 3 March 2021


@pytest.mark.parametrize(
    ("written", "published", "precision"),
    [
        ('<time datetime="2021-03-03T10:00:00Z">today</time>', DATE + 36_000, 0.0),
        ("<i>March 3, 2021</i>", DATE, DAY),
        ("<i>3 March 2021</i> and so on", DATE, DAY),
        ("<i>March 3, 2031</i>", None, 0.0),  # still to come
        ("<p>nothing of the kind</p>", None, 0.0),
    ],
)
def test_a_date_is_read_where_it_stands(written: str, published: float | None, precision: float) -> None:
    entries = "".join(f'<div><h2><a href="/{name}">Of {name}</a></h2>{written}</div>' for name in ("one", "two"))
    tree = parse(f"<html><body><main>{entries}</main></body></html>".encode(), "utf-8")
    (listing,) = listings([Shown("http://a.example/", NOW, tree)], {"a.example/one", "a.example/two"})
    (first, _) = facts_of(listing)
    assert (first.title, first.published, first.precision) == ("Of one", published, precision)
