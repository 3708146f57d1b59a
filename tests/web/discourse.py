"""A Discourse forum as crawlers get it, with or without a sitemap."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

_LIST = re.compile(r"/(?:c/[a-z]+/(?P<board>\d)|latest)(?:\?page=(?P<page>\d+))?")
_TOPIC = re.compile(r"/t/topic-[a-z]+/(?P<topic>\d+)")


@dataclass(frozen=True)
class Discourse:
    """A behaviour for `/*`: topics in four categories; `odd` is what answers an address instead."""

    topics: int = 40
    shown: int = 5
    odd: Mapping[str, Reply] = field(default_factory=dict)

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        await (self.odd.get(request.target) or self._reply(request.target))(request, connection)

    def topic(self, number: int) -> str:
        """Return the address of a topic."""
        return f"/t/topic-{'abcdefghij'[number % 10]}/{number}"

    def _reply(self, target: str) -> Reply:
        if target in ("/", "/categories"):
            boards = "".join(f'<a href="/c/{name}/{n}">{name}</a>' for n, name in enumerate("abcd"))
            return _page("A forum", f'<table class="category-list"><tr><td>{boards}</td></tr></table>')
        if (found := _LIST.fullmatch(target)) is not None:
            return self._list(target.partition("?")[0], found["board"], int(found["page"] or 0))
        found = _TOPIC.fullmatch(target)
        if found is None or not 1 <= int(found["topic"]) <= self.topics:
            return Reply(404, (HTML,), b"no")
        words = "abcdefghij"[int(found["topic"]) % 10] * (int(found["topic"]) // 10 + 1)
        return _page(
            words,
            f'<div class="topic-body crawler-post"><span class="creator"><span itemprop="name">ann</span></span>'
            f'<div class="post"><p>Words {words} of topic {words}</p></div></div>',
        )

    def _list(self, path: str, board: str | None, page: int) -> Reply:
        mine = [n for n in range(1, self.topics + 1) if board is None or n % 4 == int(board)]
        rows = mine[page * self.shown : (page + 1) * self.shown]
        links = "".join(f'<tr><td><a class="raw-topic-link" href="{self.topic(n)}">{n}</a></td></tr>' for n in rows)
        more = f'<a rel="next" href="{path}?page={page + 1}">next</a>' if len(mine) > (page + 1) * self.shown else ""
        return _page("A list", f'<table class="topic-list">{links}</table><div role="navigation">{more}</div>')


def _page(title: str, text: str) -> Reply:
    head = f"<title>{title}</title><meta name='generator' content='Discourse 3.1.0'>"
    return Reply(200, (HTML,), f"<html><head>{head}</head><body class='crawler'>{text}</body></html>".encode())
