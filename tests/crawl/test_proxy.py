"""A crawl through a proxy: it is used for everything, and its password is written nowhere."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Connection, Reply, Request, ScriptedWeb, html, robots

PASSWORD = "open-sesame"
TOKEN = base64.b64encode(f"archivist:{PASSWORD}".encode()).decode()
WANTED = Reply(407, (("Proxy-Authenticate", 'Basic realm="proxy"'),), b"who are you?\n")


class Forwarder:
    """A tiny forward proxy for plain HTTP: it sends every name to one web, and wants to know who asks."""

    def __init__(self, target: ScriptedWeb) -> None:
        self.target = target

    async def __call__(self, request: Request, connection: Connection) -> None:
        if request.headers.get("proxy-authorization") != f"Basic {TOKEN}":
            await WANTED(request, connection)
            return
        path = "/" + request.target.split("/", 3)[3]
        reader, writer = await asyncio.open_connection(self.target.address, self.target.port)
        host = request.headers["host"]
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        await connection.send(answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        writer.close()
        connection.close()


@pytest.fixture(scope="module")
def origin() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.0.61") as web:
        web.add("/robots.txt", robots("/private"))
        web.add("/", html("Home", ["/a", "/private", "http://169.254.169.254/latest/meta-data"]))
        web.add("/a", html("A"))
        yield web


@pytest.fixture(scope="module")
def proxy(origin: ScriptedWeb) -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.0.62") as web:
        web.add("*", Forwarder(origin))
        yield web


@pytest.fixture(scope="module")
def crawled(proxy: ScriptedWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    settings = {"fetch": {"proxy": f"http://archivist:{PASSWORD}@{proxy.address}:{proxy.port}"}}
    options = ("--include", "169.254")
    return crawl(tmp_path_factory.mktemp("proxy"), "http://far.example/", settings=settings, options=options)


def test_everything_goes_through_the_proxy(crawled: Crawled, proxy: ScriptedWeb, origin: ScriptedWeb) -> None:
    assert crawled.titles == {"http://far.example/": "Home", "http://far.example/a": "A"}
    assert proxy.paths() == [f"http://far.example{path}" for path in ("/robots.txt", "/", "/a")]
    assert origin.paths() == ["/robots.txt", "/", "/a"]
    assert crawled.summary["requests"] == len(proxy.log)


def test_what_is_written_as_a_private_address_is_not_asked_of_the_proxy(crawled: Crawled) -> None:
    assert crawled.skipped["http://169.254.169.254/latest/meta-data"][0] == "private address"


def test_the_password_is_written_nowhere(crawled: Crawled, proxy: ScriptedWeb) -> None:
    assert all(request.headers["proxy-authorization"] == f"Basic {TOKEN}" for request in proxy.log)
    written = crawled.everything_written()
    assert PASSWORD.encode() not in written and TOKEN.encode() not in written
    assert b"proxy-authorization" not in written.lower()
    assert f"http://***@{proxy.address}:{proxy.port}".encode() in crawled.collection.definition.read_bytes()


def test_a_crawl_does_not_go_on_without_the_password(crawled: Crawled, proxy: ScriptedWeb, tmp_path: Path) -> None:
    """Every page would be answered with 407 and be done with."""
    asked = len(proxy.log)
    command = [sys.executable, "-m", "anansi.cli", "crawl", "-o", str(crawled.collection.root)]
    again = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (again.returncode, len(proxy.log)) == (2, asked)
    assert "the password of the proxy is not kept in" in again.stderr and "--config FILE" in again.stderr


def test_the_address_of_the_proxy_is_not_taken_for_the_servers(crawled: Crawled) -> None:
    assert not any("warc-ip-address" in record.headers for record in crawled.records)


def test_a_proxy_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with ScriptedWeb() as nobody:
        settings = {"fetch": {"proxy": f"http://me:{PASSWORD}@127.0.0.1:{nobody.port}"}}
    crawled = crawl(tmp_path, "http://far.example/", settings=settings, options=("--robots", "ignore"))
    assert crawled.code == 12
    assert "connection_refused_or_failed" in crawled.annotations("http://far.example/")
    assert PASSWORD.encode() not in crawled.everything_written() and PASSWORD not in crawled.errors


def test_proxies_of_the_environment_are_not_used(tmp_path: Path) -> None:
    environment = {"http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"}
    with ScriptedWeb() as web:
        url = web.add("/", html("Home"))
        crawled = crawl(tmp_path, url, environment=environment)
    assert crawled.titles == {url: "Home"}
