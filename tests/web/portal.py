"""A small Drupal: articles in one list, their authors, and pages of a gallery that authors alone lead to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML
from tests.web.vbulletin import name

_WORDS = ("reeds", "slate", "thorn", "umber", "vales", "wharf", "yarns", "zeals")


@dataclass(frozen=True)
class Portal:
    """A behaviour for `/*`."""

    articles: int = 59
    members: int = 48
    albums: int = 2
    """Pages of the gallery that each member's page leads to."""
    views: tuple[str, ...] = ()
    """Other forms of each article, whose addresses are these and its number."""

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        await self._reply(request.target)(request, connection)

    def pictures(self) -> list[str]:
        """Return the addresses of the gallery."""
        return [each for member in range(1, self.members + 1) for each in self._pictures(member)]

    def _pictures(self, member: int) -> list[str]:
        return [f"/album/{name(member)}-{_WORDS[number]}" for number in range(self.albums)]

    def _reply(self, target: str) -> Reply:
        found = re.fullmatch(r"(/\D+)(\d+)", target)
        place, number = (found[1], int(found[2])) if found else (target, 0)
        if target == "/":
            links = (f'<h2><a href="/node/{n}">{name(n)}</a></h2>' for n in range(1, self.articles + 1))
            return _page("News", "front", f'<div class="node">{"".join(links)}</div>')
        if place == "/node/" and 1 <= number <= self.articles:
            return self._article(number)
        if place == "/user/" and 1 <= number <= self.members:
            links = (f'<a href="{each}">album</a>' for each in self._pictures(number))
            return _page(name(number), "page-user", f"<p>{name(number)}</p>{''.join(links)}")
        if target in self.pictures():
            words = " ".join(f"{target.rpartition('/')[2]} {word}" for word in _WORDS)
            return _page("An album", "page-album", f"<p>{words}</p>")
        if place in self.views:
            return self._article(number)
        return Reply(404, (HTML,), b"<html>no</html>")

    def _article(self, number: int) -> Reply:
        text = " ".join(f"{name(number)} {word}" for word in _WORDS)
        links = [f"/user/{number % self.members + 1}", *(f"{view}{number}" for view in self.views)]
        named = "".join(f'<a href="{each}">there</a>' for each in links)
        head = f'<h1 class="title">{name(number)}</h1>'
        node = f'{head}<div id="node-{number}" class="node"><div class="content"><p>{text}</p></div></div>'
        return _page(name(number), "page-node-", f"{node}{named}")


def _page(title: str, kind: str, text: str) -> Reply:
    head = f"<title>{title}</title><meta name='Generator' content='Drupal 7 (http://drupal.org)'>"
    return Reply(200, (HTML,), f'<html><head>{head}</head><body class="{kind}">{text}</body></html>'.encode())
