"""A phpBB forum: boards with numbered lists, threads in pages, and the numbers that it states of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML

MISSING = Reply(404, (HTML,), b"<html><title>Not found</title></html>")
WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty")


def words(number: int) -> str:
    """Write a number in words, so that pages differ in more than digits."""
    return " ".join(WORDS[int(digit)] for digit in str(number))


@dataclass(frozen=True)
class Board:
    """A behaviour for `/*`. Every board has the threads 100·board+1 …; each has `posts` posts."""

    boards: int = 2
    threads: int = 30
    posts: int = 14
    a_page: int = 10
    """Posts of a page; a list shows twice as many threads."""
    extracted: bool = True
    """Whether the theme marks posts as prosilver does."""
    crumbs: bool = False
    """Whether threads name their board, before a list of all boards to jump to."""
    recent: bool = False
    """Whether the index leads to all threads, too."""
    odd: Mapping[str, Reply] = field(default_factory=dict)
    """What answers an address instead."""

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        await (self.odd.get(request.target) or self._reply(request.target))(request, connection)

    def _reply(self, target: str) -> Reply:
        if target in ("/", "/index.php"):
            return self._home()
        found = re.fullmatch(r"/view(forum|topic)\.php\?[ft]=(\d+)(?:&start=(\d+))?", target)
        if found is None:
            return MISSING
        number, start = int(found[2]), int(found[3] or 0)
        return self._list(number, start) if found[1] == "forum" else self._thread(number, start)

    def _home(self) -> Reply:
        rows = "".join(
            f'<li class="row"><dl><dt><a href="./viewforum.php?f={each}" class="forumtitle">{words(each)}</a></dt>'
            f'<dd class="topics">{self.threads}</dd><dd class="posts">{self.threads * self.posts}</dd></dl></li>'
            for each in range(1, self.boards + 1)
        )
        threads = self.boards * self.threads
        total = f"Total posts <strong>{threads * self.posts}</strong> &bull; Total topics <strong>{threads}</strong>"
        statistics = (
            f'<div class="stat-block statistics"><p>{total} &bull; Total members <strong>7</strong></p></div>'
        )
        recent = "".join(
            f'<a href="./viewtopic.php?t={number}">{words(number)}</a>'
            for each in range(1, self.boards + 1)
            for number in range(100 * each + 1, 100 * each + 1 + self.threads)
            if self.recent
        )
        return _page("index", f'<ul class="topiclist forums">{rows}</ul>{statistics}{recent}')

    def _list(self, board: int, start: int) -> Reply:
        size = 2 * self.a_page
        rows = "".join(
            f'<li class="row"><dl><dt><a class="topictitle" '
            f'href="./viewtopic.php?t={number}">{words(number)}</a></dt>'
            f'<dd class="posts">{self.posts - 1}</dd><dd class="views">{number}</dd></dl></li>'
            for number in range(100 * board + 1, 100 * board + 1 + self.threads)[start : start + size]
        )
        pages = _pages(f"./viewforum.php?f={board}", self.threads, size, "topics")
        return _page("viewforum", f'{pages}<ul class="topiclist topics">{rows}</ul>')

    def _thread(self, number: int, start: int) -> Reply:
        name = "post bg1" if self.extracted else "beitrag"
        posts = "".join(
            f'<div id="{"p" if self.extracted else "b"}{number}{each:02}" class="{name}"><div class="postbody">'
            f'<p class="author"><a class="username" href="./memberlist.php?u={number}{each}">otter</a></p>'
            f'<div class="{"content" if self.extracted else "rede"}">{words(number)} {words(each)}</div></div></div>'
            for each in range(self.posts)[start : start + self.a_page]
        )
        pages = _pages(f"./viewtopic.php?t={number}", self.posts, self.a_page, "posts")
        title = f'<h2 class="topic-title"><a href="./viewtopic.php?t={number}">{words(number)}</a></h2>'
        return _page("viewtopic", self._crumbs(number // 100) + title + pages + posts + self._jump())

    def _crumbs(self, board: int) -> str:
        way = ("./index.php", "Boards"), (f"./viewforum.php?f={board}&amp;sid=7f", words(board))
        crumbs = "".join(
            f'<span class="crumb"><a href="{at}"><span itemprop="title">{name}</span></a></span>' for at, name in way
        )
        return f'<ul id="nav-breadcrumbs"><li>{crumbs}</li></ul>' if self.crumbs else ""

    def _jump(self) -> str:
        boards = range(1, self.boards + 1) if self.crumbs else ()
        return "".join(f'<a class="jumpbox-forum-link" href="./viewforum.php?f={n}">{words(n)}</a>' for n in boards)


def _pages(address: str, count: int, size: int, what: str) -> str:
    links = "".join(
        f'<li><a class="button" href="{address}{f"&amp;start={start}" if start else ""}">{start // size + 1}</a></li>'
        for start in range(0, count, size)
    )
    return f'<div class="action-bar"><div class="pagination">{count} {what} <ul>{links}</ul></div></div>'


def _page(section: str, text: str) -> Reply:
    foot = '<div class="copyright">Powered by <a href="https://www.phpbb.com/">phpBB</a></div>'
    body = f"<html><head><title>A board</title></head><body id='phpbb' class='section-{section} ltr'>{text}{foot}"
    return Reply(200, (HTML,), f"{body}</body></html>".encode())
