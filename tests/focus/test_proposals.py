"""What a reference crawl proposes: words, names, topics and languages, each with its evidence."""

from __future__ import annotations

import time

import pytest

from anansi.config import Entity, Topic
from anansi.focus.clusters import topics
from anansi.focus.corpus import corpus_of, holding, undated
from anansi.focus.names import Name
from anansi.focus.naming import entities
from anansi.focus.page import regions
from anansi.focus.phrases import keywords
from anansi.focus.proposals import propose
from anansi.focus.settings import SETTINGS
from anansi.text import tree as html
from tests.focus.texts import FLOODS, KITCHEN, corpus, page


def named(*texts: str, language: str = "en") -> dict[str, list[str]]:
    return {entity.name: entity.aliases for entity, _ in entities(corpus(texts, language=language))}


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_stands_on_many_pages_is_no_text_of_theirs() -> None:
    pages = [
        (
            f"http://s.example/{number}",
            page(
                f"Story {number}: the river left its banks at night",
                "Subscribe to the letter",
                title=f"River {number} | Site",
            ),
            "en",
        )
        for number in range(6)
    ]
    texts = corpus_of(pages, [], []).texts
    assert len(texts) == 6
    assert [each.text for each in texts[0].regions] == ["River 0", "Story 0: the river left its banks at night"]


def test_pages_that_say_nothing_are_left_out_and_large_crawls_are_sampled_evenly() -> None:
    said = "some words of a page that has a longer text,"
    pages = [
        (f"http://s.example/{number}", page(f"{said} numbered {number}"), "en")
        for number in range(3 * SETTINGS.corpus_pages)
    ]
    texts = corpus_of(pages, [], []).texts
    assert len(texts) == SETTINGS.corpus_pages
    assert [each.url for each in texts[:3]] == [f"http://s.example/{number}" for number in (0, 3, 6)]
    assert corpus_of([("http://s.example/", page("Two words"), "en")], [], []).texts == ()


def test_pages_without_the_given_words_count_less_but_seeds_do_not() -> None:
    made = corpus([*FLOODS, *KITCHEN], ["Floods"])
    assert made.weights == (1.0, 1.0, 1.0, 1.0, 0.2, 0.2, 0.2)
    pages = [(each.url, each.regions, "en") for each in made.texts]
    assert corpus_of(pages, ["flood"], ["http://site.example/5"]).weights[5] == 1.0


def test_months_are_left_out_of_dates_only() -> None:
    assert undated("on 3 June 2013 we march, 14 Mars 2016").split() == [
        "on",
        "3",
        "2013",
        "we",
        "march,",
        "14",
        "2016",
    ]
    assert undated("the planet Mars is red") == "the planet Mars is red"


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_words_and_phrases_are_proposed_with_what_speaks_for_them() -> None:
    found = dict(keywords(corpus(FLOODS)))
    assert {"flood", "high water", "levee"} <= found.keys()
    assert "water" not in found  # it stands in the phrase alone
    assert "the" not in found
    assert (found["flood"].pages, found["flood"].of, found["flood"].count) == (4, 4, 7)
    assert "flood" in found["flood"].sentence
    assert found["levee"].url == "http://site.example/2"


def test_given_words_draw_what_stands_beside_them() -> None:
    drawn = [word for word, _ in keywords(corpus([*FLOODS, *KITCHEN], ["high water"]))]
    assert drawn.index("flood") < drawn.index("potatoes")
    other = [word for word, _ in keywords(corpus([*FLOODS, *KITCHEN], ["butter"]))]
    assert other.index("potatoes") < other.index("flood")


def test_chinese_is_joined_without_spaces() -> None:
    text = "洪水预警系统发布了警告。洪水预警系统工作。"
    found = [word for word, _ in keywords(corpus([text, text + "洪水预警系统很好。"], language="zh"))]
    assert found
    assert not any(" " in word for word in found)


# ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_names_recur_and_carry_their_other_names() -> None:
    found = named(*FLOODS)
    assert found["Angela Merkel"] == ["Merkel"]
    assert found["European Flood Awareness System"] == ["EFAS"]
    assert {"Passau", "Dresden"} & found.keys() == {"Passau"}  # the other is on one page only
    assert "The" not in found


def test_a_capital_at_the_beginning_of_a_sentence_is_no_name() -> None:
    assert named("Boil it in water. Boil more.", "Boil the rest at once. Then boil on and on.") == {}
    assert named("Resultados encima de todo.", "Resultados debajo de todo.", language="es") == {}


def test_a_title_in_capitals_names_nobody() -> None:
    line = "Ten Better Ways Around Some Cold Winter Nights"
    assert named(f"{line} now.", f"{line} then.") == {}


