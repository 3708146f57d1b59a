"""Bodies cut short, framed wrong, endless, slow, huge or bombs: kept as far as they came, and the crawl goes on."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.crawl.case import crawl, sha1
from tests.web import (
    BODY,
    Behaviour,
    ScriptedWeb,
    bare_newlines,
    big_file,
    big_file_bytes,
    brotli_bomb,
    chunked,
    chunked_malformed,
    chunked_truncated,
    drip,
    duplicate_content_length,
    endless_body,
    folded_headers,
    garbage,
    gzip_bomb,
    hang,
    header_bomb,
    header_flood,
    html,
    http09,
    http10,
    huge_status_line,
    interim,
    length_and_chunked,
    slow_headers,
    trailing_garbage,
    until_close,
    wrong_content_length,
)
from tests.web.framing import as_chunks

MAX_BODY = 1_000_000
MEMORY = 400 << 20
"""Bytes that no process of a crawl may reach: 70 MB are Python's and the libraries', 100 MB take the largest page."""

BEHAVIOURS: dict[str, Behaviour] = {
    "chunks that stop": chunked_truncated(),
    "chunks that make no sense": chunked_malformed(),
    "a length too long": wrong_content_length("longer"),
    "a length too short": wrong_content_length("shorter"),
    "chunks": chunked(trailers=(("X-Sum", "7"),)),
    "two equal lengths": duplicate_content_length(),
    "a length and chunks": length_and_chunked(),
    "an end by closing": until_close(),
    "the old HTTP/1.0": http10(),
    "interim answers": interim(100, 103, then=html("After interim answers")),
    "garbage behind": trailing_garbage(),
    "folded headers": folded_headers(),
    "bare newlines": bare_newlines(),
    "no headers at all": http09(),
    "garbage": garbage(),
    "a header of 10 MB": header_bomb(),
    "100,000 headers": header_flood(),
    "a status line of 1 MB": huge_status_line(),
    "a gzip bomb": gzip_bomb(),
    "a small gzip bomb": gzip_bomb(512 << 20),
    "a brotli bomb": brotli_bomb(),
    "an endless body": endless_body(),
    "an endless body without chunks": endless_body(chunked=False),
}

SLOW: dict[str, Behaviour] = {
    "a byte a second": drip(),
    "headers at a byte a second": slow_headers(),
    "silence": hang(),
}
"""Crawled apart, with a short timeout: unpacking a bomb takes long enough to make others late."""


class Hostile:
    """A crawl of many sites, each with one way to misbehave at /odd and an innocent page after it."""

    def __init__(self, folder: Path, stack: ExitStack, behaviours: dict[str, Behaviour], timeout: float) -> None:
        self.webs: dict[str, ScriptedWeb] = {}
        for number, (name, behaviour) in enumerate(behaviours.items(), 1):
            web = stack.enter_context(ScriptedWeb(address=f"127.0.2.{number}"))
            web.add("/", html("Home", ["/odd", "/after"]))
            web.add("/odd", behaviour)
            web.add("/after", html(f"After {name}"))
            self.webs[name] = web
        settings = {"fetch": {"timeout": timeout, "max_body": MAX_BODY}}
        self.crawled = crawl(folder, *(web.url + "/" for web in self.webs.values()), settings=settings)

    def url(self, name: str) -> str:
        """Return where the behaviour stands."""
        return self.webs[name].url + "/odd"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    with ExitStack() as stack:
        yield Hostile(tmp_path_factory.mktemp("hostile"), stack, BEHAVIOURS, timeout=30.0)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    with ExitStack() as stack:
        yield Hostile(tmp_path_factory.mktemp("slow"), stack, SLOW, timeout=4.0)


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_crawl_goes_on_after_every_misbehaviour(name: str, hostile: Hostile) -> None:
    assert hostile.crawled.code == 14, "answers were broken off, and that is said"
    assert hostile.crawled.titles[hostile.webs[name].url + "/after"] == f"After {name}"


def test_every_request_is_counted(hostile: Hostile) -> None:
    served = {web.address: len(web.log) for web in hostile.webs.values()}
    counted = {name: site["requests"] for name, site in hostile.crawled.summary["sites"].items()}
    # a server that closes without a word may not read the request that is under way to it and goes out once more
    assert all(counted[name] - count in (0, 1) for name, count in served.items()), (counted, served)
    assert hostile.crawled.summary["requests"] == sum(counted.values())


def test_memory_stays_bounded(hostile: Hostile) -> None:
    assert hostile.crawled.memory < MEMORY


CUTS = {
    "chunks that stop": ("disconnect", 2),
    "chunks that make no sense": ("disconnect", 2),
    "a length too long": ("disconnect", 2),
    "a gzip bomb": ("length", 1),
    "an endless body": ("length", 1),
    "an endless body without chunks": ("length", 1),
}


@pytest.mark.parametrize(("name", "cut", "attempts"), [(name, *cut) for name, cut in CUTS.items()])
def test_a_body_that_is_not_whole_is_kept_marked_and_tried_again(
    name: str, cut: str, attempts: int, hostile: Hostile
) -> None:
    kept = hostile.crawled.kept(hostile.url(name))
    assert [record.headers.get("warc-truncated") for record in kept] == [cut] * attempts
    assert hostile.webs[name].count("/odd") == attempts
    assert f"truncated:{cut}" in hostile.crawled.annotations(hostile.url(name))


def test_chunks_that_stop_are_kept_to_the_last_byte(hostile: Hostile) -> None:
    *whole, last = as_chunks(BODY, (16,))
    kept = hostile.crawled.kept(hostile.url("chunks that stop"))[0]
    assert kept.body == b"".join(whole) + last[: len(last) // 2]
    there = 16 * len(whole) + len(last[: len(last) // 2]) - len(b"b\r\n")
    assert kept.headers["warc-payload-digest"] == sha1(BODY[:there])


@pytest.mark.parametrize("name", ["an endless body", "an endless body without chunks", "a gzip bomb"])
def test_what_is_larger_than_allowed_is_cut_at_the_limit(name: str, hostile: Hostile) -> None:
    assert len(hostile.crawled.one(hostile.url(name)).body) == MAX_BODY


@pytest.mark.parametrize("name", ["a gzip bomb", "a small gzip bomb", "a brotli bomb"])
def test_a_bomb_is_kept_as_it_came_and_not_unpacked(name: str, hostile: Hostile) -> None:
    assert "bomb" in hostile.crawled.annotations(hostile.url(name))
    assert hostile.crawled.statuses(hostile.url(name)) == [200]


WHOLE = {
    "chunks": BODY,
    "two equal lengths": BODY,
    "a length and chunks": BODY,
    "an end by closing": BODY,
    "the old HTTP/1.0": BODY,
    "garbage behind": BODY,
    "folded headers": BODY,
    "a length too short": BODY[:-10],
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_body_has_the_digest_of_its_payload(name: str, hostile: Hostile) -> None:
    kept = hostile.crawled.one(hostile.url(name))
    assert kept.headers["warc-payload-digest"] == sha1(WHOLE[name])
    assert "warc-truncated" not in kept.headers
    assert hostile.crawled.titles[hostile.url(name)] == "Framed"


def test_a_head_with_bare_newlines_is_kept_as_it_is(hostile: Hostile) -> None:
    kept = hostile.crawled.one(hostile.url("bare newlines"))
    assert kept.block.startswith(b"HTTP/1.1 200 OK\nContent-Type: text/html\n") and kept.block.endswith(BODY)
    assert hostile.crawled.titles[hostile.url("bare newlines")] == "Framed"


def test_interim_answers_are_not_kept_for_the_answer(hostile: Hostile) -> None:
    kept = hostile.crawled.one(hostile.url("interim answers"))
    assert kept.status == 200 and b"preload" not in kept.head


FAULTS = {
    "no headers at all": ("answer_is_not_HTTP", 2),
    "garbage": ("answer_is_not_HTTP", 2),
    "a header of 10 MB": ("headers_larger_than_allowed", 1),
    "100,000 headers": ("headers_larger_than_allowed", 1),
    "a status line of 1 MB": ("headers_larger_than_allowed", 1),
}


@pytest.mark.parametrize(("name", "fault", "attempts"), [(name, *fault) for name, fault in FAULTS.items()])
def test_what_is_no_answer_is_logged_as_a_fault(name: str, fault: str, attempts: int, hostile: Hostile) -> None:
    assert hostile.crawled.kept(hostile.url(name)) == []
    assert fault in hostile.crawled.annotations(hostile.url(name))
    assert hostile.webs[name].count("/odd") == attempts
    assert len(hostile.crawled.statuses(hostile.url(name))) == attempts


def test_a_body_that_drips_is_cut_by_time_and_tried_once_more(slow: Hostile) -> None:
    kept = slow.crawled.kept(slow.url("a byte a second"))
    assert [record.headers["warc-truncated"] for record in kept] == ["time", "time"]
    assert all(BODY.startswith(record.body) for record in kept)
    assert slow.webs["a byte a second"].count("/odd") == 2


@pytest.mark.parametrize("name", ["headers at a byte a second", "silence"])
def test_what_does_not_answer_in_time_is_tried_three_times(name: str, slow: Hostile) -> None:
    assert slow.crawled.kept(slow.url(name)) == []
    assert "no_answer_in_time" in slow.crawled.annotations(slow.url(name))
    assert slow.webs[name].count("/odd") == 3
    assert slow.crawled.titles[slow.webs[name].url + "/after"] == f"After {name}"


def test_a_large_file_streams_to_the_archive(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/large.zip", big_file())
        web.add("/", html("Home", ["/large.zip"]))
        crawled = crawl(tmp_path, web.url + "/")
        digest = hashlib.sha1()
        for piece in big_file_bytes():
            digest.update(piece)
    record = crawled.one(url)
    assert record.headers["warc-payload-digest"] == "sha1:" + b32encode(digest.digest()).decode()
    assert "warc-truncated" not in record.headers and len(record.body) == 50 << 20
    assert crawled.memory < MEMORY


def test_a_large_page_in_chunks_is_read_and_kept(tmp_path: Path) -> None:
    page = b"<html><title>Large</title><a href=/on>on</a>" + b"<p>and so on</p>" * 200_000
    with ScriptedWeb() as web:
        url = web.add("/", chunked(page, (65536,)))
        web.add("/on", html("On"))
        crawled = crawl(tmp_path, url)
        assert web.count("/on") == 1
    assert crawled.one(url).headers["warc-payload-digest"] == sha1(page)
    assert crawled.titles[url] == "Large"
