"""Proposals are accepted, changed and struck at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from anansi.cli.striking import struck
from anansi.config import Entity, Topic
from anansi.focus.corpus import Support
from anansi.focus.proposals import Proposal

SEEN = Support(3, 60, 12, "The levee broke.", "http://site.example/1")
GIVEN = Proposal("keywords", "high water", SEEN, given=True)
LEVEE = Proposal("keywords", "levee", SEEN)
NEW = Proposal("keywords", "new", SEEN)
MERKEL = Proposal("entities", Entity(name="Angela Merkel", aliases=["Merkel"]), SEEN)
DAMS = Proposal("topics", Topic(name="dams", terms=["levee"], examples=["http://x.example/"]), SEEN)
ENGLISH = Proposal("languages", "en", SEEN)
ALL = [GIVEN, LEVEE, NEW, MERKEL, DAMS, ENGLISH]


def asked(proposals: Sequence[Proposal], *answers: str) -> tuple[list[Proposal], str]:
    """Answer questions in turn; when there are no more answers, the terminal is gone."""
    ahead, told = list(answers), []

    def read(question: str) -> str:
        told.append(question)
        if not ahead:
            raise EOFError
        return ahead.pop(0)

    kept = struck(proposals, read, told.append)
    assert not ahead, "not all answers were asked for"
    return kept, "\n".join(told)


def test_each_is_shown_with_its_evidence_and_accepted_or_struck() -> None:
    kept, told = asked(ALL, "y", "n", "Y", "no", "yes")
    assert kept == [GIVEN, LEVEE, MERKEL, ENGLISH]
    assert "keyword    levee" in told
    assert "entity     Angela Merkel = Merkel" in told
    assert "topic      dams: levee" in told
    assert "3 of 60 pages, 12 times: “The levee broke.” http://site.example/1" in told
    assert "high water" not in told  # nobody is asked about their own words


def test_all_that_follow_are_accepted_or_struck_at_once() -> None:
    assert asked(ALL, "n", "a")[0] == [GIVEN, NEW, MERKEL, DAMS, ENGLISH]
    assert asked([LEVEE, NEW, GIVEN], "y", "q")[0] == [LEVEE, GIVEN]


def test_a_terminal_that_goes_away_keeps_what_was_accepted() -> None:
    assert asked(ALL, "y")[0] == [GIVEN, LEVEE]


@pytest.mark.parametrize(
    ("proposal", "line", "value"),
    [
        (LEVEE, "  dike ", "dike"),
        (MERKEL, "A. Merkel = Merkel, Angie, ", Entity(name="A. Merkel", aliases=["Merkel", "Angie"])),
        (MERKEL, "Merkel", Entity(name="Merkel")),
        (DAMS, "walls: dike, wall", Topic(name="walls", terms=["dike", "wall"], examples=["http://x.example/"])),
        (DAMS, "walls", Topic(name="walls", terms=["levee"], examples=["http://x.example/"])),
        (ENGLISH, "DE", "de"),
    ],
)
def test_a_proposal_is_changed(proposal: Proposal, line: str, value: object) -> None:
    (kept,), _ = asked([proposal], "e", line)
    assert kept.value == value
    assert kept.edited


def test_what_cannot_be_read_is_asked_again() -> None:
    (kept,), told = asked([ENGLISH], "x", "", "e", "English", "e", "...", "y")
    assert kept == ENGLISH
    assert told.count("that cannot be read") == 2
    assert told.count("strike this and all that follow") == 2


def test_what_the_web_says_moves_no_cursor() -> None:
    nasty = Proposal("keywords", "a\x1b[2Jb", Support(1, 2, 3, "x\x1b]0;t\x07y", "u\x9b"))
    assert not any(sign in asked([nasty], "n")[1] for sign in "\x1b\x07\x9b")
