"""Hosts on 127.x.y.z that have one feed each and go on publishing, answered by one process.

A feed shows ten items. Few publish every minute, most rarely; what was published before the start has no page.
Run as `python bench/feed_hosts.py PORT` it serves until it is terminated.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from email.utils import formatdate

from simulated import Answer, dice, host_at, serve

ITEMS = 10
_MISSING = Answer(404)


class FeedHosts:
    """What every host answers: a feed, and pages of the items that are new."""

    def __init__(self, began: float):
        self._began = began

    def answer(self, name: str, path: str) -> Answer:
        """Return the answer of a host to a request."""
        try:
            host = host_at(name)
        except ValueError:
            return _MISSING
        if path == "/feed.xml":
            return Answer(200, self._feed(host, time.time()), "application/rss+xml")
        number = path.removeprefix("/item/")
        return Answer(200, _page(host, int(number))) if number.isdigit() else _MISSING

    def _feed(self, host: int, now: float) -> bytes:
        every = period(host)
        newest = int(now / every)
        items = "".join(_item(host, number, every, self._began) for number in range(newest, newest - ITEMS, -1))
        return f'<rss version="2.0"><channel><title>Feed {host}</title>{items}</channel></rss>'.encode()


def period(host: int) -> float:
    """Return the seconds between two items of a feed: a minute for few, days for most."""
    return float(60 * 2000 ** (dice(host, 5) / 10_000))


def _item(host: int, number: int, every: float, began: float) -> str:
    at = number * every
    link = f"<link>/item/{number}</link>" if at >= began else ""
    words = f"Note {number} of host {host}, which has so many words that somebody may read them."
    date = formatdate(at, usegmt=True)
    return (
        f"<item><title>Note {number}</title><guid>{host}-{number}</guid>{link}<description>{words}</description>"
        f"<pubDate>{date}</pubDate></item>"
    )


def _page(host: int, number: int) -> bytes:
    words = f"<p>Note {number} of host {host}, which has so many words that somebody may read them.</p>" * 5
    return f"<html><title>Note {number}</title><body><h1>Note {number}</h1><div>{words}</div></body></html>".encode()


def main() -> None:
    """Serve."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(serve(int(sys.argv[1]), FeedHosts(time.time())))


if __name__ == "__main__":
    main()
