"""`anansi history`: the life of a page, as people and programs read it."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from tests.archive.boards import collection_in
from tests.change.content import REAL, Setting, sample
from tests.change.templates import TEMPLATES
from tests.cli.conftest import Said, anansi
from tests.web import Reply, ScriptedWeb, html

PATH = "/2026/05/the-post/"
HTML = ("content-type", "text/html; charset=utf-8")


def served(content: object, **around: object) -> Reply:
    page = TEMPLATES["WordPress, classic"].write(content, replace(Setting(), **around))  # type: ignore[arg-type]
    return Reply(200, (HTML,), page.encode())


@pytest.fixture(scope="module")
def blog(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A post that was captured four times: new, with another template, with other words, gone."""
    folder = tmp_path_factory.mktemp("history") / "c"
    first = sample(5)
    edited = REAL["a comment added"](REAL["a word"](first, random.Random(3)), random.Random(4))
    with ScriptedWeb() as web:
        web.add("/plain", html("Plain", (), "Nothing is known of this page."))
        web.add("/", html("Home", [PATH, "/plain"]))
        for reply in (served(first), served(first, ad=9, views=7), served(edited), html("Gone", status=404)):
            url = web.add(PATH, reply)
            options = ["--recrawl"] if folder.exists() else []
            said = anansi("crawl", web.url + "/", "-o", folder, "--delay", "0", *options)
            assert said.code == 0, said.errors
            time.sleep(1)  # captures are told apart by their seconds
    return folder, url


def asked(blog: tuple[Path, str], *more: str) -> Said:
    folder, url = blog
    return anansi("history", folder, url, *more)


def test_what_is_unchanged_is_no_version(blog: tuple[Path, str]) -> None:
    told = asked(blog, "--json").json
    shown = [(each["version"], each["status"], each["changed"]) for each in told["captures"]]
    assert list(dict.fromkeys(shown)) == [
        (1, "200", True),
        (1, "200", False),
        (2, "200", True),
        *([(2, "200", False)] if (2, "200", False) in shown else []),  # a crawl may come by twice
        (None, "404", False),
    ]
    first, second = told["versions"]
    assert first["first"] == told["captures"][0]["captured"] < first["last"] < second["first"]
    assert first["captures"] == sum(each["version"] == 1 for each in told["captures"])


def test_a_version_says_what_changed(blog: tuple[Path, str]) -> None:
    _, url = blog
    second = asked(blog, "--json").json["versions"][1]
    assert len(second["added"]) == 1
    assert second["added"][0].startswith(f"{url}#comment-")
    assert second["removed"] == []
    (changed,) = second["changed"]
    assert (changed["uri"], [each["name"] for each in changed["properties"]]) == (url, ["text"])


def test_the_difference_is_shown_word_by_word(blog: tuple[Path, str]) -> None:
    said = asked(blog, "--diff")
    assert said.code == 0
    assert "{+otherwise+}" in said.output
    assert "[-" in said.output
    assert "{+Hal Dunn: " in said.output
    assert "unchanged" in said.output
    assert "\x1b[" not in said.output  # no colours where no terminal is
    assert "{+otherwise+}" not in asked(blog).output


def test_an_object_has_a_history_of_its_own(blog: tuple[Path, str]) -> None:
    folder, _ = blog
    uri = asked(blog, "--json").json["versions"][0]["objects"][1]["uri"]
    told = anansi("history", folder, uri, "--json").json
    assert [each["uri"] for version in told["versions"] for each in version["objects"]] == [uri]
    assert len(told["captures"]) >= 4


def test_a_page_without_objects_has_captures_all_the_same(blog: tuple[Path, str]) -> None:
    folder, url = blog
    said = anansi("history", folder, url.replace(PATH, "/plain"))
    assert said.code == 0
    assert "4 captures, 0 versions" in said.output
    assert "no objects were found there" in said.output


def test_a_url_that_was_never_captured_is_said_with_others(blog: tuple[Path, str]) -> None:
    folder, url = blog
    said = anansi("history", folder, url.replace("the-post", "the-pots"))
    assert said.code == 2
    assert "was never captured" in said.errors
    assert url in said.errors


def test_an_empty_collection_says_what_to_do(tmp_path: Path) -> None:
    folder = collection_in(tmp_path / "c").root
    said = anansi("history", folder, "https://example.org/")
    assert (said.code, "holds no captures yet" in said.errors) == (2, True)


def test_what_is_no_address_or_no_collection_is_refused(tmp_path: Path) -> None:
    assert anansi("history", tmp_path / "none", "https://example.org/").code == 3
    folder = collection_in(tmp_path / "c").root
    said = anansi("history", folder, "http://[")
    assert (said.code, "is no address" in said.errors) == (2, True)
    assert Collection(folder).exists()
