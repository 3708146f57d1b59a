"""`anansi define`: a small crawl of a scripted site, and the definition that it proposes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from anansi.config import load
from tests.cli.conftest import PATIENCE, anansi
from tests.focus.texts import FLOODS, KITCHEN
from tests.web import Reply, ScriptedWeb, html

HTML = {"Content-Type": "text/html; charset=utf-8"}


def page(text: str, links: str = "") -> Reply:
    return Reply(
        200, HTML, f"<html lang=en><title>Told | House</title><body><p>{text}</p>{links}</body></html>".encode()
    )


@pytest.fixture
def floods() -> Iterator[ScriptedWeb]:
    """A site of four pages about floods and three about a kitchen."""
    with ScriptedWeb() as web:
        every = dict(enumerate((*FLOODS, *KITCHEN)))
        links = "".join(f'<div><a href="/{number}">{number}</a></div>' for number in every)
        web.add("/", page("A house of stories about the river, the rain and the kitchen of the house.", links))
        for number, text in every.items():
            web.add(f"/{number}", page(text))
        yield web


def quick(*arguments: str | Path) -> tuple[str | Path, ...]:
    return ("define", *arguments, "--delay", "0")


def test_a_definition_is_proposed_from_a_reference_crawl_and_can_be_crawled(
    floods: ScriptedWeb, tmp_path: Path
) -> None:
    file, kept = tmp_path / "crawl.yaml", tmp_path / "reference"
    said = anansi(*quick(f"{floods.url}/", "-w", "high water", "--yes", "-o", file, "--keep", kept))
    assert said.code == 0, said.errors
    definition = load(file)
    assert definition.seeds == [f"{floods.url}/"]
    focus = definition.focus
    assert focus.keywords[0] == "high water"
    assert "flood" in focus.keywords
    names = {each.name: each.aliases for each in focus.entities}
    assert names["Angela Merkel"] == ["Merkel"]
    assert names["European Flood Awareness System"] == ["EFAS"]
    assert any("potatoes" in each.terms for each in focus.topics)
    assert focus.languages == ["en"]
    text = file.read_text(encoding="utf-8")
    assert "- high water  # yours; 3 of 8 pages" in text
    assert f"of a reference crawl of {floods.url}/, kept in {kept}" in text
    crawl = anansi("crawl", "--config", file, "-o", tmp_path / "crawled", "--delay", "0", "--limit", "3", "--json")
    assert crawl.code in (0, 10), crawl.errors
    assert crawl.json["pages"] == 3


def test_a_collection_is_proposed_from_without_a_request(floods: ScriptedWeb, tmp_path: Path) -> None:
    anansi("crawl", f"{floods.url}/", "-o", tmp_path / "had", "--delay", "0", "--json")
    asked = floods.count("/0")
    said = anansi("define", "--from", tmp_path / "had", "--no-input", "-o", tmp_path / "a.yaml", "--json")
    assert said.code == 0, said.errors
    assert floods.count("/0") == asked
    assert load(tmp_path / "a.yaml").seeds == [f"{floods.url}/"]
    assert "Nobody has looked" in (tmp_path / "a.yaml").read_text(encoding="utf-8")
    flood = next(each for each in said.json["proposals"] if each["value"] == "flood")
    assert (flood["pages"], flood["of"], flood["given"]) == (4, 8, False)
    assert flood["url"].startswith(floods.url)
    every = yaml.safe_load((tmp_path / "a.yaml").read_text(encoding="utf-8"))
    assert len(said.json["proposals"]) == sum(map(len, every["focus"].values()))


def test_proposals_are_struck_at_a_terminal(floods: ScriptedWeb, tmp_path: Path) -> None:
    anansi("crawl", f"{floods.url}/", "-o", tmp_path / "had", "--delay", "0", "--json")
    file = tmp_path / "crawl.yaml"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "anansi.cli", "define", "--from", str(tmp_path / "had"), "-o", str(file)]
    done = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    os.close(theirs)
    for answer in (b"y\n", b"e\nflood water\n", b"q\n"):
        time.sleep(0.1)
        os.write(ours, answer)
    output = done.communicate(timeout=PATIENCE)[0].decode()
    os.close(ours)
    assert done.returncode == 0, output
    assert "accept? [y]es [n]o" in output
    focus = load(file).focus
    assert len(focus.keywords) == 2
    assert focus.keywords[1] == "flood water"
    assert (focus.entities, focus.topics, focus.languages) == ([], [], [])
    assert "edited by you" in file.read_text(encoding="utf-8")


def test_without_a_terminal_nothing_is_crawled(floods: ScriptedWeb, tmp_path: Path) -> None:
    said = anansi(*quick(f"{floods.url}/", "-o", tmp_path / "a.yaml"))
    assert said.code == 2
    assert "--no-input" in said.errors
    assert floods.count("/") == 0


def test_a_crawl_that_finds_nothing_says_why(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    with ScriptedWeb() as web:
        web.add("/robots.txt", Reply(200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /\n"))
        web.add("/", html("hidden"))
        said = anansi(*quick(f"{web.url}/", "--yes", "-o", file))
        assert said.code == 2
        assert "skipped (robots)" in said.errors.replace("\n", " ")
    with ScriptedWeb() as web:
        said = anansi(*quick(f"{web.url}/nowhere", "--yes", "-o", file))
        assert said.code == 2
        assert "status 404" in said.errors.replace("\n", " ")
    with ScriptedWeb() as web:
        web.add("/", Reply(200, HTML, b"<html><body><img src=x.png></body></html>"))
        said = anansi(*quick(f"{web.url}/", "--yes", "-o", file))
        assert said.code == 2
        assert "found no text" in said.errors.replace("\n", " ")
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name at least one seed"),
        (("ftp://site.example/",), "not a web address"),
        (("http://site.example/", "-w", "  ?"), "write a word or a phrase"),
        (("--from", "nowhere"), "nowhere"),
        (("--from", "nowhere", "--keep", "x"), "nothing is crawled"),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    said = anansi("define", *arguments, "--yes", "-o", tmp_path / "a.yaml", cwd=tmp_path)
    assert said.code in (2, 3)
    assert words in said.errors.replace("\n", " ")


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("seeds: []")
    said = anansi("define", "http://site.example/", "--yes", "-o", tmp_path / "a.yaml")
    assert said.code == 2
    assert "is there already" in said.errors
    assert (tmp_path / "a.yaml").read_text() == "seeds: []"
