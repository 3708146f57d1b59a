"""The service as its clients meet it."""

from __future__ import annotations

import base64
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from anansi.service import page_reading
from anansi.service.answer import Answer
from tests.cli.test_kb import BLOCKS
from tests.service.running import AT, FORUM, PATIENCE, Running, is_documented, listen, responses, service

PLAIN = b"<p>An introduction: <a href='viewtopic.php?t=9'>nine</a> <a href='ucp.php?mode=login'>log in</a></p>"


def test_a_page_is_recognised_and_its_links_are_chosen(helper: Running) -> None:
    answered = helper.post({"url": AT, "headers": {"Content-Type": "text/html"}, "body": FORUM.decode()})
    assert answered.status == 200, answered.body
    found = msgspec.json.decode(answered.body, type=Answer)
    assert found.recognition is not None
    assert (found.site, found.media_type, found.aware) == ("forum.example", "text/html", True)
    assert (found.recognition.type, found.recognition.level) == ("forum/phpbb", "thread")
    assert (found.recognition.terminal, found.recognition.pattern) == (True, "body[@id='phpbb']")
    (link,) = found.links
    assert link.url == "https://forum.example/viewtopic.php?t=8&sid=0123456789abcdef0123456789abcdef"
    assert link.key == "https://forum.example/viewtopic.php?t=8"
    assert (link.level, link.score, link.action, link.hop) == ("thread", 0.8, "forum/phpbb:thread", "L")
    (skip,) = found.skips
    assert skip.url == "https://forum.example/posting.php?mode=reply&t=7"
    assert skip.reason.startswith("phpBB: ")


def posts(url: str) -> list[tuple[str, dict[str, str], bytes | str]]:
    """One page in all the ways in which it can be posted."""
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(FORUM), FORUM)
    coded = {"Content-Encoding": "gzip", "Content-Type": "text/html"}
    packed = gzip.compress(FORUM)
    text = {"url": url, "body": FORUM.decode()}
    as_json = {"Content-Type": "application/json; charset=utf-8"}
    message = {"Content-Type": "application/http;msgtype=response", "Page-Url": url}
    return [
        ("/pages", as_json, json.dumps(text)),
        ("/pages", as_json, json.dumps({**text, "headers": {"content-encoding": "gzip"}})),
        ("/pages", as_json, json.dumps({"url": url, "body_base64": base64.b64encode(FORUM).decode()})),
        (
            "/pages",
            as_json,
            json.dumps(
                {"url": url, "body_base64": base64.encodebytes(packed).decode(), "headers": list(coded.items())}
            ),
        ),
        ("/pages", message, whole + FORUM),
        ("/pages", message, b"HTTP/1.1 103 Early Hints\r\n\r\n" + whole + FORUM),
        ("/pages", message, b"HTTP/2 200\ncontent-type: text/html\n\n" + FORUM),
        ("/pages", message, chunked),
        ("/pages", message, chunked.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + FORUM),
        ("/pages", {"Page-Url": url}, FORUM),
        ("/pages", {"Page-Url": url, "Content-Type": "application/x-www-form-urlencoded"}, FORUM),
        ("/pages?url=https%3A%2F%2Fforum.example%2Fviewtopic.php%3Ft%3D7", coded, packed),
    ]


def test_all_ways_to_post_a_page_are_answered_alike(helper: Running) -> None:
    bodies = [helper.ask("POST", target, body, headers).body for target, headers, body in posts(AT)]
    assert json.loads(bodies[0])["recognition"]["type"] == "forum/phpbb"
    assert set(bodies) == {bodies[0]}


def test_headers_of_the_page_count(helper: Running) -> None:
    cookie = "phpbb3_abcde_sid=0123456789abcdef0123456789abcdef; path=/"
    page = {"url": "http://cookie.example/viewtopic.php?t=1", "headers": {"Set-Cookie": [cookie]}, "body": "<p>x</p>"}
    assert helper.post(page).json["recognition"]["type"] == "forum/phpbb"
    headers = {"Page-Url": "http://other.example/viewtopic.php?t=1", "Page-Set-Cookie": cookie}
    assert helper.ask("POST", "/pages", b"<p>x</p>", headers).json["recognition"]["type"] == "forum/phpbb"


