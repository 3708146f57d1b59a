"""A page that withholds its content is told from one that is merely short, in any language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anansi.model import Body, Fault, Gap, Page, Visit
from anansi.pages import gap_words
from anansi.pages.gap_facts import gather
from anansi.pages.gap_rules import BOUNDS, Suspect
from anansi.pages.gaps import LOGINS, Gaps
from anansi.text.tree import parse
from tests.pages.gaps_gate import GATE, LOOKED_FOR, Example, examples, found, suspect
from tests.pinning import Figures, lower

NAV = "".join(f'<a href="/{name}">{name}</a> ' for name in ("home", "news", "shop", "forum", "about", "help"))
FORM = '<form><input name="u"><input type="password" name="p"><input type="submit"></form>'


def page(body: str, url: str = "https://site.example/a", hops: str = "L", status: int = 200) -> Page:
    """Make an answer."""
    data = f"<html><head><title>Site</title></head><body>{body}</body></html>".encode()
    return Page(Visit(url, url, hops=hops), 0.0, 0.0, body=Body(len(data), data), status=status)


@pytest.fixture(scope="module")
def now() -> Figures:
    """Measure all pages."""
    return GATE.reached()


def test_no_figure_is_lower_than_what_is_pinned(now: Figures) -> None:
    assert lower(now, GATE.pinned()[1]) == []


def test_the_figures_are_those_of_the_pages() -> None:
    assert GATE.pinned()[0] == GATE.corpus(), "the pages changed: `python -m tests.pages.gaps_gate --pin`"


def test_there_are_pages_of_every_gap_and_many_of_none() -> None:
    wanted = [each.wanted for each in examples()]
    assert {Gap(each) for each in wanted if each} == LOOKED_FOR
    assert wanted.count("") >= 30


@pytest.mark.parametrize("each", examples(), ids=lambda each: str(each.name))
def test_a_page_among_many_links_and_much_text_is_no_gap(each: Example) -> None:
    """Put every page's markup at the end of a page that is full of content."""
    source = each.suspect.page.body.read().decode()
    links = "".join(
        f'<li><a href="/a/{number}">Article {number}</a> and what it is about</li>' for number in range(60)
    )
    text = (
        "<p>" + "The harbour was rebuilt in three stages after the flood, and the market moved north. " * 90 + "</p>"
    )
    full = page(f"<ul>{links}</ul>{text}{source}")
    assert found(Example(each.name, "", suspect(full))) == ""


def test_a_form_for_a_password_at_many_addresses_is_a_wall_and_at_one_the_page_for_logging_in() -> None:
    gaps, told = Gaps(), []
    for number in range(LOGINS + 1):
        walled = page(f"<div>{FORM}</div>", f"https://site.example/board/{number}")
        told.append(gaps.look(suspect(walled), "site.example"))
    assert told[: LOGINS - 1] == [None] * (LOGINS - 1)
    assert [each and each[0] for each in told[LOGINS - 1 :]] == [Gap.LOGIN] * 2
    for number in range(9):
        url = f"https://other.example/enter?to={number}"
        assert gaps.look(suspect(page(f"<div>{FORM}</div>", url)), "other.example") is None


def test_one_page_at_many_addresses_is_none_of_those_asked_for() -> None:
    gaps = Gaps()
    told = [
        gaps.look(
            suspect(
                page(
                    f"<p>Tere tulemast meie kodulehele, head sõbrad ja külalised!</p>{NAV}",
                    f"https://site.example/p/{number}",
                )
            ),
            "site.example",
        )
        for number in range(BOUNDS.same + 1)
    ]
    assert [each and each[0] for each in told] == [None] * (BOUNDS.same - 1) + [Gap.SOFT_404] * 2


def test_pages_that_differ_in_a_picture_or_a_link_are_pages_of_their_own() -> None:
    gaps = Gaps()
    for number in range(3 * BOUNDS.same):
        body = f'<img src="{number}.jpg">{NAV}<a href="{number + 1}.html">next</a>'
        assert gaps.look(suspect(page(body, f"https://site.example/{number}.html")), "site.example") is None


def test_what_is_compared_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anansi.pages.gaps.SITES", 3)
    monkeypatch.setattr("anansi.pages.gaps.PAGES", 4)
    gaps = Gaps()
    for number in range(40):
        site = f"{number % 10}.example"
        gaps.look(suspect(page(f"<p>{number}</p>", f"https://{site}/{number}")), site)
    assert len(gaps._met) <= 3
    assert all(len(met) <= 4 for met in gaps._met.values())


