"""How relevant a finished crawl is, by numbers that can be checked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.config import Definition, parse
from anansi.evaluate.holding import Indexed, index_of
from anansi.evaluate.relevance import Relevance, measure
from anansi.evaluate.source import open_crawl
from anansi.evaluate.texts import shown, texts_at
from anansi.focus.definition import subject_of
from tests.evaluate.collections import HOST, Made, collect

DEFINITION = """
seeds: [http://site.example/seed]
focus:
  keywords: [flood, high water, G20]
  entities: [{name: European Flood Awareness System, aliases: [EFAS]}]
  topics: [{name: dams, terms: [levee, dike]}]
  events: [{name: 2013 floods, places: [Passau], begins: 2013-05-30, ends: 2013-06-20}]
"""


def told(text: str, title: str = "") -> str:
    return f"<html lang=en><head><title>{title}</title></head><body><p>{text}</p></body></html>"


PAGES: dict[str, str | Made] = {
    "/seed": told("The flood rose and the high water came to the town of many bridges", "Seed"),
    "/dams": told("A levee and a dike held the water, and another levee broke before the others did", "Dams"),
    "/event": told("On 3 June 2013 the streets of Passau were closed, and EFAS met the G20 there", "Event"),
    "/waters": told("The water was high, and people of that town were floods of tears apart", "Waters"),
    "/soup": told("Peel onions, melt butter and cook a soup for some hungry guests who wait for dinner", "Soup"),
    "/cake": told("Sugar and flour make a cake", "Cake"),
    "/picture": Made("x", mime="image/png"),
    "/gone": Made(told("flood flood"), status="404 Not Found"),
    "/empty": told(""),
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect(tmp_path_factory.mktemp("relevance") / "crawl", PAGES)


def measured(folder: Path, text: str = DEFINITION) -> tuple[Relevance, Indexed]:
    definition: Definition = parse(text, "crawl.yaml")
    subject = subject_of(definition.focus)
    index = index_of(shown(open_crawl(folder)), subject, definition.focus)
    return measure("crawl", index, subject, definition), index


def test_the_definition_and_the_seeds_each_say_what_is_relevant(collection: Path) -> None:
    found, index = measured(collection)
    definition, ten, fifty, hundred = found.truths
    assert [each.name for each in found.truths] == [
        "definition",
        "seeds, 10 terms",
        "seeds, 50 terms",
        "seeds, 100 terms",
    ]
    assert definition.relevant == pytest.approx(4 / 6)
    assert ten.maximum == pytest.approx(1.0)  # the seed itself
    assert fifty == hundred.__class__("seeds, 50 terms", *[getattr(hundred, name) for name in NUMBERS])
    assert len(index.telling(index.pages[:1], 3)) == 3
    assert 0 < definition.average <= definition.maximum <= 1


NUMBERS = ("relevant", "average", "maximum", "deviation")


def test_the_harvest_is_measured_by_the_seeds_without_them(collection: Path) -> None:
    found, _ = measured(collection)
    again, _ = measured(collect_copy(collection))
    assert found.harvest == pytest.approx(1 / 5)  # the waters, whose words are those of the seed
    assert again.harvest == found.harvest
    assert found.seed_similarity is not None
    assert 0 < found.seed_similarity < 0.333


def collect_copy(folder: Path) -> Path:
    other = folder.with_name("again")
    return other if other.exists() else collect(other, PAGES)


def test_without_a_seed_its_site_stands_for_it_or_nothing_does(collection: Path) -> None:
    elsewhere, _ = measured(collection, DEFINITION.replace("/seed]", "/moved]"))
    assert elsewhere.harvest is not None
    assert "first page of each seed's site" in elsewhere.notes[0]
    foreign, _ = measured(collection, DEFINITION.replace("site.example", "other.example"))
    assert (foreign.harvest, len(foreign.truths)) == (None, 1)
    assert "nothing is measured against the seeds" in foreign.notes[0]


def test_pages_are_ranked_and_those_off_the_subject_come_longest_first(collection: Path) -> None:
    found, _ = measured(collection)
    assert found.best[0].similarity == max(each.similarity for each in found.best)
    assert {each.title for each in found.best} == {"Seed", "Dams", "Event", "Waters"}
    assert [each.title for each in found.worst] == ["Soup", "Cake"]
    dams = next(each for each in found.best if each.title == "Dams")
    assert set(dams.found) >= {"dams: levee", "dams: dike"}


def test_relevance_is_told_by_site_and_over_time(collection: Path) -> None:
    found, _ = measured(collection)
    (site,) = found.sites
    assert (site.name, site.pages) == ("site.example", 6)
    assert site.relevant == pytest.approx(4 / 6)
    assert site.similarity == pytest.approx(found.similarity)
    assert [each.until for each in found.course] == [1, 2, 3, 4, 5, 6]
    assert max(each.relative for each in found.course) == 1.0
    assert found.course[-1].similarity == 0.0


def test_examples_are_read_from_the_collection(collection: Path) -> None:
    found = texts_at([open_crawl(collection)], [f"{HOST}/dams", f"{HOST}/nowhere", f"{HOST}/picture"])
    assert list(found) == [f"{HOST}/dams"]
    assert "levee" in found[f"{HOST}/dams"]


def test_a_topic_that_appears_nowhere_is_zero_everywhere(collection: Path) -> None:
    found, _ = measured(collection, "seeds: [http://site.example/seed]\nfocus: {keywords: [volcano]}")
    assert [each.pages for each in found.mentioned] == [0]
    assert found.truths[0].relevant == found.similarity == 0.0
    assert found.best == ()
    assert {each.relative for each in found.course} == {0.0}
