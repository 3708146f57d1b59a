"""What the archive is about, made ready."""

from __future__ import annotations

import math

import pytest

from anansi.config import Focus, parse
from anansi.focus import entities, events
from anansi.focus.definition import doubts, subject_of
from anansi.text.prose_dates import spans

TEXT = """
focus:
  keywords: [floods, {term: high water, weight: 2}]
  exclude: [flood of offers]
  entities:
  - {name: European Flood Awareness System, aliases: [EFAS], kind: organisation, weight: 2}
  - {name: Technisches Hilfswerk, aliases: [THW], kind: organisation}
  topics:
  - {name: dams, terms: [levee], examples: [dams.txt, https://example.org/dams]}
  events:
  - {name: 2013 European floods, places: [Passau], begins: 2013-05-30, ends: 2013-06-20, actors: [Angela Merkel]}
  languages: [de, en]
  addresses: ["/hochwasser/", {pattern: "/sport/", score: 0}]
  blacklist: [casino.example]
  reach: 2
"""
FOCUS = parse(TEXT, "crawl.yaml").focus
SUBJECT = subject_of(FOCUS, examples={"dams.txt": "A dam holds water. Dams break, and a dam is built of concrete."})


@pytest.mark.parametrize("language", ["", "en", "de", "ja"])
@pytest.mark.parametrize("topic", ["", "dams"])
def test_a_vector_has_length_one(language: str, topic: str) -> None:
    vector = SUBJECT.vector(language, topic)
    assert math.isclose(sum(value**2 for value in vector.values()), 1)
    assert SUBJECT.vector(language, topic) is vector


def test_a_vector_has_the_stems_of_its_language_and_the_weights_of_the_definition() -> None:
    english, german = SUBJECT.vector("en"), SUBJECT.vector("de")
    assert english["flood"] > english["high"] > english["leve"]
    assert "dam" in english
    assert "floods" not in english
    assert "floods" not in german


def test_a_topic_is_its_terms_and_its_examples() -> None:
    assert SUBJECT.vector("en", "dams").keys() == {"leve", "dam", "hold", "water", "break", "built", "concret"}
    bare = subject_of(FOCUS)
    assert bare.vector("en", "dams").keys() == {"leve"}
    assert bare.vector("en", "no such topic") == {}


def test_names_of_all_kinds_are_found_in_one_pass() -> None:
    text = "The EFAS and the THW saw a flood of offers; Angela Merkel was in Passau on 3 June 2013"
    found = entities.mentions(SUBJECT.names, text)
    assert [each.what for each in entities.judge(found, SUBJECT.entities).evidence] == [
        "European Flood Awareness System",
        "Technisches Hilfswerk",
    ]
    assert entities.judge(found, SUBJECT.entities).score == 0.625
    assert entities.judge(found, SUBJECT.refused).evidence[0].what == "flood of offers"
    assert events.judge(SUBJECT.happenings, found, spans(text)).score == 1


def test_an_empty_definition_has_no_terms_and_finds_nothing() -> None:
    empty = subject_of(Focus())
    assert empty.vector("en") == {}
    assert entities.mentions(empty.names, "anything") == {}


def test_a_keyword_with_numbers_is_looked_for_as_a_name() -> None:
    subject = subject_of(parse("focus:\n  keywords: [G20, {term: 42, weight: 2}]\n".replace("42", "'42'"), "c").focus)
    found = entities.mentions(subject.names, "the g20 met for 42 hours, and g 20")
    assert [each.what for each in entities.judge(found, subject.entities).evidence] == ["42", "G20"]
    assert doubts(parse("focus:\n  keywords: [G20]\n", "c").focus) == []


def test_words_of_every_page_are_doubted() -> None:
    focus = parse("focus:\n  keywords: [the, flood]\n  entities: [{name: It}, {name: WHO}]\n", "crawl.yaml").focus
    said = doubts(focus)
    assert len(said) == 2
    assert "'the' stands on every page" in said[0]
    assert "'It' is also a common word" in said[1]
