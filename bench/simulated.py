"""A simulated web: thousands of hosts on the addresses 127.x.y.z, answered by one process.

Host n has the address 127.(1 + n/65536).(n/256 mod 256).(n mod 256) and between 50 and 5,000 pages. Everything about
a host and a page follows from their numbers, so that two runs meet the same web. The first `HUBS` hosts are
directories: their pages list all other hosts. What goes wrong, of all hosts or of all pages:

    2% of hosts are slow (2 to 4 s an answer), 1% reset every connection, 1% have a robots.txt that answers 500,
    10% have none, 3% ask for a Crawl-delay of 2 s, all others forbid /private/
    3% of links lead to a 404, 1% of pages answer 500, 0.5% reset the connection; the others take 5 to 200 ms

Run as `python bench/simulated.py PORT HOSTS` it serves until it is terminated.
"""

from __future__ import annotations

import asyncio
import random
import resource
import signal
import sys
from dataclasses import dataclass
from typing import Protocol

from pages import vocabulary

HUBS = 4
LISTED = 500  # hosts on one page of a directory
INSIDE, OUTSIDE = 40, 8  # links of a page to its own host, and to others
PROSE = 9000  # bytes of text on a page
PROSES = (
    512  # texts, of which each page has one with a line of its own: making text costs the server more than sending it
)
BACKLOG = 4096

_MIX = 0x9E3779B97F4A7C15
_FULL = 0xFFFFFFFFFFFFFFFF


def dice(*numbers: int) -> int:
    """Return a number from 0 to 9,999 that follows from the numbers given, and looks as if it did not."""
    state = 1
    for number in numbers:
        state = ((state ^ number) * _MIX) & _FULL
        state ^= state >> 29
    return ((state * _MIX) & _FULL) % 10_000


def address(host: int) -> str:
    """Return the address of a host."""
    return f"127.{1 + (host >> 16)}.{host >> 8 & 255}.{host & 255}"


def host_at(name: str) -> int:
    """Return the number of the host with that address."""
    _, high, middle, low = (int(part) for part in name.split("."))
    return (high - 1) << 16 | middle << 8 | low


