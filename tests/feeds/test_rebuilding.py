"""Which items a page had at a moment, and how it is put together."""

from __future__ import annotations

from typing import Any

from lxml import etree

from anansi.feeds.assembly import marked
from anansi.feeds.channel import Listing, Shown, listings, parse
from anansi.feeds.evidence import Rebuilt, evidence
from anansi.feeds.rebuilding import Case, captured, first_known, rebuild
from anansi.feeds.timeline import Fact, Sighting

URL = "http://a.example/"
TEXT = "words of some length that make an entry heavier than a line " * 2


def markup(numbers: str, between: str = "") -> str:
    entries = [
        f'<div class="e"><h3><a href="/{each}">Title {each}</a></h3><p>{TEXT}{each}</p></div>' for each in numbers
    ]
    entries.insert(1, between)
    head = '<head><meta http-equiv="refresh" content="1"></head>'
    return f'<html>{head}<body><div id="l">{"".join(entries)}</div></body></html>'


def case(pages: dict[float, str], dates: str = "123456789") -> Case:
    """Make a case in which the item `n` came at the moment 100 n."""
    facts = {}
    for each in dates:
        key, moment = f"a.example/{each}", 100.0 * float(each)
        facts[key] = Fact(key, f"{URL}{each}", f"Title {each}", f"{TEXT}{each}", published=moment)
    shown = [Shown(URL, at, parse(text.encode(), "utf-8"), f"file@{at}") for at, text in pages.items()]
    found: list[Listing] = listings(shown, facts)
    sightings = [Sighting("page", URL, each.page.at, each.keys) for each in found]
    return Case(URL, shown, found, [], facts, sightings)


def numbers(found: Rebuilt | None) -> str:
    assert found is not None
    return "".join(entry.key[-1] for entry in found.entries)


def test_the_newest_that_had_come_fill_the_window() -> None:
    given = case({350.0: markup("321"), 850.0: markup("876")})
    assert numbers(rebuild(given, 650.0)) == "654"
    assert numbers(rebuild(given, 450.0)) == "432"
    assert rebuild(given, 050.0) is None
    assert first_known(given) == 100.0


def test_a_page_that_was_not_full_leaves_the_window_open() -> None:
    given = case({250.0: markup("21"), 850.0: markup("8765")})
    assert numbers(rebuild(given, 370.0)) == "321"
    assert numbers(rebuild(given, 520.0)) == "5432"


def test_what_the_page_never_shows_is_of_another_channel() -> None:
    given = case({350.0: markup("321"), 650.0: markup("643")})
    assert numbers(rebuild(given, 560.0)) == "432"


def test_an_item_that_was_taken_away_is_less_sure() -> None:
    given = case({450.0: markup("432"), 650.0: markup("642")}, "12346")
    found = rebuild(given, 520.0)
    assert found is not None
    told = {entry.key[-1]: entry.certainty for entry in found.entries}
    assert told == {"4": "certain", "3": "possible", "2": "certain"}


def test_what_is_captured_is_not_rebuilt() -> None:
    given = case({350.0: markup("321"), 2000.0: markup("987")})
    found = captured(given, 2000.9)
    assert found is not None
    assert found.status == "captured"
    assert captured(given, 1000.0) is None
    assert rebuild(given, 2000.9) == found


def test_what_stands_between_entries_stays_and_the_mark_is_made() -> None:
    kites = '<div class="ad">Kites</div>'
    found = rebuild(case({350.0: markup("321", kites), 850.0: markup("876", kites)}), 450.0)
    assert found is not None
    tree: Any = etree.HTML(found.html.decode())
    (container,) = tree.xpath("//div[@id='l']")
    assert [each.get("class") for each in container][1] == "ad"
    assert not tree.xpath("//meta[@http-equiv='refresh']")
    assert evidence(found, URL)["template"]["record"] == "file@350.0"


def test_evidence_cannot_close_its_element() -> None:
    tree = parse(b"<p>x", "utf-8")
    told = {"at": "now", "template": {"captured": "then"}, "title": "</script><script>alert(1)</script>"}
    page = marked(tree, URL, ["<b>said</b>"], told).decode()
    assert page.count("</script>") == 1
    assert "&lt;b&gt;said" in page
    assert page.startswith("<html><head>")


def test_the_document_type_is_that_of_the_template() -> None:
    old = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
    for kind, begins in ((old, old.encode()), ("<!doctype html>", b"<!DOCTYPE html>"), ("", b"<html>")):
        found = rebuild(case({350.0: kind + markup("321"), 850.0: kind + markup("876")}), 450.0)
        assert found is not None
        assert found.html.startswith(begins)
