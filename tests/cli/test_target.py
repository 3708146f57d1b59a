"""The page that a command is asked about: a file, or an address; what is neither is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.cli.target import NOWHERE, document_of
from anansi.errors import UserError
from tests.web import ScriptedWeb, html


def test_a_saved_page_stands_where_it_is_said_to(tmp_path: Path) -> None:
    saved = tmp_path / "page.html"
    saved.write_text("<title>Saved</title><p>text")
    assert document_of(str(saved), "https://example.org/a").url == "https://example.org/a"
    assert document_of(str(saved), None).url == NOWHERE


def test_an_address_is_fetched() -> None:
    with ScriptedWeb() as web:
        web.add("/page", html("Found"))
        assert "Found" in document_of(web.url + "/page", None).source


@pytest.mark.parametrize(
    ("target", "url", "told"),
    [
        ("none.html", None, "no such file"),
        ("./none", None, "no such file"),
        ("none.html", "https://example.org/", "where a saved page stood"),
    ],
)
def test_a_file_that_is_not_there_is_no_address(target: str, url: str | None, told: str) -> None:
    with pytest.raises(UserError, match=told):
        document_of(target, url)
