"""A MediaWiki whose main page leads to next to nothing: its articles stand in the list of all pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qs

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

_TOOLS = ("Special:RecentChanges", "Special:SpecialPages", "Special:Random", "Help:Contents")
_NAMES_IT = "<link rel='EditURI' type='application/rsd+xml' href='/w/api.php?action=rsd'>"


@dataclass(frozen=True)
class Wiki:
    """A behaviour for `/*`; `odd` is what answers an address instead."""

    articles: tuple[str, ...]
    shown: int = 15
    """Articles on a page of the list."""
    listed: bool = True
    """Whether there is a list of all pages."""
    named: bool = True
    """Whether pages name the interface for programs."""
    odd: Mapping[str, Reply] = field(default_factory=dict)

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        path = request.target.partition("?")[0]
        reply = self.odd.get(path) or self._reply(request.target)
        if not self.named:
            reply = replace(reply, body=reply.body.replace(_NAMES_IT.encode(), b""))
        await reply(request, connection)

    def _reply(self, target: str) -> Reply:
        path, _, query = target.partition("?")
        given = {name: values[0] for name, values in parse_qs(query).items()}
        title = given.get("title") or path.removeprefix("/wiki/")
        if path not in ("/w/index.php", "/") and not path.startswith("/wiki/"):
            return Reply(404, (HTML,), b"no")
        if title in ("/", "Main_Page"):
            return _page("Main Page", "ns-0", "<p>This wiki has just been installed.</p>")
        if title == "Special:AllPages" and self.listed:
            return _page("All pages", "ns--1 ns-special", self._list(given.get("from", "")))
        if title == "Special:RecentChanges":
            return _page("Recent changes", "ns--1 ns-special", _links(self.articles[-self.shown :]))
        if title == "Special:SpecialPages":
            return _page("Special pages", "ns--1 ns-special", _links(["Special:AllPages"]))
        if title in self.articles:
            return _page(title, "ns-0", f"<p>All that is known about {title}.</p>")
        return _page("Error", "ns--1 ns-special", "<p>There is no such page.</p>") if ":" in title else _missing()

    def _list(self, begin: str) -> str:
        names = [name for name in sorted(self.articles) if name >= begin]
        more = names[self.shown : self.shown + 1]
        onward = "".join(
            f'<a href="/w/index.php?title=Special:AllPages&amp;from={name}">Next page</a>' for name in more
        )
        return f'<ul class="mw-allpages-chunk">{_links(names[: self.shown])}</ul>{onward}'


def _links(names: tuple[str, ...] | list[str]) -> str:
    return "".join(f'<li><a href="/wiki/{name}">{name}</a></li>' for name in names)


def _missing() -> Reply:
    return Reply(404, (HTML,), b"<html><title>No such article</title></html>")


def _page(title: str, kind: str, text: str) -> Reply:
    head = f"<title>{title}</title><meta name='generator' content='MediaWiki 1.39.0'>{_NAMES_IT}"
    tools = "".join(f'<li><a href="/wiki/{name}">{name}</a></li>' for name in _TOOLS)
    body = (
        f"<h1 id='firstHeading'>{title}</h1>"
        f"<div id='mw-content-text'><div class='mw-parser-output'>{text}</div></div>"
        f"<div id='p-tb'>{tools}<a href='/wiki/Main_Page'>Main page</a></div>"
    )
    return Reply(
        200, (HTML,), f"<html><head>{head}</head><body class='mediawiki {kind} '>{body}</body></html>".encode()
    )
