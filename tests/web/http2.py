"""A web that speaks HTTP/2 over TLS and nothing else, for a crawl that asks for it.

with Http2Web({"/": (200, (("content-type", "text/html"),), b"<p>hello</p>")}) as web:
    …crawl web.url + "/" with SSL_CERT_FILE=web.ca_file…
    assert web.asked == ["/robots.txt", "/"]
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived

from tests.web.tls import server_context, write_authority

Answer = tuple[int, tuple[tuple[str, str], ...], bytes]
NOT_FOUND: Answer = (404, (("content-type", "text/plain"),), b"nothing here\n")
PIECE = 16_000
"""Bytes of a frame: a little below the least that every client takes."""


class Http2Web:
    """Answers by a table. Mutable state: `asked`, `requests` and `connections`, filled by the server's thread."""

    def __init__(self, answers: Mapping[str, Answer], *, address: str = "127.0.0.1") -> None:
        self.address, self.port = address, 0
        self.asked: list[str] = []
        self.requests: list[dict[str, str]] = []
        self.connections = 0
        self._answers = dict(answers)
        self._folder = tempfile.TemporaryDirectory(prefix="http2-web-")
        self.ca_file = write_authority(Path(self._folder.name))
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def url(self) -> str:
        """Return the address to crawl, without a final slash."""
        return f"https://{self.address}:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60.0), "the HTTP/2 web did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(30.0)
        self._folder.cleanup()

    async def _serve(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        context = server_context("good", self.address, Path(self._folder.name))
        context.set_alpn_protocols(["h2"])
        server = await asyncio.start_server(self._talk, self.address, 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        speech = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        speech.initiate_connection()
        writer.write(speech.data_to_send())
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                for event in speech.receive_data(data):
                    if isinstance(event, RequestReceived):
                        self._answer(speech, event)
                    elif isinstance(event, DataReceived):
                        speech.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                writer.write(speech.data_to_send())
                await writer.drain()
        writer.close()

    def _answer(self, speech: H2Connection, request: RequestReceived) -> None:
        """Send head and body; bodies here are below the window that a stream begins with."""
        fields = {str(name): str(value) for name, value in request.headers}
        self.requests.append(fields)
        self.asked.append(fields[":path"])
        status, headers, body = self._answers.get(fields[":path"], NOT_FOUND)
        speech.send_headers(request.stream_id, [(":status", str(status)), *headers], end_stream=not body)
        for start in range(0, len(body), PIECE):
            piece = body[start : start + PIECE]
            speech.send_data(request.stream_id, piece, end_stream=start + PIECE >= len(body))
