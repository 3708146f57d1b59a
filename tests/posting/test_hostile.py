"""Whatever is posted, the answer is a documented one, it comes in time, and the crawl goes on."""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anansi.service.admission import LARGEST_HEAD
from anansi.service.problem import MEDIA_TYPE, URL_KINDS
from anansi.service.scored_urls import LARGEST, MOST_URLS, SHOWN
from anansi.service.server import PATIENCE
from tests.posting.posting import Posting
from tests.service.running import Answered, listen, responses

often = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

URL = "http://127.0.0.1:1/page"
texts = st.text(max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
urls = st.sampled_from([URL, "", "x", "javascript:alert(1)", "http://", "http://[::1", "file:///etc/passwd"]) | texts
entries = st.fixed_dictionaries(
    {},
    optional={
        "url": urls | values,
        "score": st.floats(0, 1) | st.floats() | values,
        "blacklist": st.booleans() | values,
        "via": urls | values,
        "more": values,
    },
)


def is_documented(answered: Answered) -> bool:
    if answered.status == 200:
        return True
    told = answered.json
    assert answered.headers["content-type"] == MEDIA_TYPE
    assert told["status"] == answered.status
    assert told.keys() - {"errors"} == {"type", "title", "status", "detail", "cure"}
    assert URL_KINDS[told["type"].removeprefix("/#")].status == answered.status
    assert len(answered.body) < 20_000
    if answered.status in (429, 503):
        assert int(answered.headers["retry-after"]) >= 1
    return True


# ── what is posted ───────────────────────────────────────────────────────────────────────────────────────────────


@often
@given(st.binary(max_size=300))
def test_any_bytes(listening: Posting, data: bytes) -> None:
    answered = listening.raw(data)
    assert is_documented(answered)
    assert answered.status in (400, 422)


@often
@given(values)
def test_any_json(listening: Posting, value: Any) -> None:
    answered = listening.raw(json.dumps(value))
    assert is_documented(answered)
    assert answered.status in (400, 422)


@often
@given(st.lists(entries, max_size=5))
def test_anything_that_looks_like_urls(listening: Posting, found: list[dict[str, Any]]) -> None:
    answered = listening.give(*found)
    assert is_documented(answered)
    assert answered.status in (200, 400, 422)
    assert answered.status != 200 or not any("more" in each for each in found)
    assert answered.status != 200 or len(answered.json["urls"]) == len(found)


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ("[" * 200_000, "bad-json", "too deep"),
        ('{"urls":' * 50_000, "bad-json", "too deep"),
        ('{"urls": [{"url": "http://a.example/", "score": NaN}]}', "bad-json", "NaN is no number of JSON"),
        ('{"urls": [{"url": "http://a.example/", "score": -Infinity}]}', "bad-json", "-Infinity is no number"),
        ('{"urls": [{"url": "http://a.example/", "score": 1e999}]}', "bad-urls", "#/urls/0/score"),
        ('{"urls": [{"url": "http://a.example/", "score": ' + "9" * 1000 + "}]}", "bad-urls", "#/urls/0/score"),
        ('{"urls": [{"url": "http://a.example/", "score": ' + "9" * 100_000 + "}]}", "bad-json", "digits"),
        (
            '{"urls": [{"url": "http://a.example/", "score": 0.1, "score": 0.9}]}',
            "bad-urls",
            "#/urls/0/score: stands twice",
        ),
        ('{"urls": [], "urls": []}', "bad-urls", "a key stands twice"),
        (b'{"urls": ["\xff\xfe"]}', "bad-json", "utf-8"),
        (b"\xef\xbb\xbf{}", "bad-json", "Expecting value"),
        ('{"urls": [{"url": "http://a.example/\\ud800", "score": 0.1}]}', "bad-urls", "half of a pair of surrogates"),
        ("", "bad-json", "Expecting value"),
        ("null", "bad-urls", "got null"),
        ('{"urls": {}}', "bad-urls", "expected"),
        ('{"urls": []}', "bad-urls", "expected 1 to"),
        ('{"urls": [1], "more": 1}', "bad-urls", "expected"),
        (json.dumps({"urls": [{}] * (MOST_URLS + 1)}), "bad-urls", "post the rest apart"),
    ],
    ids=range(18),
)
def test_what_is_wrong_is_said(listening: Posting, body: str | bytes, kind: str, told: str) -> None:
    answered = listening.raw(body)
    assert is_documented(answered)
    assert (answered.json["type"], told in answered.json["detail"]) == (f"/#{kind}", True), answered.body


