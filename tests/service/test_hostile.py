"""Whatever is sent, the answer is a documented one, it comes in time, and the service is there for the next."""

from __future__ import annotations

import base64
import gzip
import json
import socket
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anansi.service.admission import LARGEST_HEAD
from anansi.service.posted_page import LARGEST_BODY
from tests.service.running import AT, FORUM, Answered, Running, is_documented, listen, responses, service

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

JSON = {"Content-Type": "application/json"}
texts = st.text(max_size=60)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
urls = st.sampled_from([AT, "", "x", "javascript:alert(1)", "http://", "http://[::1", "file:///etc/passwd"]) | texts
pages = st.fixed_dictionaries(
    {},
    optional={
        "url": urls | values,
        "status": st.integers(-1000, 1000) | values,
        "headers": st.dictionaries(texts, texts | st.lists(texts, max_size=3), max_size=4)
        | st.lists(st.lists(texts, max_size=3), max_size=4)
        | values,
        "body": texts | values,
        "body_base64": st.binary(max_size=80).map(lambda data: base64.b64encode(data).decode()) | texts | values,
        "fetched": st.floats() | values,
        "requisites": values,
        "more": values,
    },
)
tokens = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ-", min_size=1, max_size=10).filter(
    lambda text: text != "HEAD"
)  # no body
fields = st.binary(max_size=40).map(lambda data: data.replace(b"\r", b"").replace(b"\n", b""))


def answers(helper: Running, data: bytes) -> list[Answered]:
    found = responses(helper.say(data))
    assert all(map(is_documented, found))
    return found


# ── what is posted ───────────────────────────────────────────────────────────────────────────────────────────────


@often
@given(st.binary(max_size=300))
def test_any_bytes_as_json(helper: Running, data: bytes) -> None:
    answered = helper.ask("POST", "/pages", data, JSON)
    assert is_documented(answered)
    assert answered.status in (400, 422)


@often
@given(values)
def test_any_json(helper: Running, value: Any) -> None:
    answered = helper.ask("POST", "/pages", json.dumps(value), JSON)
    assert is_documented(answered)
    assert answered.status in (400, 422)


@often
@given(pages)
def test_anything_that_looks_like_a_page(helper: Running, page: dict[str, Any]) -> None:
    answered = helper.ask("POST", "/pages", json.dumps(page), JSON)
    assert is_documented(answered)
    assert answered.status in (200, 400, 422)
    assert "more" not in page or answered.status != 200


@often
@given(st.binary(max_size=2000) | st.text(max_size=2000).map(lambda text: text.encode("utf-8", "replace")))
def test_any_body(helper: Running, body: bytes) -> None:
    answered = helper.ask("POST", "/pages", body, {"Page-Url": AT, "Content-Type": "text/html"})
    assert answered.status == 200, answered.body


@often
@given(st.binary(max_size=400), st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]))
def test_any_message(helper: Running, data: bytes, start: bytes) -> None:
    answered = helper.ask("POST", "/pages", start + data, {"Page-Url": AT, "Content-Type": "application/http"})
    assert is_documented(answered)
    assert answered.status in (200, 422)


@pytest.mark.parametrize(
    "deep", ["[" * 200_000, '{"url":' * 50_000, '{"headers":' + "[" * 100_000, '"' + "\\ud800" * 9]
)
def test_json_that_is_too_deep_or_no_text(helper: Running, deep: str) -> None:
    answered = helper.ask("POST", "/pages", deep, JSON)
    assert (answered.status, answered.json["type"] in ("/#bad-json", "/#bad-page")) in ((400, True), (422, True))
    assert is_documented(answered)
    assert len(answered.body) < 2000


