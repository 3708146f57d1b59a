"""One exchange at a time: what went out, what came back, and what the web did wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.config import Fetch
from anansi.errors import DiskError
from anansi.fetch import curl as module
from anansi.fetch.curl import MAX_HEAD, SPOOL_ABOVE, Fetcher, parse_head
from anansi.model import Cut, Fault, Page, Validators, Visit
from tests.web import (
    BODY,
    Behaviour,
    Connection,
    Reply,
    Request,
    ScriptedWeb,
    bare_newlines,
    big_file,
    big_file_bytes,
    chunked,
    chunked_malformed,
    chunked_truncated,
    close_at,
    drip,
    endless_body,
    garbage,
    hang,
    header_bomb,
    header_flood,
    html,
    http09,
    http10,
    huge_status_line,
    interim,
    needs_cookie,
    raw,
    redirect,
    reset_at,
    slow_headers,
    trailing_garbage,
    wrong_content_length,
)
from tests.web.breaks import SENT_BEFORE, Stage
from tests.web.exchange import head_of
from tests.web.wire import soon

AGENT = "Anansi/test (+mailto:archivist@example.org)"
PATIENT = Fetch(timeout=120.0)
"""For what does not go by time; a busy machine takes its own."""
HASTY = Fetch(timeout=2.0)
"""For what is cut by time."""


def visit(url: str, **more: Any) -> Visit:
    """Make a visit to a URL on loopback."""
    return Visit(url=url, key=url, **({"address": "127.0.0.1"} | more))


def fetch(spool: Path, *visits: Visit, settings: Fetch = PATIENT, agent: str = AGENT) -> list[Page]:
    """Make exchanges one after the other with one fetcher."""

    async def run() -> list[Page]:
        fetcher = Fetcher(settings, agent, spool)
        try:
            return [await _one(fetcher, each) for each in visits]
        finally:
            fetcher.close()

    return asyncio.run(run())


async def _one(fetcher: Fetcher, each: Visit) -> Page:
    answer: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
    fetcher.start(each, answer.set_result, answer.set_exception)
    return await asyncio.wait_for(answer, 120)


def get(spool: Path, behaviour: Behaviour, *, settings: Fetch = PATIENT) -> Page:
    """Serve one behaviour and fetch it."""
    with ScriptedWeb() as web:
        return fetch(spool, visit(web.add("/x", behaviour)), settings=settings)[0]


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────────────────


def test_both_sides_are_kept_to_the_byte(tmp_path: Path) -> None:
    reply = html("A page", ["/on"])
    with ScriptedWeb() as web:
        (page,) = fetch(tmp_path, visit(web.add("/x?a=1", reply)))
        assert page.request == web.log[0].raw
    assert (page.head, page.body.read()) == (reply.head, reply.body)
    assert (page.status, page.header("content-type"), page.ip) == (200, "text/html; charset=utf-8", "127.0.0.1")
    assert page.fault is None and page.cut is None and page.protocol == "http/1.1"


def test_the_request_says_who_asks(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        fetch(tmp_path, visit(web.add("/", html("x"))))
        asked = web.log[0].headers
    assert asked["user-agent"] == AGENT
    assert asked["host"] == f"127.0.0.1:{web.port}"
    assert "gzip" in asked["accept-encoding"]


def test_a_user_agent_of_any_letters_is_sent_as_utf8(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        (page,) = fetch(tmp_path, visit(web.add("/", html("x"))), agent="Bibliothèque/1.0")
        assert web.log[0].headers["user-agent"].encode("latin-1").decode() == "Bibliothèque/1.0"
    assert page.ok


def test_chunks_stay_as_they_came(tmp_path: Path) -> None:
    page = get(tmp_path, chunked(b"hello chunked world", (5, 3), trailers=(("X-Sum", "1"),)))
    assert page.body.read().startswith(b"5\r\nhello\r\n3\r\n ch\r\n")
    assert page.body.read().endswith(b"0\r\nX-Sum: 1\r\n\r\n")
    assert page.header("x-sum") == "" and page.cut is None


def test_compressed_bytes_stay_compressed(tmp_path: Path) -> None:
    page = get(tmp_path, Reply(200, {"Content-Encoding": "gzip"}, b"not gzip at all"))
    assert page.body.read() == b"not gzip at all" and page.cut is None


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    page = get(tmp_path, redirect("/elsewhere"))
    assert (page.status, page.header("location")) == (302, "/elsewhere")


def test_interim_answers_are_not_the_answer(tmp_path: Path) -> None:
    reply = html("The real one")
    page = get(tmp_path, interim(100, 103, then=reply))
    assert (page.head, page.body.read()) == (reply.head, reply.body)


@pytest.mark.parametrize("behaviour", [http10(), bare_newlines(), Reply(200, (), BODY, length=False, close=True)])
def test_old_ways_of_framing_are_understood(behaviour: Behaviour, tmp_path: Path) -> None:
    page = get(tmp_path, behaviour)
    assert (page.status, page.body.read(), page.cut) == (200, BODY, None)


def test_what_stands_behind_the_body_does_not_spoil_the_next_answer(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        urls = [web.add("/x", trailing_garbage()), web.add("/y", html("Next"))]
        first, second = fetch(tmp_path, *map(visit, urls))
    assert (first.body.read(), first.cut) == (BODY, None)
    assert (second.status, second.fault) == (200, None)


def test_a_large_body_goes_to_a_file(tmp_path: Path) -> None:
    size = SPOOL_ABOVE + 12345
    page = get(tmp_path, big_file(size), settings=PATIENT)
    assert page.body.file is not None and page.body.size == size
    assert page.body.read() == b"".join(big_file_bytes(size))
    page.body.file.close()


def test_a_disk_that_does_not_take_a_large_body_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DiskError, match=r"gone: .*the folder went away"):
        get(tmp_path / "gone", big_file(SPOOL_ABOVE + 1), settings=PATIENT)
    assert capfd.readouterr().err == ""


def test_connections_are_used_again(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/x", html("x"))
        fetch(tmp_path, *[visit(url)] * 5)
        assert (len(web.log), web.connections) == (5, 1)


def test_cookies_come_back(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/x", needs_cookie(html("For guests")))
        first, second = fetch(tmp_path, visit(url), visit(url))
    assert (first.status, second.status) == (302, 200)


def test_the_connection_goes_to_the_address_that_was_judged(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.77") as web:
        web.add("/x", html("x"))
        url = f"http://name.invalid:{web.port}/x"
        (page,) = fetch(tmp_path, visit(url, address="127.0.0.77"))
        assert web.log[0].headers["host"] == f"name.invalid:{web.port}"
    assert (page.status, page.ip) == (200, "127.0.0.77")


@pytest.mark.parametrize("etag", ['"abc"', 'W/"caf\xe9"', "no quotes"])
def test_validators_go_back_as_they_came(etag: str, tmp_path: Path) -> None:
    before = Validators(etag=etag, modified="Tue, 01 Sep 2026 00:00:00 GMT")
    with ScriptedWeb() as web:
        (page,) = fetch(tmp_path, visit(web.add("/x", Reply(304)), validators=before))
        assert web.log[0].headers["if-none-match"] == etag
        assert web.log[0].headers["if-modified-since"] == before.modified
    assert page.status == 304 and page.body.size == 0


def test_more_exchanges_than_connections_wait_their_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECTIONS", 3)

    async def run(urls: list[str]) -> list[Page]:
        fetcher = Fetcher(PATIENT, AGENT, tmp_path)
        pages = await asyncio.gather(*(_one(fetcher, visit(url)) for url in urls))
        assert fetcher.busy == 0
        fetcher.close()
        return pages

    with ScriptedWeb() as web:
        pages = asyncio.run(run([web.add(f"/{number}", html(str(number))) for number in range(20)]))
        assert web.connections <= 3
    assert [page.status for page in pages] == [200] * 20


def test_closing_forgets_what_is_under_way(tmp_path: Path) -> None:
    async def run(url: str) -> list[Page]:
        pages: list[Page] = []
        refusals: list[DiskError] = []
        fetcher = Fetcher(PATIENT, AGENT, tmp_path)
        fetcher.start(visit(url), pages.append, refusals.append)
        await asyncio.sleep(0.05)
        assert fetcher.busy == 1
        fetcher.close()
        await asyncio.sleep(0.05)
        return pages

    with ScriptedWeb() as web:
        assert asyncio.run(run(web.add("/x", hang()))) == []


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────────────

FAULTS: dict[str, tuple[Behaviour, Fault]] = {
    "a header of 10 MB": (header_bomb(), Fault.HEADERS),
    "100,000 headers": (header_flood(), Fault.HEADERS),
    "headers just above the limit": (
        raw(b"HTTP/1.1 200 OK\r\n" + (b"X: " + b"x" * 1000 + b"\r\n") * (MAX_HEAD // 1000) + b"\r\n"),
        Fault.HEADERS,
    ),
    "a status line of 1 MB": (huge_status_line(), Fault.HEADERS),
    "endless interim answers": (raw(head_of(103, (("Link", "x" * 1000),)) * 500), Fault.HEADERS),
    "no headers at all": (http09(), Fault.PROTOCOL),
    "garbage": (garbage(), Fault.PROTOCOL),
    "silence": (hang(), Fault.TIMEOUT),
    "headers byte by byte": (slow_headers(interval=0.2), Fault.TIMEOUT),
    "only an interim answer": (raw(head_of(100, ())), Fault.RESET),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_answer_without_complete_headers_is_a_fault(name: str, tmp_path: Path) -> None:
    behaviour, fault = FAULTS[name]
    with ScriptedWeb() as web:
        settings = HASTY if fault is Fault.TIMEOUT else PATIENT
        (page,) = fetch(tmp_path, visit(web.add("/x", behaviour)), settings=settings)
        assert page.fault is fault, page.detail
        assert soon(lambda: bool(web.log))
        assert page.request == web.log[-1].raw
    assert (page.status, page.head, page.body.size) == (0, b"", 0)


BREAKS = [(how, stage) for stage in SENT_BEFORE if stage != "connect" for how in (reset_at, close_at)]


@pytest.mark.parametrize(("how", "stage"), BREAKS)
def test_a_connection_that_breaks_is_a_fault_before_the_body_and_a_cut_within(
    how: Callable[[Stage], Behaviour], stage: Stage, tmp_path: Path
) -> None:
    page = get(tmp_path, how(stage))
    if stage in ("after headers", "mid body"):
        assert (page.fault, page.cut) == (None, Cut.DISCONNECT)
        assert page.head + page.body.read() == SENT_BEFORE[stage]
    else:
        assert page.fault is Fault.RESET, page.detail


CUTS: dict[str, tuple[Behaviour, Cut | None]] = {
    "chunks that stop": (chunked_truncated(), Cut.DISCONNECT),
    "chunks that make no sense": (chunked_malformed(), Cut.DISCONNECT),
    "fewer bytes than announced": (wrong_content_length("longer"), Cut.DISCONNECT),
    "more bytes than announced": (wrong_content_length("shorter"), None),
    "one byte now and then": (drip(interval=0.1), Cut.TIME),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_body_that_is_not_whole_is_kept_and_says_so(name: str, tmp_path: Path) -> None:
    behaviour, cut = CUTS[name]
    page = get(tmp_path, behaviour, settings=HASTY if cut is Cut.TIME else PATIENT)
    assert (page.fault, page.cut, page.status) == (None, cut, 200)
    assert page.body.size > 0


@pytest.mark.parametrize("chunks", [True, False])
def test_an_endless_body_is_cut_at_the_limit(chunks: bool, tmp_path: Path) -> None:
    page = get(tmp_path, endless_body(chunked=chunks), settings=Fetch(max_body=100_000, timeout=120))
    assert (page.cut, page.body.size, len(page.body.read())) == (Cut.LENGTH, 100_000, 100_000)


def test_a_body_of_exactly_the_limit_is_whole(tmp_path: Path) -> None:
    page = get(tmp_path, Reply(200, (), b"x" * 2000), settings=Fetch(max_body=2000))
    assert (page.cut, page.body.size) == (None, 2000)


def test_nobody_there_is_a_fault_and_no_request(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.url + "/"
    (page,) = fetch(tmp_path, visit(url))
    assert (page.fault, page.request) == (Fault.CONNECT, b"")


@pytest.mark.parametrize(
    "url", ["http://exa mple/", "http://[::1/", "http://h:99999/", "ftp://example.org/", "http://\ud800/"]
)
def test_an_address_that_cannot_be_requested_is_a_fault(url: str, tmp_path: Path) -> None:
    (page,) = fetch(tmp_path, visit(url))
    assert page.fault in (Fault.URL, Fault.PROTOCOL)
    assert page.request == b""


def test_after_a_fault_the_fetcher_goes_on(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        urls = [
            web.add("/bad", header_bomb()),
            web.add("/worse", reset_at("mid status")),
            web.add("/good", html("x")),
        ]
        pages = fetch(tmp_path, *map(visit, urls))
    assert [page.status for page in pages] == [0, 0, 200]


# ── encrypted, and by way of others ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["self-signed", "expired", "wrong-host"])
def test_a_bad_certificate_is_a_fault_unless_it_is_not_asked_for(kind: Any, tmp_path: Path) -> None:
    with ScriptedWeb(tls=kind) as web:
        url = web.add("/x", html("x"))
        (refused,) = fetch(tmp_path, visit(url))
        (accepted,) = fetch(tmp_path, visit(url), settings=Fetch(verify_tls=False))
    assert (refused.fault, refused.request) == (Fault.TLS, b"")
    assert accepted.status == 200


def test_an_authority_of_ones_own_is_trusted_by_ssl_cert_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedWeb(tls="good") as web:
        url = web.add("/x", html("x"))
        (stranger,) = fetch(tmp_path, visit(url))
        monkeypatch.setenv("SSL_CERT_FILE", str(web.ca_file))
        (friend,) = fetch(tmp_path, visit(url))
    assert (stranger.fault, friend.status) == (Fault.TLS, 200)


def test_a_server_that_does_not_speak_tls_is_a_fault(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        (page,) = fetch(tmp_path, visit(f"https://127.0.0.1:{web.port}/"), settings=HASTY)
    assert page.fault in (Fault.TLS, Fault.TIMEOUT)


def test_proxies_of_the_environment_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(tmp_path, html("x")).status == 200


def forwarder(seen: list[Request]) -> Behaviour:
    """Play a proxy that has every page in its cache."""

    async def behave(request: Request, connection: Connection) -> None:
        seen.append(request)
        await html("By proxy")(request, connection)

    return behave


def test_a_proxy_is_asked_with_its_password_which_is_not_kept(tmp_path: Path) -> None:
    seen: list[Request] = []
    with ScriptedWeb() as proxy:
        proxy.add("http://example.org/x", forwarder(seen))
        settings = Fetch(timeout=120, proxy=f"http://me:secret@127.0.0.1:{proxy.port}")
        (page,) = fetch(tmp_path, visit("http://example.org/x", address=""), settings=settings)
    assert seen[0].headers["proxy-authorization"] == "Basic bWU6c2VjcmV0"
    assert b"uthorization" not in page.request and page.request.endswith(b"\r\n\r\n")
    assert (page.status, page.ip) == (200, "")


def test_what_a_proxy_says_when_it_cannot_connect_is_not_the_answer(tmp_path: Path) -> None:
    with ScriptedWeb() as proxy:
        proxy.add("example.org:443", Reply(403, {"Content-Type": "text/html"}, b"<p>Not with me</p>", close=True))
        settings = Fetch(timeout=120, proxy=f"http://127.0.0.1:{proxy.port}")
        (page,) = fetch(tmp_path, visit("https://example.org/", address=""), settings=settings)
    assert page.fault is not None and page.head == b""


def test_a_tunnel_that_breaks_after_it_was_opened_is_not_an_answer(tmp_path: Path) -> None:
    with ScriptedWeb() as proxy:
        proxy.add("example.org:443", raw(b"HTTP/1.1 200 Connection established\r\n\r\n"))
        settings = Fetch(timeout=120, proxy=f"http://127.0.0.1:{proxy.port}")
        (page,) = fetch(tmp_path, visit("https://example.org/", address=""), settings=settings)
    assert page.fault is Fault.TLS and page.status == 0


# ── heads ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_head_is_read_line_by_line() -> None:
    lines = [
        b"HTTP/1.1 200 OK\r\n",
        b"Content-Type:  text/html \r\n",
        b"X-Caf\xe9: \xff\r\n",
        b"no colon\r\n",
        b"\r\n",
    ]
    assert parse_head(lines) == (200, (("content-type", "text/html"), ("x-caf\xe9", "\xff")))


@pytest.mark.parametrize("first", [b"", b"\r\n", b"HTTP/1.1\r\n", b"HTTP/1.1 abc\r\n", b"HTTP/1.1 \xb2\r\n"])
def test_a_head_without_status_has_none(first: bytes) -> None:
    assert parse_head([first, b"\r\n"]) == (0, ())


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_any_lines_make_a_head(lines: list[bytes]) -> None:
    status, headers = parse_head(lines)
    assert status >= 0
    assert all(name == name.strip().lower() and value == value.strip() for name, value in headers)
