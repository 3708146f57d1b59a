"""A vBulletin board: threads in one list, in several orders, with what stands beside them."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from tests.web.exchange import Connection, Reply, Request
from tests.web.replies import HTML, redirect

ROWS = 10
_WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty")


@dataclass(frozen=True)
class Board:
    """A behaviour for `/*`. Threads have numbers from 1, in the order of their beginning; lists have another one."""

    threads: int = 300
    breaks: int = 0
    """Pages of a list behind which there are errors only; none for lists that go to their end."""
    neighbours: bool = False
    """Whether threads lead to those before and behind them."""
    orders: bool = False
    """Whether lists lead to themselves in another order."""
    members: int = 0
    """Members, whose pages lead to two pages of a gallery each that nothing else leads to."""

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Answer a request."""
        await self._reply(request.target)(request, connection)

    def pictures(self) -> list[str]:
        """Return the addresses of the gallery."""
        return [f"/gallery/{name(member)}-{one}" for member in range(1, self.members + 1) for one in ("dawn", "dusk")]

    @property
    def last(self) -> int:
        """Return the number of the last page of the list."""
        return -(-self.threads // ROWS)

    def _reply(self, target: str) -> Reply:
        given = dict(re.findall(r"[?&](\w+)=(\w+)", target))
        number = int(given.get("t") or given.get("u") or 0)
        if target == "/":
            return _page("Boards", '<td class="alt1Active"><a href="/forumdisplay.php?f=1">All</a></td>')
        if target.startswith("/forumdisplay.php"):
            return self._list(int(given.get("page", 1)), upwards=given.get("order") == "asc")
        if target.startswith("/showthread.php") and "goto" in given:
            return redirect(f"/showthread.php?t={number + (1 if given['goto'] == 'nextoldest' else -1)}")
        if target.startswith("/showthread.php") and 1 <= number <= self.threads:
            return self._thread(number)
        if target.startswith("/member.php") and 1 <= number <= self.members:
            found = (f'<a href="{each}">picture</a>' for each in self.pictures()[2 * number - 2 : 2 * number])
            return _page(f"Member {name(number)}", f"<p>This is {name(number)}.</p>" + "".join(found))
        if target in self.pictures():
            words = " ".join(f"{target.rpartition('/')[2]} {word}" for word in _WORDS)
            return _page("A picture", f"<p>{words}</p>")
        return Reply(404, (HTML,), b"<html>no</html>")

    def _list(self, page: int, *, upwards: bool) -> Reply:
        if not 1 <= page <= self.last or (self.breaks and page > self.breaks):
            return Reply(404, (HTML,), b"<html>This list is out of order.</html>")
        latest = sorted(range(1, self.threads + 1), key=lambda n: zlib.crc32(name(n).encode()))
        numbers = latest[::-1] if upwards else latest
        order = "&sort=title&order=asc" if upwards else ""
        rows = "".join(
            f'<a id="thread_title_{n}" href="/showthread.php?t={n}">{name(n)}</a>'
            for n in numbers[(page - 1) * ROWS : page * ROWS]
        )
        near = sorted({page - 1, page + 1, self.last} & set(range(1, self.last + 1)))
        pages = "".join(f'<a href="/forumdisplay.php?f=1&page={n}{order}">{n}</a>' for n in near)
        sort = '<a href="/forumdisplay.php?f=1&sort=title&order=asc">Title</a>' if self.orders else ""
        return _page("The board", f'<table id="threadslist"><tr><td>{rows}</td></tr></table>{pages}{sort}')

    def _thread(self, number: int) -> Reply:
        member = f'<a href="/member.php?u={number % self.members + 1}">who wrote it</a>' if self.members else ""
        beside = "".join(
            f'<a href="/showthread.php?t={number}&goto={way}">{way}</a>'
            for way, there in (("nextnewest", number > 1), ("nextoldest", number < self.threads))
            if self.neighbours and there
        )
        text = " ".join(f"{name(number)} {word}" for word in _WORDS)
        post = f'<div id="post_message_{number}"><p>{text}</p></div>'
        return _page(name(number), f"{post}{member}{beside}")


def name(number: int) -> str:
    """Return words that stand for a number, so that pages are no trap."""
    return "-".join(_WORDS[int(digit)] for digit in f"{number:03}")


def _page(title: str, text: str) -> Reply:
    head = f"<title>{title}</title><meta name='generator' content='vBulletin 3.8.4'>"
    return Reply(200, (HTML,), f"<html><head>{head}</head><body>{text}</body></html>".encode())
