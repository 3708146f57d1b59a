"""Traps: a walker that follows every link never runs out, and sees what the trap promises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from tests.web import (
    ScriptedWeb,
    calendar,
    growing_path,
    near_duplicates,
    session_ids,
    sortings,
    whole_site,
)
from tests.web.wire import get


def walk(start: str, most: int) -> Iterator[tuple[str, bytes]]:
    """Follow every link of one site, breadth first, to `most` pages."""
    waiting, seen = [start], {start}
    while waiting and most:
        url, most = waiting.pop(0), most - 1
        body = get(url).body
        yield url, body
        for href in re.findall(r'(?:href|src)="([^"]+)"', body.decode("utf-8", "replace")):
            link = urljoin(url, href.replace("&amp;", "&")).partition("#")[0]
            if link not in seen and link.startswith(start.rpartition("/")[0]):
                seen.add(link)
                waiting.append(link)


def test_a_calendar_has_no_last_month() -> None:
    with ScriptedWeb() as web:
        url = web.add("/calendar/*", calendar())[:-1]
        pages = dict(walk(url, 150))
        assert len(pages) == 150
        assert b"Events in January 2020" in pages[url]
        assert web.url + "/calendar/2019/12" in pages
        assert b"Events in February 2020" in get(web.url + "/calendar/2020/02").body
        for odd in ("9999/12", "0/0", "99999999999/99", "x/y"):
            assert get(f"{web.url}/calendar/{odd}").status == 200


def test_a_path_grows_and_the_page_stays() -> None:
    with ScriptedWeb() as web:
        pages = dict(walk(web.add("/deep/*", growing_path())[:-1], 60))
        assert len(pages) == 60
        assert len(set(pages.values())) == 1
        assert any(url.count("more/") >= 4 for url in pages)


def test_session_ids_change_with_every_answer_and_the_article_does_not() -> None:
    with ScriptedWeb() as web:
        pages = dict(walk(web.add("/shop/*", session_ids(pages=3))[:-1], 40))
        sessions = {re.search(r"sid=(\w+)", url).group(1) for url in pages if "sid=" in url}  # type: ignore[union-attr]
        articles = {body.partition(b"<h1>")[2].partition(b"</h1>")[0] for body in pages.values()}
        assert len(pages) == 40
        assert len(sessions) > 10
        assert articles == {b"Article 0", b"Article 1", b"Article 2"}


def test_near_duplicates_differ_in_a_word() -> None:
    with ScriptedWeb() as web:
        pages = dict(walk(web.add("/print/*", near_duplicates())[:-1], 20))
        texts = {re.sub(rb"<p><a.*?</p>|Seen \d+ times", b"", body, flags=re.S).strip() for body in pages.values()}
        assert len(set(pages.values())) == len(pages) == 20
        assert len(texts) == 1


def test_sortings_combine_without_end() -> None:
    with ScriptedWeb() as web:
        pages = dict(walk(web.add("/list", sortings()), 50))
        assert len(pages) == 50
        assert {body.partition(b"<h1>")[2].partition(b"</h1>")[0] for body in pages.values()} == {b"A list"}


def test_a_whole_site_is_reached_from_its_home_page_and_ends() -> None:
    with ScriptedWeb() as web:
        expected = whole_site(web, pages=30, external=["http://127.0.0.9/elsewhere"])
        pages = dict(walk(web.url + "/", 1000))
        assert set(pages) == expected
        assert len(expected) == 32
        assert len(set(pages.values())) == 32
        assert all(web.count(url.removeprefix(web.url)) == 1 for url in expected)
        assert all(b"http://127.0.0.9/elsewhere" in body for url, body in pages.items() if url.endswith(".html"))


def test_a_whole_site_may_be_one_page_or_many_without_embeds() -> None:
    with ScriptedWeb() as web:
        assert whole_site(web, pages=1, embeds=False) == {web.url + "/"}
        assert set(dict(walk(web.url + "/", 10))) == {web.url + "/"}
    with ScriptedWeb() as web:
        expected = whole_site(web, pages=200, fan=2, embeds=False)
        assert set(dict(walk(web.url + "/", 1000))) == expected
