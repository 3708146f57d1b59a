"""`anansi evaluate` as people type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from tests.cli.conftest import PAGES, anansi, refused
from tests.crawl.case import crawl
from tests.evaluate.collections import Made, collect
from tests.web import ScriptedWeb

TEXTS: dict[str, str | Made] = {f"/{letter}": f"<p>all of it, x{letter} y{letter}</p>" for letter in "abcdefghi"}


@pytest.fixture
def blind(tmp_path: Path) -> Path:
    return collect(tmp_path / "blind", TEXTS, requests=18)


@pytest.fixture
def aware(tmp_path: Path) -> Path:
    return collect(tmp_path / "aware", dict(list(TEXTS.items())[:6]), requests=6)


def test_two_real_crawls_are_compared_in_a_table_and_on_a_page(web: ScriptedWeb, tmp_path: Path) -> None:
    whole = crawl(tmp_path / "a", web.url + "/", options=("--strategy", "blind")).collection.root
    part = crawl(tmp_path / "b", web.url + "/", options=("--exclude", "/1[01]$")).collection.root
    said = anansi("evaluate", "--blind", whole, "--against", part, "-o", tmp_path / "report")
    assert said.code == 0, said.errors
    assert f"{len(PAGES) + 2} " in said.output
    assert "100.00%" in said.output
    assert f"report     {tmp_path / 'report' / 'report.html'}" in said.output
    assert "reading" in said.errors
    assert "</html>" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


def test_json_is_one_line_with_every_number(blind: Path, aware: Path) -> None:
    said = anansi("evaluate", "--blind", blind, "--against", aware, "--json")
    assert (said.code, said.errors) == (0, "")
    (site,) = said.json["sites"]
    assert said.json["report"] is None
    assert site["against"][0]["saving"] == 3.0
    assert site["against"][0]["content"] == {"found": 6, "of": 9, "share": 6 / 9}
    assert site["blind"]["grams"]["of"] == 2 + 2 * 9
    assert site["blind"]["curve"][-1] == [18, 20]


def test_others_may_follow_one_after_the_other(blind: Path, aware: Path) -> None:
    said = anansi("evaluate", "--blind", blind, "--against", aware, blind, aware, "--json")
    (site,) = said.json["sites"]
    assert [score["requests"] for score in site["against"]] == [6, 18, 6]


def test_several_sites_are_paired_in_their_order(blind: Path, aware: Path, tmp_path: Path) -> None:
    pairs = ("--blind", blind, "--against", aware, "--blind", aware, "--against", blind)
    said = anansi("evaluate", *pairs, "--json", "-o", tmp_path / "report")
    assert [site["blind"]["requests"] for site in said.json["sites"]] == [18, 6]
    assert [site["against"][0]["requests"] for site in said.json["sites"]] == [6, 18]
    assert said.json["sites"][1]["against"][0]["beyond"] == 6
    assert "over 2 sites" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


def test_damage_is_told_and_the_rest_is_compared(blind: Path, aware: Path) -> None:
    (warc,) = Collection(aware).warcs()
    warc.write_bytes(warc.read_bytes()[:-3])
    said = anansi("evaluate", "--blind", blind, "--against", aware)
    assert said.code == 0
    assert "note       aware" in said.output
    assert "is damaged at byte" in said.output


def test_mistakes_are_told_in_a_line_with_their_exit_code(blind: Path, aware: Path, tmp_path: Path) -> None:
    empty = collect(tmp_path / "empty", {})
    other = collect(tmp_path / "other", {"/": "nothing in common"})
    running = collect(tmp_path / "running", TEXTS)
    (warc,) = Collection(running).warcs()
    warc.rename(f"{warc}.open")
    (tmp_path / "file").write_text("x")
    mistakes: list[tuple[list[str | Path], int, str]] = [
        (["--blind", blind], 2, "--against"),
        (["--against", aware], 2, "--blind"),
        (["--blind", blind, "--against", tmp_path / "nowhere"], 3, "is not a collection"),
        (["--blind", tmp_path / "file", "--against", aware], 3, "is not a collection"),
        (["--blind", blind, "--against", empty], 3, "holds no page"),
        (["--blind", empty, "--against", aware], 3, "holds no page"),
        (["--blind", blind, "--against", running], 3, "a crawl is running, or was cut off"),
        (["--blind", blind, "--against", other], 2, "have no page in common"),
        (["--blind", blind, "--blind", aware, "--against", aware], 2, "cannot be shared out evenly"),
        (["--blind", blind, "--blind", aware, "--against", aware, blind], 2, "an --against of its own"),
        (["--blind", blind, "--against", aware, "-o", tmp_path / "file"], 2, "is a file"),
    ]
    for arguments, code, words in mistakes:
        said = refused("evaluate", *arguments)
        assert (said.code, words in " ".join(said.errors.split())) == (code, True), (arguments, said)
        assert said.output == ""