@pytest.mark.parametrize(
    ("page", "kind", "told"),
    [
        ({}, "bad-page", "missing required field `url`"),
        ({"url": 7}, "bad-page", "`$.url`"),
        ({"url": "javascript:alert(1)"}, "bad-url", "is not an http or https address"),
        ({"url": "/relative"}, "bad-url", "is not an http"),
        ({"url": "http://x.example/" + "x" * 100_000}, "bad-url", "is not an http"),
        ({"url": AT, "status": 99}, "bad-page", "`$.status`"),
        ({"url": AT, "boby": ""}, "bad-page", "unknown field `boby`"),
        ({"url": AT, "body": "", "body_base64": ""}, "bad-page", "send one of them"),
        ({"url": AT, "body_base64": "%%%"}, "bad-page", "not base64"),
        ({"url": AT, "body_base64": "abc"}, "bad-page", "not base64"),
        ({"url": AT, "headers": [["a"]]}, "bad-page", "`$.headers[0]`"),
        ({"url": AT, "fetched": -1}, "bad-page", "`$.fetched`"),
    ],
)
def test_what_is_wrong_with_a_page_is_said(helper: Running, page: Any, kind: str, told: str) -> None:
    answered = helper.post(page)
    assert is_documented(answered)
    assert answered.json["type"] == f"/#{kind}"
    assert told in answered.json["detail"]


@pytest.mark.parametrize("target", ["/pages", "/pages?url=", "/pages?url=nowhere", f"/pages?url={AT}&sattus=200"])
def test_what_is_wrong_with_a_query_is_said(helper: Running, target: str) -> None:
    answered = helper.ask("POST", target, b"<p>x</p>", {"Content-Type": "text/html"})
    assert answered.status == 422
    assert is_documented(answered)


def test_json_is_not_said_twice(helper: Running) -> None:
    answered = helper.ask("POST", "/pages?url=http://other.example/", json.dumps({"url": AT}), JSON)
    assert (answered.status, "leave out the query" in answered.json["detail"]) == (422, True)


def test_a_bomb_is_a_page_without_links(helper: Running) -> None:
    bomb = gzip.compress(b"<a href=/x>" + b"\0" * (100 << 20))
    headers = {"Page-Url": AT, "Content-Encoding": "gzip", "Content-Type": "text/html"}
    found = helper.ask("POST", "/pages", bomb, headers).json
    assert (found["links"], found["recognition"]) == ([], None)


def test_pages_made_to_be_hard_are_answered_in_time(helper: Running) -> None:
    hard = {
        "deep": b"<div>" * 300_000,
        "wide": b"".join(b"<a href=/%d>x</a>" % number for number in range(200_000)),
        "attributes": b"<a " + b" ".join(b"a%d=1" % number for number in range(30_000)) + b">",
        "entities": b"&amp;" * 2_000_000,
        "open": b"<" * 3_000_000,
    }
    for name, body in hard.items():
        began = time.monotonic()
        answered = helper.ask("POST", "/pages", FORUM + body, {"Page-Url": AT, "Content-Type": "text/html"})
        assert answered.status in (200, 422), name
        assert is_documented(answered)
        assert time.monotonic() - began < 20
    assert helper.post({"url": AT, "body": FORUM.decode()}).status == 200


# ── how it is sent ───────────────────────────────────────────────────────────────────────────────────────────────


@often
@given(st.binary(max_size=400))
def test_any_bytes_over_a_connection(helper: Running, data: bytes) -> None:
    answers(helper, data)


