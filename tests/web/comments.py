"""A WordPress blog whose comments stand on pages: the post itself shows the newest of them, or the oldest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

_PATH = re.compile(r"/(?P<name>[a-z-]+)/(?:comment-page-(?P<part>\d+)/)?")


@dataclass(frozen=True)
class Commented:
    """A behaviour for `/*`. `posts` says how many comments each has; the oldest stand on page 1."""

    posts: tuple[tuple[str, int], ...]
    newest_first: bool = True
    size: int = 5

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        await self._reply(request.path)(request, connection)

    def last(self, count: int) -> int:
        """Return the number of the last page of so many comments."""
        return max(1, -(-count // self.size))

    def _reply(self, path: str) -> Reply:
        if path == "/":
            titles = (f'<h2 class="entry-title"><a href="/{name}/">{name}</a></h2>' for name, _ in self.posts)
            recent = (f'<a href="/{name}/comment-page-1/#comment-{name}-1">one</a>' for name, _ in self.posts)
            return wordpress("home blog", "".join((*titles, *recent)))
        found = _PATH.fullmatch(path)
        count = dict(self.posts).get(found["name"]) if found else None
        if found is None or count is None:
            return Reply(404, (HTML,), b"no")
        shown = self.last(count) if self.newest_first else 1
        number = int(found["part"] or shown)
        return wordpress("single-post postid-7", self._post(found["name"], number, count, shown))

    def _post(self, name: str, number: int, count: int, shown: int) -> str:
        """Write a post with a page of its comments, as WordPress does, its links to other pages included."""
        first = (number - 1) * self.size
        comments = "".join(
            f'<li id="comment-{name}-{each}" class="comment depth-1"><cite class="fn">Ada</cite>'
            f'<a href="/{name}/comment-page-{number}/#comment-{name}-{each}">link</a>'
            f'<div class="comment-content"><p>Remark {each} on {name}</p></div></li>'
            for each in range(first + 1, min(first + self.size, count) + 1)
        )
        near = [each for each in (number - 1, number + 1) if 1 <= each <= self.last(count)]
        pages = "".join(f'<a href="{self._address(name, each, shown)}#comments">more</a>' for each in near)
        title = f'<h1 class="entry-title">{name}</h1><div class="entry-content">What I think of {name}.</div>'
        return f'{title}<div id="comments"><ol class="comment-list">{comments}</ol>{pages}</div>'

    @staticmethod
    def _address(name: str, number: int, shown: int) -> str:
        return f"/{name}/" if number == shown else f"/{name}/comment-page-{number}/"


def wordpress(kind: str, text: str) -> Reply:
    """Write a page as WordPress does."""
    head = "<meta name='generator' content='WordPress 6.4'><title>A blog</title>"
    return Reply(200, (HTML,), f"<html><head>{head}</head><body class='{kind}'>{text}</body></html>".encode())
