"""The server itself: what it remembers, how it routes, and that it always goes away."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web import Behaviour, Connection, Reply, Request, ScriptedWeb, drip, endless_body, hang, html, raw
from tests.web.tls import Kind
from tests.web.wire import ask, dial, get, listen, say, soon


def open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def web_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("scripted-web")]


def test_a_request_is_remembered_as_it_came() -> None:
    with ScriptedWeb() as web:
        web.add("/a", html("A"))
        before = time.monotonic()
        ask(web, "/a?x=1", "X-Two: one", "X-Two: two")
        (request,) = web.log
    assert (request.method, request.target, request.path) == ("GET", "/a?x=1", "/a")
    assert request.headers["x-two"] == "one, two"
    assert (
        request.raw == b"GET /a?x=1 HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Two: one\r\nX-Two: two\r\n\r\n"
    )
    assert before <= request.t <= time.monotonic()


def test_a_posted_body_is_remembered_and_the_connection_goes_on() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/a", html("A"))
        say(wire, "/post", "Content-Length: 5", method="POST")
        wire.sendall(b"hello")
        say(wire, "/a", "Connection: close")
        heard = listen(wire)
        posted, asked = web.log
    assert posted.body == b"hello"
    assert asked.target == "/a"
    assert heard.data.count(b"HTTP/1.1 ") == 2


def test_requests_on_one_connection_carry_its_number() -> None:
    with ScriptedWeb() as web:
        web.add("/a", html("A"))
        with dial(web) as wire:
            say(wire, "/a")
            say(wire, "/a", "Connection: close")
            listen(wire)
        ask(web, "/a")
        assert [request.connection for request in web.log] == [1, 1, 2]
        assert web.connections == 2


def test_the_closest_route_answers() -> None:
    with ScriptedWeb() as web:
        for path in ("/a", "/a?x=1", "/d/*", "/d/e/*"):
            assert web.add(path, Reply(200, (), path.encode())) == web.url + path
        told = {target: get(web.url + target).body.decode() for target in ("/a", "/a?x=1", "/a?y", "/d/x", "/d/e/x")}
        assert told == {"/a": "/a", "/a?x=1": "/a?x=1", "/a?y": "/a", "/d/x": "/d/*", "/d/e/x": "/d/e/*"}
        assert get(web.url + "/nowhere").status == 404
        assert (web.count("/a"), web.count("/a?x=1"), web.count("/d/*"), web.count("/none")) == (3, 1, 2, 0)
        assert web.paths()[-1] == "/nowhere"


def test_head_brings_no_body() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", Reply(200, {"X-A": "b"}, b"12345"))
        say(wire, "/", "Connection: close", method="HEAD")
        heard = listen(wire)
    assert b"Content-Length: 5" in heard.head
    assert heard.body == b""


def test_what_is_not_http_is_remembered_and_refused() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        wire.sendall(b"\x16\x03\x01 what\r\n\r\n")
        heard = listen(wire)
        assert heard.data.startswith(b"HTTP/1.1 400 ")
        assert web.log[0].method == ""


def test_a_client_that_says_nothing_or_half_a_request_disturbs_nobody() -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home"))
        with dial(web), dial(web) as half:
            half.sendall(b"GET / HT")
            assert get(web.url + "/").status == 200
        assert len(web.log) == 1


def test_several_webs_stand_on_their_own_addresses() -> None:
    with ExitStack() as stack:
        webs = [stack.enter_context(ScriptedWeb(address=f"127.0.0.{n}")) for n in (1, 2, 3)]
        for web in webs:
            web.add("/", Reply(200, (), web.address.encode()))
        assert [get(web.url + "/").body for web in webs] == [b"127.0.0.1", b"127.0.0.2", b"127.0.0.3"]
        assert [len(web.log) for web in webs] == [1, 1, 1]


def test_many_clients_at_once_are_all_counted() -> None:
    with ScriptedWeb() as web, ThreadPoolExecutor(16) as clients:
        url = web.add("/", html("Home"))
        answers = list(clients.map(lambda _: get(url).status, range(200)))
        assert answers == [200] * 200
        assert web.count("/") == 200


@pytest.mark.parametrize("behaviour", [drip(), hang(), endless_body(), endless_body(chunked=False)])
def test_shutting_down_does_not_wait_for_open_connections(behaviour: Behaviour) -> None:
    wires: list[socket.socket] = []
    with ScriptedWeb() as web:
        web.add("/", behaviour)
        for _ in range(20):
            wires.append(dial(web))
            say(wires[-1], "/")
        idle = dial(web)
        assert soon(lambda: web.count("/") == 20)
    assert not web_threads()
    for wire in [*wires, idle]:
        wire.close()


def test_a_script_that_refuses_to_end_cannot_hold_the_web() -> None:
    async def stubborn(request: Request, connection: Connection) -> None:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", stubborn)
        say(wire, "/")
        assert soon(lambda: web.count("/") == 1)
    assert not web_threads()


def test_nothing_is_left_behind() -> None:
    with ScriptedWeb() as web:
        get(web.url + "/")
    files = open_files()
    kinds: tuple[Kind | None, ...] = (None, "good", None)
    for kind in kinds:
        with ScriptedWeb(tls=kind) as web:
            web.add("/", drip())
            with dial(web) as wire, dial(web) as other:
                say(wire, "/")
                other.settimeout(0.1)
    assert open_files() == files
    assert not web_threads()
    with pytest.raises(ConnectionRefusedError):
        dial(web)


def test_the_same_port_can_be_used_again_at_once() -> None:
    with ScriptedWeb() as first:
        first.add("/", html("First"))
        get(first.url + "/")
    with ScriptedWeb(port=first.port) as second:
        assert second.url == first.url
        assert get(second.url + "/").status == 404
        assert len(second.log) == 1


def test_a_mistake_in_a_script_is_raised_in_the_test() -> None:
    async def mistaken(request: Request, connection: Connection) -> None:
        raise ZeroDivisionError("in the script")

    with pytest.raises(ZeroDivisionError, match="in the script"), ScriptedWeb() as web:
        web.add("/", mistaken)
        ask(web, "/")


def test_the_bytes_sent_are_counted() -> None:
    with ScriptedWeb() as web:
        web.add("/", raw(b"x" * 1000))
        assert len(ask(web, "/").data) == 1000
        assert soon(lambda: web.sent == 1000)