def size_of(host: int) -> int:
    """Return how many pages a host has: many have few, few have many."""
    return min(5000, int(50 / (1 - dice(host, 1) / 10_001) ** 0.8))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request is answered with: status and body, after a while; a status of 0 is a reset."""

    status: int
    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    after: float = 0.0


class Hosts(Protocol):
    """What plays hosts: the plug of `serve`."""

    def answer(self, name: str, path: str) -> Answer:
        """Return the answer of the host with that address to a request for a path."""
        ...


class Web:
    """What every host of the web answers."""

    def __init__(self, port: int, hosts: int):
        self.port, self.hosts = port, hosts
        rng = random.Random(7)
        words = vocabulary(3000, rng)
        self._prose = [_prose(words, rng) for _ in range(PROSES)]

    def answer(self, name: str, path: str) -> Answer:
        """Return the answer of a host to a request."""
        try:
            host = host_at(name)
        except ValueError:
            return Answer(404)
        luck = dice(host, 2)
        if luck < 100 and host >= HUBS:
            return Answer(0)
        after = 0.005 + 0.195 * random.random() if luck >= 300 or host < HUBS else 2 + 2 * random.random()
        if path == "/robots.txt":
            return _robots(host, after)
        return self._page(host, _number(path), after)

    def _page(self, host: int, number: int | None, after: float) -> Answer:
        if number is None or number >= max(size_of(host), self.hosts // LISTED):
            return Answer(404, b"<p>Nothing here.", after=after)
        luck = dice(host, number, 3)
        if host >= HUBS and luck < 150:
            return Answer(0, after=after) if luck < 50 else Answer(500, b"<p>Out of order.", after=after)
        return Answer(200, self._html(host, number), after=after)

    def _html(self, host: int, number: int) -> bytes:
        rng = random.Random(host << 20 | number)
        links = self._inside(host, number, rng)
        links += self._listed(host, number) if host < HUBS else self._outside(rng)
        items = "\n".join([f'<li><a href="{link}">{place}</a></li>' for place, link in enumerate(links)])
        title = f"Page {number} of host {host}"
        prose = self._prose[rng.getrandbits(20) % PROSES]
        return (
            f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>"
            f"{prose}<ul>\n{items}\n</ul></body></html>"
        ).encode()

    def _inside(self, host: int, number: int, rng: random.Random) -> list[str]:
        size = size_of(host)
        links = [_path((number + 1) % size), "/private/members"]
        for _ in range(INSIDE - len(links)):
            luck = rng.random()
            links.append(f"/gone-{int(luck * 1e6)}" if luck < 0.03 else _path(int(rng.random() * size)))
        return links

    def _outside(self, rng: random.Random) -> list[str]:
        links = []
        for _ in range(OUTSIDE):
            target = int(rng.random() * self.hosts)
            home = rng.random() < 0.5
            links.append(self._url(target, 0 if home else int(rng.random() * size_of(target))))
        return links

    def _listed(self, hub: int, number: int) -> list[str]:
        """List every HUBS-th host, LISTED a page."""
        first = hub + number * LISTED * HUBS
        return [self._url(host, 0) for host in range(first, min(first + LISTED * HUBS, self.hosts), HUBS)]

    def _url(self, host: int, number: int) -> str:
        return f"http://{address(host)}:{self.port}{_path(number)}"


def _prose(words: list[str], rng: random.Random) -> str:
    lines = []
    size = 0
    while size < PROSE:
        lines.append(f"<p>{' '.join(rng.choices(words, k=40))}.</p>")
        size += len(lines[-1])
    return "\n".join(lines)


def _path(number: int) -> str:
    return f"/thread/{number // 100}/post-{number}" if number else "/"


def _number(path: str) -> int | None:
    if path == "/":
        return 0
    last = path.rpartition("/post-")[2]
    return int(last) if last.isdigit() and len(last) < 7 and _path(int(last)) == path else None


def _robots(host: int, after: float) -> Answer:
    luck = dice(host, 10)
    if luck < 100 and host >= HUBS:
        return Answer(500, after=after)
    if luck < 1100:
        return Answer(404, after=after)
    delay = b"Crawl-delay: 2\n" if luck < 1400 and host >= HUBS else b""
    return Answer(200, b"User-agent: *\nDisallow: /private/\n" + delay, "text/plain", after)


_REASONS = {200: "OK", 404: "Not Found", 500: "Internal Server Error"}


class Connection(asyncio.Protocol):
    """Answers the requests of one connection. Mutable: `_buffer`, what of a request has come."""

    def __init__(self, web: Hosts, loop: asyncio.AbstractEventLoop):
        self._web, self._loop = web, loop
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer a request when it has come completely; crawlers do not pipeline, and what is too long is dropped."""
        self._buffer += data
        if len(self._buffer) > 65_536:
            self._reset()
        elif self._buffer.endswith(b"\r\n\r\n"):
            path = self._buffer.split(b" ", 2)[1].decode("latin-1")
            self._buffer = b""
            assert self._transport is not None
            answer = self._web.answer(self._transport.get_extra_info("sockname")[0], path)
            self._loop.call_later(answer.after, self._send, answer)

    def _send(self, answer: Answer) -> None:
        if answer.status == 0:
            self._reset()
            return
        head = (
            f"HTTP/1.1 {answer.status} {_REASONS[answer.status]}\r\nServer: simulated\r\n"
            f"Content-Type: {answer.kind}\r\nContent-Length: {len(answer.body)}\r\n\r\n"
        )
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(head.encode() + answer.body)

    def _reset(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def serve(port: int, web: Hosts) -> None:
    """Answer on every loopback address until terminated."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, over.set)
    server = await loop.create_server(lambda: Connection(web, loop), "0.0.0.0", port, backlog=BACKLOG)
    async with server:
        await over.wait()


def main() -> None:
    """Serve the web that the arguments ask for."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    port, hosts = int(sys.argv[1]), int(sys.argv[2])
    asyncio.run(serve(port, Web(port, hosts)))


if __name__ == "__main__":
    main()
