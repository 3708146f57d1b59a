"""Pages that are hard to read: their links are found, their titles are right, and nothing falls over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from anansi.crawl.stages.judge import NESTED
from tests.crawl.case import Crawled, crawl, in_letters
from tests.web import (
    CHARSETS,
    LIES,
    MISDECLARED,
    PNG,
    Connection,
    Reply,
    Request,
    ScriptedWeb,
    broken_hrefs,
    deep_html,
    html,
    many_links,
    mime_lie,
    nul_html,
)
from tests.web.replies import HTML

TRUE_HTML = ("html as plain", "html as octet-stream", "html without type", "html as png")


def path_of(name: str) -> str:
    """Return where a case stands."""
    return "/" + name.replace(" ", "-").replace(",", "").replace("/", "-")


@pytest.fixture(scope="module")
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as web:
        paths = [path_of(name) for name in (*CHARSETS, *LIES)]
        web.add(
            "/",
            html(
                "Home", [*paths, "/deep", "/unclosed", "/nul", "/broken", "/no-html", "/base", "/refresh", "/empty"]
            ),
        )
        for name, (_, reply) in CHARSETS.items():
            web.add(path_of(name), reply)
        for lie in LIES:
            body = None if lie not in TRUE_HTML else html(lie, [f"/behind{path_of(lie)}"]).body
            web.add(path_of(lie), mime_lie(lie, body))
        web.add("/deep", deep_html())
        web.add("/unclosed", deep_html(1500, tag="font"))
        web.add("/nul", nul_html())
        web.add("/broken", broken_hrefs())
        web.add("/no-html", Reply(200, (HTML,), b""))
        web.add("/empty", Reply(204, (HTML,)))
        web.add("/base", Reply(200, (HTML,), b'<base href="/folder/"><a href="relative">x</a>'))
        web.add("/refresh", Reply(200, (HTML,), b'<meta http-equiv="Refresh" content="0; URL=/refreshed">'))
        yield web


@pytest.fixture(scope="module")
def crawled(web: ScriptedWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    # one of the broken addresses is another port of this host, where nobody is
    settings = {"politeness": {"robots_deadline": 1.0}}
    return crawl(tmp_path_factory.mktemp("documents"), web.url + "/", settings=settings)


def test_the_crawl_ends_well(crawled: Crawled, web: ScriptedWeb) -> None:
    assert (crawled.code, crawled.summary["queued"]) == (0, 0)
    assert {line[3] for line in crawled.log if int(line[1]) > 0} == {web.url + target for target in web.paths()}


@pytest.mark.parametrize("name", CHARSETS)
def test_a_title_is_right_in_every_charset(name: str, crawled: Crawled, web: ScriptedWeb) -> None:
    text, _ = CHARSETS[name]
    title = crawled.titles[web.url + path_of(name)]
    assert title == text or (name in MISDECLARED and title)


@pytest.mark.parametrize("lie", ["html as plain", "html as octet-stream", "html without type"])
def test_a_page_under_a_false_type_is_read(lie: str, crawled: Crawled, web: ScriptedWeb) -> None:
    assert web.count(f"/behind{path_of(lie)}") == 1
    assert crawled.titles[web.url + path_of(lie)] == lie


@pytest.mark.parametrize("lie", ["pdf as html", "png as html"])
def test_what_only_pretends_to_be_a_page_is_none(lie: str, crawled: Crawled, web: ScriptedWeb) -> None:
    assert web.url + path_of(lie) not in crawled.titles
    (metadata,) = crawled.kept(web.url + path_of(lie), "metadata")
    assert b"mime: image/png" in metadata.block or b"mime: application/pdf" in metadata.block


@pytest.mark.parametrize(
    "path", ["/at-the-bottom", "/after", "/after-nul", "/good", "/folder/relative", "/refreshed"]
)
def test_a_link_in_a_bad_neighbourhood_is_found(path: str, crawled: Crawled, web: ScriptedWeb) -> None:
    assert web.count(path) == 1
    assert crawled.statuses(web.url + path) == [404]


def test_nothing_that_is_no_address_was_asked_for(web: ScriptedWeb, crawled: Crawled) -> None:
    assert crawled.code == 0
    assert not any("javascript" in target.lower() or "mailto" in target for target in web.paths())
    assert all(len(target) < 5000 for target in web.paths())


def test_a_hundred_thousand_links_are_a_page_like_any_other(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/", many_links())
        web.add("/link/*", in_letters)
        crawled = crawl(tmp_path, url, options=("--limit", "50"))
        assert web.count("/link/*") == 49
    assert crawled.code == 10
    assert crawled.summary["queued"] >= 10_000
    assert crawled.memory < 500 << 20


def test_links_are_followed_whatever_letters_they_hold(tmp_path: Path) -> None:
    links = {"/été": "/%C3%A9t%C3%A9", "/a b": "/a%20b", "/?q=ö": "/?q=%C3%B6", "/日本": "/%E6%97%A5%E6%9C%AC"}
    with ScriptedWeb() as web:
        web.add("/", html("Home", links))
        crawled = crawl(tmp_path, web.url + "/")
        assert sorted(web.paths()) == sorted(["/robots.txt", "/", *links.values()])
    assert crawled.summary["requests"] == 6


def test_what_a_page_shows_is_fetched_unless_it_is_not_wanted_and_can_be_added_later(tmp_path: Path) -> None:
    page = b'<link rel=stylesheet href=/style.css><img src=/picture.png srcset="/large.png 2x"><script src=/code.js>'
    with ScriptedWeb() as web:
        web.add("/", Reply(200, (HTML,), page))
        web.add(
            "/style.css",
            Reply(200, {"Content-Type": "text/css"}, b'@import "more.css"; p { background: url(back.png) }'),
        )
        web.add("/picture.png", Reply(200, {"Content-Type": "image/png"}, PNG))
        without = crawl(tmp_path / "without", web.url + "/", options=("--no-requisites",))
        assert set(web.paths()) == {"/robots.txt", "/"}
        asked = len(web.paths())
        added = crawl(tmp_path / "without", web.url + "/", options=("--requisites",))
        later = web.paths()[asked:]
        shown = crawl(tmp_path / "with", web.url + "/", options=("--requisites",))
        needed = {"/style.css", "/more.css", "/back.png", "/picture.png", "/large.png", "/code.js", "/favicon.ico"}
        assert set(web.paths()) == {"/robots.txt", "/"} | needed
    assert set(later) == needed, "no page is fetched again"
    assert without.summary["pages"] == added.summary["pages"] == shown.summary["pages"] == 1
    assert (without.summary["requisites"], added.summary["requisites"], shown.summary["requisites"]) == (0, 7, 7)
    kept = [sorted(each.url for each in one.records if each.kind == "response") for one in (added, shown)]
    assert kept[0] == kept[1]
    assert {line[4] for line in shown.log if line[3].endswith((".png", ".css"))} == {"E", "EE"}


def test_what_a_page_and_its_style_sheet_name_is_asked_for_as_browsers_ask_for_it(tmp_path: Path) -> None:
    """As Chromium does: queries in the encoding of their page, all else as UTF-8."""
    page = '<link rel=stylesheet href=/a.css><p>Рыба <img src="/кот.png?имя=кот"><a href="/find?q=рыба">рыба</a>'
    sheets = {"/a.css": "windows-1251", "/b.css": ""}
    texts = {"/a.css": "@import '/b.css'; p { background: url(/фон.png) }"}
    texts["/b.css"] = '@charset "koi8-r"; i { background: url(/дом.png) }'
    with ScriptedWeb() as web:
        web.add("/", Reply(200, {"Content-Type": "text/html; charset=windows-1251"}, page.encode("windows-1251")))
        for path, declared in sheets.items():
            kind = f"text/css; charset={declared}" if declared else "text/css"
            web.add(path, Reply(200, {"Content-Type": kind}, texts[path].encode(declared or "koi8-r")))
        crawl(tmp_path, web.url + "/", options=("--requisites",))
        asked = set(web.paths())
    pictures = {quote("/фон.png"), quote("/дом.png"), quote("/кот.png") + "?%E8%EC%FF=%EA%EE%F2"}
    assert asked - {"/", "/robots.txt", "/favicon.ico", *sheets} == {*pictures, "/find?q=%F0%FB%E1%E0"}


def test_parts_of_parts_are_fetched_and_a_chain_of_them_without_end_is_left(tmp_path: Path) -> None:
    async def sheet(request: Request, connection: Connection) -> None:
        number = int(request.path.rpartition("/")[2])
        await Reply(200, {"Content-Type": "text/css"}, b'@import "%d"' % (number + 1))(request, connection)

    page = b"<link rel=stylesheet href=/css/0><script type=module src=/app.js></script><object data=/d.svg></object>"
    parts = {
        "/app.js": ("text/javascript", b'import "./lib/one.js"'),
        "/lib/one.js": ("application/javascript", b'export * from "../two.js"'),
        "/two.js": ("text/javascript", b"export {}"),
        "/d.svg": ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg"><image href="in.png"/></svg>'),
        "/in.png": ("image/png", PNG),
    }
    with ScriptedWeb() as web:
        web.add("/", Reply(200, (HTML,), page))
        web.add("/css/*", sheet)
        for path, (mime, body) in parts.items():
            web.add(path, Reply(200, {"Content-Type": mime}, body))
        crawled = crawl(tmp_path, web.url + "/", options=("--requisites", "--limit", "1"))
        asked = web.paths()
    assert parts.keys() <= set(asked)
    assert sum(path.startswith("/css/") for path in asked) == NESTED
    assert crawled.skipped[f"{web.url}/css/{NESTED}"][0] == "trap"
