"""A WordPress blog: posts by date, numbered lists, and the shortcuts that it is told to have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

RSS = ("Content-Type", "application/rss+xml; charset=UTF-8")
JSON = ("Content-Type", "application/json; charset=UTF-8")
MISSING = Reply(404, (HTML,), b"<html><title>Not found</title></html>")
WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty")


@dataclass(frozen=True)
class Blog:
    """A behaviour for `/*`. Posts have numbers from 1, the newest; `odd` is what answers an address instead."""

    posts: int = 30
    shown: int = 3
    feed: int = 0
    """Posts that the feed lists at a time; none for no feed."""
    paging: bool = False
    """Whether the feed has further pages."""
    api: bool = False
    far: bool = True
    """Whether each list leads to the last one."""
    odd: Mapping[str, Reply] = field(default_factory=dict)

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        reply = self.odd.get(request.target) or self._reply(request)
        await reply(request, connection)

    def post(self, number: int) -> str:
        """Return the address of a post."""
        year, day = 2020 - number // 300, number % 28 + 1
        return f"/{year}/03/{day:02}/{self._name(number)}/"

    @property
    def last(self) -> int:
        """Return the number of the last list."""
        return -(-self.posts // self.shown)

    @staticmethod
    def _name(number: int) -> str:
        return "-".join(WORDS[int(digit)] for digit in f"{number:03}")

    def _reply(self, request: Request) -> Reply:
        path, _, query = request.target.partition("?")
        origin = f"http://{request.headers['host']}"
        if path == "/" and not query:
            return self._list(1, home=True)
        if path.startswith("/page/") and path.strip("/").rpartition("/")[2].isdecimal():
            number = int(path.strip("/").rpartition("/")[2])
            return self._list(number) if 1 <= number <= self.last else MISSING
        if path == "/feed/" and self.feed:
            page = int(query.removeprefix("paged=") or 1)
            numbers = self._slice(page, self.feed) if page == 1 or self.paging else []
            return Reply(200, (RSS,), rss(origin + self.post(each) for each in numbers)) if numbers else MISSING
        if path == "/wp-json/wp/v2/posts" and self.api:
            numbers = self._slice(int(query.rpartition("page=")[2]), 100)
            told = [{"link": origin + self.post(each)} for each in numbers]
            return Reply(200 if told else 400, (JSON,), json.dumps(told or {"code": "no such page"}).encode())
        found = next((each for each in range(1, self.posts + 1) if self.post(each) == path and not query), 0)
        return self._post(found) if found else MISSING

    def _slice(self, page: int, size: int) -> list[int]:
        return list(range(1, self.posts + 1))[(page - 1) * size : page * size]

    def _list(self, page: int, *, home: bool = False) -> Reply:
        entries = "".join(
            f'<h2 class="entry-title"><a href="{self.post(n)}">{self._name(n)}</a></h2>'
            for n in self._slice(page, self.shown)
        )
        near = {2, 3, page - 1, page + 1, self.last if self.far else 0} & set(range(1, self.last + 1))
        pages = "".join(f'<a class="page-numbers" href="/page/{n}/">{n}</a>' for n in sorted(near) if n != page)
        return _page("blog" if not home else "home blog", entries + pages, feed=bool(self.feed), api=self.api)

    def _post(self, number: int) -> Reply:
        text = (
            f"<h1 class='entry-title'>{self._name(number)}</h1><div class='entry-content'>{self._name(number)}</div>"
        )
        return _page(f"single-post postid-{number}", text)


def _page(kind: str, text: str, *, feed: bool = False, api: bool = False) -> Reply:
    head = "<meta name='generator' content='WordPress 5.7'><title>A blog</title>"
    head += "<link rel='alternate' type='application/rss+xml' href='/feed/'>" if feed else ""
    head += "<link rel='https://api.w.org/' href='/wp-json/'>" if api else ""
    return Reply(200, (HTML,), f"<html><head>{head}</head><body class='{kind}'>{text}</body></html>".encode())


def rss(links: Iterable[str]) -> bytes:
    """Write a feed."""
    items = "".join(f"<item><title>x</title><link>{link}</link></item>" for link in links)
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'.encode()


def sitemap(links: Iterable[str]) -> bytes:
    """Write a sitemap."""
    urls = "".join(f"<url><loc>{link}</loc></url>" for link in links)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()
