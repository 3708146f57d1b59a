"""What is known of a URL by its looks."""

from __future__ import annotations

from anansi.focus.addresses import judge, known

PATTERNS = known([("/sport/.*flood", 0.7), ("/sport/", 0.0), (r"hochwasser|flood", 1.0)])


def test_the_first_pattern_that_matches_gives_the_score() -> None:
    urls = ["https://a.org/sport/flood", "https://a.org/sport/1", "https://a.org/flood-1", "https://a.org/1"]
    found = [judge(url, PATTERNS) for url in urls]
    assert [each.score if each else None for each in found] == [0.7, 0.0, 1.0, None]
    assert found[2] is not None
    assert found[2].evidence[0].found == "flood"


def test_a_long_url_is_looked_at_to_a_limit() -> None:
    assert judge("https://a.org/" + "x" * 10_000 + "flood", PATTERNS) is None
