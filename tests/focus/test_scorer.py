"""Scores: pages are judged by what is sought, links by modules, and both are corrected as the crawl goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.errors import UserError
from anansi.focus import evidence, outcomes, relevance, topic
from anansi.focus import scorer as scoring
from anansi.focus.modules import MODULES, weighted
from anansi.focus.relevance import Judge
from anansi.focus.scorer import Scorer
from anansi.focus.settings import SETTINGS
from anansi.focus.topic import Topic
from anansi.focus.vectors import cosine
from tests.focus.pages import FRUIT, RAIL, article, key, reading

LINKS = '<p>See the railway <a href="/rail/station">railway station</a></p><p>Lunch: <a href="/pie">apple pie</a></p>'
EXAMPLES = tuple(article(number, links=LINKS) for number in range(6))


@pytest.fixture
def scorer() -> Scorer:
    scorer = Scorer(Topic(examples=EXAMPLES))
    scorer.begin(EXAMPLES)
    return scorer


def test_a_page_like_the_examples_is_more_relevant_than_another() -> None:
    judge = Judge(Topic(examples=EXAMPLES))
    alike, other = judge.judge(article(7, links=LINKS)), judge.judge(article(8, FRUIT))
    assert alike.relevance > 0.6
    assert other.relevance < 0.1
    assert alike.text > other.text
    assert alike.company > other.company == 0


def test_stuffing_a_word_does_not_beat_a_page_about_it() -> None:
    judge = Judge(Topic(examples=EXAMPLES))
    honest = judge.judge(article(7))
    for stuffed in ("locomotive " * 5_000, f"{FRUIT} " * 20 + "locomotive railway " * 2_000):
        found = judge.judge(article(8, stuffed))
        assert found.text < honest.text
        assert found.relevance < honest.relevance
        assert found.text <= SETTINGS.farthest


def test_links_named_like_the_topic_are_scored_higher(scorer: Scorer) -> None:
    scorer.settle()
    scores = dict(scorer.revised())
    assert scores[key("/rail/station")] > scores[key("/pie")]
    told = scorer.explain(scorer.known[key("/rail/station")])
    assert told["word"] > scorer.explain(scorer.known[key("/pie")])["word"]
    assert told.keys() == {module.name for module in MODULES}


def test_what_neighbours_turn_out_to_be_is_handed_on(scorer: Scorer) -> None:
    def listed(*names: str) -> str:
        return "<ul>" + "".join(f'<li><a href="/x/{name}">{name}</a></li>' for name in names) + "</ul>"

    scorer.read(
        reading("/lists", f"<p>{RAIL}</p>{listed('qa', 'qb')}<p>{RAIL}</p>" + "<p>and</p>" * 3 + listed("za", "zb"))
    )
    before = {name: scorer.score(scorer.known[key(f"/x/{name}")]) for name in ("qb", "zb")}
    scorer.read(reading("/x/qa", f"<p>{RAIL} {RAIL}</p>{LINKS}"))
    scorer.read(reading("/x/za", f"<p>{FRUIT}</p>"))
    good, bad = (scorer.explain(scorer.known[key(f"/x/{name}")]) for name in ("qb", "zb"))
    assert good["company"] > bad["company"]
    assert good["together"] > bad["together"]
    after = {name: scorer.score(scorer.known[key(f"/x/{name}")]) for name in ("qb", "zb")}
    assert after["qb"] - before["qb"] > after["zb"] - before["zb"]


def test_words_places_and_sites_are_learned(scorer: Scorer) -> None:
    scorer.read(
        article(20, links='<p><a href="/n/quarry_one">quarry one</a> <a href="/n/quarry_two">quarry two</a></p>')
    )
    before = scorer.explain(scorer.known[key("/n/quarry_two")])
    scorer.read(reading("/n/quarry_one", f"<p>{RAIL}</p>{LINKS}"))
    after = scorer.explain(scorer.known[key("/n/quarry_two")])
    assert after["taught"] > before["taught"]
    assert after["label"] > before["label"]
    assert after["neighbours"] > before["neighbours"]


def test_pages_found_relevant_enrich_the_topic() -> None:
    scorer = Scorer(Topic(examples=EXAMPLES))
    scorer.begin(EXAMPLES)
    assert "funicular" not in scorer.judge.learned.vector
    for number in range(30, 45):
        scorer.read(article(number, f"{RAIL} funicular", LINKS))
    assert scorer.due
    scorer.settle()
    assert scorer.judge.learned.vector["funicular"] > 0


def test_fetched_pages_are_never_scored_again(scorer: Scorer) -> None:
    scorer.read(reading("/pie", f"<p>{FRUIT}</p>"))
    for number in range(50, 75):
        assert key("/pie") not in dict(scorer.read(article(number, links=LINKS)).links)
    scorer.settle()
    assert key("/pie") not in dict(scorer.revised())


def test_all_urls_are_scored_anew_when_the_crawl_has_grown_and_pages_may_come_meanwhile(scorer: Scorer) -> None:
    number = 0
    while not scorer.due:
        scorer.read(article(100 + number, links=f'<p><a href="/new/{number}">railway</a></p>{LINKS}'))
        number += 1
    assert number == SETTINGS.soonest
    scorer.settle()
    ((first, _),) = scorer.revised(1)
    scorer.read(reading("/new/9", f"<p>{FRUIT}</p>"))
    rest = dict(scorer.revised())
    assert key("/new/9") not in rest
    assert {first, *rest} == set(scorer.known)
    assert all(score == scorer.score(scorer.known[key]) for key, score in rest.items())


def test_another_topic_goes_by_its_own_words_and_weights(scorer: Scorer) -> None:
    other = scorer.turned_to(Topic(words={"pie": 1.0, "appl": 1.0}), MODULES, 0.0)
    other.settle()
    scores = dict(other.revised())
    assert scores[key("/pie")] > scores[key("/rail/station")]
    assert other.read(article(90)).relevance == 0.0, "terms count nothing now"


def test_a_topic_that_appears_nowhere_scores_low_and_breaks_nothing() -> None:
    scorer = Scorer(Topic(words={"xylophon": 1.0}))
    scored = dict(scorer.begin([article(1, links=LINKS)]))
    assert set(scored) == {key("/rail/station"), key("/pie")}
    assert all(0 <= score <= 1 for score in scored.values())
    assert scorer.judge.judge(article(2)).relevance < 0.1


def test_words_alone_make_a_topic() -> None:
    scorer = Scorer(Topic(words={"railway": 1.0, "locomot": 1.0}))
    scores = dict(scorer.begin([article(1, links=LINKS)]))
    assert scores[key("/rail/station")] > scores[key("/pie")]
    assert scorer.judge.judge(article(2)).relevance > scorer.judge.judge(article(3, FRUIT)).relevance


def test_empty_topics_and_empty_pages_are_scored_all_the_same() -> None:
    scorer = Scorer(Topic())
    assert scorer.begin([]) == []
    assert scorer.read(reading("/", "")).links == []
    assert len(scorer.read(article(1, links=LINKS)).links) == 2
    Scorer(Topic(examples=(reading("/e", ""),))).begin([reading("/e", "")])


def test_evidence_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "SETTINGS", replace(SETTINGS, most_urls=1))
    scorer = Scorer(Topic(examples=EXAMPLES))
    scorer.begin(EXAMPLES)
    assert len(scorer.known) == 1
    scores = dict(scorer.read(article(9, links=LINKS)).links)
    assert scores.keys() == {key("/rail/station"), key("/pie")}


def test_weights_are_checked() -> None:
    assert [module.name for module in weighted({"words": 3.0, "word": 0.0}) if module.weight == 3.0] == ["words"]
    assert "word" not in {module.name for module in weighted({"word": 0.0})}
    with pytest.raises(UserError, match="no module is called 'wrods'; there are source"):
        weighted({"wrods": 1.0})
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(UserError, match="expected a weight of 0 or more"):
            weighted({"word": wrong})


vectors = st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0.01, 100), max_size=8)


@given(vectors, vectors)
def test_cosines_are_cosines(one: dict[str, float], other: dict[str, float]) -> None:
    assert -1e-9 <= cosine(one, other) <= 1 + 1e-9
    assert cosine(one, other) == pytest.approx(cosine(other, one))
    assert not one or cosine(one, one) == pytest.approx(1)


@given(st.lists(st.tuples(st.sampled_from([RAIL, FRUIT, ""]), st.integers(0, 5)), max_size=12))
def test_every_score_is_from_0_to_1_whatever_comes(pages: list[tuple[str, int]]) -> None:
    scorer = Scorer(Topic(examples=EXAMPLES[:2]))
    scored = scorer.begin(EXAMPLES[:2])
    for number, (text, links) in enumerate(pages):
        linked = "".join(f'<li><a href="/l/{each}">l{each}</a></li>' for each in range(links))
        scored += scorer.read(reading(f"/l/{number}", f"<p>{text}</p><ul>{linked}</ul>")).links
    assert all(0 <= score <= 1 for _, score in scored)


def test_what_is_counted_and_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(SETTINGS, most_counted=50, most_urls=20, most_places=3)
    for module in (scoring, evidence, outcomes, relevance, topic):
        monkeypatch.setattr(module, "SETTINGS", few)
    scorer = Scorer(Topic(words={"railway": 1.0, "locomot": 1.0}))
    for number in range(60):
        made_up = " ".join(f"{chr(97 + number % 26)}{chr(97 + each)}{chr(97 + number // 26)}q" for each in range(20))
        scorer.read(article(number, f"{RAIL} {made_up}", LINKS + f'<p><a href="/{number}">railway</a></p>'))
    learned = scorer.judge.learned
    assert max(len(learned.words.holding), len(learned.links.holding), len(learned.company)) <= 50
    assert learned.words.holding["railway"] > 30, "what is met often is kept"
    assert len(scorer.outcomes.turned) <= 20
    assert len(scorer.known[key("/pie")].places) == 3


def test_a_table_that_is_full_loses_its_smaller_half() -> None:
    assert topic.larger_half({"a": 1, "b": 5, "c": 1, "d": 7}) == {"d": 7}
    assert topic.larger_half({"a": 1, "b": 1}) == {}
