"""Exactness: the bytes in the archive, the numbers in the summary, and an account of every URL."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi import __version__
from tests.crawl.case import Crawled, crawl, sha1
from tests.web import BODY, Reply, ScriptedWeb, chunked, html, http10, redirect, reset_at, robots, whole_site
from tests.web.exchange import head_of
from tests.web.framing import CHUNKED, as_chunks
from tests.web.replies import HTML

REPLIES: dict[str, Reply] = {
    "/page": html("A page", ["/"]),
    "/odd": Reply(
        200, (("x-ODD", "  spaces  "), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), HTML), b"<p>\x00\xff</p>"
    ),
    "/gone": html("Gone", status=410),
    "/moved": redirect("/page"),
    "/binary": Reply(200, {"Content-Type": "application/octet-stream"}, bytes(range(256)) * 20),
    "/gzip": Reply(200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, b"\x1f\x8bnot really"),
    "/empty": Reply(200, (HTML,), b""),
    "/reason": Reply(200, (HTML,), b"<p>fine</p>", reason="Tout va bien"),
}


@pytest.fixture(scope="module")
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as web:
        web.add("/robots.txt", robots("/private"))
        external = ["http://elsewhere.invalid/", "ftp://files.invalid/", "mailto:someone@example.org"]
        web.add("/", html("Home", [*REPLIES, "/chunks", "/old", "/broken", "/private", "/missing", *external]))
        for path, reply in REPLIES.items():
            web.add(path, reply)
        web.add("/chunks", chunked())
        web.add("/old", http10())
        web.add("/broken", reset_at("mid headers"))
        yield web


@pytest.fixture(scope="module")
def crawled(web: ScriptedWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    options = ("--operator", "The Library", "--contact", "mailto:web@library.example")
    return crawl(tmp_path_factory.mktemp("exact"), web.url + "/", options=options)


# ── bytes ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", REPLIES)
def test_an_answer_is_kept_to_the_byte(path: str, crawled: Crawled, web: ScriptedWeb) -> None:
    record = crawled.one(web.url + path)
    assert record.block == REPLIES[path].head + REPLIES[path].body
    assert record.headers["warc-payload-digest"] == sha1(REPLIES[path].body)
    assert record.headers["warc-ip-address"] == "127.0.0.1"


def test_chunks_and_old_answers_are_kept_to_the_byte(crawled: Crawled, web: ScriptedWeb) -> None:
    framed = head_of(200, CHUNKED) + b"".join(as_chunks(BODY, (7, 1, 30))) + b"0\r\n\r\n"
    assert crawled.one(web.url + "/chunks").block == framed
    assert crawled.one(web.url + "/old").block == head_of(200, (HTML,), version="HTTP/1.0") + BODY


def test_every_request_is_kept_to_the_byte(crawled: Crawled, web: ScriptedWeb) -> None:
    sent = {web.url + request.target: request.raw for request in web.log if request.path != "/broken"}
    assert {record.url: record.block for record in crawled.records if record.kind == "request"} == sent


def test_request_and_metadata_belong_to_their_answer(crawled: Crawled, web: ScriptedWeb) -> None:
    answer = crawled.one(web.url + "/page").headers["warc-record-id"]
    assert crawled.one(web.url + "/page", "request").headers["warc-concurrent-to"] == answer
    (metadata,) = (each for each in crawled.kept(web.url + "/page", "metadata"))
    assert metadata.headers["warc-concurrent-to"] == answer
    assert b"hopsFromSeed: L\r\n" in metadata.block and f"via: {web.url}/\r\n".encode() in metadata.block


def test_requests_say_who_asks(crawled: Crawled, web: ScriptedWeb) -> None:
    agent = f"Anansi/{__version__} (+mailto:web@library.example)"
    assert {request.headers["user-agent"] for request in web.log} == {agent}
    info = crawled.records[0]
    assert info.kind == "warcinfo"
    for line in (
        "operator: The Library",
        f"http-header-user-agent: {agent}",
        "robots: obey",
        f"software: Anansi/{__version__}",
    ):
        assert line.encode() in info.block


def test_a_user_agent_of_ones_own_is_used_for_robots_too(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", robots("/", agent="LibraryBot"))
        web.add("/", html("Home"))
        crawled = crawl(tmp_path, web.url + "/", options=("--user-agent", "LibraryBot/2.0 (Bibliothèque)"))
        assert web.paths() == ["/robots.txt"]
        sent = web.log[0].raw
    assert "User-Agent: LibraryBot/2.0 (Bibliothèque)\r\n".encode() in sent
    assert crawled.one(web.url + "/robots.txt", "request").block == sent


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_summary_has_every_field(crawled: Crawled) -> None:
    numbers = {"requests", "pages", "bytes", "seconds", "pages_per_second", "queued", "retries", "duplicates"}
    assert numbers | {"statuses", "skipped", "sites"} <= crawled.summary.keys()
    assert json.loads(crawled.collection.summary.read_text()) == crawled.summary
    (site,) = crawled.summary["sites"].values()
    assert {"strategy", "requests", "pages"} <= site.keys()
    assert (site["requests"], site["pages"]) == (crawled.summary["requests"], crawled.summary["pages"])


def test_requests_are_those_that_the_server_saw(crawled: Crawled, web: ScriptedWeb) -> None:
    assert crawled.summary["requests"] == len(web.log)
    assert crawled.summary["retries"] == 2 == web.count("/broken") - 1


def test_statuses_are_those_that_the_server_sent(crawled: Crawled) -> None:
    statuses = Counter(str(record.status) for record in crawled.records if record.kind == "response")
    assert crawled.summary["statuses"] == dict(statuses)


def test_pages_are_those_that_can_be_looked_at(crawled: Crawled) -> None:
    lines = [line for line in crawled.titles if not line.endswith("/robots.txt")]
    assert crawled.summary["pages"] == len(lines)


def test_bytes_are_those_that_came(crawled: Crawled) -> None:
    assert crawled.summary["bytes"] == sum(
        len(record.block) for record in crawled.records if record.kind == "response"
    )


def test_a_request_that_is_repeated_on_a_fresh_connection_is_counted(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/odd"]))
        web.add("/odd", reset_at("before status"))
        crawled = crawl(tmp_path, web.url + "/")
        assert crawled.summary["requests"] == len(web.log)


def test_where_nobody_answers_no_request_was_made(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.url + "/"
    crawled = crawl(tmp_path, url, options=("--robots", "ignore"))
    assert crawled.code == 12
    assert crawled.statuses(url) == [-2, -2, -2]
    assert crawled.summary["requests"] == 0


# ── every URL ────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_url_is_fetched_or_explained(crawled: Crawled, web: ScriptedWeb) -> None:
    paths = {"/", *REPLIES, "/chunks", "/old", "/broken", "/private", "/missing"}
    logged = {line[3] for line in crawled.log}
    assert {web.url + path for path in paths} <= logged | crawled.skipped.keys()
    assert crawled.skipped[web.url + "/private"] == ("robots", "forbidden by robots.txt")
    assert crawled.skipped["http://elsewhere.invalid/"][0] == "out of scope"
    assert crawled.summary["skipped"] == {"robots": 1, "out of scope": 1}
    assert crawled.summary["failed"] == 1


def test_a_whole_site_is_fetched_once_by_two_workers(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        wanted = whole_site(web, 90, external=["http://elsewhere.invalid/"])
        crawled = crawl(tmp_path, web.url + "/", options=("--requisites",), workers=2)
        asked = Counter(web.paths())
    assert {web.url + path for path in asked} == wanted | {web.url + "/robots.txt", web.url + "/favicon.ico"}
    assert set(asked.values()) == {1}
    assert {record.url for record in crawled.records if record.kind == "response"} == wanted | {
        *(web.url + path for path in ("/robots.txt", "/favicon.ico"))
    }
    assert crawled.summary["pages"] == 90
