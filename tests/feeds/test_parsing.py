"""Text → a tree: strictly where it is XML, loosely where it is not, soon in any case."""

from __future__ import annotations

import time

from anansi.feeds.decoding import opened
from anansi.feeds.parsing import parse, strictly
from anansi.markup import ATTRIBUTES


def test_xml_is_taken_by_its_word() -> None:
    found = parse(opened("<rss><channel><title>a &amp; b</title></channel></rss>"))
    assert found.well_formed
    assert found.root.findtext("channel/title") == "a & b"


def test_what_is_no_xml_is_read_all_the_same() -> None:
    found = parse(opened("<rss><channel><title>a & b</channel></rss>"))
    assert not found.well_formed
    assert "a & b" in "".join(found.root.itertext())


def test_a_tag_with_more_attributes_than_anyone_writes_is_not_given_to_lxml() -> None:
    few = " ".join(f'a{number}="x"' for number in range(ATTRIBUTES))
    many = " ".join(f'a{number}="x"' for number in range(40_000))
    assert strictly(f"<rss {few}/>") is not None
    began = time.process_time()
    assert strictly(f"<rss {many}/>") is None
    assert time.process_time() - began < 2
