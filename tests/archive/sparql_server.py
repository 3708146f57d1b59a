"""A SPARQL 1.1 endpoint on loopback around a real store, with faults on demand.

It does what the protocol asks of an update and of a query: POST with the right media type, the error in the body.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pyoxigraph import Store


@dataclass
class Endpoint:
    """What the server has, was asked, and shall do wrong."""

    url: str = ""
    store: Store = field(default_factory=Store)
    faults: list[int] = field(default_factory=list)
    """Statuses to answer with before it works; 0 hangs up."""
    largest: int = 1 << 30
    """Bytes of a body that it takes."""
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[Endpoint]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.bodies.append(body)
            endpoint.headers.append(dict(self.headers.items()))
            status = endpoint.faults.pop(0) if endpoint.faults else _answer(endpoint, self.headers, body)
            if not status:
                return
            words = b"" if status == 204 else f"the server says {status}".encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(words)))
            self.end_headers()
            self.wfile.write(words)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_port}/update"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield endpoint
        server.shutdown()
        thread.join()


def _answer(endpoint: Endpoint, headers: object, body: bytes) -> int:
    if len(body) > endpoint.largest:
        return 413
    if "application/sparql-update" not in str(headers):
        return 415
    try:
        endpoint.store.update(body.decode())
    except (SyntaxError, UnicodeDecodeError):
        return 400
    return 204
