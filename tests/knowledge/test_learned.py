"""What was learned of a site, written into its entry and read back."""

from __future__ import annotations

from lxml import etree

from anansi.knowledge.learned import Follow, Learned, read_follow, write_learned
from anansi.knowledge.patterns import parse_pattern

FIRST = Follow(parse_pattern("doc(\"http://a.org/\")/(/html/body/div[@class='row']/a{click/})"), 40, 9000)
SECOND = Follow(parse_pattern("doc(\"http://a.org/\")/(/html/body/ul[@id='pages']/li/a{click/})+"), 3, 20)


def test_patterns_come_back_with_their_evidence_in_their_order() -> None:
    entry = etree.Element("type")
    learned = Learned("a.org", "http://a.org/", 120, 50_000, (FIRST, SECOND))
    write_learned(entry, learned)
    (ways,) = entry
    assert {str(name): str(value) for name, value in ways.items()} == {
        "site": "a.org",
        "root": "http://a.org/",
        "pages": "120",
        "items": "50000",
    }
    assert tuple(map(read_follow, ways)) == learned.follows
    assert learned.patterns == (FIRST.pattern, SECOND.pattern)


def test_a_pattern_that_a_person_wrote_needs_no_evidence_and_may_have_line_breaks() -> None:
    element = etree.fromstring(f"<follow>\n  {FIRST.pattern}\n</follow>")
    assert read_follow(element) == Follow(FIRST.pattern)
