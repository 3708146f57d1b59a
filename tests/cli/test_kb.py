"""`anansi kb`: what is known, whether it is well said, and whether it is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anansi.cli import app
from anansi.errors import UserError
from anansi.knowledge import notation, shelf

GUIDE = Path(__file__).parents[2] / "docs" / "knowledge" / "describe-a-cms.md"
BLOCKS: dict[str, str] = {
    kind: block for kind, block in re.findall(r"^```(\w+)\n(.*?)^```", GUIDE.read_text(), re.M | re.S) if kind != "sh"
}


def kb(*arguments: str | Path) -> tuple[int, str]:
    """Run a command; errors are what `anansi` would say."""
    result = CliRunner().invoke(app, ["kb", *map(str, arguments)])
    if isinstance(result.exception, UserError):
        return result.exception.exit_code, str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def as_json(*arguments: str | Path) -> tuple[int, Any]:
    code, said = kb(*arguments, "--json")
    return code, json.loads(said)


@pytest.fixture
def agora(tmp_path: Path) -> Path:
    """The folder that the guide makes."""
    pages = tmp_path / "agora" / "pages" / "forum.agora"
    pages.mkdir(parents=True)
    (tmp_path / "agora" / "agora.xml").write_text(BLOCKS["xml"])
    (pages / "thread.html").write_text(BLOCKS["html"])
    (pages / "thread.yaml").write_text(BLOCKS["yaml"])
    return tmp_path / "agora"


def change(path: Path, good: str, bad: str) -> None:
    text = path.read_text()
    assert good in text
    path.write_text(text.replace(good, bad, 1))


# ── list and show ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_types_are_listed(agora: Path) -> None:
    code, said = as_json("list")
    assert code == 0
    assert {each["type"] for each in said} == shelf.catalogue().types.keys()
    code, more = as_json("list", "--knowledge", agora)
    (own,) = [each for each in more if each["type"] == "forum/agora"]
    assert (own["title"], own["patterns"], own["objects"]) == ("Agora", 1, ["thread", "post"])
    assert {"thread", "board", "home"} <= set(own["levels"])
    assert "forum/agora" in kb("list", "-k", agora)[1]


def test_an_entry_is_shown_with_what_it_inherits(agora: Path) -> None:
    code, said = kb("show", "forum/agora", "-k", agora)
    assert code == 0
    assert "meta[@name='generator'][contains(@content,'Agora')]  (2.1)" in said
    assert "level board (intermediate)" in said, "inherited from forum"
    assert "takes post: id, author, date, text, quote" in said
    assert '<type id="forum/agora" title="Agora">' in said
    _, plain = as_json("show", "forum/agora", "-k", agora)
    shown = notation.read(plain["xml"].encode(), "shown")
    assert shown == shelf.catalogue(agora)["forum/agora"]
    assert plain["source"].endswith("agora.xml")


def test_a_type_that_is_not_there_is_told_with_those_like_it() -> None:
    code, said = kb("show", "phpbb")
    assert (code, said) == (2, "there is no type `phpbb`; did you mean forum/phpbb?")
    assert kb("show", "xyz")[1].endswith("see `anansi kb list`")


# ── check ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_good_entries_have_no_problems(agora: Path) -> None:
    assert kb("check", agora) == (0, "1 entry: no problems\n")
    assert as_json("check", agora / "agora.xml") == (0, {"ok": True, "entries": 1, "problems": []})


def test_every_problem_of_every_file_is_told_with_line_and_cure(agora: Path) -> None:
    change(agora / "agora.xml", "h1[@class='subject']", "h1[@class=subject]")
    change(agora / "agora.xml", 'name="author"', 'name="writer"')
    (agora / "second.xml").write_text("<type")
    (agora / "third.xml").write_text('<type id="shop/x" title="X"><about/></type>')
    code, said = as_json("check", agora)
    assert (code, said["ok"], said["entries"]) == (2, False, 1)
    title, author, second, third = said["problems"]
    assert f"{agora}/agora.xml, line 20: `h1[@class=subject]` is not an expression: character 11 should be" in title
    assert f"{agora}/agora.xml, line 25: `writer` is not a known property; known are id, title, author" in author
    assert f"{agora}/second.xml, line 1: not well-formed XML" in second
    assert f"{agora}/third.xml, line 1: `shop/x` refines `shop`, which does not exist; add an entry `shop`" in third
    code, text = kb("check", agora)
    assert code == 2
    assert text.endswith("1 entry: 4 problems\n")


def test_problems_between_entries_are_told(agora: Path) -> None:
    change(agora / "agora.xml", 'leads="board"', 'leads="boards"')
    code, said = as_json("check", agora / "agora.xml")
    assert code == 2
    (problem,) = said["problems"]
    assert f"{agora}/agora.xml, line 12: there is no level `boards`; the levels are board, home, thread" in problem


def test_what_cannot_be_checked_is_told(agora: Path, tmp_path: Path) -> None:
    code, said = kb("check", tmp_path / "nothing.xml")
    assert code == 2
    assert "nothing.xml cannot be read: No such file or directory" in said
    (tmp_path / "empty").mkdir()
    assert kb("check", tmp_path / "empty") == (2, f"{tmp_path / 'empty'} holds no entries (*.xml)")


# ── test ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_guide_s_entry_passes_the_guide_s_test(agora: Path) -> None:
    assert kb("test", agora) == (0, "1 page: all as expected\n")
    assert as_json("test", agora / "agora.xml") == (0, {"ok": True, "pages": 1, "wrong": {}})
    assert kb("test", agora / "agora.xml", "--pages", agora / "pages")[0] == 0


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ("level: thread", "level: board", "level: expected board, found thread"),
        ("/b/3: board", "/b/3: thread", "link /b/3: expected thread, found board"),
        ("/b/3: board", "/b/4: board", "link /b/4: expected board, found not on the page"),
        ("author: Otto", "author: Ott", "object 3 (post), author: expected ['Ott'], found ['Otto']"),
        (
            "- kind: thread\n    title",
            "- kind: post\n    title",
            "objects: expected post, post, post, found thread, post",
        ),
    ],
)
def test_what_is_not_as_expected_is_told(agora: Path, good: str, bad: str, words: str) -> None:
    page = agora / "pages" / "forum.agora" / "thread"
    change(page.with_suffix(".yaml"), good, bad)
    code, said = kb("test", agora)
    assert code == 2
    assert words in said
    assert said.endswith("1 page: 1 not as expected\n")
    assert words in as_json("test", agora)[1]["wrong"][f"{page}.html"][0]


def test_a_page_of_another_type_is_told(agora: Path) -> None:
    change(agora / "pages/forum.agora/thread.html", "Agora 2.1", "Other")
    assert "type: expected forum/agora, found none" in kb("test", agora)[1]


def test_a_story_that_cannot_be_read_is_told_with_its_file(agora: Path) -> None:
    beside = agora / "pages/forum.agora/thread.yaml"
    for text, words in (
        ("url: [", "thread.yaml, line 1: not valid YAML"),
        ("url: http://a.org/\nlevel: x\nlinsk: {}", "unknown field `linsk`"),
        ("", "a page's story has url, level"),
    ):
        beside.write_text(text)
        code, said = kb("test", agora)
        assert code == 2
        assert words in said
    beside.unlink()
    assert "every page needs its .yaml beside it" in kb("test", agora)[1]


def test_what_cannot_be_tested_is_told(agora: Path, tmp_path: Path) -> None:
    assert "no such file or folder" in kb("test", tmp_path / "nothing")[1]
    change(agora / "agora.xml", 'id="forum/agora"', 'id="forum/other"')
    code, said = kb("test", agora / "agora.xml")
    assert code == 2
    assert "holds no pages; a page is" in said
    (tmp_path / "lone.xml").write_text(BLOCKS["xml"])
    assert "put the pages there, or name their folder with `--pages`" in kb("test", tmp_path / "lone.xml")[1]
