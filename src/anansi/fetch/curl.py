"""Visit → Page over libcurl: many exchanges at a time, driven by sockets from one event loop.

Transfer and content decoding are off, so that the bytes kept are the bytes that came over the wire.

Mutable state: `_idle` (handles without work, filled by `_finish`, emptied by `start`), `_busy` (handle → exchange,
filled by `start`, emptied by `_finish`), `_queue` (exchanges above the connection limit, emptied by `_finish`),
`_watched` (socket → what libcurl waits for), `_due` (when libcurl wants to be woken) and `_timer`, which is no later.
"""

from __future__ import annotations

import asyncio
import os
import select
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from select import EPOLLIN, EPOLLOUT
from typing import IO, Any
from urllib.parse import urlsplit

import pycurl

from anansi import config
from anansi.errors import DiskError
from anansi.fetch.credentials import NONE, Credentials
from anansi.fetch.protocol import Done, Failed
from anansi.model import Body, Cut, Fault, Page, Visit
from anansi.url import host_of

CONNECTIONS = 256  # open at a time in a worker; a file descriptor each, and most of them asleep
MAX_HEAD = 128 << 10  # bytes of status line and headers; Firefox and libcurl allow about as much
SPOOL_ABOVE = 2 << 20  # bytes of a body from which it goes to disk: 256 connections hold 512 MB at the worst
STALL = 30  # seconds at less than STALL_RATE before an exchange is cut
STALL_RATE = 64  # bytes a second: a server that drips slower than this only holds us up
CONNECT = 20  # seconds for name, connection and handshake

_FAULTS: dict[int, Fault] = {
    pycurl.E_COULDNT_RESOLVE_HOST: Fault.DNS,
    pycurl.E_COULDNT_RESOLVE_PROXY: Fault.DNS,
    pycurl.E_COULDNT_CONNECT: Fault.CONNECT,
    pycurl.E_OPERATION_TIMEDOUT: Fault.TIMEOUT,
    pycurl.E_SSL_CONNECT_ERROR: Fault.TLS,
    pycurl.E_PEER_FAILED_VERIFICATION: Fault.TLS,
    pycurl.E_SSL_CACERT_BADFILE: Fault.TLS,
    pycurl.E_SSL_ISSUER_ERROR: Fault.TLS,
    pycurl.E_SSL_CERTPROBLEM: Fault.TLS,
    pycurl.E_SSL_CIPHER: Fault.TLS,
    pycurl.E_GOT_NOTHING: Fault.RESET,
    pycurl.E_RECV_ERROR: Fault.RESET,
    pycurl.E_SEND_ERROR: Fault.RESET,
    pycurl.E_PARTIAL_FILE: Fault.RESET,
    pycurl.E_OK: Fault.RESET,  # the connection was closed in order, in the middle of the headers
    pycurl.E_URL_MALFORMAT: Fault.URL,
    100: Fault.HEADERS,  # CURLE_TOO_LARGE, which pycurl does not name: a line too long or too many of them
}
"""libcurl's result → what the web did wrong; any other (HTTP/0.9 is "unsupported protocol" to it) is no HTTP."""

_SUPPRESS_CONNECT_HEADERS = 265  # CURLOPT_…, which pycurl does not name: what a proxy says is no part of the answer


_EVENTS = {
    pycurl.POLL_NONE: 0,
    pycurl.POLL_IN: EPOLLIN,
    pycurl.POLL_OUT: EPOLLOUT,
    pycurl.POLL_INOUT: EPOLLIN | EPOLLOUT,
    pycurl.POLL_REMOVE: 0,
}


@dataclass(slots=True)
class _Exchange:
    """One request and what has come of its answer so far."""

    visit: Visit
    done: Done
    failed: Failed
    started: float = 0.0
    began: float = 0.0
    """The same by the monotonic clock."""
    request: bytes = b""
    sent: int = 0
    head: list[bytes] = field(default_factory=list)
    head_size: int = 0
    head_complete: bool = False
    body: list[bytes] = field(default_factory=list)
    size: int = 0
    spool: IO[bytes] | None = None
    cut: Cut | None = None
    refused: DiskError | None = None
    """What the disk said when the body was to be kept there."""


@dataclass(slots=True, eq=False)
class _Line:
    """A libcurl handle and the exchange it is busy with."""

    curl: Any
    exchange: _Exchange | None = None
    headers: list[str] | None = None
    """What it asks with, beside what is the same for all."""


