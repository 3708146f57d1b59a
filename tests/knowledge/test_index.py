"""The index: a pattern is a candidate whenever it matches, however the page is written."""

from __future__ import annotations

import html as escaping
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from anansi.errors import KnowledgeError
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Pattern, Type
from anansi.knowledge.index import Index, mark
from anansi.knowledge.xpath import parse
from anansi.pages.document import Document
from anansi.pages.recogniser import Recogniser
from anansi.text import tree as html


def typed(name: str, *texts: str) -> Type:
    """Make a type of patterns; ` and ` joins expressions that must all match."""
    patterns = (Pattern(tuple(map(parse, text.split(" and "))), line=4) for text in texts)
    return Type(name, name, detection=tuple(patterns), source=f"{name}.xml")


def page(source: str, url: str = "http://a.org/", *headers: tuple[str, str]) -> Document:
    return Document(html.parse(source.encode(), "utf-8"), source, url, 200, headers)


# ── found exactly when it matches ────────────────────────────────────────────────────────────────────────────────

WORDS = ("agora", "agora.css", "/agora/", "Powered by", "by Agora", "x&y=agora", "café agora", 'say "agora"', "ago")
TAGS = ("div", "p", "a", "title")
NAMES = ("class", "href", "id")


@st.composite
def patterns(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from([each for each in WORDS if '"' not in each]))
    value = draw(st.sampled_from(("@class", "@href", "@id", "p", "b", "title")))
    step = draw(st.sampled_from((*TAGS, "*", "url", "http/header", "http")))
    value = {"url": "path", "http/header": "set-cookie", "http": "header"}.get(step, value)
    return draw(st.sampled_from((f"{step}[contains({value},'{word}')]", f"{step}[{value}='{word}']")))


@st.composite
def sources(draw: st.DrawFn) -> str:
    """Draw a page whose words are escaped and broken up in all the ways that pages know."""
    rng = random.Random(draw(st.integers(0, 1_000_000)))
    parts = []
    for _ in range(draw(st.integers(1, 5))):
        tag = rng.choice(TAGS)
        word = rng.choice(WORDS)
        inside = _broken(_escaped(word, rng), rng)
        parts.append(
            f'<{tag} {rng.choice(NAMES)}="{_escaped(word, rng)}">{inside}<p>{_escaped(word, rng)}</p></{tag}>'
        )
    return f"<html><body>{''.join(parts)}</body></html>"


def _escaped(word: str, rng: random.Random) -> str:
    named = {"/": "&sol;", ".": "&period;", "é": "&eacute;", "=": "&equals;"}
    how = rng.randrange(4)
    if how == 0:
        return escaping.escape(word)
    if how == 1:
        return "".join(f"&#{ord(each)};" if rng.random() < 0.4 else escaping.escape(each) for each in word)
    if how == 2:
        return "".join(f"&#x{ord(each):x};" if rng.random() < 0.4 else escaping.escape(each) for each in word)
    return "".join(named.get(each, escaping.escape(each)) for each in word)


def _broken(word: str, rng: random.Random) -> str:
    """Put markup in the middle of a word, unless an entity is there."""
    middle = len(word) // 2
    between = rng.choice(("", "<b></b>", "<!-- x -->", "<i>"))
    return word[:middle] + between + word[middle:] if "&" not in word else word


HEADERS = st.sampled_from(((), (("set-cookie", "a=1"), ("set-cookie", "agora=/agora/")), (("x-by", "by Agora"),)))
PATHS = st.sampled_from(("/agora/x", "/caf%C3%A9", "/"))


@settings(max_examples=400)
@given(st.lists(patterns(), min_size=1, max_size=6), sources(), PATHS, HEADERS)
@example(["p[contains(b,'agora')]"], "<html><body><p><b>ago<!-- x -->ra</b></p></body></html>", "/", ())
@example(["a[@href='/agora/']"], '<html><body><a href="&#x2F;agora&#x2f;">x</a></body></html>', "/", ())
@example(["a[@href='café']"], '<html><body><a href="caf&eacute;">x</a></body></html>', "/", ())
def test_a_pattern_is_found_exactly_when_it_matches(
    texts: list[str], source: str, path: str, headers: tuple[tuple[str, str], ...]
) -> None:
    catalogue = Catalogue(typed(f"t{number}", text) for number, text in enumerate(texts))
    recogniser = Recogniser(catalogue)
    document = page(source, f"http://a.org{path}", *headers)
    one_by_one = {
        name
        for name, entry in catalogue.types.items()
        if any(recogniser.matches(document, each) for each in entry.detection)
    }
    assert {candidate.type for candidate in recogniser.fired(document)} == one_by_one


def test_only_what_can_match_is_evaluated() -> None:
    index = Index([typed(f"t{number}", f"body[@id='system-{number}']") for number in range(1000)])
    assert [each.type for each in index.candidates('<body id="system-12">')] == ["t1", "t12"]
    assert repr(index) == "Index(1000 strings)"


def test_patterns_of_one_string_are_found_together_and_each_once() -> None:
    index = Index([typed("a", "div[@id='same']", "p[@class='same']"), typed("b", "a[@href='same']")])
    found = list(index.candidates("same same", "same"))
    assert [each.type for each in found] == ["a", "a", "b"]


def test_strings_that_overlap_are_all_found() -> None:
    index = Index(
        [typed("a", "a[@href='phpbb.com']"), typed("b", "a[@href='www.phpbb']"), typed("c", "a[@id='bb.c']")]
    )
    assert sorted(each.type for each in index.candidates("http://www.phpbb.com/")) == ["a", "b", "c"]


def test_an_index_of_nothing_finds_nothing() -> None:
    assert list(Index([]).candidates("anything")) == []


# ── the string that a pattern is found by ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "string"),
    [
        ("link[@rel='stylesheet'][contains(@href,'/agora/theme/default')]", "/agora/theme/default"),
        ("a[contains(@href,'index.php?topic=1&start=2')]", "index.php?topic=1"),
        ("p[contains(a,'Powered by Agora Forum')]", "Powered"),
        ("div[contains(p,'a very long text')][@id='agora']", "agora"),
        ("a[@title='日本語掲示板']", "日本語掲示板"),
        ("a[@title='日本語掲示板'][@id='bbs']", "bbs"),
        ("body[@id='ab'] and a[@href='forum']", "forum"),
    ],
)
def test_a_pattern_is_found_by_what_stands_in_the_source_as_one(text: str, string: str) -> None:
    entry = typed("t", text)
    assert mark(entry, entry.detection[0]) == string


@pytest.mark.parametrize("text", ["body", "div[1]", "a[@id='ab']", "a[@title='a b \"c\" d']", "div[last()]/@id"])
def test_a_pattern_without_a_string_is_refused(text: str) -> None:
    with pytest.raises(KnowledgeError) as told:
        Catalogue([typed("t", text)])
    assert str(told.value).startswith("t.xml, line 4: ")
    assert "holds no string of 3 characters to find it by; add one, or use it beside another" in str(told.value)