def test_objects_speak_against_a_gap() -> None:
    shell = suspect(page('<div id="root"></div><script src="a.js"></script>'))
    assert Gaps().look(shell, "site.example") is not None
    known = Suspect(shell.page, shell.model, shell.title, objects=1)
    assert Gaps().look(known, "site.example") is None


@pytest.mark.parametrize(
    "body",
    [
        '<h1>Protected: Album</h1><form><p>Enter the password of this page:</p><input type="password"></form>',
        '<h1>Login required</h1><p>Please <a href="/login">log in</a> to view other pages.</p>',
    ],
)
def test_a_locked_page_from_which_a_title_was_read_is_locked(body: str) -> None:
    """A private wiki gave one article, `Login required`, and the crawl ended with 0."""
    title = "Login required" if "Login" in body else "Album"
    seen = suspect(page(body, hops=""))
    known = Suspect(seen.page, seen.model, title, objects=1)
    found = Gaps().look(known, "site.example")
    assert found is not None and found[0] is Gap.LOGIN


def test_an_article_that_says_nothing_but_that_a_login_is_wanted_is_a_wall() -> None:
    wall = "You must be logged in to view this content."
    seen = suspect(page(f"<article><h1>Story</h1><p>{wall}</p></article>{NAV}"))
    known = Suspect(seen.page, seen.model, "Story", objects=1, said=wall)
    found = Gaps().look(known, "site.example")
    assert found is not None and found[0] is Gap.LOGIN
    short = suspect(page(f"<article><h1>Story</h1><p>One sentence of news.</p><p>{wall}</p></article>{NAV}"))
    comment = f"You must be logged in to post a comment. {'A sentence that says more. ' * 3}"
    post = suspect(page(f"<article><p>{comment[:40]}</p><p>{comment[40:]}</p></article>"))
    for each, said in ((short, "One sentence of news."), (post, comment)):
        known = Suspect(each.page, each.model, "Story", objects=1, said=said)
        assert Gaps().look(known, "site.example") is None


def test_a_login_box_beside_posts_that_were_read_is_none() -> None:
    seen = suspect(page(f"<div>{FORM}</div><p>A short post.</p>"))
    assert Gaps().look(Suspect(seen.page, seen.model, "Forum", objects=1), "site.example") is None


def test_words_of_a_wall_on_a_page_that_leads_on_count_when_it_stands_at_several_addresses() -> None:
    wall = f"<h1>Age verification</h1><p>You must be over 18 to read this board of ours.</p><button>OK</button>{NAV}"
    gaps = Gaps()
    told = [
        gaps.look(suspect(page(wall, f"https://site.example/b/{number}")), "site.example")
        for number in range(LOGINS + 1)
    ]
    assert [each and each[0] for each in told] == [None] * (LOGINS - 1) + [Gap.AGE] * 2
    for number in range(2 * LOGINS):
        about = f"<h1>Age verification</h1><p>How they do it in country {number}.</p><button>Print</button>{NAV}"
        assert gaps.look(suspect(page(about, f"https://site.example/a/{number}")), "site.example") is None


def test_where_to_go_back_to_does_not_make_walls_differ() -> None:
    gaps = Gaps()
    told = [
        gaps.look(
            suspect(page(f'{FORM}<a href="/join?back=%2Fb%2F{number}">Join</a>', f"https://site.example/b/{number}")),
            "site.example",
        )
        for number in range(LOGINS)
    ]
    assert told[-1] is not None and told[-1][0] is Gap.LOGIN


def test_an_answer_with_success_whose_headers_call_it_a_challenge_is_one() -> None:
    seen = page('<meta http-equiv="refresh" content="0;/check">', hops="", status=202)
    challenged = Page(seen.visit, 0.0, 0.0, body=seen.body, status=202, headers=(("sg-captcha", "challenge"),))
    found = Gaps().look(suspect(challenged), "site.example")
    assert found is not None and found[0] is Gap.ROBOT


@pytest.mark.parametrize(("hops", "found"), [("", Gap.EMPTY), ("L", None)])
def test_no_content_is_a_gap_where_a_crawl_begins(hops: str, found: Gap | None) -> None:
    """A link may lead to a counter; a seed that answers 204 ended with `finished` and code 0."""
    silent = Page(Visit("https://site.example/", "x", hops=hops), 0.0, 0.0, status=204)
    told = Gaps().look(Suspect(silent, None, ""), "site.example")
    assert (told[0] if told else None) is found


