"""The settings: few, frozen, each with a meaning."""

from __future__ import annotations

import re

import msgspec
import pytest

from anansi.config import Definition, about, sections


def test_a_definition_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Definition().workers = 5  # type: ignore[misc]


def settings() -> list[tuple[type[msgspec.Struct], str]]:
    """List what a person can set, sections aside."""
    groups = {name.partition(".")[0] for name, _ in sections()} | {"weights"}
    return [(section, name) for _, section in sections() for name in section.__struct_fields__ if name not in groups]


def test_there_are_fewer_than_40_settings() -> None:
    """What is crawled (seeds, focus) and what holds for one site instead are no knobs of their own."""
    apart = {section for name, section in sections() if name.startswith(("focus", "sites"))}
    knobs = [name for section, name in settings() if section not in apart and name != "seeds"]
    assert 20 < len(knobs) < 40


def test_every_setting_says_what_it_means_in_one_line() -> None:
    for section, name in settings():
        words = about(section, name)
        assert words, f"{section.__name__}.{name}"
        assert len(words) < 140
        assert not re.search(r"[.\n]$", words)