def test_objects_come_with_typed_properties(helper: Running, tmp_path: Path) -> None:
    (tmp_path / "agora.xml").write_text(BLOCKS["xml"])
    page = BLOCKS["html"].replace('<time datetime="2024-03-02T09:30:00Z">2 March<', "<time>Yesterday, 10:00<")
    with service("-k", str(tmp_path), "--workers", "1") as running:
        url = "https://agora.example/t/7-how-to-prune-roses"
        found = running.post({"url": url, "body": page, "fetched": 1_790_000_000}).json
    thread, first, second = found["objects"]
    assert (first["kind"], first["part_of"]) == ("post", thread["uri"])
    assert second["properties"]["quote"] == [{"value": "Where do I cut?", "type": "body", "original": None}]
    (date,) = first["properties"]["date"]
    assert (date["type"], date["original"]) == ("date", "Yesterday, 10:00")
    assert date["value"].startswith("2026-09-20T10:00"), "it was fetched on the 21st"
    assert helper.post({"url": url, "body": BLOCKS["html"]}).json["objects"] == [], "it knows no Agora"


def test_what_a_site_is_made_with_is_remembered_for_its_next_page_by_every_process(helper: Running) -> None:
    site = "http://memory.example"
    before = helper.post({"url": f"{site}/x", "body": PLAIN.decode()}).json
    assert (before["aware"], len(before["links"])) == (False, 2)
    helper.post({"url": f"{site}/viewtopic.php?t=1", "body": FORUM.decode()})
    together: list[dict[str, object]] = []
    threads = [
        threading.Thread(
            target=lambda: together.append(helper.post({"url": f"{site}/x", "body": PLAIN.decode()}).json)
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(each["aware"], each["recognition"]) for each in together] == [(True, None)] * 6
    assert [[link["url"] for link in each["links"]] for each in together] == [[f"{site}/viewtopic.php?t=9"]] * 6  # type: ignore[attr-defined]
    other = helper.post({"url": "http://elsewhere.example/x", "body": PLAIN.decode()}).json
    assert other["aware"] is False, "what is known of one site says nothing about another"


@pytest.mark.parametrize(
    ("page", "links"),
    [
        ({"status": 301, "headers": {"Location": "/new"}}, [("http://r.example/new", "R")]),
        ({"status": 404, "body": "<a href=/x>x</a>"}, []),
        ({"headers": {"Content-Type": "image/png"}, "body_base64": "iVBORw0KGgo="}, []),
        ({}, []),
    ],
    ids=["redirect", "missing", "picture", "empty"],
)
def test_what_is_no_page_leads_where_a_crawl_would_go(
    helper: Running, page: dict[str, object], links: list[tuple[str, str]]
) -> None:
    found = helper.post({"url": "http://r.example/", **page}).json
    assert [(link["url"], link["hop"]) for link in found["links"]] == links
    assert (found["recognition"], found["objects"]) == (None, [])


def test_what_a_page_shows_is_wanted_by_archives(helper: Running) -> None:
    page = {"url": AT, "body": FORUM.decode() + "<img src=/logo.png><script src=/x.js></script>"}
    plain = helper.post(page).json
    whole = helper.post({**page, "requisites": True}).json
    shown = [link for link in whole["links"] if link["hop"] == "E"]
    assert [link["url"] for link in shown] == [
        f"https://forum.example/{name}" for name in ("logo.png", "x.js", "favicon.ico")
    ]
    assert [link for link in whole["links"] if link["hop"] == "L"] == plain["links"]
    headers = {"Page-Url": AT, "Content-Type": "text/html"}
    assert helper.ask("POST", "/pages?requisites=true", str(page["body"]), headers).json == whole


# ── what it says about itself ────────────────────────────────────────────────────────────────────────────────────


def test_health_counts(helper: Running) -> None:
    before = helper.health()
    helper.post({"url": AT, "body": "x"})
    after = helper.health()
    assert (after["pages"] - before["pages"], after["requests"] - before["requests"]) == (1, 2)
    assert (after["workers"], after["status"]) == (2, "ok")


def test_the_start_page_is_for_people_and_explains_every_problem(helper: Running) -> None:
    answered = helper.ask("GET", "/")
    assert answered.headers["content-type"].startswith("text/html")
    assert helper.url.encode() in answered.body
    problem = helper.ask("POST", "/nowhere").json
    assert f'id="{problem["type"].removeprefix("/#")}"'.encode() in answered.body
    assert helper.ask("HEAD", "/").body == b""


# ── who may ask ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_with_a_token_only_those_are_served_who_show_it(tmp_path: Path) -> None:
    secret = "s3cret-0123456789abcdef"
    (tmp_path / "token").write_text(secret + "\n")
    page = {"url": AT, "body": FORUM.decode()}
    with service("--token", str(tmp_path / "token"), "--workers", "1") as running:
        refused = running.post(page)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
        for wrong in (f"Bearer {secret}x", f"Basic {secret}", "Bearer ", f"Bearer {secret[:-1]}", "Bearer ü"):
            answered = running.post(page, Authorization=wrong)
            assert answered.status == 401
            assert is_documented(answered)
        assert running.post(page, Authorization=f"Bearer {secret}").status == 200
        assert running.post(page, Authorization=f"bearer {secret}", Host="helper.example").status == 200
        assert running.health()["pages"] == 2
        arguments = Path(f"/proc/{running.process.pid}/cmdline").read_bytes()
        assert secret.encode() not in arguments
        assert secret not in json.dumps(running.stop()[1])


def test_the_token_may_come_from_the_environment() -> None:
    with service("--workers", "1", ANANSI_TOKEN="0123456789abcdef") as running:
        assert running.post({"url": AT}).status == 401
        assert running.post({"url": AT}, Authorization="Bearer 0123456789abcdef").status == 200


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", "0.0.0.0"], "can be reached from other machines: give the service a token"),
        (["--host", "::"], "can be reached from other machines"),
        (["--host", "example.org"], "can be reached from other machines"),
        (["--token", "MyOwnSecretToken0123"], "--token takes the name of a file"),
        (["--token", "short"], "the token must be"),
        (["-k", "nowhere"], "nowhere is not a folder"),
    ],
)
def test_what_would_be_unsafe_is_refused_with_the_cure(tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "short").write_text("abc")
    done = subprocess.run(
        [sys.executable, "-m", "anansi.cli", "helper", "--port", "0", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert "MyOwnSecret" not in done.stderr


def test_a_port_that_is_taken_is_a_clear_message(helper: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anansi.cli", "helper", "--port", str(helper.port)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1, port {helper.port}: Address already in use; choose another" in done.stderr


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "attacker.example"}, 421),
        ({"Host": "attacker.example:8470"}, 421),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "127.0.0.1.attacker.example"}, 421),
        ({"Origin": "https://attacker.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_browser_cannot_be_made_to_ask(helper: Running, headers: dict[str, str], status: int) -> None:
    answered = helper.post({"url": AT}, **headers)
    assert answered.status == status
    assert is_documented(answered)


# ── too much ─────────────────────────────────────────────────────────────────────────────────────────────────────


def head(path: str = "/pages", *lines: str, method: str = "POST") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def readers_of(running: Running) -> list[int]:
    children = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children").read_text()
    return list(map(int, children.split()))


def test_more_pages_than_it_takes_are_told_to_come_again() -> None:
    with service("--workers", "1") as running:
        (reader,) = readers_of(running)
        os.kill(reader, signal.SIGSTOP)
        held = [running.dial() for _ in range(page_reading.WAITING)]
        body = json.dumps({"url": AT}).encode()
        for wire in held:
            wire.sendall(
                head("/pages", "Content-Type: application/json", "Connection: close", f"Content-Length: {len(body)}")
                + body
            )
        end = time.monotonic() + PATIENCE
        while running.health()["busy"] < page_reading.WAITING and time.monotonic() < end:
            time.sleep(0.02)
        answered = running.post({"url": AT})
        assert (answered.status, answered.headers["retry-after"]) == (503, "1")
        assert is_documented(answered)
        assert running.health()["busy"] == page_reading.WAITING, "what needs no page is answered all the same"
        os.kill(reader, signal.SIGCONT)
        for wire in held:
            (late,) = responses(listen(wire))
            assert late.status == 200
            wire.close()
        assert running.post({"url": AT}).status == 200, "places are free again"


def test_bodies_that_come_slowly_keep_nobody_waiting() -> None:
    patient = "from anansi.cli import main\nmain()"
    with service("--workers", "1", code=patient) as running:
        slow = [running.dial() for _ in range(4 * page_reading.WAITING)]
        for wire in slow:
            wire.sendall(head("/pages", "Content-Length: 1000000", f"Page-Url: {AT}") + b"<p>")
        time.sleep(0.3)
        began = time.monotonic()
        for _ in range(10):
            assert running.post({"url": AT, "body": FORUM.decode()}).status == 200
        assert time.monotonic() - began < 10
        assert running.health()["busy"] == 0
        for wire in slow:
            wire.close()


def test_a_body_must_keep_its_pace() -> None:
    hasty = "from anansi.service import bodies\nbodies.PACE_SECONDS = 1.0\nfrom anansi.cli import main\nmain()"
    with service("--workers", "1", code=hasty) as running, running.dial() as wire:
        began = time.monotonic()
        wire.sendall(head("/pages", "Content-Length: 1000000", f"Page-Url: {AT}") + b"x" * 200_000)
        (answered,) = responses(listen(wire))
        assert (answered.status, is_documented(answered)) == (408, True)
        assert time.monotonic() - began < 10


def test_bodies_take_the_room_that_has_come_of_them() -> None:
    narrow = (
        "from anansi.service import page_reading\npage_reading.ROOM = 1 << 20\nfrom anansi.cli import main\nmain()"
    )
    with service("--workers", "1", code=narrow) as running, running.dial() as wire:
        wire.sendall(head("/pages", "Content-Length: 1000000", f"Page-Url: {AT}") + b"x" * 900_000)
        time.sleep(0.3)
        small, large = running.post({"url": AT}), running.post({"url": AT, "body": "x" * 300_000})
        assert (small.status, large.status) == (200, 503)
        assert is_documented(large)
        wire.sendall(b"x" * 100_000)
        assert wire.recv(100).startswith(b"HTTP/1.1 200 OK")
        assert running.post({"url": AT, "body": "x" * 300_000}).status == 200


def test_a_new_connection_takes_the_place_of_one_that_sends_nothing() -> None:
    few = "from anansi.service import server\nserver.CONNECTIONS = 5\nfrom anansi.cli import main\nmain()"
    with service("--workers", "1", code=few) as running:
        held = [running.dial() for _ in range(5)]
        for number, wire in enumerate(held):
            wire.sendall(head("/pages", "Content-Length: 10", f"Page-Url: {AT}") + b"12345" if number % 2 else b"PO")
        time.sleep(1.2)
        assert running.post({"url": AT}).status == 200
        assert held[0].recv(10) == b"", "its client has kept the service waiting longest"
        for wire in held:
            wire.close()


def test_more_connections_than_it_takes_are_told_to_come_again() -> None:
    few = "from anansi.service import server\nserver.CONNECTIONS = 5\nfrom anansi.cli import main\nmain()"
    with service("--workers", "1", code=few) as running:
        held = [running.dial() for _ in range(5)]
        (refused,) = responses(running.say(head("/health", method="GET")))
        assert refused.status == 503
        for wire in held:
            wire.close()
        end = time.monotonic() + PATIENCE
        while running.ask("GET", "/health").status != 200 and time.monotonic() < end:
            time.sleep(0.02)
        assert running.health()["status"] == "ok"


# ── its end ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_after_the_requests_under_way(number: int) -> None:
    with service("--workers", "1") as running:
        idle = running.dial()
        busy = running.dial()
        body = json.dumps({"url": AT, "body": FORUM.decode()}).encode()
        busy.sendall(head("/pages", "Content-Type: application/json", f"Content-Length: {len(body)}") + body[:-5])
        time.sleep(0.2)
        children = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children").read_text().split()
        os.kill(running.process.pid, number)
        time.sleep(0.2)
        busy.sendall(body[-5:])
        (answered,) = responses(listen(busy))
        assert answered.status == 200
        assert idle.recv(10) == b""
        with pytest.raises(OSError, match=r"refused|reset"):
            socket.create_connection(("127.0.0.1", running.port), timeout=1).recv(1)
        assert running.process.wait(PATIENCE) == 0
        assert children
        assert not any(Path(f"/proc/{child}").exists() for child in children), "its processes are gone, too"
