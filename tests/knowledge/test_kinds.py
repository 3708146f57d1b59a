"""Kinds of addresses: what those of one kind have in common."""

from __future__ import annotations

import pytest

from anansi.knowledge.kinds import shape


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.org/members/ann.7/about?page=2", "/members/*/about?page=#"),
        ("https://a.org/members/bob.9/about?page=11", "/members/*/about?page=#"),
        ("https://a.org/forum/viewtopic.php?t=5&view=print", "/forum/viewtopic.php?t=#&view=print"),
        ("https://a.org/index.php?action=profile;u=7", "/index.php?action=profile&u=#"),
        ("https://a.org/search?q=some+words#top", "/search?q=*"),
        ("https://a.org/tag/roses", "/tag/*"),
        ("https://a.org/", "/"),
        ("https://a.org", "/"),
    ],
)
def test_what_varies_is_left_out_and_what_tells_a_kind_stays(url: str, expected: str) -> None:
    assert shape(url) == expected


def test_the_order_of_parameters_does_not_matter() -> None:
    assert shape("http://a.org/x.php?b=1&a=2") == shape("http://a.org/x.php?a=9&b=8")
