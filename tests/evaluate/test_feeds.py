"""The feeds of a collection, and their page."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from anansi.archive.layout import Collection
from anansi.errors import CollectionError
from anansi.evaluate.feeds import of_collection
from anansi.evaluate.feeds_page import duration, figures, write_feeds
from anansi.feeds.statistics import of_channels
from anansi.url import site_of
from tests.evaluate.collections import Made, collect
from tests.feeds.samples import ATOM, JSON, RSS2

FEEDS: dict[str, str | Made] = {
    "/": "<html><body><p>no feed</p></body></html>",
    "/rss": Made(RSS2, mime="application/rss+xml"),
    "/atom": Made(ATOM, mime="text/xml"),
    "/json": Made(JSON, mime="application/feed+json"),
    "/as-html": Made(RSS2.replace("</item>", ""), mime="text/html"),
    "/gone": Made(RSS2, mime="application/rss+xml", status="404 Not Found"),
    "/sitemap.xml": Made("<urlset><url><loc>http://e.example/</loc></url></urlset>", mime="text/xml"),
    "/rss?": Made(RSS2.replace("14 Nov 2023", "15 Nov 2023").replace("s-1", "s-3"), mime="application/rss+xml"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return collect(tmp_path / "c", FEEDS)


def test_feeds_are_found_whatever_they_are_served_as_and_count_once(folder: Path) -> None:
    channels, notes = of_collection(folder)
    assert notes == []
    found = {each.url.removeprefix("http://site.example"): each for each in channels}
    assert found.keys() == {"/rss", "/atom", "/json", "/as-html"}
    assert (found["/rss"].captures, len(found["/rss"].published)) == (2, 3)
    assert found["/rss"].intervals == [86400, 86400]
    assert not found["/as-html"].feed.well_formed


def test_damage_is_noted_and_the_rest_is_read(folder: Path) -> None:
    (warc,) = Collection(folder).warcs()
    warc.write_bytes(warc.read_bytes()[:-3])
    channels, (note,) = of_collection(folder)
    assert "is damaged" in note
    assert len(channels) == 4


def test_a_collection_without_feeds_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="holds no feed"):
        of_collection(collect(tmp_path / "c", {"/": "<p>page</p>"}))


def test_the_page_shows_every_table_and_both_figures(folder: Path, tmp_path: Path) -> None:
    channels, _ = of_collection(folder)
    counted = of_channels(channels, site_of)
    page = write_feeds(tmp_path / "report", counted).read_text(encoding="utf-8")
    for said in ("RSS 2.0", "Atom 1.0", "JSON Feed 1.1", "lastBuildDate", "site.example", "Figure 1", "Figure 2"):
        assert said in page
    items, intervals = (ET.fromstring(figure.svg()) for figure in figures(counted))
    assert items.findtext("desc") is not None
    curves = [
        each.get("d") or "" for each in intervals.findall("path") if (each.get("class") or "").startswith("line")
    ]
    assert len(curves) == 5
    heights = [float(each) for each in re.findall(r"V([\d.]+)", curves[2])]
    assert heights == sorted(heights, reverse=True), "a cumulated share only rises"


def test_a_figure_of_nothing_is_drawn_all_the_same(tmp_path: Path) -> None:
    channels, _ = of_collection(collect(tmp_path / "c", {"/": Made("<rss><channel/></rss>", mime="text/xml")}))
    drawn = figures(of_channels(channels, site_of))
    assert all(ET.fromstring(figure.svg()) is not None for figure in drawn)
    assert "none" in drawn[1].about


def test_durations_are_written_for_people() -> None:
    assert [duration(each) for each in (0, 59, 90, 5400, 86400 * 3)] == ["0 s", "59 s", "1.5 min", "1.5 h", "3.0 d"]
