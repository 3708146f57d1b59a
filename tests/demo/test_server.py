import contextlib
import http.client
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.errors import UserError
from anansi_demo.server import DemoServer, main
from anansi_demo.site import answer, contents
from tests.web.wire import soon

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer() as running:
        yield running


@pytest.fixture
def client(server: DemoServer) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    yield connection
    connection.close()


def get(
    client: http.client.HTTPConnection, path: str, *, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    client.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = client.getresponse()
    return response, response.read()


def exchange(server: DemoServer, data: bytes) -> bytes:
    """Send bytes and read until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as link:
        link.sendall(data)
        return b"".join(iter(lambda: link.recv(65536), b""))


def test_one_connection_serves_the_whole_content(server: DemoServer, client: http.client.HTTPConnection) -> None:
    client.connect()
    line = client.sock
    for url in contents().urls:
        response, body = get(client, url)
        assert response.status == 200
        assert len(body) == len(answer(url).body)
    assert client.sock is line
    assert server.requests == len(contents().urls)
    assert server.log == [(200, url) for url in contents().urls]


def test_each_answer_has_a_session_of_its_own_and_each_server_the_same_sequence() -> None:
    seen = []
    for _ in range(2):
        with DemoServer() as server:
            client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            pages = [get(client, "/forum/")[1] for _ in range(3)]
            client.close()
        seen.append([set(re.findall(rb"sid=([0-9a-f]{32})", page)) for page in pages])
    assert [len(ids) for ids in seen[0]] == [1, 1, 1]
    assert len(set.union(*seen[0])) == 3
    assert seen[0] == seen[1]


@pytest.mark.parametrize("path", ["/about/", "/forum/thread.php?t=12", "/logo.png"])
def test_what_the_client_has_is_not_sent_again(client: http.client.HTTPConnection, path: str) -> None:
    first, body = get(client, path)
    tag, date = first.headers["ETag"], first.headers["Last-Modified"]
    by_tag, nothing = get(client, path, If_None_Match=tag)
    by_date, nothing_again = get(client, path, If_Modified_Since=date)
    changed, again = get(client, path, If_None_Match='"other"')
    assert (by_tag.status, by_date.status, changed.status) == (304, 304, 200)
    assert (nothing, nothing_again) == (b"", b"")
    assert by_tag.headers["ETag"] == tag
    assert len(again) == len(body)


def test_head_gives_the_headers_only(client: http.client.HTTPConnection) -> None:
    response, body = get(client, "/about/", method="HEAD")
    assert (response.status, body) == (200, b"")
    assert int(response.headers["Content-Length"]) == len(answer("/about/").body)
    assert get(client, "/about/")[0].status == 200


def test_the_absolute_addresses_are_those_of_the_server(
    server: DemoServer, client: http.client.HTTPConnection
) -> None:
    assert f"Sitemap: {server.url}/sitemap.xml".encode() in get(client, "/robots.txt")[1]
    assert f"<link>{server.url}/blog/2024/12/".encode() in get(client, "/blog/feed.xml")[1]


def test_a_form_that_is_sent_gets_405_and_the_connection_lives_on(client: http.client.HTTPConnection) -> None:
    client.request("POST", "/forum/login.php", body=b"name=a&word=b")
    response = client.getresponse()
    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")
    response.read()
    assert get(client, "/")[0].status == 200


def test_requests_sent_at_once_are_answered_in_order(server: DemoServer) -> None:
    one = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    data = exchange(server, one % b"/" + one % b"/old" + one % b"/about/" + last)
    assert re.findall(rb"HTTP/1.1 (\d+) ", data) == [b"200", b"301", b"200", b"404"]
    assert [status for status, _ in server.log] == [200, 301, 200, 404]


def test_a_client_that_does_not_read_makes_the_server_wait_and_loses_nothing(server: DemoServer) -> None:
    count = 1000
    request = b"GET /forum/newposts.php HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as link:
        sender = threading.Thread(target=link.sendall, args=(request * count + last,))
        sender.start()
        # Some 23 MB of answers are more than the buffers of a connection hold.
        assert soon(lambda: any(each._blocked for each in tuple(server._open)))
        assert 0 < server.requests < count
        received = b"".join(iter(lambda: link.recv(1 << 20), b""))
        sender.join(60)
    assert received.count(b"HTTP/1.1 200 OK") == server.requests == count + 1


@pytest.mark.parametrize(
    "junk", [b"\x00\xff\r\n\r\n", b"GET /\r\n\r\n", b"GET /" + b"a" * 20_000, b"\r\n\r\n\r\n\r\n"]
)
def test_junk_is_refused_and_the_server_goes_on(
    server: DemoServer, client: http.client.HTTPConnection, junk: bytes
) -> None:
    assert re.match(rb"HTTP/1.1 4\d\d ", exchange(server, junk))
    assert get(client, "/")[0].status == 200
    assert server.log[0][0] in (400, 431)


def test_the_port_is_free_again_after_the_block() -> None:
    with DemoServer() as server:
        port, thread = server.port, server._thread
    assert thread is not None
    assert not thread.is_alive()
    with DemoServer(port=port) as server:
        assert server.url == f"http://127.0.0.1:{port}"


def test_a_connection_made_at_the_last_moment_is_closed_too() -> None:
    for _ in range(20):
        with DemoServer() as server:
            link = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        with link, contextlib.suppress(ConnectionResetError):
            assert link.recv(1) == b""


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_cannot_be_is_explained(port: int) -> None:
    with pytest.raises(UserError, match=f"port {port}.*choose another port"), DemoServer(port=port):
        pass


def test_a_port_in_use_is_explained(server: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", str(server.port)]) == UserError.exit_code
    assert "choose another port" in capsys.readouterr().err


def test_the_module_serves_until_it_is_stopped() -> None:
    command = [sys.executable, "-m", "anansi_demo.server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert found
            client = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
            assert get(client, "/")[0].status == 200
            client.close()
        finally:
            process.terminate()
            process.wait(60)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_shows_a_thread(server: DemoServer, tmp_path: Path) -> None:
    shot = tmp_path / "thread.png"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    url = f"{server.url}/forum/thread.php?t=12"
    subprocess.run(
        [str(CHROMIUM), *options, f"--screenshot={shot}", url], check=True, timeout=120, capture_output=True
    )
    assert shot.stat().st_size > 10_000
    assert {"/style.css", "/logo.png"} <= {path for _, path in server.log}
