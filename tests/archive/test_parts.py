"""A text that stands on several pages, put together."""

from __future__ import annotations

from anansi.archive.parts import joined

URI = "http://example.org/story/"
FIRST = "It was a dark and stormy night, and the rain fell in torrents upon the roofs of the town."
SECOND = "In the morning the river had risen to the second step of the church, and nobody spoke of it."
THIRD = "They went back to their work when the water fell, and the mayor wrote a letter to the county."


def test_parts_come_in_the_order_of_their_numbers_and_the_own_address_first() -> None:
    texts = {URI + "10/": THIRD, URI: FIRST, URI + "2/": SECOND}
    assert joined(texts, URI + "#post") == "\n\n".join([FIRST, SECOND, THIRD])


def test_a_text_that_stands_above_every_page_of_comments_counts_once() -> None:
    assert joined({URI + "2/": FIRST, URI: FIRST}, URI) == FIRST


def test_of_two_versions_the_newer_one_stands() -> None:
    newer = FIRST.replace("torrents", "sheets")
    assert joined({URI: newer, URI + "?view=old": FIRST}, URI) == newer
    assert joined({URI + "?view=old": newer, URI: FIRST}, URI) == newer


def test_an_excerpt_never_stands_for_the_whole() -> None:
    excerpt = FIRST[:40]
    assert joined({URI + "list": excerpt, URI: FIRST}, URI) == FIRST
    assert joined({URI: excerpt, URI + "whole": FIRST}, URI) == FIRST