@often
@given(tokens, st.text("/?#%&=.ab01\x7f ", max_size=20), st.sampled_from(["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "X"]))
def test_any_request_line(helper: Running, method: str, target: str, version: str) -> None:
    found = answers(helper, f"{method} {target} {version}\r\nHost: localhost\r\n\r\n".encode("latin-1"))
    assert len(found) == 1


@often
@given(st.lists(st.tuples(fields, fields), max_size=6))
def test_any_headers(helper: Running, lines: list[tuple[bytes, bytes]]) -> None:
    head = b"".join(b"%s:%s\r\n" % line for line in lines)
    found = answers(helper, b"POST /pages HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n")
    assert all(each.status != 200 for each in found), "no address was given"


@often
@given(st.binary(max_size=60), st.integers(0, 80))
def test_any_chunks(helper: Running, data: bytes, size: int) -> None:
    head = f"POST /pages HTTP/1.1\r\nHost: localhost\r\nPage-Url: {AT}\r\nTransfer-Encoding: chunked\r\n\r\n"
    answers(helper, head.encode() + b"%x\r\n%s\r\n0\r\n\r\n" % (size, data))


def request(
    *lines: str, body: bytes = b"", target: str = "/pages", version: str = "1.1", method: str = "POST"
) -> bytes:
    head = [f"{method} {target} HTTP/{version}", "Host: localhost", *lines, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def test_chunks_are_put_together(helper: Running) -> None:
    chunks = b"".join(b"%X;x=y\r\n%s\r\n" % (len(part), part) for part in (FORUM[:100], FORUM[100:]))
    data = request(f"Page-Url: {AT}", "Transfer-Encoding: chunked", body=chunks + b"0\r\nTrailer: x\r\n\r\n")
    first, second = answers(helper, data + request(target="/health", method="GET"))
    assert first.json["recognition"]["type"] == "forum/phpbb"
    assert second.json["status"] == "ok", "the connection goes on behind the last chunk"


def test_requests_in_a_row_are_answered_in_their_order(helper: Running) -> None:
    body = json.dumps({"url": AT, "body": FORUM.decode()}).encode()
    page = request("Content-Type: application/json", f"Content-Length: {len(body)}", body=body)
    health = request(target="/health", method="GET")
    found = answers(helper, page + health + page + request(target="/nowhere", method="GET") + page)
    assert [each.status for each in found] == [200, 200, 200, 404, 200]
    assert "recognition" in found[0].json
    assert "workers" in found[1].json


def test_the_older_protocol_is_spoken(helper: Running) -> None:
    data = request(f"Page-Url: {AT}", f"Content-Length: {len(FORUM)}", body=FORUM, version="1.0")
    (answered,) = answers(helper, data + data)
    assert (answered.status, answered.headers["connection"]) == (200, "close")
    two = request("Connection: keep-alive", target="/health", version="1.0", method="GET") * 2
    assert [each.status for each in answers(helper, two)] == [200], "a connection serves one such request"
    assert answers(helper, b"GET /health HTTP/1.0\r\n\r\n")[0].status == 200


def test_a_client_that_waits_for_leave_gets_it(helper: Running) -> None:
    with helper.dial() as wire:
        wire.sendall(request(f"Page-Url: {AT}", f"Content-Length: {len(FORUM)}", "Expect: 100-continue"))
        assert wire.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        wire.sendall(FORUM)
        assert wire.recv(100).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (request("Content-Length: 5", "Content-Length: 6", body=b"123456"), 400),
        (request("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), 400),
        (request("Transfer-Encoding: chunked", body=b"0\r\n\r\n", version="1.0"), 400),
        (request("Content-Length: -1"), 400),
        (request("Content-Length: 1_0"), 400),
        (request("Content-Length : 5", body=b"12345"), 400),
        (request("Host: twice"), 400),
        (request("Nul: \0"), 400),
        (b"POST /pages HTTP/1.1\r\n\r\n", 400),
        (request("Transfer-Encoding: gzip, chunked"), 501),
        (request("Expect: miracles"), 417),
        (request("Content-Encoding: gzip", "Content-Type: application/json"), 415),
        (request("Transfer-Encoding: chunked", body=b"nonsense\r\n"), 400),
        (request("Transfer-Encoding: chunked", body=b"3\r\nabcdef\r\n"), 400),
        (request("Transfer-Encoding: chunked", body=b"0" * LARGEST_HEAD * 3), 431),
        (request("Transfer-Encoding: chunked", body=b"0\r\n" + b"a: b\r\n" * 20_000), 431),
        (request("X: " + "x" * LARGEST_HEAD), 431),
        (request(*["A: b"] * 500), 431),
        (request(target="/" + "x" * 20_000), 404),
        (request(target="/pages?" + "a=b&" * 1000), 422),
        (request(version="3.0"), 505),
        (request(target="*", method="OPTIONS"), 404),
        (request(target="localhost:80", method="CONNECT"), 404),
        (request(target="/%2e%2e/etc/passwd", method="GET"), 404),
        (request(target="/health", method="TRACE"), 405),
    ],
)
def test_what_could_be_understood_in_two_ways_or_is_too_much(helper: Running, data: bytes, status: int) -> None:
    (answered,) = answers(helper, data)
    assert answered.status == status
    assert b"secret" not in answered.body


def test_what_is_announced_to_be_too_large_is_refused(helper: Running) -> None:
    (answered,) = responses(helper.say(request(f"Content-Length: {LARGEST_BODY + 1}"), end=False))
    assert (answered.status, is_documented(answered)) == (413, True)


def test_what_follows_a_refused_body_is_not_taken_for_a_request(helper: Running) -> None:
    hidden = request(target="/health", method="GET")
    data = request(f"Content-Length: {len(hidden)}", target="/nowhere", body=hidden)
    assert [each.status for each in answers(helper, data)] == [404]


def test_values_of_headers_are_not_repeated(helper: Running) -> None:
    for lines in (["Authorization: Bearer topsecret"], ["Cookie: topsecret"], ["Bad Header: topsecret"]):
        assert b"topsecret" not in helper.say(request(*lines))
        assert b"topsecret" not in helper.say(request(*lines, "Host: again"))


# ── how slowly ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "begun",
    [
        b"P",
        b"POST /pages HTTP/1.1\r\nHost: loc",
        request("Content-Length: 100", body=b"begun"),
        request("Transfer-Encoding: chunked", body=b"5\r\nab"),
        request("Transfer-Encoding: chunked", body=b"1"),
    ],
)
def test_a_request_that_never_ends_is_ended(helper: Running, begun: bytes) -> None:
    began = time.monotonic()
    (answered,) = responses(helper.say(begun, end=False))
    assert answered.status == 408
    assert is_documented(answered)
    assert time.monotonic() - began < 10


def test_a_head_that_comes_byte_by_byte_is_ended(helper: Running) -> None:
    with helper.dial() as wire:
        began = time.monotonic()
        try:
            while time.monotonic() - began < 10:
                wire.sendall(b"a")
                time.sleep(0.1)
        except OSError:
            pass
        assert time.monotonic() - began < 8


def test_a_connection_on_which_nothing_comes_is_ended_without_a_word(helper: Running) -> None:
    with helper.dial() as wire:
        assert listen(wire) == b""


def test_clients_that_do_not_read_do_not_hold_up_others() -> None:
    with service("--workers", "1") as running:
        links = "".join(f"<a href=/{number}>x</a>" for number in range(5000))
        body = json.dumps({"url": AT, "body": links}).encode()
        deaf = [running.dial() for _ in range(8)]
        for wire in deaf:
            wire.sendall(request("Content-Type: application/json", f"Content-Length: {len(body)}", body=body) * 2)
        began = time.monotonic()
        while running.post({"url": AT, "body": "x"}).status == 503 and time.monotonic() - began < 10:
            time.sleep(0.1)
        assert running.post({"url": AT, "body": "x"}).status == 200
        for wire in deaf:
            wire.close()
        assert running.stop()[0] == 0


def test_a_client_that_does_not_take_its_answers_is_ended() -> None:
    hasty = "from anansi.service import server\nserver.WRITE_SECONDS = 0.5\nfrom anansi.cli import main\nmain()"
    with service("--workers", "1", code=hasty) as running, socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.connect(("127.0.0.1", running.port))
        links = "".join(f"<a href=/{number}>x</a>" for number in range(5000))
        body = json.dumps({"url": AT, "body": links}).encode()
        wire.sendall(request("Content-Type: application/json", f"Content-Length: {len(body)}", body=body) * 12)
        end = time.monotonic() + 60
        with pytest.raises(OSError, match=r"reset|pipe"):
            while time.monotonic() < end:
                wire.send(b"P")
                time.sleep(0.1)
        assert running.health()["status"] == "ok"
