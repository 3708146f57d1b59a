"""Where the object of an item stands, on pages of several templates."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anansi.feeds.context import context_of
from anansi.feeds.lines import Lines, lines_of
from anansi.feeds.nodes import conceptual_nodes, consistent, density, find
from tests.feeds.pages import (
    ABOUT,
    BODY,
    FLAT,
    PARAGRAPHS,
    SECTIONS,
    SHAPED,
    TABLES,
    TEXT,
    TITLE,
    extract,
    modern,
    page,
)

PIECES = [
    *(
        f"<{tag}{name}>"
        for tag in ("div", "span", "td", "li", "p", "font", "center", "article")
        for name in ("", " id=q")
    ),
    *("</div>", "</span>", "</td>", "</p>", "<table><tr>", "</table>", "<br>", "<svg><title>", "<iframe>", "</body>"),
    *(f"<h2>{TITLE}</h2>", *PARAGRAPHS, TITLE, "eleven herons"),
]
"""Of which broken pages are made."""


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (modern(), TEXT),
        (TABLES, " ".join(PARAGRAPHS)),
        (FLAT, TEXT),
        (SHAPED, TEXT),
        (SECTIONS, TEXT),
    ],
    ids=["blog theme", "tables of the nineties", "one flat div", "shapes of an editor", "named parts"],
)
def test_the_text_is_found_and_nothing_of_the_template(template: str, expected: str) -> None:
    found = extract(page(template))
    assert found is not None
    if template == TABLES:  # one line in that template: the title stands in it
        assert found.text == f"{TITLE} {expected}"
    else:
        assert found.text == expected


def test_a_line_is_the_denser_the_more_of_it_is_shared() -> None:
    lines = page("<p>eleven herons stood</p><p>eleven herons stood in the long grass behind it</p>")
    assert density(lines, 0, 1) == 1 / 3
    assert density(lines, 1, 1) < density(lines, 0, 1)


def test_only_lines_that_share_a_sequence_are_conceptual() -> None:
    lines = page("<p>eleven herons stood there</p><p>eleven geese stood there</p>")
    assert conceptual_nodes(lines, ("eleven herons stood",)) == {0: {0}}


def test_a_title_in_a_list_of_links_does_not_win_over_the_text() -> None:
    many = "".join(f"<li><a href=/{n}>{TITLE}</a></li>" for n in range(30))
    found = extract(page(f"<div class=side><ul>{many}</ul></div><div class=text>{BODY}</div>"))
    assert found is not None
    assert found.text == TEXT


def test_posts_of_one_thread_are_told_apart_also_when_one_quotes_another() -> None:
    posts = [
        f"<p>{PARAGRAPHS[0]}</p>",
        f"<blockquote>Ana wrote: {PARAGRAPHS[0]}</blockquote><p>{PARAGRAPHS[1]}</p>",
        f"<p>{PARAGRAPHS[2]}</p>",
    ]
    thread = page(
        "".join(f"<div class=post><div class=by>Ben</div><div class=body>{each}</div></div>" for each in posts)
    )
    first = extract(thread, TITLE, PARAGRAPHS[0])
    third = extract(thread, TITLE, PARAGRAPHS[2])
    second = extract(thread, TITLE, f"Ana wrote: {PARAGRAPHS[0]} {PARAGRAPHS[1]}")
    assert [each and each.text for each in (first, third)] == [PARAGRAPHS[0], PARAGRAPHS[2]]
    assert second is not None
    assert second.text == f"Ana wrote: {PARAGRAPHS[0]}\n{PARAGRAPHS[1]}"


def test_several_articles_on_one_page_are_told_apart() -> None:
    front = page(
        "".join(
            f"<div class=teaser><h2>Story {n}</h2><div class=text><p>{each}</p></div></div>"
            for n, each in enumerate(PARAGRAPHS)
        )
    )
    for each in PARAGRAPHS:
        found = extract(front, "Story", " ".join(each.split()[:9]))
        assert found is not None
        assert found.text == each


def test_a_summary_in_other_words_is_found_by_its_concepts() -> None:
    body = page(modern())
    found = extract(
        body,
        "Herons counted",
        "A harbour master's counting: herons; ferries; islands; fisherman, villages",
        language="en",
    )
    assert found is not None
    assert PARAGRAPHS[0] in found.text
    assert "Recent" not in found.text


def test_words_are_compared_by_their_stems_in_their_language() -> None:
    text = "Les hérons volaient au-dessus des bateaux quand les pêcheurs rentraient vers leurs maisons blanches."
    other = "Les mouettes criaient autour des filets pendant que le vent soufflait fort."
    lines = page(f"<div class=a><p>{text}</p></div><div class=b><p>{other}</p></div>", language="fr")
    context = context_of("", "héron volant bateau pêcheur rentrant maison blanche", language="fr")
    match = find(lines, context)
    assert match is not None
    assert (match.node.get("class"), match.size) == ("a", 1)


def test_scripts_without_spaces_are_read_letter_by_letter() -> None:
    text = "今天早上港口管理員在防波堤上數到了十一隻蒼鷺，渡輪隨後開往群島。"
    lines = page(
        f"<div class=menu>首頁 港口 新聞</div><div class=text><p>{text}</p><p>漁民們說冬天會很冷。</p></div>",
        language="zh",
    )
    found = extract(lines, "港口的蒼鷺", text[:16])
    assert found is not None
    assert found.text == f"{text}\n漁民們說冬天會很冷。"


def test_a_title_alone_leads_to_the_article_around_it() -> None:
    found = extract(page(modern()), TITLE, "")
    assert found is not None
    assert TEXT in found.text
    assert "Recent" not in found.text


def test_an_inconsistent_node_is_left_for_what_stands_around_it() -> None:
    lines = page(f"<div class=all><div class=a>herons and ferries</div><div class=b>{PARAGRAPHS[0]}</div></div>")
    context = context_of("", ABOUT, language="en")
    inner = next(each for each in lines.spans if each.get("class") == "a")
    outer = consistent(lines, context, inner)
    assert outer is not None
    assert outer.get("class") == "all"


@pytest.mark.parametrize("body", ["", "<p>Something about nothing that matters at all here.</p>"])
def test_what_is_not_there_is_not_found(body: str) -> None:
    assert find(page(body), context_of(TITLE, ABOUT)) is None


def test_neither_an_empty_tree_nor_an_empty_item_is_an_error() -> None:
    assert find(lines_of(None), context_of(TITLE, ABOUT)) is None
    assert find(page(modern()), context_of("", "")) is None


def test_what_a_feed_puts_before_a_text_is_not_looked_for_on_the_page() -> None:
    page_: Lines = page(f"<div class=c><h4>Ben</h4><div class=when>May 3, 10:00</div>{BODY}</div>")
    found = extract(page_, "By: Ben", f"In reply to Zoe. {ABOUT}")
    assert found is not None
    assert found.text == TEXT


def test_markup_that_nests_without_end_hides_nothing_before_it() -> None:
    found = extract(page(f"<div class=text>{BODY}</div>" + "<div>" * 1500 + "deep" + "</div>" * 1500))
    assert found is not None
    assert found.text == TEXT


@pytest.mark.parametrize("tag", ["span", "font", "a", "b", "x-box"])
def test_a_named_inline_element_around_blocks_is_no_container(tag: str) -> None:
    """Old pages wrap whole blocks in `span class=…`, which has no lines of its own."""
    for start in (f"<{tag} class='body'><div>", f"<table><tr><td><{tag} id='text'><p>"):
        found = extract(page(f"<html><body>{start}<h2>{TITLE}</h2>{BODY}</{tag}></body></html>"))
        assert found is not None
        assert PARAGRAPHS[0] in found.text


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_markup_ends_in_an_error(pieces: list[str]) -> None:
    lines = page("".join(pieces))
    match = find(lines, context_of(TITLE, ABOUT))
    assert match is None or match.node in lines.spans
