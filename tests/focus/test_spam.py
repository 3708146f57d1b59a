"""What is worth nothing whatever it says."""

from __future__ import annotations

import random

import pytest
from lxml import html

from anansi.focus.spam import SpamSigns, blacklist_of, blacklisted, hidden_text, judge
from anansi.text.terms import terms

NOBODY = blacklist_of([])
WORDS = [
    f"{a}{b}{c}" for a in ("ka", "lo", "mi", "ru") for b in ("ta", "no", "se", "di") for c in ("n", "r", "s", "m")
]


def prose(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [rng.choice(WORDS) for _ in range(count)]


@pytest.mark.parametrize(
    ("url", "listed"),
    [
        ("https://casino.example/x", True),
        ("https://www.CASINO.example/", True),
        ("https://notcasino.example/", False),
        ("https://casino.example.org/", False),
        ("https://a.org/tag/x/feed", True),
        ("https://a.org/tags", False),
        ("not a url", False),
    ],
)
def test_hosts_with_what_is_below_them_and_patterns_are_blacklisted(url: str, listed: bool) -> None:
    blacklist = blacklist_of(["casino.example", "/tag/.*/feed"])
    assert (blacklisted(url, blacklist) is not None) == listed
    judgement = judge(SpamSigns(url, prose(300)), blacklist)
    assert judgement.score == (0 if listed else 1)
    assert [each.what for each in judgement.evidence] == (["blacklist"] if listed else [])


def test_ordinary_prose_is_worth_all() -> None:
    assert judge(SpamSigns("https://a.org/", prose(2000)), NOBODY).score == 1
    assert judge(SpamSigns("https://a.org/"), NOBODY).score == 1


def test_a_page_stuffed_with_one_term_is_worth_nothing() -> None:
    judgement = judge(SpamSigns("https://a.org/", prose(500) + ["flood"] * 500), NOBODY)
    assert judgement.score == 0
    assert judgement.evidence[0].found == "flood"


def test_a_page_that_says_the_same_again_and_again_is_worth_little() -> None:
    judgement = judge(SpamSigns("https://a.org/", prose(40) * 50), NOBODY)
    assert judgement.score == 0
    assert judgement.evidence[0].what == "repeats itself"


def test_a_headline_may_repeat_itself() -> None:
    assert judge(SpamSigns("https://a.org/", ["flood"] * 20), NOBODY).score == 1


def test_a_page_of_links_to_a_hundred_sites_is_a_farm_and_a_long_list_of_sources_is_not() -> None:
    links = [f"https://site{n}.example/" for n in range(120)]
    assert judge(SpamSigns("https://a.org/", prose(200), links=links), NOBODY).score == 0
    assert judge(SpamSigns("https://a.org/", prose(3000), links=links), NOBODY).score == 1
    own = [f"https://a.org/{n}" for n in range(500)]
    assert judge(SpamSigns("https://a.org/", prose(200), links=own), NOBODY).score == 1


PAGE = """<body><p>Visible words</p>
<div style="display : none">flood water <b>levee</b></div><p style="font-size:0">dam</p>
<p style="font-size:0.9em">shown</p><span hidden>dike</span><script style="display:none">x</script>
<div style="text-indent:-9999px">logo <i style="display:none">twice</i></div></body>"""


def test_what_styles_hide_is_found_once() -> None:
    assert hidden_text(html.fromstring(PAGE)).split() == ["flood", "water", "levee", "dam", "dike", "logo", "twice"]


def test_a_page_that_hides_what_is_looked_for_is_worth_nothing() -> None:
    wanted = {"flood", "leve"}
    hidden = terms("flood levee " * 10, "en")
    assert judge(SpamSigns("https://a.org/", prose(300), hidden, wanted=wanted), NOBODY).score == 0
    menu = terms("home about flood contact", "en")
    assert judge(SpamSigns("https://a.org/", prose(300), menu, wanted=wanted), NOBODY).score == 1
    shown = prose(300) + ["flood"] * 30
    assert judge(SpamSigns("https://a.org/", shown, hidden, wanted=wanted), NOBODY).score == 1


def test_ten_megabytes_are_bounded() -> None:
    tree = html.fromstring("<body>" + '<p style="display:none">word word</p>' * 100_000 + "</body>")
    assert len(hidden_text(tree)) <= 100_000
