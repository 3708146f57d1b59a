"""A definition: what it says, and what is said about a mistake in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from anansi import config
from anansi.config import Definition, Override, load, parse, sections
from anansi.errors import ConfigError


def complaint(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(text, "crawl.yaml")
    assert caught.value.exit_code == 2
    return str(caught.value)


@given(st.text(max_size=200))
def test_no_text_ends_in_anything_but_a_definition_or_a_complaint(text: str) -> None:
    try:
        assert isinstance(parse(text, "crawl.yaml"), Definition)
    except ConfigError as error:
        assert str(error).startswith("crawl.yaml")


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner)
)
BOMBS = [
    "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "seeds: *j\n",
    "a: &a {x: 1}\n"
    + "".join(
        f"{b}: &{b} {{<<: [{', '.join([f'*{a}'] * 20)}]}}\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "focus:\n  entities:\n  - &e {name: a, aliases: &l [" + "b, " * 1000 + "]}\n" + "  - *e\n" * 1000,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=["lists", "merges", "entities"])
def test_a_few_lines_that_stand_for_millions_are_refused(bomb: str) -> None:
    assert "more than 200,000 values" in complaint(bomb)


def test_what_is_too_long_is_refused() -> None:
    assert "longer than a definition can be" in complaint("#" * (config.reading.LONGEST + 1))


names = st.sampled_from([name for _, section in sections() for name in section.__struct_fields__])


@given(st.dictionaries(names, st.dictionaries(names, values, max_size=3) | values, max_size=4))
def test_any_value_anywhere_is_taken_or_complained_about(raw: dict[str, Any]) -> None:
    text = yaml.safe_dump(raw)
    try:
        parse(text, "crawl.yaml")
    except ConfigError as error:
        assert str(error).startswith("crawl.yaml")


def test_an_empty_file_means_the_defaults() -> None:
    assert parse("", "crawl.yaml") == parse("# nothing\n", "crawl.yaml") == Definition()


def test_aliases_and_merges_may_be_used() -> None:
    text = "sites:\n  a.org: &slow {delay: 5}\n  b.org: *slow\n  c.org: {<<: *slow, paused: true}\n"
    sites = parse(text, "crawl.yaml").sites
    assert sites["b.org"] == Override(delay=5)
    assert sites["c.org"] == Override(delay=5, paused=True)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"archive: {operator: M\xfcller}\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "latin.yaml")
    (tmp_path / "good.yaml").write_text("archive: {operator: Müller}\n", encoding="utf-8")
    assert load(tmp_path / "good.yaml").archive.operator == "Müller"