def test_every_mistake_is_said_with_its_place_and_nothing_is_taken(listening: Posting) -> None:
    good = {"url": "http://127.0.0.1:1/taken", "score": 0.5}
    answered = listening.give(
        good,
        {"url": 7, "score": "high", "blacklist": None, "via": "nowhere"},
        ["http://a.example/"],
        {"score": 2},
        {"url": "http://a.example/", "blacklist": False},
        {"url": "ftp://a.example/", "score": True, "scroe/": 0.1},
        {"url": "http://user:secret@a.example/", "score": 0.1},
        {"url": "http://a.example/" + "x" * 5000, "score": 0.1},
    )
    assert answered.status == 422
    assert {(each["pointer"], each["detail"].partition(",")[0]) for each in answered.json["errors"]} == {
        ("#/urls/1/url", "expected an absolute http or https address"),
        ("#/urls/1/score", "expected a number from 0 to 1"),
        ("#/urls/1/blacklist", "expected true or false"),
        ("#/urls/1/via", "expected an absolute http or https address"),
        ("#/urls/2", 'expected an object such as {"url": "https://example.org/"'),
        ("#/urls/3/url", "missing; expected an absolute http or https address"),
        ("#/urls/3/score", "expected a number from 0 to 1"),
        ("#/urls/4/score", "missing; expected a number from 0 to 1 (only what is blacklisted needs none)"),
        ("#/urls/5/scroe~1", "unknown key; known: url"),
        ("#/urls/5/url", "expected an absolute http or https address"),
        ("#/urls/5/score", "expected a number from 0 to 1"),
        ("#/urls/6/url", "holds a user name or password"),
        ("#/urls/7/url", "expected at most 4"),
    }
    assert b"secret" not in answered.body
    assert listening.give(good).json["urls"][0]["state"] == "scheduled", "it was not taken before"