class Fetcher:
    """Runs exchanges; calls back with a `Page` for each."""

    def __init__(self, settings: config.Fetch, agent: str, spool: Path, given: Credentials = NONE):
        self._settings, self._agent, self._spool, self._given = settings, agent, spool, given
        self._loop = asyncio.get_running_loop()
        self._idle: list[_Line] = []
        self._busy: dict[Any, _Line] = {}
        self._queue: deque[_Exchange] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._due: float | None = None
        self._closed = False
        # libcurl's sockets in a selector of their own, which the loop watches as one: asyncio's own add_reader and
        # remove_reader cost five times as much, and libcurl calls for them at every request
        self._sockets = select.epoll()
        self._watched: dict[int, int] = {}
        self._loop.add_reader(self._sockets.fileno(), self._poll)
        self._share = pycurl.CurlShare()
        for kind in (pycurl.LOCK_DATA_COOKIE, pycurl.LOCK_DATA_SSL_SESSION):
            self._share.setopt(pycurl.SH_SHARE, kind)
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, CONNECTIONS)

    def start(self, visit: Visit, done: Done, failed: Failed) -> None:
        """Begin an exchange now, or when a connection is free.

        `done` is called with the page, never from here; or `failed`, when the disk does not take a long body.
        """
        exchange = _Exchange(visit, done, failed)
        if len(self._busy) >= CONNECTIONS:
            self._queue.append(exchange)
        else:
            self._begin(exchange)

    @property
    def busy(self) -> int:
        """Count the exchanges under way or waiting for a connection."""
        return len(self._busy) + len(self._queue)

    def close(self) -> None:
        """Drop every connection; exchanges under way are forgotten."""
        if self._closed:
            return
        for line in self._busy.values():
            self._multi.remove_handle(line.curl)
        self._closed = True
        self._busy.clear()
        self._queue.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._sockets.fileno())
        self._multi.close()
        self._sockets.close()

    def _begin(self, exchange: _Exchange) -> None:
        line = self._idle.pop() if self._idle else self._line()
        exchange.started, exchange.began = time.time(), time.monotonic()
        line.exchange = exchange
        try:
            self._aim(line, exchange.visit)
        except (pycurl.error, UnicodeError, ValueError) as error:
            page = Page(exchange.visit, exchange.started, 0.0, fault=Fault.URL, detail=str(error))
            self._loop.call_soon(exchange.done, page)
            self._idle.append(line)
            return
        self._busy[line.curl] = line
        self._multi.add_handle(line.curl)
        # libcurl would ask for a timer of 0 ms; going on at once sends the request before this page is worked on
        _, running = self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        if running < len(self._busy):  # what failed at once (a refused address) has no socket to wake us
            self._loop.call_soon(self._collect)
        self._arm()

    def _line(self) -> _Line:
        """Make a handle with all that stays the same from exchange to exchange."""
        curl = pycurl.Curl()
        line = _Line(curl)
        settings = self._settings
        options: dict[int, Any] = {
            pycurl.SHARE: self._share,
            pycurl.COOKIEFILE: "",
            pycurl.USERAGENT: self._agent.encode(),
            pycurl.NOSIGNAL: 1,
            pycurl.NOPROGRESS: 1,
            pycurl.FOLLOWLOCATION: 0,
            pycurl.HTTP_TRANSFER_DECODING: 0,
            pycurl.HTTP_CONTENT_DECODING: 0,
            pycurl.PATH_AS_IS: 1,
            pycurl.TCP_NODELAY: 1,
            pycurl.BUFFERSIZE: 128 << 10,
            pycurl.CONNECTTIMEOUT: CONNECT,
            pycurl.TIMEOUT_MS: max(1, int(settings.timeout * 1000)),
            pycurl.LOW_SPEED_LIMIT: STALL_RATE,
            pycurl.LOW_SPEED_TIME: STALL,
            pycurl.SSL_VERIFYPEER: int(settings.verify_tls),
            pycurl.SSL_VERIFYHOST: 2 if settings.verify_tls else 0,
            pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_2TLS if settings.http2 else pycurl.CURL_HTTP_VERSION_1_1,
            pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
            pycurl.PROXY: settings.proxy or "",  # empty: the definition alone decides, not http_proxy and no_proxy
            pycurl.NOPROXY: "",
            _SUPPRESS_CONNECT_HEADERS: 1,
            pycurl.VERBOSE: 1,
            pycurl.DEBUGFUNCTION: partial(_on_debug, line),
            pycurl.HEADERFUNCTION: partial(_on_head, line),
            pycurl.WRITEFUNCTION: partial(self._on_body, line),
        }
        if authorities := os.environ.get("SSL_CERT_FILE"):  # OpenSSL's own variable, which libcurl does not heed
            options[pycurl.CAINFO] = authorities
        for option, value in options.items():
            curl.setopt(option, value)
        if not self._idle and not self._busy:  # the first one; all of them share their cookies
            for cookie in self._given.cookies:
                curl.setopt(pycurl.COOKIELIST, cookie)
        return line

    def _aim(self, line: _Line, visit: Visit) -> None:
        """Point a handle at a URL."""
        curl = line.curl
        curl.setopt(pycurl.URL, visit.url)
        headers = _headers(visit)
        sent = self._given.headers_for(visit.url, headers) if self._given else headers
        if sent != line.headers:
            # as `parse_head` read them: an ETag goes back as the bytes that came
            curl.setopt(pycurl.HTTPHEADER, [header.encode("latin-1", "replace") for header in sent])
            line.headers = sent
        if visit.address and not self._settings.proxy and visit.address != host_of(visit.url):
            parts = urlsplit(visit.url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            address = f"[{visit.address}]" if ":" in visit.address else visit.address
            curl.setopt(pycurl.RESOLVE, [f"+{parts.hostname}:{port}:{address}"])

    def _on_body(self, line: _Line, data: bytes) -> int:
        exchange = line.exchange
        assert exchange is not None
        room = self._settings.max_body - exchange.size
        try:
            self._keep(exchange, data[:room])
        except OSError as error:  # libcurl is not to see it: it ends the exchange when we take less than it gives
            exchange.refused = DiskError.of(self._spool, error)
            return -1
        if len(data) > room:
            exchange.cut = Cut.LENGTH
            return -1
        return len(data)

    def _keep(self, exchange: _Exchange, data: bytes) -> None:
        exchange.size += len(data)
        if exchange.spool is None and exchange.size > SPOOL_ABOVE:
            exchange.spool = tempfile.TemporaryFile(dir=self._spool)  # noqa: SIM115 - lives as long as the page
            exchange.spool.writelines(exchange.body)
            exchange.body.clear()
        if exchange.spool is not None:
            exchange.spool.write(data)
        else:
            exchange.body.append(data)

    # ── libcurl's events ─────────────────────────────────────────────────────────────────────────────────────

    def _watch(self, event: int, descriptor: int, _multi: Any, _data: Any) -> None:
        """Watch a socket for what libcurl waits for."""
        before = self._watched.pop(descriptor, 0)
        wanted = _EVENTS[event]
        if wanted:
            self._watched[descriptor] = wanted
            if before:
                self._sockets.modify(descriptor, wanted)
            else:
                self._sockets.register(descriptor, wanted)
        elif before:
            try:
                self._sockets.unregister(descriptor)
            except OSError:
                return  # it is closed, which takes it out

    def _poll(self) -> None:
        """Go on with the exchanges whose sockets are ready."""
        for descriptor, ready in self._sockets.poll(0):  # what is broken is ready for both
            mask = (pycurl.CSELECT_IN if ready & ~EPOLLOUT else 0) | (pycurl.CSELECT_OUT if ready & ~EPOLLIN else 0)
            self._multi.socket_action(descriptor, mask)
        self._collect()
        self._arm()

    def _set_timer(self, milliseconds: int) -> None:
        """Note when libcurl wants to be woken; it changes its mind three times an exchange."""
        self._due = self._loop.time() + milliseconds / 1000 if milliseconds >= 0 else None

    def _arm(self) -> None:
        """Have libcurl woken when it wants to be, once it is done; a timer that rings before that is left."""
        if self._due is None or self._closed or (self._timer is not None and self._timer.when() <= self._due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._due is not None and self._due <= self._loop.time():
            self._due = None
            self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
            self._collect()
        self._arm()

    def _collect(self) -> None:
        while not self._closed:
            left, good, bad = self._multi.info_read()
            for curl in good:
                self._finish(curl, 0, "")
            for curl, code, message in bad:
                self._finish(curl, code, message)
            if not left:
                return

    def _finish(self, curl: Any, code: int, message: str) -> None:
        line = self._busy.pop(curl)
        exchange = line.exchange
        assert exchange is not None
        try:
            page = _page(exchange, curl, code, message, self._given)
        except OSError as error:  # the last bytes of a long body
            exchange.refused = exchange.refused or DiskError.of(self._spool, error)
        self._multi.remove_handle(curl)
        line.exchange = None
        self._idle.append(line)
        if self._queue:
            self._begin(self._queue.popleft())
        if exchange.refused is None:
            exchange.done(page)
        else:
            exchange.failed(exchange.refused)


def _headers(visit: Visit) -> list[str]:
    headers = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Encoding: gzip, deflate, br"]
    if visit.validators is not None:
        if visit.validators.etag:
            headers.append(f"If-None-Match: {visit.validators.etag}")
        if visit.validators.modified:
            headers.append(f"If-Modified-Since: {visit.validators.modified}")
    return headers


def _on_debug(line: _Line, kind: int, data: bytes) -> None:
    # a head may go out in pieces; one that is whole was a proxy's CONNECT, or is said again on a fresh connection
    exchange = line.exchange
    if kind == pycurl.INFOTYPE_HEADER_OUT and exchange is not None:
        anew = not exchange.request or exchange.request.endswith(b"\r\n\r\n")
        exchange.sent += anew and not data.startswith(b"CONNECT ")
        exchange.request = data if anew else exchange.request + data


def _on_head(line: _Line, data: bytes) -> int:
    exchange = line.exchange
    assert exchange is not None
    if exchange.head_complete:
        if not data.startswith(b"HTTP/") or exchange.size:
            return len(data)  # a trailer: its bytes are in the raw body
        exchange.head.clear()  # an interim (1xx) answer: the real one follows
        exchange.head_complete = False
    size = len(data)
    exchange.head_size += size
    if exchange.head_size > MAX_HEAD:
        return -1
    exchange.head.append(data)
    if size < 3:
        exchange.head_complete = data in (b"\r\n", b"\n")
    return size


def _page(exchange: _Exchange, curl: Any, code: int, message: str, given: Credentials) -> Page:
    """Make the page of a finished exchange."""
    exchange.head = given.without_cookies(exchange.head)
    common: dict[str, Any] = {
        "visit": exchange.visit,
        "started": exchange.started,
        "seconds": time.monotonic() - exchange.began,
        "request": given.without_secrets(_without_proxy(exchange.request)),
        "sent": exchange.sent,
        # behind a proxy the other end is not the server's
        "ip": "" if curl.getinfo(pycurl.USED_PROXY) else curl.getinfo(pycurl.PRIMARY_IP) or exchange.visit.address,
    }
    status, headers = parse_head(exchange.head)
    if not exchange.head_complete or status < 200:
        return Page(**common, fault=_fault(exchange, code), detail=message)
    return Page(
        **common,
        head=b"".join(exchange.head)
        if status and exchange.head[0].startswith(b"HTTP/1")
        else _as_http1(exchange.head),
        protocol="h2" if exchange.head[0].startswith(b"HTTP/2") else "http/1.1",
        body=_body(exchange),
        cut=exchange.cut or (_cut(code) if code else None),
        detail=message,
        status=status,
        headers=headers,
    )


def _fault(exchange: _Exchange, code: int) -> Fault:
    if exchange.head_size > MAX_HEAD:
        return Fault.HEADERS
    return _FAULTS.get(code, Fault.PROTOCOL)


def _cut(code: int) -> Cut:
    return Cut.TIME if code == pycurl.E_OPERATION_TIMEDOUT else Cut.DISCONNECT


def _body(exchange: _Exchange) -> Body:
    if exchange.spool is not None:
        exchange.spool.seek(0)
        return Body(exchange.size, file=exchange.spool)  # type: ignore[arg-type]
    return Body(exchange.size, data=exchange.body[0] if len(exchange.body) == 1 else b"".join(exchange.body))


def parse_head(lines: list[bytes]) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Read status and headers (names in lower case) from a head's lines, the empty last one included."""
    if not lines:
        return 0, ()
    status = lines[0].split(None, 2)[1:2]
    headers = tuple(filter(None, map(_header, lines[1:-1])))
    return (int(status[0]) if status and status[0].isdigit() else 0), headers


@lru_cache(maxsize=128)  # most headers of a server are the same on each page
def _header(line: bytes) -> tuple[str, str] | None:
    name, colon, value = line.decode("latin-1").partition(":")
    return (name.strip().lower(), value.strip()) if colon else None


def _as_http1(lines: list[bytes]) -> bytes:
    """Write an HTTP/2 head as the HTTP/1.1 text that readers of WARC expect; `WARC-Protocol` tells the truth."""
    rest = lines[0].split(None, 1)[1:] or [b"0"]
    return b"HTTP/1.1 " + rest[0].rstrip() + b"\r\n" + b"".join(lines[1:])


def _without_proxy(request: bytes) -> bytes:
    if b"proxy-authorization:" not in request.lower():
        return request
    lines = request.split(b"\r\n")
    return b"\r\n".join(line for line in lines if not line.lower().startswith(b"proxy-authorization:"))
