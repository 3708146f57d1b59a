"""The automaton: which links to follow, in which states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.errors import KnowledgeError
from anansi.knowledge.patterns import parse_pattern
from anansi.knowledge.xpath import parse
from anansi.learn.automaton import NOWHERE, Automaton, State, fits, read_states, write_states
from anansi.learn.labels import Attributes, Labeller, coarse
from anansi.text import tree as html
from anansi.text.page_model import PageModel

LIST, PAGES, POST = "/html/body/ul/li/a/@href", "/html/body/p/a/@href", "/html/body/div/a/@href"


def automaton(*clicks: str) -> Automaton:
    return Automaton([parse_pattern('doc("http://x.org/")' + each) for each in clicks])


def click(path: str, times: str = "") -> str:
    return f"/({path}{{click/}}){times}"


def test_a_pattern_is_followed_click_by_click() -> None:
    machine = automaton(click(LIST) + click(POST))
    first = machine.step(machine.start(), LIST)
    assert machine.step(machine.start(), POST) == NOWHERE
    last = machine.step(first, POST)
    assert last
    assert machine.step(last, POST) == machine.step(last, LIST) == NOWHERE


def test_a_repeated_click_is_followed_from_where_it_led_to() -> None:
    machine = automaton(click(PAGES, "+") + click(POST))
    here = machine.start()
    assert machine.step(here, POST) == NOWHERE
    for _ in range(50):
        here = machine.step(here, PAGES)
        assert here
        assert machine.step(here, POST)


def test_a_number_limits_repetition() -> None:
    machine = automaton(click(PAGES, "3"))
    here, count = machine.start(), 0
    while here := machine.step(here, PAGES):
        count += 1
    assert count == 3


def test_what_may_be_left_out_is_not_needed() -> None:
    machine = automaton(click(PAGES, "*") + click(POST))
    assert machine.step(machine.start(), POST)
    assert machine.step(machine.step(machine.start(), PAGES), POST)


def test_patterns_are_followed_side_by_side() -> None:
    machine = automaton(click(LIST) + click(POST), click(LIST) + click(PAGES, "+"))
    here = machine.step(machine.start(), LIST)
    assert {state.pattern for state in here} == {0, 1}
    assert {state.pattern for state in machine.step(here, PAGES)} == {1}


PAGE = b"""<html><body><ul><li><a href="/1">1</a></li></ul><p><a href="/next">next</a></p>
<div id="post-3" class="post new"><a href="/3" rel="x">3</a></div></body></html>"""


def test_links_of_a_page_are_followed_as_their_labels_are() -> None:
    machine = automaton(click(LIST) + click(POST), click(PAGES, "+"))
    tree = html.parse(PAGE, "utf-8")
    by_label = {
        href: there
        for href, label in Labeller().links(PageModel(tree))
        if (there := machine.step(machine.start(), coarse(label, Attributes.BOTH)))
    }
    assert machine.follow(tree, machine.start()) == by_label
    assert set(by_label) == {"/1", "/next"}


def test_a_pattern_edited_by_hand_may_use_what_labels_do_not_have() -> None:
    machine = automaton(click("/html/body//a[@rel='x']"))
    assert set(machine.follow(html.parse(PAGE, "utf-8"), machine.start())) == {"/3"}


@pytest.mark.parametrize(
    ("path", "label", "fit"),
    [
        ("html/body/a/@href", "html/body/a/@href", True),
        ("html/body/a", "html/body/a/@href", True),
        ("html/body", "html/body/a/@href", False),
        ("html/*/a/@href", "html/body/a/@href", True),
        ("html//a/@href", "html/body/div/a/@href", True),
        ("html/a/@href", "html/body/a/@href", False),
        ("html/body/div[contains(@id,'post')]/a/@href", "html/body/div[contains(@id,'post-')]/a/@href", True),
        ("html/body/div[@id='post-']/a/@href", "html/body/div[contains(@id,'post-')]/a/@href", False),
        ("html/body/div[2]/a/@href", "html/body/div/a/@href", False),
    ],
)
def test_a_path_fits_a_label(path: str, label: str, fit: bool) -> None:
    assert fits(parse(path), parse(label)) is fit


STATES = st.frozensets(st.builds(State, *[st.integers(0, 99)] * 3), max_size=5)


@given(STATES)
def test_states_that_a_url_carries_are_read_as_they_were_written(states: frozenset[State]) -> None:
    assert read_states(write_states(states)) == states


def test_a_text_that_is_no_states_is_refused() -> None:
    for text in ("x", "1.2", "1.2.3.4"):
        with pytest.raises(KnowledgeError, match="learn the site again"):
            read_states(text)
