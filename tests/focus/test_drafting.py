"""Definitions as files: every entry on a line of its own, with where it came from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.config import Entity, Topic, parse
from anansi.focus.corpus import Support
from anansi.focus.drafting import Draft, draft
from anansi.focus.proposals import Proposal
from anansi.focus.settings import SETTINGS

SEEN = Support(3, 60, 12, "The levee\nbroke # here.", "http://site.example/1")
PROPOSALS = [
    Proposal("keywords", "high water", Support(0, 60), given=True),
    Proposal("keywords", "levee: old", SEEN),
    Proposal("entities", Entity(name="Angela Merkel", aliases=["Merkel"], kind="person"), SEEN, edited=True),
    Proposal("topics", Topic(name="dams", terms=["levee"], examples=["http://site.example/1"]), SEEN),
    Proposal("languages", "no", SEEN),
]


def drafted(proposals: list[Proposal], *, accepted: bool = True) -> str:
    return draft(Draft(["http://site.example/"], proposals, "Proposed by hand.", accepted))


def test_a_draft_is_a_definition() -> None:
    definition = parse(drafted(PROPOSALS), "crawl.yaml")
    focus = definition.focus
    assert definition.seeds == ["http://site.example/"]
    assert focus.keywords == ["high water", "levee: old"]
    assert focus.entities == [PROPOSALS[2].value]
    assert focus.topics == [PROPOSALS[3].value]
    assert focus.languages == ["no"]  # which YAML would read as false


def test_every_entry_says_where_it_came_from_on_its_line() -> None:
    lines = {line.strip().partition("  # ")[0]: line.partition("  # ")[2] for line in drafted(PROPOSALS).splitlines()}
    assert lines["- high water"] == "yours; on none of 60 pages"
    said = "3 of 60 pages, 12 times: “The levee broke # here.” http://site.example/1"
    assert lines["- 'levee: old'"] == said
    assert lines["- {name: Angela Merkel, aliases: [Merkel], kind: person}"] == f"edited by you; {said}"


def test_who_has_not_looked_is_told_how_to_strike() -> None:
    assert "delete the lines" in drafted(PROPOSALS, accepted=False)
    assert "delete the lines" not in drafted(PROPOSALS)
    struck = "\n".join(line for line in drafted(PROPOSALS).splitlines() if "levee: old" not in line)
    assert parse(struck, "crawl.yaml").focus.keywords == ["high water"]


def test_without_proposals_nothing_is_looked_for() -> None:
    assert not parse(drafted([]), "crawl.yaml").focus.is_set()


@given(st.text(min_size=1, max_size=300), st.text(max_size=400), st.text(max_size=50))
def test_whatever_the_web_says_the_draft_can_be_read(word: str, sentence: str, url: str) -> None:
    name = f"a{word}"[:200].encode("utf-8", "replace").decode()
    text = drafted([Proposal("keywords", name, Support(1, 2, 3, sentence, url))])
    assert parse(text, "crawl.yaml").focus.keywords == [name]


def test_a_long_sentence_is_cut() -> None:
    line = drafted([Proposal("keywords", "x", Support(1, 2, 3, "w " * 900, "u"))]).splitlines()[-1]
    assert len(line) < SETTINGS.quoted + 60
