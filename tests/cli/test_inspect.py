"""`anansi inspect`: one page, as a crawl would see it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.saying import run, run_json
from tests.cli.test_kb import BLOCKS
from tests.web import Reply, ScriptedWeb, redirect
from tests.web.blog import Blog

URL = "https://agora.example/t/7-how-to-prune-roses"


inspect = partial(run, "inspect")
as_json = partial(run_json, "inspect")


@pytest.fixture
def agora(tmp_path: Path) -> Path:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "agora.xml").write_text(BLOCKS["xml"])
    (tmp_path / "thread.html").write_text(BLOCKS["html"])
    return tmp_path


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as served:
        served.add("/t/7", Reply(200, {"Content-Type": "text/html; charset=utf-8"}, BLOCKS["html"].encode()))
        yield served


def test_a_saved_page_is_explained(agora: Path) -> None:
    found = as_json(agora / "thread.html", "--url", URL, "-k", agora / "knowledge")
    assert (found["type"], found["level"], found["terminal"], found["aware"]) == ("forum/agora", "thread", True, True)
    assert found["pattern"] == "meta[@name='generator'][contains(@content,'Agora')]"
    assert found["level_pattern"] == "article[@class='message']"
    fired = {each["of"]: each for each in found["fired"]}
    assert fired["forum/agora"]["found"] == ['<meta name="generator" content="Agora 2.1">']
    assert fired["forum/agora:thread"]["found"] == ['<article class="message" id="m21">']
    levels = {link["url"]: (link["level"], link["key"]) for link in found["links"]}
    assert levels["https://agora.example/b/3"] == ("board", "https://agora.example/b/3")
    assert levels[f"{URL}?page=2"] == ("thread", "https://agora.example/t/7?page=2")
    assert {"url": "https://agora.example/reply?to=21", "reason": "Agora: a form"} in found["skips"]
    thread, first, second = found["objects"]
    assert thread["uri"] == "https://agora.example/t/7"
    assert (first["kind"], first["uri"], first["part_of"]) == ("post", "https://agora.example/t/7#m21", thread["uri"])
    assert second["properties"]["quote"] == ["Where do I cut?"]


def test_the_same_is_said_in_words(agora: Path) -> None:
    code, said = inspect(agora / "thread.html", "--url", URL, "-k", agora / "knowledge")
    assert code == 0
    for words in (
        "type       forum/agora  by meta[@name='generator'][contains(@content,'Agora')]",
        "level      thread (content)  by article[@class='message']",
        '<article class="message" id="m21">',
        "Agora: a form",
        "https://agora.example/b/3",
        "Above a bud that looks outwards.",
    ):
        assert words in said


def test_a_page_that_nobody_knows_leads_everywhere(agora: Path) -> None:
    found = as_json(agora / "thread.html", "--url", URL)
    assert (found["type"], found["level"], found["aware"], found["objects"], found["skips"]) == (
        None,
        None,
        False,
        [],
        [],
    )
    assert {"https://agora.example/login", "https://agora.example/u/iris"} <= {link["url"] for link in found["links"]}
    said = inspect(agora / "thread.html", "--url", URL)[1]
    assert "type       none" in said
    assert "all are followed: no application is known here" in said


def test_a_page_is_fetched_as_a_crawl_would(agora: Path, web: ScriptedWeb) -> None:
    web.add("/old", redirect("/t/7"))
    found = as_json(web.url + "/old", "-k", agora / "knowledge")
    assert (found["url"], found["type"], len(found["objects"])) == (web.url + "/t/7", "forum/agora", 3)
    assert [request.target for request in web.log] == ["/old", "/t/7"]
    assert web.log[0].headers["user-agent"].startswith("Anansi/")


def test_a_redirect_does_not_lead_to_a_private_address_that_was_not_named(web: ScriptedWeb) -> None:
    with ScriptedWeb(address="127.0.0.2") as inner:
        inner.add("/", Reply(200, {"Content-Type": "text/html"}, b"<p>secret</p>"))
        web.add("/out", redirect(inner.url + "/"))
        code, said = inspect(web.url + "/out")
        assert code == 2
        assert "is at a private address and was not named by you" in said
        assert inner.log == []


def test_what_the_web_does_wrong_is_told(web: ScriptedWeb) -> None:
    web.add("/loop", redirect("/loop"))
    web.add("/p.png", Reply(200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n"))
    for target, words in (
        (web.url + "/loop", "more than 10 redirects in a row"),
        (web.url + "/p.png", "it is no HTML page but image/png"),
        ("http://127.0.0.1:1/", "cannot be looked at: connection refused or failed"),
        ("http://no-such-name.invalid/", "the name no-such-name.invalid has no address"),
    ):
        code, said = inspect(target)
        assert (code, words in said) == (2, True), said


def test_a_page_that_is_not_found_can_be_looked_at(web: ScriptedWeb) -> None:
    web.add("/gone", Reply(404, {"Content-Type": "text/html"}, b"<p>gone</p>"))
    assert as_json(web.url + "/gone")["status"] == 404


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.html"], "nothing.html: no such file; name a saved page or an address"),
        (["/no/such/page.html"], "/no/such/page.html: no such file; name a saved page or an address"),
        (["nothing.html", "--url", "http://a.org/"], "no such file; `--url` says where a saved page stood"),
        (["ftp://a.org/"], "'ftp://a.org/' is not a web address"),
        (["{page}", "--url", "nonsense://"], "is not a web address"),
        (["{page}", "-k", "nowhere"], "nowhere is not a folder"),
    ],
)
def test_mistakes_are_told(agora: Path, arguments: list[str], words: str) -> None:
    given = [each.format(page=agora / "thread.html") for each in arguments]
    code, said = inspect(*given)
    assert (code, words in said) == (2, True), said


def test_an_empty_page_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    found = as_json(tmp_path / "empty.html")
    assert (found["type"], found["links"], found["objects"]) == (None, [], [])


def test_the_lists_that_a_site_keeps_of_its_content_are_told(web: ScriptedWeb) -> None:
    web.add("/*", Blog(posts=30, shown=3, feed=20, api=True))
    found = as_json(web.url + "/")
    told = {
        each["url"].removeprefix(web.url): (each["kind"], each["leads"], each["asked"]) for each in found["shortcuts"]
    }
    assert told["/feed/"] == ("feed", "post", True)
    assert told["/wp-sitemap.xml"] == ("sitemap", None, False)
    assert not any(link["url"].endswith("/feed/") for link in found["links"])
    assert "lists that the site may keep of its content: 4" in inspect(web.url + "/")[1]
