"""Ordinary answers and robots.txt: what each says, and what changes from one request to the next."""

from __future__ import annotations

import time

import pytest

from tests.web import (
    ScriptedWeb,
    delayed,
    html,
    in_turn,
    needs_cookie,
    not_modified,
    redirect,
    redirect_cycle,
    redirect_growing,
    redirect_self,
    robots,
    robots_error,
    robots_huge,
    robots_missing,
    robots_redirect,
    robots_redirects,
    robots_text,
    robots_timeout,
    too_many,
    unavailable,
)
from tests.web.wire import dial, get, listen, say


def locations(web: ScriptedWeb, start: str, hops: int) -> list[str]:
    """Follow redirects by hand and list where they lead."""
    trail = [start]
    for _ in range(hops):
        trail.append(get(web.url + trail[-1]).headers["location"])
    return trail


def test_a_page_has_its_title_text_and_links_escaped() -> None:
    with ScriptedWeb() as web:
        answer = get(web.add("/", html('A "title" & more', ["/a?b=1&c=2", "x.html"], "5 < 6")))
    page = answer.body.decode()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert 'href="/a?b=1&amp;c=2"' in page
    assert 'href="x.html"' in page
    assert "<p>5 &lt; 6</p>" in page


def test_turns_are_taken_and_the_last_stays() -> None:
    with ScriptedWeb() as web:
        url = web.add("/", in_turn(html("One", status=500), html("Two", status=403), html("Three")))
        assert [get(url).status for _ in range(4)] == [500, 403, 200, 200]


def test_a_delayed_answer_comes_late() -> None:
    with ScriptedWeb() as web:
        url = web.add("/", delayed(0.2, html("Late")))
        started = time.monotonic()
        assert get(url).status == 200
        assert time.monotonic() - started >= 0.2


def test_redirects_lead_where_they_say() -> None:
    with ScriptedWeb() as web:
        web.add("/to", redirect("http://elsewhere.example/", status=308))
        web.add("/self", redirect_self())
        for path in ("/one", "/two"):
            web.add(path, redirect_cycle("/one", "/two"))
        web.add("/grow/*", redirect_growing())
        assert get(web.url + "/to").status == 308
        assert locations(web, "/to", 1)[1] == "http://elsewhere.example/"
        assert locations(web, "/self", 2) == ["/self"] * 3
        assert locations(web, "/one", 3) == ["/one", "/two", "/one", "/two"]
        assert locations(web, "/grow/", 2) == ["/grow/", "/grow/again/", "/grow/again/again/"]


def test_a_cookie_opens_the_page() -> None:
    with ScriptedWeb() as web:
        url = web.add("/", needs_cookie(html("Inside")))
        asked = get(url)
        assert (asked.status, asked.headers["location"]) == (302, "/")
        cookie = asked.headers["set-cookie"].partition(";")[0]
        assert get(url, {"Cookie": f"other=2; {cookie}"}).status == 200
        assert get(url, {"Cookie": "seen=0"}).status == 302


def test_patience_is_rewarded() -> None:
    with ScriptedWeb() as web:
        busy, down = web.add("/busy", too_many(2, 7)), web.add("/down", unavailable(1))
        answers = [get(busy) for _ in range(3)]
        assert [answer.status for answer in answers] == [429, 429, 200]
        assert [answer.headers.get("retry-after") for answer in answers] == ["7", "7", None]
        first, second = get(down), get(down)
        assert (first.status, second.status) == (503, 200)
        assert "retry-after" not in first.headers


def test_a_known_version_is_not_sent_again() -> None:
    date = "Mon, 01 Jan 2024 00:00:00 GMT"
    with ScriptedWeb() as web:
        url = web.add("/", not_modified('"v1"', b"text", modified=date))
        fresh = get(url)
        assert (fresh.status, fresh.headers["etag"], fresh.headers["last-modified"]) == (200, '"v1"', date)
        known = get(url, {"If-None-Match": '"v1"'})
        assert (known.status, known.body) == (304, b"")
        assert get(url, {"If-Modified-Since": date}).status == 304
        assert get(url, {"If-None-Match": '"v0"', "If-Modified-Since": date}).body == b"text"


def test_robots_say_their_rules() -> None:
    with ScriptedWeb() as web:
        url = web.add("/robots.txt", robots("/private/", "/x", agent="anansi", delay=2, extra="Sitemap: /s.xml"))
        answer = get(url)
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.body.decode().splitlines() == [
            "User-agent: anansi",
            "Disallow: /private/",
            "Disallow: /x",
            "Crawl-delay: 2",
            "Sitemap: /s.xml",
        ]
        web.add("/robots.txt", robots_text("word for word"))
        assert get(url).body == b"word for word"


@pytest.mark.parametrize(
    ("behaviour", "status"), [(robots_error(), 503), (robots_error(500), 500), (robots_missing(), 404)]
)
def test_robots_may_fail(behaviour: object, status: int) -> None:
    with ScriptedWeb() as web:
        assert get(web.add("/robots.txt", behaviour)).status == status  # type: ignore[arg-type]


def test_robots_may_be_huge() -> None:
    body = robots_huge().body
    assert 0.999 * 10 * 1024 * 1024 < len(body) <= 10 * 1024 * 1024
    assert body.startswith(b"User-agent: *\nDisallow: /early/\n")
    assert body.endswith(b"\nDisallow: /late/\n")


def test_robots_may_never_answer() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/robots.txt", robots_timeout())
        say(wire, "/robots.txt")
        assert listen(wire, seconds=0.2).data == b""


def test_robots_may_live_elsewhere_or_some_hops_away() -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", robots_redirect("/rules"))
        assert locations(web, "/robots.txt", 1)[1] == "/rules"
        web.add("/robots.txt", robots_redirects(3, robots("/no")))
        last = locations(web, "/robots.txt", 3)[-1]
        assert b"Disallow: /no" in get(web.url + last).body
