"""Secrets: what a URL, a cookie or a definition holds in confidence is used where it must be, and told nowhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb, html
from tests.web.replies import HTML

SECRET = "open-sesame-4711"


def told(crawled: Crawled) -> bytes:
    """Return all that was written but the exchanges themselves, which are kept to the byte."""
    files = (path for path in crawled.collection.root.rglob("*") if path.is_file() and path.suffix != ".gz")
    records = (record for record in crawled.records if record.kind not in ("request", "response"))
    notes = b"".join(repr(record.headers).encode() + record.block for record in records)
    exchanged = (repr(record.headers) for record in crawled.records if record.kind in ("request", "response"))
    return b"".join(path.read_bytes() for path in files) + notes + "".join(exchanged).encode()


def test_credentials_in_links_are_neither_sent_nor_told(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        keyed = web.url.replace("http://", f"http://someone:{SECRET}@")
        web.add("/", Reply(200, (HTML,), f'<a href="{keyed}/a">a</a><a href="{keyed}/moved">b</a>'.encode()))
        web.add("/moved", Reply(302, (("Location", f"{keyed}/b"),)))
        for path in ("/a", "/b"):
            web.add(path, html(path))
        crawled = crawl(tmp_path, web.url + "/")
        assert sorted(web.paths()) == ["/", "/a", "/b", "/moved", "/robots.txt"]
        assert not any("authorization" in request.headers for request in web.log)
    assert SECRET.encode() not in told(crawled)
    assert SECRET not in crawled.errors + crawled.output


def test_cookies_are_sent_and_stand_in_the_exchanges_alone(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        cookie = ("Set-Cookie", f"session={SECRET}")
        web.add("/", Reply(200, (HTML, cookie), b'<title>Home</title><a href="/a">a</a>'))
        web.add("/a", html("A"))
        crawled = crawl(tmp_path, web.url + "/")
        assert web.log[-1].headers["cookie"] == f"session={SECRET}"
    assert SECRET.encode() in crawled.one(web.url + "/a", "request").block
    assert SECRET.encode() not in told(crawled)


def test_a_seed_with_a_password_is_refused_without_repeating_it(tmp_path: Path) -> None:
    settings = tmp_path / "crawl.yaml"
    settings.write_text(f"seeds: ['http://someone:{SECRET}@127.0.0.1:9/']\n")
    for given in (["--config", str(settings)], [f"http://someone:{SECRET}@127.0.0.1:9/"]):
        command = [sys.executable, "-m", "anansi.cli", "crawl", *given, "-o", str(tmp_path / "c")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and "user name or password" in done.stderr
        assert SECRET not in done.stdout + done.stderr
        assert not (tmp_path / "c").exists()
