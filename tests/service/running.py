"""A service that runs, and ways to ask it: a client that behaves, and bare bytes."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from anansi.service.problem import KINDS, MEDIA_TYPE

PATIENCE = 20.0
HURRIED = (
    "from anansi.service import bodies, server\n"
    "server.IDLE, server.HEAD_SECONDS, bodies.BODY_SECONDS, bodies.LINGER = 3, 1.0, 1.0, 0.3\n"
    "from anansi.cli import main\n"
    "main()"
)
"""The service with less patience than it has for people."""

STATUSES = {200} | {kind.status for kind in KINDS.values()}
"""All that are documented."""

FORUM = b"""<!doctype html><html><body id="phpbb" class="section-viewtopic"><h2 class="topic-title">Bees</h2>
<a href="viewtopic.php?t=8&amp;sid=0123456789abcdef0123456789abcdef">next</a>
<a href="posting.php?mode=reply&amp;t=7">reply</a></body></html>"""
AT = "https://forum.example/viewtopic.php?t=7"


@dataclass(frozen=True, slots=True)
class Answered:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Return the JSON of the body."""
        return json.loads(self.body)


class Running:
    """A service in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], url: str):
        self.process, self.url = process, url
        self.host, _, port = url.removeprefix("http://").rpartition(":")
        self.port = int(port)

    def ask(
        self, method: str, target: str, body: bytes | str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answered:
        """Ask by a client that behaves."""
        client = http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=PATIENCE)
        try:
            client.request(method, target, body, dict(headers or {}))
            response = client.getresponse()
            return Answered(
                response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
            )
        finally:
            client.close()

    def post(self, page: object, **headers: str) -> Answered:
        """Post a page as JSON."""
        return self.ask("POST", "/pages", json.dumps(page), {"Content-Type": "application/json", **headers})

    def dial(self) -> socket.socket:
        """Open a connection."""
        return socket.create_connection((self.host.strip("[]"), self.port), timeout=PATIENCE)

    def say(self, data: bytes, *, end: bool = True) -> bytes:
        """Send bytes and read until the service ends the connection."""
        with self.dial() as wire:
            try:
                wire.sendall(data)
                if end:
                    wire.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it was refused before all was sent
            return listen(wire)

    def health(self) -> dict[str, Any]:
        """Ask how the service is."""
        answered = self.ask("GET", "/health")
        assert answered.status == 200
        found: dict[str, Any] = answered.json
        return found

    def stop(self) -> tuple[int, dict[str, Any]]:
        """End the service; return its exit code and its last words."""
        self.process.send_signal(signal.SIGTERM)
        output, errors = self.process.communicate(timeout=PATIENCE)
        assert errors == "", errors
        return self.process.returncode, json.loads(output.splitlines()[-1])


def listen(wire: socket.socket) -> bytes:
    """Read until the other side ends."""
    parts = []
    end = time.monotonic() + PATIENCE
    try:
        while part := wire.recv(1 << 16):
            parts.append(part)
            assert time.monotonic() < end, "the connection is not ended"
    except ConnectionError:
        pass
    return b"".join(parts)


def responses(data: bytes) -> list[Answered]:
    """Take apart what came over a connection; whatever is no response fails."""
    found = []
    while data:
        head, mark, data = data.partition(b"\r\n\r\n")
        assert mark, head
        first, *lines = head.decode("latin-1").split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1"
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if status == "100":
            continue
        length = int(headers["content-length"])
        assert len(data) >= length, "the body is not whole"
        found.append(Answered(int(status), headers, data[:length]))
        data = data[length:]
    return found


def is_documented(answered: Answered) -> bool:
    """Tell whether a response is a success, or a problem with all that belongs to it."""
    if answered.status == 200:
        return True
    told = answered.json
    assert answered.headers["content-type"] == MEDIA_TYPE
    assert told["status"] == answered.status
    assert told.keys() == {"type", "title", "status", "detail", "cure"}
    assert KINDS[told["type"].removeprefix("/#")].status == answered.status
    if answered.status == 503:
        assert int(answered.headers["retry-after"]) >= 1
    return answered.status in STATUSES


@contextmanager
def service(*arguments: str, code: str = HURRIED, **environment: str) -> Iterator[Running]:
    """Run the service."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, "helper", "--port", "0", "--json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate(timeout=PATIENCE)[1])
        ready = json.loads(line)
        assert ready["event"] == "ready"
        yield Running(process, ready["url"])
    finally:
        process.kill()
        process.communicate()
