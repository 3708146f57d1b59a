"""A site is crawled, changes its template, and is crawled again: the whole program, over loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from anansi.archive import learned
from anansi.archive.known import KnownObjects
from anansi.archive.layout import Collection
from anansi.config import Definition, Politeness
from anansi.crawl.run import crawl
from tests.adapt.test_adapter import NEW_NAMES, dressed, thread

THREADS = 7


class Site(BaseHTTPRequestHandler):
    """A forum in one of two dresses."""

    new = False

    def do_GET(self) -> None:
        page = self._page()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def _page(self) -> bytes:
        if self.path == "/":
            links = "".join(
                f'<a class="topictitle" href="/viewtopic.php?f=1&amp;t={n}">x</a>' for n in range(THREADS)
            )
            return f'<html><body id="phpbb"><a class="forumtitle" href="/">f</a>{links}</body></html>'.encode()
        number = self.path.rpartition("t=")[2]
        if not self.path.startswith("/viewtopic.php") or not number.isdigit():
            return b""
        page = thread(int(number))
        return (dressed(page, *NEW_NAMES) if Site.new else page).source.encode()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    Site.new = False
    server.shutdown()
    server.server_close()


def test_a_recrawl_finds_every_post_in_the_new_template(url: str, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    definition = Definition(seeds=[url], politeness=Politeness(floor=0.0, ceiling=0.0, robots="ignore"))
    crawl(definition, collection, quiet=True)
    before = [len(KnownObjects(collection)(f"{url}viewtopic.php?f=1&t={n}")) for n in range(THREADS)]
    assert before == [5] * THREADS
    assert learned.rules(collection) == []
    Site.new = True
    crawl(definition, collection, recrawl=True, quiet=True)
    assert learned.rules(collection)
    known = KnownObjects(collection)
    for number in range(THREADS):
        posts = [each for each in known(f"{url}viewtopic.php?f=1&t={number}") if each.kind == "post"]
        assert [bool(each.get("author") and each.get("date") and each.get("text")) for each in posts] == [True] * 4
