"""The page that shows it all."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from anansi.errors import DiskError, UserError
from anansi.evaluate.compare import Compared, compare
from anansi.evaluate.report import HEADINGS, page, percent, row, spreads, write_report
from anansi.evaluate.score import Share
from tests.evaluate.collections import collect
from tests.evaluate.test_compare import PAGES, home


@pytest.fixture
def site(tmp_path: Path) -> Compared:
    blind = collect(tmp_path / "blind", {"/": home("/a"), **PAGES}, state="interrupted")
    aware = collect(tmp_path / "<aware>", dict(list(PAGES.items())[:6]), requests=5)
    return compare(blind, [aware])


def test_a_share_is_never_rounded_up() -> None:
    assert percent(Share(99_999, 100_000)) == "99.99%"
    assert percent(Share(1, 3)) == "33.33%"
    assert percent(Share(5, 5)) == "100.00%"
    assert percent(Share(0, 0)) == "–"


def test_a_crawl_is_a_row_of_numbers(site: Compared) -> None:
    cells = dict(zip(HEADINGS, row(site.others[0]), strict=True))
    assert cells == {
        "crawl": "<aware> (blind)",
        "requests": "5",
        "saving": "2.00",
        "2-grams": "67.85%",  # 1 + 18 of 28: the list of one link has no 2-gram
        "own 2-grams": "66.66%",
        "links": "70.00%",
        "own links": "66.66%",
        "content": "66.66%",
    }


def test_the_page_needs_nothing_from_elsewhere(site: Compared) -> None:
    text = page([site])
    tree = etree.HTML(text)
    assert not tree.xpath("//script | //link | //img | //iframe | //@src | //@href")
    assert not re.search(r"url\(|@import|https?://", text)
    assert "&lt;aware&gt;" in text
    assert "<aware>" not in text
    assert "its state is `interrupted`" in text
    assert tree.xpath("count(//svg)") == 2, "requests and course; a spread needs several sites"
    assert tree.xpath("count(//svg/desc)") == 2


def test_several_sites_have_a_spread(site: Compared) -> None:
    (other,) = site.others
    worse = replace(site, others=(replace(other, grams=Share(1, 2)),))
    assert spreads([site, worse]) == [("1. blind", [19 / 28, 0.5])]
    mixed = replace(site, others=(replace(other, strategy="auto"),))
    assert [name for name, _ in spreads([site, mixed])] == ["1."]
    tree = etree.HTML(page([site, worse]))
    assert tree.xpath("count(//svg)") == 4
    ids = [each.get("id") for each in tree.iter("title", "desc") if each.get("id")]
    assert len(set(ids)) == len(ids) == 8


def test_the_report_is_written_into_a_folder_that_it_makes(site: Compared, tmp_path: Path) -> None:
    path = write_report(tmp_path / "new" / "folder", [site])
    assert path == tmp_path / "new" / "folder" / "report.html"
    assert path.read_text(encoding="utf-8") == page([site])
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]


def test_a_place_that_is_no_folder_is_refused(site: Compared, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="is a file"):
        write_report(tmp_path / "file", [site])
    with pytest.raises(DiskError):
        write_report(tmp_path / "file" / "below", [site])