def test_the_example_of_the_documentation_is_what_happens(listening: Posting) -> None:
    page = (Path(__file__).parents[2] / "docs" / "posting.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    answered = listening.give({"url": URL, "score": 0.1}, {"url": URL, "score": "high"})
    assert answered.json == json.loads(example)
    (posted,) = re.findall(r"--json '(\{.*?\})'$", page, re.M | re.S)
    assert [each["state"] for each in listening.raw(posted).json["urls"]] == ["refused", "refused", "blacklisted"]


def test_of_many_mistakes_some_are_told(listening: Posting) -> None:
    answered = listening.give(*[{}] * MOST_URLS)
    assert len(answered.json["errors"]) == SHOWN
    assert answered.json["detail"].startswith("2,000 mistakes, nothing was taken")


def test_json_that_is_many_times_larger_in_memory_is_refused_in_time(listening: Posting) -> None:
    began = time.monotonic()
    body = '{"urls": [' + "[]," * (LARGEST // 3 - 10) + "0]}"
    assert listening.raw(body).status == 422
    assert time.monotonic() - began < 15


# ── how it is sent ───────────────────────────────────────────────────────────────────────────────────────────────


def request(crawl: Posting, *lines: str, body: bytes = b"", method: str = "POST", target: str = "/urls") -> bytes:
    entitled = [f"{name}: {value}" for name, value in crawl.entitled.items()]
    head = [f"{method} {crawl.place}{target} HTTP/1.1", "Host: localhost", *entitled, *lines, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


@pytest.mark.parametrize(
    ("lines", "body", "status"),
    [
        (["Content-Length: 5", "Content-Length: 6"], b"123456", 400),
        (["Content-Length: 5", "Transfer-Encoding: chunked"], b"0\r\n\r\n", 400),
        (["Transfer-Encoding: chunked"], b"nonsense\r\n", 400),
        (["Transfer-Encoding: gzip"], b"", 501),
        (["Content-Encoding: gzip", "Content-Length: 2"], b"{}", 415),
        (["Expect: miracles", "Content-Length: 2"], b"{}", 417),
        (["X: " + "x" * LARGEST_HEAD], b"", 431),
        (["Origin: http://evil.example", "Content-Length: 2"], b"{}", 403),
    ],
)
def test_what_is_too_much_or_could_be_understood_in_two_ways(
    listening: Posting, lines: list[str], body: bytes, status: int
) -> None:
    (answered,) = responses(listening.say(request(listening, *lines, body=body)))
    assert is_documented(answered)
    assert answered.status == status
    assert listening.token.encode() not in answered.body


def test_what_is_announced_to_be_too_large_is_refused(listening: Posting) -> None:
    (answered,) = responses(listening.say(request(listening, f"Content-Length: {LARGEST + 1}"), end=False))
    assert (answered.status, is_documented(answered)) == (413, True)


def test_a_hundred_megabytes_are_refused_before_they_are_sent(listening: Posting) -> None:
    began = time.monotonic()
    data = request(listening, f"Content-Length: {100 << 20}", body=b"[" * (100 << 20))
    (answered,) = responses(listening.say(data))
    assert (answered.status, answered.json["type"]) == (413, "/#too-large")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("method", "target", "headers", "status"),
    [
        ("GET", "/urls", {}, 405),
        ("DELETE", "", {}, 405),
        ("POST", "/urls", {"Content-Type": "text/plain"}, 415),
        ("POST", "/pages", {}, 404),
    ],
)
def test_what_is_not_there(
    listening: Posting, method: str, target: str, headers: dict[str, str], status: int
) -> None:
    answered = listening.ask(method, listening.place + target, b"{}", {**listening.entitled, **headers})
    assert is_documented(answered)
    assert answered.status == status


# ── how slowly, and how many ─────────────────────────────────────────────────────────────────────────────────────


def test_slow_bodies_are_ended_and_hold_nobody_up(listening: Posting) -> None:
    slow = [listening.dial() for _ in range(40)]
    for wire in slow:
        wire.sendall(request(listening, "Content-Length: 100000", body=b'{"urls":'))
    began = time.monotonic()
    assert listening.give({"url": URL, "score": 0.5}).status == 200
    assert time.monotonic() - began < 5
    for wire in slow:
        (answered,) = responses(listen(wire))
        assert answered.status == 408
        wire.close()


def test_many_connections_are_answered_or_told_to_come_again(listening: Posting) -> None:
    """Of more connections than are held, each further one is told so, or takes the place of one that said nothing."""
    held: list[socket.socket] = []
    began = time.monotonic()
    try:
        held.extend(listening.dial() for _ in range(300))
        hurried = time.monotonic() - began < PATIENCE
        end = time.monotonic() + 10
        while len(over := [wire for wire in held if _has_ended(wire)]) < 300 - 256 and time.monotonic() < end:
            time.sleep(0.05)
        assert len(over) >= 300 - 256
        told = [each for wire in over for each in responses(listen(wire))]
        assert all((each.status, is_documented(each)) == (503, True) for each in told)
        assert told or not hurried, "nobody has been silent for long enough to make room"
    finally:
        for wire in held:
            wire.close()
    end = time.monotonic() + 10
    while time.monotonic() < end and listening.ask("GET", "/v1/openapi.json").status == 503:
        time.sleep(0.1)
    assert listening.give({"url": URL, "score": 0.5}).status == 200


def _has_ended(wire: socket.socket) -> bool:
    """Tell whether something waits to be read: an answer, or the end. Nobody asked for anything."""
    return bool(select.select([wire], [], [], 0)[0])


def test_many_processes_post_at_once(listening: Posting) -> None:
    found: list[int] = []

    def post(number: int) -> None:
        for turn in range(5):
            batch = [
                {"url": f"http://127.0.0.1:1/{number}/{turn}/{each}", "score": each / 200} for each in range(200)
            ]
            found.append(listening.give(*batch).status)

    threads = [threading.Thread(target=post, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 40
