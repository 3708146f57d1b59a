"""What modules beside the terms say of a page, added up."""

from __future__ import annotations

import pytest
from lxml import html

from anansi.config import Focus, convert
from anansi.focus.definition import Subject, subject_of
from anansi.focus.judging import PageText, opinions, verdict_on
from anansi.focus.spam import hidden_text
from anansi.state import Appraisal
from anansi.text.language import identify
from anansi.text.terms import terms

ZOLA = "Émile Zola lived in Paris. He wrote novels about the mines, and everybody in the town knew him well."
OTHER = "Nobody we know of lived in the village. They baked bread and sold it to people who came by on the road."


def subject(**focus: object) -> Subject:
    settings: Focus = convert({"focus": focus}, "a test").focus
    return subject_of(settings)


def sheet(url: str, text: str, hidden: str = "") -> PageText:
    spoken = identify(text)
    return PageText(url, text, spoken, terms=terms(text, spoken.code or "en"), hidden=hidden)


def said(about: Subject, page: PageText) -> dict[str, float]:
    return {each.module: each.score for each in opinions(about, page) if each.score is not None}


def test_modules_that_the_definition_gives_nothing_to_go_by_have_no_opinion() -> None:
    assert said(subject(keywords=["bread"]), sheet("http://ant.org/", OTHER)) == {"spam": 1.0}


def test_names_languages_and_addresses_are_each_heard() -> None:
    about = subject(entities=[{"name": "Emile Zola"}], languages=["en"], addresses=["/authors/"])
    found = said(about, sheet("http://ant.org/authors/z", ZOLA))
    assert found == {"entities": pytest.approx(0.5), "languages": 1.0, "addresses": 1.0, "spam": 1.0}
    assert said(about, sheet("http://ant.org/x", OTHER)) == {"entities": 0.0, "languages": 1.0, "spam": 1.0}


def test_words_of_what_is_not_sought_speak_against_a_page() -> None:
    about = subject(keywords=["novel"], exclude=["mines"])
    assert said(about, sheet("http://ant.org/", ZOLA)) == {"spam": 1.0, "exclude": pytest.approx(0.5)}
    assert verdict_on(about, sheet("http://ant.org/", ZOLA)).left == pytest.approx(0.5)


def test_the_blacklist_leaves_nothing_whatever_spam_counts() -> None:
    about = subject(keywords=["novel"], blacklist=["bad.org"], weights={"spam": 0.0})
    assert verdict_on(about, sheet("http://www.bad.org/", ZOLA)).left == 0.0
    assert verdict_on(about, sheet("http://good.org/", ZOLA)).left == 1.0


def test_stuffed_pages_lose_as_much_as_spam_counts() -> None:
    stuffed = sheet("http://ant.org/", "honey " * 2000)
    assert verdict_on(subject(keywords=["honey"]), stuffed).left == 0.0
    assert verdict_on(subject(keywords=["honey"], weights={"spam": 0.5}), stuffed).left == pytest.approx(0.5)


def test_what_is_hidden_is_found() -> None:
    tree = html.document_fromstring(f"<body><p>{OTHER}</p><p style='display:none'>{'honey ' * 40}</p></body>")
    page = sheet("http://ant.org/", OTHER, hidden_text(tree))
    assert verdict_on(subject(keywords=["honey"]), page).left == 0.0


def test_a_page_of_10_mb_is_judged_in_bounded_time() -> None:
    verdict = verdict_on(
        subject(keywords=["honey"], entities=[{"name": "Zola"}]), sheet("http://a.org/", ZOLA * 100_000)
    )
    assert 0 <= verdict.left <= 1


def test_terms_and_modules_make_a_weighted_mean() -> None:
    assert Appraisal(total=2.0, weight=2.0).with_terms(0.5, 2.0) == pytest.approx(0.75)
    assert Appraisal().with_terms(0.4, 4.0) == pytest.approx(0.4)
    assert Appraisal(left=0.5).with_terms(0.4, 4.0) == pytest.approx(0.2)
    assert Appraisal().with_terms(0.4, 0.0) == 0.0