def test_german_nouns_are_no_names() -> None:
    found = named(
        "Gestern kam das Wasser in die Stadt, sagte Angela Merkel beim THW in Passau.",
        "Heute ging das Wasser aus der Stadt, und Angela Merkel dankte dem THW.",
        language="de",
    )
    assert found == {"Angela Merkel": [], "THW": []}


def test_names_of_other_languages_keep_their_small_words() -> None:
    found = named(
        "Le ministre a parlé avec Charles de Gaulle de la guerre hier soir.",
        "On se souvient de Charles de Gaulle et de son temps dans la ville.",
        language="fr",
    )
    assert "Charles de Gaulle" in found
    told = "said Ursula von der Leyen of the people who came there"
    assert "Ursula von der Leyen" in named(f"So {told} at noon.", f"Thus {told} last night.")


def test_part_of_another_name_is_no_other_name_of_it() -> None:
    found = named(
        "They went to New York by train that day and slept well.",
        "They went to New York by ship at last, tired and hungry.",
        "The minster of York is old and large, so they say in town.",
        "They saw York and its walls in spring, with flowers everywhere.",
        "We liked York more than other towns, rain or sunshine.",
    )
    assert found["New York"] == []
    assert "York" in found


def test_a_model_says_the_kind_and_finds_more() -> None:
    def model(text: str) -> tuple[Name, ...]:
        return tuple(
            Name(each, kind) for each, kind in (("Angela Merkel", "person"), ("danube", "place")) if each in text
        )

    texts = [each.replace("Danube", "danube") for each in FLOODS]
    found = {entity.name: entity.kind for entity, _ in entities(corpus([*texts, texts[0] + " Again."]), model)}
    assert found["Angela Merkel"] == "person"
    assert found["danube"] == "place"
    assert found["Passau"] == "other"


# ── topics ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pages_about_the_same_make_a_topic() -> None:
    found = {
        frozenset(map(str, topic.terms)): (topic, witness) for topic, witness in topics(corpus([*FLOODS, *KITCHEN]))
    }
    ((topic, witness),) = [each for terms, each in found.items() if "potatoes" in terms]
    assert (witness.pages, witness.of) == (3, 7)
    assert {"soup", "butter"} <= set(map(str, topic.terms))
    assert "flood" not in topic.terms
    assert all(url.rpartition("/")[2] in "456" for url in topic.examples)


def test_one_page_makes_no_topic() -> None:
    assert topics(corpus(FLOODS[:1])) == []


# ── all together ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_proposals_come_in_order_and_nothing_is_proposed_twice() -> None:
    found = propose(corpus([*FLOODS, *KITCHEN], ["high water"]), ["high water"])
    assert found[0].given
    assert (found[0].name, found[0].witness.pages) == ("high water", 3)
    keys = [each.key for each in found]
    assert keys == sorted(keys, key=["keywords", "entities", "topics", "languages"].index)
    names = [each.name for each in found if each.key == "keywords"]
    assert names.count("high water") == 1
    assert not {"angela merkel", "merkel", "passau"} & set(names)  # they are names
    assert {type(each.value) for each in found} == {str, Entity, Topic}
    assert [each.name for each in found if each.key == "languages"] == ["en"]


def test_words_that_stand_nowhere_are_said_to() -> None:
    assert holding(corpus(FLOODS), "volcano").pages == 0


@pytest.mark.parametrize("texts", [[], ["<html>"], ["?!"] * 5])
def test_nothing_gives_no_proposals(texts: list[str]) -> None:
    assert propose(corpus(texts)) == []


def test_common_words_are_told_by_how_evenly_they_are_spread() -> None:
    """`parcel` stands on every page alike, `lantern` on half of them many times: both as often."""
    texts = [
        f"On day {number} the parcel came, the parcel stayed, the parcel went, {'lantern ' * 6 * (number % 2)}"
        f"beside {' '.join(chr(97 + number) * size for size in range(5, 12))}"
        for number in range(8)
    ]
    found = [word for word, _ in keywords(corpus(texts))]
    assert found.index("lantern") < found.index("parcel")


def test_code_is_no_text() -> None:
    pages = [
        (
            f"http://s.example/{number}",
            regions(
                html.parse(
                    f"<body><p>Words of page {number} that say little or "
                    f"nothing much</p><pre>loop zebra {number}</pre>".encode(),
                    "utf-8",
                )
            ),
            "en",
        )
        for number in range(4)
    ]
    assert "zebra" not in {word for text in corpus_of(pages, [], []).texts for word in text.terms}


@pytest.mark.parametrize("piece", ["a", "Aa ", "A of ", "洪水预警", "1 June ", "A. B! ", "(AB) "])
def test_a_page_without_end_is_read_in_bounded_time(piece: str) -> None:
    began = time.process_time()
    propose(corpus([f"{number} words {piece * (2_000_000 // len(piece))}" for number in range(3)]))
    assert time.process_time() - began < 10
