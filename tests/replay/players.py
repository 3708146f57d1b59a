"""Replay of a collection on loopback: its folder by pywb, its package by ReplayWeb.page."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

from anansi.archive.layout import Collection

PACKAGE = Path(sys.prefix) / "replaywebpage"
"""Where `dev.py check` puts ReplayWeb.page."""

_EMBED = """<!doctype html><style>html, body, replay-web-page { margin: 0; width: 100%; height: 100%; display: block }
</style><script src="/ui.js"></script>
<replay-web-page replayBase="/" embed="replayonly" source="/packed.wacz" url="ADDRESS"></replay-web-page>"""


_NOT_YET = """<!doctype html><script>navigator.serviceWorker.ready.then(() => location.reload())</script>"""
"""What the server answers to the player's inner frame, which a service worker does as soon as it is at work."""


def missing() -> str:
    """Say what keeps ReplayWeb.page from running here; nothing when it can."""
    return (
        ""
        if (PACKAGE / "sw.js").exists()
        else "ReplayWeb.page is not here: apt-get install npm; python3 dev.py check"
    )


@contextmanager
def pywb(collection: Collection, folder: Path) -> Iterator[str]:
    """Serve a collection by pywb; yield what goes before an address."""
    shutil.copytree(collection.root, folder / "collections" / "kept")
    (folder / "config.yaml").write_text("framed_replay: false\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.archive.pywb_server", "-p", str(port), "-d", str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        _wait_for(f"http://127.0.0.1:{port}/", folder / "log")
        yield f"http://127.0.0.1:{port}/kept/"
    finally:
        server.kill()
        server.wait()


@contextmanager
def replayweb(packed: Path, folder: Path) -> Iterator[str]:
    """Serve ReplayWeb.page and a package; yield what goes before the number of a page."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("ui.js", "sw.js"):
        shutil.copy(PACKAGE / name, folder / name)
    shutil.copy(packed, folder / "packed.wacz")
    handler = partial(_Files, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/show?"
        server.shutdown()


class _Files(SimpleHTTPRequestHandler):
    """Files with parts of them on request, and a page that shows an address of the package."""

    def do_GET(self) -> None:
        if self.path.startswith("/show?"):
            self._answer(200, "text/html", _EMBED.replace("ADDRESS", self.path.partition("?")[2]).encode())
        elif self.path.startswith("/?source="):
            self._answer(200, "text/html", _NOT_YET.encode())
        elif "Range" in self.headers:
            data = Path(self.translate_path(self.path)).read_bytes()
            first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
            begin = int(first) if first else len(data) - int(last)
            end = min(int(last), len(data) - 1) if first and last else len(data) - 1
            told = f"bytes {begin}-{end}/{len(data)}"
            self._answer(206, "application/octet-stream", data[begin : end + 1], ("Content-Range", told))
        else:
            super().do_GET()

    def _answer(self, status: int, mime: str, data: bytes, *more: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", mime), ("Content-Length", str(len(data))), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _wait_for(url: str, log: Path) -> None:
    for _ in range(240):
        try:
            with urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"no answer from {url}: {log.read_text()[-1500:]}")
