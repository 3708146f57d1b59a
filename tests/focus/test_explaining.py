"""Scores with their reasons."""

from __future__ import annotations

import time
from typing import Any

import pytest

from anansi.config import parse
from anansi.focus.definition import Subject, subject_of
from anansi.focus.explaining import Explanation, explain
from anansi.focus.verdict import Opinion, appraised
from anansi.text import tree as html
from anansi.url import canonical, resolve

URL = "http://site.example/flood/1"
PAGE = """<html lang=en><head><title>Floods in Passau</title></head><body>
<nav><a href=/>Home of the flood</a> <a href=/sport/>Sport</a></nav><main><h1>The flood of June 2013</h1>
<p>The levee at Passau broke on 3 June 2013 when the floods rose; EFAS had warned of high water days before.</p>
<p>Read <a href=/flood/dams>how levees are built</a>, <a href=http://casino.example/>win a prize</a>
or <a href=/about>about us, an ordinary page of this house</a> and much else that is worth your time.</p>
</main></body></html>"""
DEFINITION = """
focus:
  keywords: [flood, {term: high water, weight: 2}]
  exclude: [flood of offers]
  entities: [{name: European Flood Awareness System, aliases: [EFAS]}]
  topics: [{name: dams, terms: [levee, dike]}]
  events: [{name: 2013 floods, places: [Passau], begins: 2013-05-30, ends: 2013-06-20}]
  languages: [en]
  addresses: [/flood/, {pattern: /sport/, score: 0}]
  blacklist: [casino.example]
"""


def subject(text: str = DEFINITION) -> Subject:
    return subject_of(parse(text, "crawl.yaml").focus)


def explained(markup: str = PAGE, sought: Subject | None = None) -> Explanation:
    def find(raw: str) -> str | None:
        target = resolve(raw, URL)
        return canonical(target) if target is not None else None

    return explain(html.parse(markup.encode(), "utf-8"), URL, sought or subject(), find)


def modules(found: Explanation) -> dict[str, Opinion]:
    return {each.module: each for each in found.opinions}


def test_every_module_says_what_it_found_and_where() -> None:
    said = modules(explained())
    assert said["terms"].weight == 4
    words = {(each.what, each.found, each.where) for each in said["terms"].evidence}
    assert ("flood", "floods", "title") in words
    assert ("dams: levee", "levee", "html/body/main/p") in words
    assert ("high water", "water", "html/body/main/p") in words
    (named,) = said["entities"].evidence
    assert (named.what, named.found) == ("European Flood Awareness System", "efas")
    assert named.where.startswith("html/body/main/p: ")
    assert {each.what: each.found for each in said["events"].evidence} == {
        "2013 floods: place": "passau",
        "2013 floods: time": "3 june 2013",
    }
    assert (said["addresses"].score, said["languages"].score, said["spam"].score) == (1.0, 1.0, 1.0)
    assert said["names"].score is None


def test_what_each_term_adds_makes_the_score_of_the_words() -> None:
    terms = modules(explained())["terms"]
    assert terms.score == pytest.approx(sum(each.score for each in terms.evidence))
    assert [each.score for each in terms.evidence] == sorted((each.score for each in terms.evidence), reverse=True)


def test_the_score_is_the_weighted_mean_of_those_that_have_something_to_go_by() -> None:
    found = explained()
    counted: list[Any] = [each for each in found.opinions if each.module != "spam" and each.score is not None]
    mean = sum(each.weight * each.score for each in counted) / sum(each.weight for each in counted)
    assert found.score == pytest.approx(mean)


def test_the_frame_of_a_page_is_not_scored_and_regions_are_scored_apart() -> None:
    found = explained()
    assert {each.region.kind for each in found.regions} == {"title", "heading", "main"}
    assert found.regions[0].region.place == "html/body/main/p"
    assert {"levee", "high", "water"} <= set(found.regions[0].terms)
    scores = [each.score for each in found.regions]
    assert scores == sorted(scores, reverse=True)
    assert explained(PAGE.replace("Home of the flood", "Home")).score == found.score


def test_links_are_scored_with_their_reasons() -> None:
    leads = {each.url: each for each in explained().links}
    best = explained().links[0]
    assert best.url == "http://site.example/flood/dams"
    assert (best.anchor, best.place) == ("how levees are built", "html/body/main/p")
    assert best.opinions[0].module == "addresses"
    assert {each.module for each in best.opinions} >= {"word", "paragraph", "source"}
    assert leads["http://casino.example/"].score == 0
    assert leads["http://casino.example/"].opinions[0].module == "blacklist"
    assert leads["http://site.example/sport/"].score < leads["http://site.example/about"].score


def test_a_name_in_the_anchor_lifts_a_link() -> None:
    named = PAGE.replace("about us, an", "about the European Flood Awareness System, an")
    before, after = ({each.url: each.score for each in explained(markup).links} for markup in (PAGE, named))
    about = "http://site.example/about"
    assert after[about] > before[about]


def test_what_is_not_looked_for_takes_from_the_score() -> None:
    refused = explained(PAGE.replace("Floods in Passau", "A flood of offers in Passau"))
    assert modules(refused)["exclude"].evidence[0].what == "flood of offers"
    assert refused.score < explained().score


def test_spam_takes_what_its_weight_allows_and_the_blacklist_takes_all() -> None:
    def left(weight: float, score: float) -> float:
        return appraised([Opinion("spam", weight, score, against=True)]).with_terms(0.5, 4.0)

    assert left(1.0, 0.25) == pytest.approx(0.125)
    assert left(0.5, 0.0) == pytest.approx(0.25)
    listed = subject(DEFINITION.replace("casino.example", "site.example") + "  weights: {spam: 0}")
    assert explained(PAGE, listed).score == 0.0
    assert appraised([]).with_terms(0.0, 0.0) == 0.0


def test_a_page_of_a_word_alone_is_spam() -> None:
    stuffed = explained("<body><p>" + "flood " * 2_000)
    said = modules(stuffed)
    assert said["spam"].score == 0.0
    assert stuffed.score == 0.0
    assert said["terms"].score is not None
    assert said["terms"].score <= 1.0


def test_a_page_without_text_scores_by_its_address_alone() -> None:
    found = explained("<body><img src=x>")
    assert (found.size, found.regions, found.links) == (0, (), ())
    assert modules(found)["terms"].score == 0.0


def test_other_languages_and_scripts_are_read_in_their_own_way() -> None:
    sought = subject("focus: {keywords: [Überschwemmung, 洪水], languages: [de, zh]}")
    german = explained("<html lang=de><body><p>Die Überschwemmungen in der Stadt waren schlimm und lang.", sought)
    assert [each.found for each in modules(german)["terms"].evidence] == ["überschwemmungen"]
    chinese = explained("<html lang=zh><body><p>昨天的洪水很严重，人们离开了城市。", sought)
    assert [each.what for each in modules(chinese)["terms"].evidence] == ["洪水"]


def test_a_page_of_links_without_end_is_explained_in_bounded_time() -> None:
    began = time.process_time()
    links = "".join(f'<a href="/flood/{number}">flood of EFAS {number}</a> ' for number in range(50_000))
    found = explained(f"<body><p>{links}</p>")
    assert 0 < len(found.links) <= 2_000
    assert time.process_time() - began < 10
