"""What every way to fetch must do, whatever it fetches with; `OPENED` takes another by one line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from anansi.config import Fetch as Settings
from anansi.errors import DiskError
from anansi.fetch.curl import Fetcher
from anansi.fetch.protocol import Fetch
from anansi.model import Cut, Exchange, Fault, Page, Visit
from tests.fetch.test_curl import AGENT, visit
from tests.web import ScriptedWeb, chunked, endless_body, hang, html, redirect, reset_at

Open = Callable[[Settings, Path], Fetch]
OPENED: dict[str, Open] = {"libcurl": lambda settings, spool: Fetcher(settings, AGENT, spool)}

PATIENT = Settings(timeout=120.0)


@pytest.fixture(params=list(OPENED))
def opened(request: pytest.FixtureRequest) -> Open:
    return OPENED[request.param]


class Told:
    """Who is called back: keeps what came, and tells when all of it is there."""

    def __init__(self, expected: int) -> None:
        self.pages: list[Page] = []
        self._expected, self._all = expected, asyncio.get_running_loop().create_future()

    def done(self, page: Page) -> None:
        self.pages.append(page)
        if len(self.pages) == self._expected:
            self._all.set_result(None)

    def failed(self, error: DiskError) -> None:
        self._all.set_exception(error)

    async def wait(self) -> list[Page]:
        await asyncio.wait_for(self._all, 60)
        return self.pages


def fetched(opened: Open, spool: Path, *visits: Visit, settings: Settings = PATIENT) -> list[Page]:
    """Begin all visits at once; return their pages in the order they came."""

    async def run() -> list[Page]:
        fetch = opened(settings, spool)
        try:
            told = Told(len(visits))
            for each in visits:
                fetch.start(each, told.done, told.failed)
            assert not told.pages, "called back from `start`"
            assert fetch.busy <= len(visits)
            pages = await told.wait()
            assert fetch.busy == 0
            await asyncio.sleep(0.05)
            assert len(told.pages) == len(visits), "called back twice"
            return pages
        finally:
            fetch.close()

    return asyncio.run(run())


def exchanges(page: Page) -> list[Exchange]:
    return [page, *page.loaded]


def test_a_visit_brings_one_page_whose_exchanges_are_as_they_came(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        asked = visit(web.add("/", chunked(b"<title>words</title>", (5, 3))))
        (page,) = fetched(opened, tmp_path, asked)
    assert page.visit == asked
    assert page.fault is None
    for each in exchanges(page):
        assert each.visit.url.startswith("http")
        assert each.request.startswith((b"GET ", b"POST "))
        assert each.head.startswith(b"HTTP/1.1 ")
        assert each.head.endswith(b"\r\n\r\n")
        assert each.ip == "127.0.0.1"
    assert b"transfer-encoding: chunked" in page.head.lower()
    assert page.body.read().endswith(b"0\r\n\r\n")


def test_many_visits_at_once_bring_a_page_each(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        asked = [visit(web.add(f"/{number}", html(f"page {number}"))) for number in range(40)]
        pages = fetched(opened, tmp_path, *asked)
    assert {page.visit.url for page in pages} == {each.url for each in asked}
    assert all(f"page {page.visit.url.rpartition('/')[2]}<".encode() in page.body.read() for page in pages)


def test_what_the_web_does_wrong_is_a_value(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        broken = web.add("/", reset_at("mid headers"))
        closed = broken.replace(str(web.port), "1")
        pages = fetched(opened, tmp_path, visit(broken), visit(closed), visit("http://[::/"))
    assert {page.fault for page in pages} == {Fault.RESET, Fault.CONNECT, Fault.URL}


def test_a_redirect_is_not_followed(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        there = web.add("/there", html("there"))
        (page,) = fetched(opened, tmp_path, visit(web.add("/", redirect(there))))
        assert (page.status, page.header("location")) == (302, there)
        assert len(web.log) == 1


def test_a_body_without_end_is_cut(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        settings = Settings(timeout=120.0, max_body=200_000)
        (page,) = fetched(opened, tmp_path, visit(web.add("/", endless_body())), settings=settings)
    assert (page.cut, page.body.size) == (Cut.LENGTH, 200_000)


def test_it_connects_to_the_address_of_the_visit_and_nowhere_else(opened: Open, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("here"))
        asked = visit(f"http://no.such.host.example:{web.port}/")
        (page,) = fetched(opened, tmp_path, asked)
    assert (page.ip, page.status) == ("127.0.0.1", 200)


def test_who_closes_is_not_called_back(opened: Open, tmp_path: Path) -> None:
    async def run(url: str) -> list[Page]:
        fetch = opened(PATIENT, tmp_path)
        told = Told(1)
        fetch.start(visit(url), told.done, told.failed)
        await asyncio.sleep(0.05)
        fetch.close()
        fetch.close()
        await asyncio.sleep(0.1)
        return told.pages

    with ScriptedWeb() as web:
        assert asyncio.run(run(web.add("/", hang()))) == []
