"""Recognition: the most specific type that has the most to show for it, and the level that the page shows."""

from __future__ import annotations

import re

from anansi.knowledge.addresses import Address
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Kind, Level, Pattern, Type
from anansi.knowledge.xpath import parse
from anansi.pages.document import Document
from anansi.pages.recogniser import BY_ADDRESS, Recogniser
from anansi.text import tree as html


def pattern(*texts: str) -> Pattern:
    return Pattern(tuple(map(parse, texts)))


def typed(name: str, *patterns: Pattern, levels: tuple[Level, ...] = (), rows: tuple[Address, ...] = ()) -> Type:
    return Type(name, name, detection=patterns, addresses=rows, levels=levels)


THREAD = Level("thread", Kind.TERMINAL, (pattern("div[@class='post']"),))
BOARD = Level("board", Kind.INTERMEDIATE, (pattern("a[@class='topic']"), pattern("table[@id='topics']")))
AGORA = typed(
    "forum/agora",
    pattern("body[@id='agora']"),
    pattern("a[contains(@href,'agora.example')]"),
    pattern("meta[@name='generator']", "meta[contains(@content,'Agora')]"),
    levels=(THREAD, BOARD),
    rows=(
        Address(leads="thread", match=re.compile(r"/t\d+")),
        Address(leads="board", match=re.compile(r"/b\d+")),
        Address(skip="no content", match=re.compile("/login")),
    ),
)
BABEL = typed("forum/babel", pattern("body[@id='babel']"), pattern("a[contains(@href,'babel.example')]"))
SITE = typed("forum/agora/a.org", pattern("link[contains(@href,'a.org/theme.css')]"))
OPEN = typed("generic/opengraph", pattern("meta[@property='og:title']"))
recogniser = Recogniser(Catalogue([typed("forum"), typed("generic"), AGORA, BABEL, SITE, OPEN]))


def page(body: str, url: str = "http://a.org/", **more: str) -> Document:
    source = f"<html>{body}</html>"
    headers = tuple((name.replace("_", "-"), value) for name, value in more.items())
    return Document(html.parse(source.encode(), "utf-8"), source, url, 200, headers)


def test_a_page_is_recognised_with_the_pattern_that_fired() -> None:
    found = recogniser.recognise(page('<body id="agora"><div class="post">x</div></body>'))
    assert found is not None
    assert (found.type, found.level, found.terminal) == ("forum/agora", "thread", True)
    assert (found.pattern, found.level_pattern) == ("body[@id='agora']", "div[@class='post']")


def test_what_nobody_knows_is_not_recognised() -> None:
    assert recogniser.recognise(page("<body><p>hello</p></body>")) is None
    assert recogniser.recognise(page("<body>agora.example babel.example</body>")) is None, "words are no links"


def test_all_expressions_of_a_pattern_must_match() -> None:
    assert recogniser.recognise(page('<head><meta name="generator" content="Other"></head>')) is None
    found = recogniser.recognise(page('<head><meta name="generator" content="Agora 2"></head>'))
    assert found is not None
    assert found.pattern == "meta[@name='generator'] and meta[contains(@content,'Agora')]"


def test_the_more_specific_type_wins_whatever_speaks_for_the_others() -> None:
    body = '<body id="agora"><link href="http://a.org/theme.css"><a href="http://agora.example/">x</a></body>'
    found = recogniser.recognise(page(body))
    assert found is not None
    assert found.type == "forum/agora/a.org"
    assert recogniser.recognise(page(body.replace("a.org/theme", "b.org/theme"))).type == "forum/agora"  # type: ignore[union-attr]


def test_a_standard_is_the_last_resort() -> None:
    meta = '<head><meta property="og:title" content="x"></head>'
    alone = recogniser.recognise(page(meta))
    assert alone is not None
    assert (alone.type, alone.level) == ("generic/opengraph", "")
    beside = recogniser.recognise(page(f'{meta}<body id="agora"></body>'))
    assert beside is not None
    assert beside.type == "forum/agora"


def test_a_page_that_speaks_of_another_application_is_not_taken_for_it() -> None:
    body = """<body id="agora"><div class="post">We moved here from
        <a href="http://babel.example/">Babel</a></div><a href="http://agora.example/">Agora</a></body>"""
    found = recogniser.recognise(page(body))
    assert found is not None
    assert found.type == "forum/agora"


def test_a_tie_is_broken_the_same_way_each_time() -> None:
    one = '<a href="http://babel.example/">x</a>'
    two = '<a href="http://agora.example/">x</a>'
    types = {recogniser.recognise(page(f"<body>{body}</body>")).type for body in (one + two, two + one)}  # type: ignore[union-attr]
    assert types == {"forum/babel"}


# ── what the site was of before ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_known_of_the_site_is_verified_and_stays() -> None:
    both = '<body><a href="http://agora.example/">x</a><a href="http://babel.example/">x</a></body>'
    for hint in ("forum/agora", "forum/babel"):
        found = recogniser.recognise(page(both), hint)
        assert found is not None
        assert found.type == hint


def test_a_hint_that_the_page_does_not_bear_out_is_dropped() -> None:
    found = recogniser.recognise(page('<body id="agora"></body>'), "forum/babel")
    assert found is not None
    assert found.type == "forum/agora"
    assert recogniser.recognise(page("<body></body>"), "forum/babel") is None
    assert recogniser.recognise(page("<body></body>"), "no/such/type") is None


def test_a_standard_seen_before_does_not_hide_the_application() -> None:
    body = '<head><meta property="og:title" content="x"></head><body id="agora"></body>'
    found = recogniser.recognise(page(body), "generic/opengraph")
    assert found is not None
    assert found.type == "forum/agora"


# ── levels ───────────────────────────────────────────────────────────────────────────────────────────────────────

POST, TOPIC = '<div class="post">x</div>', '<a class="topic">x</a>'


def level(body: str, url: str) -> tuple[str, str]:
    found = recogniser.recognise(page(f'<body id="agora">{body}</body>', url))
    assert found is not None
    return found.level, found.level_pattern


def test_the_level_that_the_address_names_is_tried_first() -> None:
    assert level(POST + TOPIC, "http://a.org/b3") == ("board", "a[@class='topic']")
    assert level(POST + TOPIC, "http://a.org/t3") == ("thread", "div[@class='post']")
    assert level(POST + TOPIC, "http://a.org/x") == ("thread", "div[@class='post']")


def test_what_the_page_shows_counts_more_than_its_address() -> None:
    assert level(TOPIC, "http://a.org/t3") == ("board", "a[@class='topic']")
    assert level('<table id="topics"></table>', "http://a.org/") == ("board", "table[@id='topics']")


def test_an_address_is_enough_where_the_page_shows_nothing() -> None:
    assert level("", "http://a.org/b3") == ("board", BY_ADDRESS)
    assert level("", "http://a.org/login") == ("", "")
    assert level("", "http://a.org/") == ("", "")


# ── no tree ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_without_a_tree_is_known_by_its_exchange() -> None:
    cookie = typed("forum/c", pattern("http/header[contains(set-cookie,'agora_sid')]"), levels=(THREAD,))
    mine = Recogniser(Catalogue([typed("forum"), cookie]))
    bare = Document(None, "", "http://a.org/", 200, (("set-cookie", "a=1"), ("set-cookie", "agora_sid=1")))
    found = mine.recognise(bare)
    assert found is not None
    assert (found.type, found.level) == ("forum/c", "")
    assert recogniser.recognise(bare, "forum/agora") is None
