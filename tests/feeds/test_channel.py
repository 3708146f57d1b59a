"""Which blocks of a page are the entries of its list."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.feeds.channel import Listing, Shown, beside, key_of, listings, parse, titled

KNOWN = {f"a.example/{name}" for name in ("one", "two", "three")}
TEXT = "words of some length that make an entry heavier than a line of a sidebar " * 2


def shown(markup: str, at: float = 0.0) -> Shown:
    tree = parse(markup.encode(), "utf-8")
    assert tree is not None
    return Shown("http://a.example/", at, tree)


def found(markup: str, known: set[str] = KNOWN) -> Listing:
    (listing,) = listings([shown(markup)], known)
    return listing


def article(name: str, more: str = "") -> str:
    return f'<div class="e"><h2><a href="/{name}">T {name}</a></h2><p>{TEXT}{more}</p></div>'


SIDE = "".join(f'<li><a href="/{name}">T {name}</a></li>' for name in ("one", "two", "three"))


def test_the_list_is_told_from_the_sidebar() -> None:
    page = f'<ul class="side">{SIDE}</ul><div id="list">{article("three")}{article("two")}{article("one")}</div>'
    listing = found(page)
    assert listing.keys == ("a.example/three", "a.example/two", "a.example/one")
    assert listing.container.get("id") == "list"
    assert [titled(entry) for entry in listing.entries] == ["T three", "T two", "T one"]
    assert beside(listing, KNOWN) == {"ul.side": 3}


def test_an_entry_may_link_to_others_and_be_unknown_itself() -> None:
    page = f'<div id="list">{article("new", "<a href=/one>as I said</a>")}{article("two")}{article("one")}</div>'
    assert found(page).keys == ("a.example/new", "a.example/two", "a.example/one")


def test_without_known_items_headings_tell() -> None:
    page = f'<ul><li><a href="/about">About</a><li><a href="/x">X</a></ul><div>{article("b")}{article("a")}</div>'
    assert found(page, set()).keys == ("a.example/b", "a.example/a")


def test_rows_that_go_on_with_an_item_belong_to_it() -> None:
    rows = "".join(
        f'<tr><td><a href="/{name}">T {name}</a></td></tr><tr class="sub"><td><a href="/{name}#c">talk</a></td></tr>'
        '<tr class="gap"></tr>'
        for name in ("three", "two", "one")
    )
    listing = found(f"<table><tbody>{rows}</tbody></table>")
    assert [len(entry.nodes) for entry in listing.entries] == [3, 3, 3]


def test_headings_of_days_are_told_from_entries() -> None:
    first, second = ('<h3 class="day">2 May</h3>', '<h3 class="day">1 May</h3>')
    page = f"<div>{first}{article('three')}{article('two')}{second}{article('one')}</div>"
    said = [entry.header[0].text for entry in found(page).entries]
    assert said == ["2 May", "2 May", "1 May"]


def test_another_template_has_a_list_of_its_own() -> None:
    old = shown(f'<div id="old">{article("two")}{article("one")}</div>', 1.0)
    new = shown(
        "<main>" + "".join(f"<section><h1><a href=/{x}>T</a></h1></section>" for x in ("three", "two")) + "</main>",
        2.0,
    )
    first, second = listings([old, new], KNOWN)
    assert (first.page.at, second.page.at) == (1.0, 2.0)
    assert first.place != second.place


@pytest.mark.parametrize("markup", ["<p>x", "<a href=/one>one</a>", "<div><a href='http://[x'>y</a></div>"])
def test_a_page_without_a_list_has_none(markup: str) -> None:
    assert listings([shown(markup)], KNOWN) == []


def test_what_cannot_be_parsed_is_nothing() -> None:
    assert parse(b"", "utf-8") is None
    assert parse(b"  ", "utf-8") is None


def test_spellings_of_a_link_meet() -> None:
    spellings = (
        "http://www.a.example/x/",
        "https://a.example/x",
        "https://a.example/x#c",
        "http://a.example/x?utm_source=f",
    )
    assert {key_of(each) for each in spellings} == {"a.example/x"}


_PIECES = st.sampled_from(
    ["<div>", "</div>", "<li>", "<a href=/one>one</a>", "<h2><a href=/two>two</a></h2>", "x", "<!-- c -->"]
)


@settings(max_examples=200)
@given(st.lists(_PIECES, max_size=30))
def test_any_markup_can_be_looked_at(pieces: list[str]) -> None:
    tree = parse("".join(pieces).encode(), "utf-8")
    if tree is None:
        return
    for listing in listings([Shown("http://a.example/", 0.0, tree)], KNOWN):
        assert len(set(listing.keys)) == len(listing.keys) >= 2
