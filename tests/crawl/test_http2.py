"""HTTP/2 on request: what is kept is HTTP/1.1 text that every reader understands, and says how it came."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from tests.crawl.case import Crawled, crawl, sha1
from tests.web import ScriptedWeb, html
from tests.web.http2 import Answer, Http2Web

HTML = ("content-type", "text/html; charset=utf-8")
HOME = b"<title>Home</title>" + b"".join(
    b'<a href="%s">on</a> ' % path for path in (b"/a", b"/packed", b"/moved", b"/no")
)
PACKED = gzip.compress(b"<title>Packed</title>" + b"words and words " * 3000, mtime=0)
ANSWERS: dict[str, Answer] = {
    "/": (200, (HTML, ("set-cookie", "a=1"), ("set-cookie", "b=2"), ("x-odd", "caf\xe9")), HOME),
    "/a": (200, (HTML, ("content-length", "24")), b"<title>A</title>the end."),
    "/packed": (200, (HTML, ("content-encoding", "gzip")), PACKED),
    "/moved": (301, (("location", "/a"),), b""),
}


@pytest.fixture(scope="module")
def web() -> Iterator[Http2Web]:
    with Http2Web(ANSWERS) as web:
        yield web


@pytest.fixture(scope="module")
def crawled(web: Http2Web, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl(
        tmp_path_factory.mktemp("http2"),
        web.url + "/",
        settings={"fetch": {"http2": True}},
        environment={"SSL_CERT_FILE": str(web.ca_file)},
    )


def test_pages_come_over_one_connection_and_lead_on(crawled: Crawled, web: Http2Web) -> None:
    assert crawled.code == 0
    assert crawled.titles == {
        web.url + path: title for path, title in (("/", "Home"), ("/a", "A"), ("/packed", "Packed"))
    }
    assert sorted(web.asked) == ["/", "/a", "/moved", "/no", "/packed", "/robots.txt"]
    assert (crawled.summary["requests"], web.connections) == (6, 1)


def protocols(crawled: Crawled) -> set[str]:
    return {record.headers["warc-protocol"] for record in crawled.records if record.kind in ("request", "response")}


def test_every_record_says_how_it_came(crawled: Crawled) -> None:
    assert protocols(crawled) == {"h2"}


def test_the_head_is_http_1_text_and_the_body_is_what_came(crawled: Crawled, web: Http2Web) -> None:
    for path, (status, headers, body) in ANSWERS.items():
        record = crawled.one(web.url + path)
        first, *lines = record.head.decode("latin-1").split("\r\n")[:-2]
        assert first.split()[:2] == ["HTTP/1.1", str(status)]
        told = [tuple(line.split(": ", 1)) for line in lines]
        assert [(name, value.encode("latin-1").decode()) for name, value in told] == list(headers)
        assert record.body == body
        assert record.headers["warc-payload-digest"] == sha1(body)


def test_the_request_is_http_1_text_too(crawled: Crawled, web: Http2Web) -> None:
    first, *lines = crawled.one(web.url + "/a", "request").block.decode().split("\r\n")[:-2]
    sent = next(fields for fields in web.requests if fields[":path"] == "/a")
    told = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    assert first.startswith("GET /a HTTP/")
    assert told["host"] == sent[":authority"]
    assert {name: value for name, value in told.items() if name != "host"} == {
        name: value for name, value in sent.items() if not name.startswith(":")
    }


def test_other_peoples_readers_understand_it(crawled: Crawled, web: Http2Web) -> None:
    for path in crawled.collection.warcs():
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                if record.rec_type == "response" and record.rec_headers["WARC-Target-URI"] == web.url + "/packed":
                    assert record.http_headers.get_statuscode() == "200"
                    assert record.content_stream().read() == gzip.decompress(PACKED)
                record.content_stream().read()
        with path.open("rb") as stream:
            for found in FastIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                assert found.http_headers.status_code in (200, 301, 404)
                assert found.verify_payload_digest()


def test_a_server_that_does_not_speak_it_is_asked_as_ever(tmp_path: Path) -> None:
    with ScriptedWeb(tls="good") as web:
        url = web.add("/", html("Old"))
        settings = {"fetch": {"http2": True}}
        crawled = crawl(tmp_path, url, settings=settings, environment={"SSL_CERT_FILE": str(web.ca_file)})
        assert crawled.one(url, "request").block == web.log[-1].raw
    assert crawled.titles == {url: "Old"}
    assert protocols(crawled) == {"http/1.1"}


def test_without_asking_nobody_speaks_it(tmp_path: Path) -> None:
    with ScriptedWeb(tls="good") as web:
        url = web.add("/", html("Old"))
        crawled = crawl(tmp_path, url, environment={"SSL_CERT_FILE": str(web.ca_file)})
    assert protocols(crawled) == {"http/1.1"}
