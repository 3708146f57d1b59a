"""`anansi learn`, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from anansi.cli import app
from anansi.knowledge import notation
from anansi_demo.server import DemoServer
from tests.cli.conftest import anansi
from tests.evaluate.collections import HOST, collect
from tests.evaluate.forums import forum
from tests.learn import unknown
from tests.web import Reply, ScriptedWeb, html

RUN = CliRunner()


def test_a_collection_teaches_an_entry_that_can_be_shown_checked_and_edited(tmp_path: Path) -> None:
    folder = collect(tmp_path / "forum", forum())
    told = RUN.invoke(app, ["learn", str(folder), "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    path = Path(found["entry"])
    assert path == folder / "knowledge" / "learned" / "site.example.xml"
    assert found["covered"] >= 0.95
    assert RUN.invoke(app, ["kb", "check", str(folder / "knowledge")]).exit_code == 0
    shown = RUN.invoke(app, ["kb", "show", "learned/site.example", "-k", str(folder / "knowledge")])
    assert "learned at site.example" in shown.output
    assert found["patterns"][0] in shown.output.replace("\n", "")
    path.write_text(path.read_text().replace("{click/}", "{clack/}", 1))
    line = path.read_text().partition("{clack/}")[0].count("\n") + 1
    refused = RUN.invoke(app, ["kb", "check", str(path)])
    assert refused.exit_code == 2
    assert f"line {line}" in refused.output
    assert "is not a navigation pattern" in refused.output


def test_the_parameters_of_the_paper_are_options(tmp_path: Path) -> None:
    folder = collect(tmp_path / "forum", forum())
    options = ["--sample", "20", "-k", "2", "--unlimited", "-a", "both", "--ratio", "0.5", "--seed", "7"]
    told = RUN.invoke(app, ["learn", str(folder), "-o", str(tmp_path / "out"), *options])
    assert told.exit_code == 0, told.output
    assert "20 pages" in told.output
    entry = notation.read((tmp_path / "out" / "learned" / "site.example.xml").read_bytes(), "x")
    assert "up to 2 clicks, repeated clicks without limit, labels by both" in entry.about


def test_a_live_site_is_sampled_into_a_collection(tmp_path: Path) -> None:
    with DemoServer() as server:
        told = RUN.invoke(app, ["learn", server.url, "-o", str(tmp_path / "demo"), "--sample", "8", "--json"])
    assert told.exit_code == 0, told.output
    assert 5 <= json.loads(told.output)["pages"] <= 8  # it waits a second for each
    assert RUN.invoke(app, ["check", str(tmp_path / "demo")]).exit_code == 0


def test_a_single_page_teaches_nothing_and_says_so(tmp_path: Path) -> None:
    folder = collect(tmp_path / "one", {"/": "<html><body>one two three</body></html>"})
    told = RUN.invoke(app, ["learn", str(folder)])
    assert told.exit_code == 0, told.output
    assert "no way leads to anything" in told.output


def test_mistakes_are_said_without_a_traceback(tmp_path: Path) -> None:
    for arguments, words in (
        (["learn", "nowhere"], "neither a folder nor a web address"),
        (["learn", "https://example.org/"], "name the collection"),
        (["learn", str(tmp_path)], "not a collection"),
    ):
        told = RUN.invoke(app, arguments)
        assert told.exit_code != 0
        assert words in str(told.exception), told


def test_what_stands_on_pages_is_learned_and_used(tmp_path: Path) -> None:
    site = unknown.forum()
    home = (
        "<html><body><p>welcome to the board</p>"
        + "".join(f'<a href="/board/{each}">{each}</a>' for each in range(3))
        + "</body></html>"
    )
    folder = collect(tmp_path / "forum", {"/": home, **site.pages})
    told = RUN.invoke(app, ["learn", str(folder), "--json"])
    assert told.exit_code == 0, told.output
    levels = {each["level"]: each for each in json.loads(told.output)["levels"]}
    assert levels["list"]["kind"] == "intermediate"
    thread, post = levels["thread"]["objects"]
    assert (thread["object"], post["object"]) == ("thread", "post")
    assert {"author", "date", "text"} <= set(post["properties"])
    assert 0.5 < post["confidence"] < 1
    shown = RUN.invoke(app, ["kb", "show", "learned/site.example", "-k", str(folder / "knowledge")])
    assert "takes post: id, author, date, text  (learned, confidence 0." in shown.output
    page = tmp_path / "page.html"
    page.write_text(site.pages["/talk/3"])
    asked = ["inspect", str(page), "--url", f"{HOST}/talk/3", "-k", str(folder / "knowledge"), "--json"]
    seen = json.loads(RUN.invoke(app, asked).output)
    assert (seen["type"], seen["level"], seen["aware"]) == ("learned/site.example", "thread", False)
    posts = [each["properties"] for each in seen["objects"] if each["kind"] == "post"]
    assert [(each["author"], each["text"]) for each in posts] == [
        ([each.author], [each.text]) for each in site.said["/talk/3"]
    ]
    printed = RUN.invoke(app, ["learn", str(folder)])
    assert "confidence" in printed.output


def test_a_site_without_repetition_says_that_nothing_is_known_of_its_pages(tmp_path: Path) -> None:
    folder = collect(tmp_path / "one", {"/": "<html><body>one two three</body></html>"})
    assert "no pages that are built alike" in RUN.invoke(app, ["learn", str(folder)]).output


def test_a_crawl_takes_objects_by_what_was_learned(tmp_path: Path) -> None:
    site = unknown.forum(12)
    with ScriptedWeb() as web:
        web.add("/", html("welcome to the board", [f"/board/{each}" for each in range(3)]))
        for path, text in site.pages.items():
            web.add(path, Reply(body=text.encode(), headers=[("Content-Type", "text/html; charset=utf-8")]))
        options = ("--delay", "0", "--no-requisites", "--strategy", "blind", "--json")
        assert anansi("crawl", web.url + "/", "-o", tmp_path / "c", *options).code == 0
        learned = anansi("learn", tmp_path / "c", "--json")
        assert learned.code == 0, learned.output
        again = anansi("crawl", "-o", tmp_path / "c", "--recrawl", "--strategy", "auto", "--delay", "0", "--json")
        assert again.code == 0, again.output
    told = anansi("objects", tmp_path / "c", "--type", "post")
    posts = {json.loads(line)["text"] for line in told.output.splitlines()}
    assert posts == {each.text for said in site.said.values() for each in said}
