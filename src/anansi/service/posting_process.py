"""The process beside a crawl that listens: it takes scored URLs, so that the crawl's own loop speaks no HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
import socket
import sys
from typing import Final

from anansi.crawl import posting_messages as crawl_messages
from anansi.crawl.posting_messages import Opening
from anansi.service.application import Parts, application
from anansi.service.server import Server, server_of
from anansi.service.url_posting import Crawl, UrlPosting

MEMORY: Final = 2 << 30
"""Bytes of address space of the process."""


async def attend(channel: socket.socket, place: socket.socket) -> None:
    """Take URLs at a place for the crawl behind a channel, until it is gone."""
    reader, writer = await asyncio.open_connection(sock=channel, limit=1 << 20)
    opening = await crawl_messages.read_down(reader)
    if not isinstance(opening, Opening):
        return
    crawl = Crawl(opening, writer)
    server = server_of(application(Parts(urls=UrlPosting(crawl, opening.token))))
    await asyncio.gather(server.serve(sockets=[place]), _hear(crawl, reader, server))
    with contextlib.suppress(ConnectionError):
        writer.close()


async def _hear(crawl: Crawl, reader: asyncio.StreamReader, server: Server) -> None:
    """Take what the crawl says; once it says no more, answer what is under way and end."""
    while (message := await crawl_messages.read_down(reader)) is not None:
        if not isinstance(message, Opening):
            crawl.hear(message)
    crawl.end()
    server.should_exit = True


def main() -> None:
    """Serve until the crawl is gone; the arguments are the numbers of two sockets: to the crawl, to listen at."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the crawl is told, and ends us
        signal.signal(name, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    channel, place = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    asyncio.run(attend(channel, place))


if __name__ == "__main__":
    main()
