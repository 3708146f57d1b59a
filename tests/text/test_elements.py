"""Names that templates give, on any site."""

from __future__ import annotations

import pytest
from lxml import etree

from anansi.text.elements import image_address, is_furniture


@pytest.mark.parametrize(
    "names",
    [
        "ad",
        "ads",
        "ad-slot",
        "post-ad",
        "adsbygoogle",
        "advertisement",
        "sharedaddy sd-block",
        "jp-relatedposts",
        "related-posts",
    ],
)
def test_furniture_is_known_by_its_names(names: str) -> None:
    assert is_furniture(etree.fromstring(f'<div class="{names}"/>'))
    assert is_furniture(etree.fromstring(f'<div id="{names}"/>'))


@pytest.mark.parametrize("names", ["", "loaded", "header", "shadow", "roadmap", "entry-content", "bread", "gradient"])
def test_words_that_hold_such_a_name_are_none(names: str) -> None:
    assert not is_furniture(etree.fromstring(f'<div class="{names}"/>'))


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        ('<img src="i.png"/>', "i.png"),
        ('<img src="data:image/gif;base64,AA" data-src=" late.png "/>', "late.png"),
        ('<img src="dot.gif" width="1" height="1"/>', ""),
        ("<img/>", ""),
    ],
)
def test_an_image_is_where_it_is_loaded_from(markup: str, address: str) -> None:
    assert image_address(etree.fromstring(markup)) == address
