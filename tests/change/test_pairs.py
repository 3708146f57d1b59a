"""The floors: nothing that people changed is missed, and what software changed is not taken for it."""

from __future__ import annotations

import time
from functools import cache

import msgspec
import pytest

from tests.change.content import REAL, Setting, sample
from tests.change.pairs import NOW, SETS, Figures, cases, judged, measured, visited
from tests.change.templates import TEMPLATES

MISTAKEN = 0.01
"""Share of changes around the content that may be taken for changes of it."""
PAIRS = {"eight templates": 800, "their long pages": 800, "templates written last": 400, "changes written last": 550}
"""Pairs that a set has at least: who takes some away lowers what is measured."""


@cache
def figures(name: str) -> Figures:
    return measured(SETS[name]())


@pytest.mark.parametrize(
    "name", [name if "long" not in name else pytest.param(name, marks=pytest.mark.long) for name in SETS]
)
def test_no_change_is_missed_and_hardly_one_made_up(name: str) -> None:
    found = figures(name)
    assert found.pairs >= PAIRS[name]
    assert [(case.template, case.change) for case, _ in found.missed] == []
    wrong = [(case.template, case.change, change.told) for case, change in found.mistaken]
    assert len(wrong) <= MISTAKEN * found.around, wrong


def test_a_change_is_told_by_its_name() -> None:
    told = {
        (case.template, case.change): judged(case)
        for case in cases({name: TEMPLATES[name] for name in ("WordPress, classic", "phpBB", "Discourse")})
        if case.change in REAL and not case.feed
    }
    for name in ("WordPress, classic", "phpBB"):
        assert told[name, "a comment added"].added == 1
        assert told[name, "a comment removed"].removed == 1
        assert told[name, "a comment edited"].edited == 1
        assert told[name, "the title"].title
    assert told["WordPress, classic", "a word"].told == ("text",)
    assert told["WordPress, classic", "the target of a link"].told == ("references",)
    assert told["WordPress, classic", "the author"].told == ("makers",)
    assert told["phpBB", "a word"].told == ("1 edited",)  # the first post of a thread is one of its posts


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_version_is_small_and_quickly_made(name: str) -> None:
    template = TEMPLATES[name]
    page = template.write(sample(7, 320, 360), Setting())
    began = time.process_time()
    version = visited(page, template.url, NOW, None).version
    assert time.process_time() - began < 5
    assert len(msgspec.msgpack.encode(version)) < 1024
