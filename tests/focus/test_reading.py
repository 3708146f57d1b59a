"""A page is read once: its terms, its regions, its links and where they stand."""

from __future__ import annotations

import time

from anansi.focus.reading import LONGEST, MOST_LINKS, address_terms
from anansi.focus.terms import terms
from tests.focus.pages import SITE, key, reading


def test_words_are_cut_to_stems_and_those_that_say_nothing_are_left_out() -> None:
    assert terms("The locomotives, and the Railway's signals!") == ("locomot", "railway", "signal")
    assert terms("well-known steam/diesel") == ("known", "steam", "diesel")


def test_mixed_scripts_numbers_and_nonsense_are_read() -> None:
    found = terms("Straße железная 1825 дорога 鉄道 x 𝔸 " + "a" * 500)
    assert "straße" in found
    assert "железная" in found
    assert "1825" not in found
    assert all(len(term) <= 40 for term in found)
    assert terms("\x00 \ud800 …") == ()


def test_links_know_their_words_their_place_and_their_region() -> None:
    page = reading(
        "/",
        '<div class="post"><p>Of <a href="/wiki/Steam_locomotive.htm">steam engines</a> and more of them.</p>'
        '<ul><li><a href="/b">First</a></li><li><a href="/c">Second</a></li></ul></div>',
    )
    first, second, third = page.references
    assert (first.key, first.anchor) == (key("/wiki/Steam_locomotive.htm"), ("steam", "engin"))
    assert first.address == ("steam", "locomot")
    assert first.group != second.group == third.group
    assert first.label == "/html/body/div.post/p"
    assert second.label.endswith("ul/li")
    assert page.blocks[first.block].terms == ("steam", "engin")


def test_navigation_is_not_the_pages_own_text() -> None:
    page = reading(
        "/",
        '<nav><p>Imprint of everything here</p></nav><div><a href="/1">gardens</a> <a href="/2">kitchens</a></div>'
        "<script>var hidden = 'secret'</script><p>Locomotives ran here.</p>",
        title="Railways",
    )
    assert set(page.own) == {"locomot", "ran"}
    assert {"imprint", "garden"} <= set(page.terms)
    assert "secret" not in page.terms
    assert page.title == ("railway",)
    assert [page.blocks[link.block].main for link in page.references] == [False, False]


def test_what_an_anchor_without_text_is_called_is_read() -> None:
    page = reading("/", '<p><a href="/x" title="Old carriage"><img src="x.png"></a></p>')
    assert page.references[0].anchor == ("old", "carriag")


def test_addresses_say_something() -> None:
    assert address_terms(f"{SITE}/wp/r/Rail_transport.htm") == ("rail", "transport")
    assert address_terms(f"{SITE}/D%25C3%25A1l_Riata.html") == ("dál", "riata")
    assert address_terms(f"{SITE}/trains/?page=2") == ("train", "page")
    assert address_terms(f"{SITE}/") == ()


def test_a_page_of_ten_megabytes_is_read_in_part() -> None:
    body = "<p>locomotive <a href='/x'>x</a></p>" * 300_000
    started = time.process_time()
    page = reading("/", body)
    assert time.process_time() - started < 20
    assert len(page.references) <= MOST_LINKS
    assert sum(page.terms.values()) * len("locomotive ") < 2 * LONGEST


def test_an_empty_page_is_a_page() -> None:
    page = reading("/", "")
    assert (page.terms, page.references, page.blocks) == ({}, (), ())


def test_links_are_bounded_also_where_they_stand_in_one_paragraph() -> None:
    page = reading("/", "<p>" + "".join(f'<a href="/{number}">x</a> ' for number in range(MOST_LINKS + 500)))
    assert len(page.references) == MOST_LINKS
