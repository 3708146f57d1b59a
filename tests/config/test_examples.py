"""Texts that a definition names as examples: read beside it, or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi import config
from anansi.config import dump, load, parse
from anansi.errors import ConfigError

TOPIC = "focus:\n  topics:\n  - {name: dams, examples: [dams.txt, dams.html, https://example.org/dams]}\n"


def test_examples_of_topics_stand_beside_the_definition_and_are_found_from_its_copy(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(TOPIC)
    (tmp_path / "dams.txt").write_text("A dam < a lake")
    (tmp_path / "dams.html").write_text("<!DOCTYPE html><title>Dams</title><script>no()</script><p>A <b>levee</b>")
    definition = load(tmp_path / "mine.yaml")
    copy = parse(dump(definition), "collection/crawl.yaml")
    assert config.urls_of(copy.focus.topics) == ["https://example.org/dams"]
    texts = config.texts_of(copy.focus.topics)
    assert texts[str(tmp_path / "dams.txt")] == "A dam < a lake"
    assert texts[str(tmp_path / "dams.html")].split() == ["Dams", "A", "levee"]


@pytest.mark.parametrize("example", ["none.txt", ".", "a\0b"])
def test_an_example_that_cannot_be_read_is_told(example: str, tmp_path: Path) -> None:
    topic = config.Topic(name="dams", examples=[f"{tmp_path}/{example}"])
    with pytest.raises(ConfigError, match=r"cannot be read: .*; name a text file or a URL"):
        config.texts_of([topic])
