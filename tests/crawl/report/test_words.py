"""What is told of a crawl under way is what happens at that moment."""

from __future__ import annotations

import pytest

from anansi.crawl.report import words as telling

NOW = 1_000_000.0


@pytest.mark.parametrize(
    ("why", "until", "told"),
    [
        ("", 0.0, "fetching http://a.example/1"),
        ("delay", NOW + 12, "waits 12 s: delay"),
        ("delay", NOW + 0.5, "waits: delay"),
        ("delay", NOW - 0.1, "fetching http://a.example/1"),
        ("another attempt", 0.0, "waits: another attempt"),
    ],
)
def test_a_wait_that_is_over_is_told_as_what_comes_after_it(why: str, until: float, told: str) -> None:
    """A page of half a second after a wait of a tenth was shown as `waits: delay` all the time."""
    doing = {"site": "a.example", "url": "http://a.example/1", "why": why, "until": until}
    assert telling.doing(doing, NOW) == told


def test_hosts_that_were_given_up_are_counted_as_hosts() -> None:
    gap = {"count": 2, "means": "the host does not answer", "do": "later", "examples": []}
    summary = {"gaps": {"host given up": gap, "login": gap}, "state": "finished"}
    lines = [line for heading, line in telling.missing_lines(summary) if heading == "missing"]
    assert [line.partition(":")[0] for line in lines] == ["host given up (2 hosts)", "login (2 pages)"]


def test_rules_of_a_site_are_told_by_the_type_that_they_mend() -> None:
    """A Blogger with mended rules was called `127.0.0.1 and Blogger`."""
    types = {"blog/blogger/127.0.0.1": {"post": 56}, "blog/blogger": {"post": 5}}
    assert telling.kept({"types": types, "objects": {"article": 61}}).startswith("Blogger · 61 articles")
    learned = {"types": {"learned/a.example": {"document": 31}}, "objects": {"document": 31}}
    assert telling.kept(learned) == "learned · 31 documents"