def test_boxes_that_hold_the_page_are_the_page() -> None:
    built = "".join(f'<div class="x-widget"><p>Paragraph {number} of what we do.</p></div>' for number in range(6))
    boxed = f'<div class="side-box"><p>Opening hours</p></div><p>{"What we do, at length. " * 5}</p>'
    for body, own in ((built, 6), (boxed, 1)):
        facts = gather(parse(f"<body>{body}</body>".encode(), "utf-8"), "", "site.example")
        assert len(facts.own) == own


def test_a_page_that_was_too_large_says_so_whatever_it_is() -> None:
    each = suspect(page("<p>text</p>"))
    large = Suspect(each.page, each.model, each.title, unread="cut after 5 bytes")
    assert Gaps().look(large, "site.example") == (Gap.LARGE, "cut after 5 bytes")


def test_a_fault_is_no_page() -> None:
    broken = Page(Visit("https://site.example/", "x"), 0.0, 0.0, fault=Fault.TIMEOUT)
    assert Gaps().look(Suspect(broken, None, ""), "site.example") is None


def test_texts_are_told_apart_by_where_they_stand() -> None:
    tree = parse(
        f"""<body><nav>{NAV}</nav><h1>Head</h1><p>own</p><p><a href="/x#y">linked</a></p><form>label<input></form>
        <div class="cookie-bar">cookies</div><script>var hidden</script><noscript>JavaScript, please</noscript>
        <button>OK</button><a href="https://else.example/">away</a></body>""".encode(),
        "utf-8",
    )
    facts = gather(tree, "Title", "site.example")
    assert (facts.own, facts.headings, facts.cookies, facts.buttons) == (["own"], ["Head"], ["cookies"], ["OK"])
    assert facts.linked == ["linked", "away"]
    assert "label" in facts.around
    assert "home" in facts.around
    assert facts.unscripted == ["JavaScript, please"]
    assert "/x" in facts.hrefs
    assert not any("else.example" in each for each in facts.hrefs)
    assert facts.scripts == 1


def test_a_deep_page_is_gathered() -> None:
    tree = parse(b"<div class='content'>" * 1500 + b"deep", "utf-8")
    assert gather(tree, "", "site.example").own == ["deep"]


@pytest.mark.parametrize("name", [name for name in vars(gap_words) if name.isupper()])
def test_phrases_are_lower_case_and_stand_once(name: str) -> None:
    phrases = getattr(gap_words, name)
    assert [each for each in phrases if each != each.lower() or not each.strip()] == []
    assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize(
    ("said", "own", "kind"),
    [
        ("", "Das angeforderte Thema existiert nicht.", Gap.SOFT_404),
        ("", "", None),
        ("It does not exist any more, that old bridge.", "It does not exist any more, that old bridge.", None),
    ],
)
def test_a_message_whose_heading_was_read_as_a_title_is_none(said: str, own: str, kind: Gap | None) -> None:
    """It was kept as a thread without posts."""
    looked = suspect(page(f"<nav>{NAV}</nav><h2>Information</h2><p>{own}</p>"))
    found = Gaps().look(replace(looked, objects=1, said=said), "site.example")
    assert (found[0] if found else None) == kind


@pytest.mark.parametrize("host", ["site.example", "login-history.example"])
def test_three_addresses_that_redirect_to_a_login_are_behind_it(host: str) -> None:
    gaps = Gaps()

    def sent(path: str, to: str, hops: str = "L") -> bool:
        url = f"https://{host}{path}"
        moved = Page(Visit(url, url, hops=hops), 0.0, 0.0, body=Body(0, b""), status=302, headers=(("location", to),))
        return gaps.look(Suspect(moved, None, ""), host) is not None

    assert [sent(f"/{number}", f"/login?next=/{number}") for number in range(4)] == [False, False, True, True]
    assert not any(sent(f"/old/{number}", "/new") for number in range(4))
    assert not any(sent(f"/old/{number}", f"https://{host}/new") for number in range(4))
    assert not any(sent(f"/account/{number}", "/login") for number in range(4)), "they are for who has one"
    assert not sent("/", "/login", hops=""), "a seed is judged by where it leads"


@pytest.mark.parametrize(
    ("said", "gap"),
    [("Sorry, the page you are looking for does not exist.", Gap.SOFT_404), (None, None)],
    ids=["a sentence", "an article"],
)
def test_a_page_that_says_that_nothing_is_here_is_no_article_though_one_was_read(
    said: str | None, gap: Gap | None
) -> None:
    body = f"{NAV}<article><h1 class='entry-title'>Page not found</h1><p>{said or 'What it says.'}</p></article>"
    made = suspect(page(body, hops="L"))
    found_gap = Gaps().look(replace(made, objects=1, said=said), "site.example")
    assert (found_gap[0] if found_gap else None) == gap
