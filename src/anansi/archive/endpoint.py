"""Objects into somebody's triple store: segments → SPARQL 1.1 Update over HTTP, in batches, resumable.

A statement that is sent twice is still one statement, so a batch whose answer was lost is sent again.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from pyoxigraph import Quad

from anansi import __version__
from anansi.archive.disk import replacing
from anansi.archive.layout import Collection
from anansi.archive.objects import Piece, folder, pieces, segments
from anansi.archive.readings import latest_in
from anansi.archive.statements import statements
from anansi.errors import AnansiError, UserError

BATCH: Final = 1 << 20
"""Bytes of segments sent at a time; a server that finds it too large gets half of it."""
ATTEMPTS: Final = 6
PAUSE: Final = 0.5
"""Seconds before the second attempt; each further pause is twice as long."""
TIMEOUT: Final = 120.0
"""Seconds for an answer."""

_AGAIN: Final = frozenset((408, 425, 429, 500, 502, 503, 504))
_TOO_LARGE: Final = 413
_ESCAPE: Final = re.compile(r"\\(?:\\([uU])|.)", re.DOTALL)


class EndpointError(AnansiError):
    """The endpoint cannot be reached, or does not answer as it should."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A SPARQL Update endpoint."""

    url: str
    """Without credentials."""
    host: str
    port: int | None
    path: str
    secure: bool
    authorization: str = ""

    @classmethod
    def of(cls, url: str) -> Endpoint:
        """Read an address; a user name and password in it become HTTP's basic authorization."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise UserError(f"{url}: not an address: {error}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UserError(f"{url}: the address of a SPARQL endpoint begins with http:// or https://")
        secret = ""
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            secret = "Basic " + base64.b64encode(pair.encode()).decode()
        host = parts.netloc.rpartition("@")[2]
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(f"{parts.scheme}://{host}{path}", parts.hostname, port, path, parts.scheme == "https", secret)


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent."""

    statements: int
    requests: int
    bytes: int
    """Of segments."""


_CURE: Final = "check the address and the permissions; what was sent before stays, and the same command goes on"


def send(collection: Collection, endpoint: str, *, sleep: Callable[[float], None] = time.sleep) -> Sent:
    """Send to an endpoint what it has not been sent yet; after an error, the same call goes on."""
    target = Endpoint.of(endpoint)
    record = folder(collection) / "sent" / f"{sha256(target.url.encode()).hexdigest()[:16]}.json"
    done = _progress(record, target)
    count = requests = size = 0
    for segment in segments(collection):
        for piece in pieces(segment, done.get(segment.name, 0), BATCH):
            lines, again = latest_in(piece.data)
            quads = statements(Piece(lines, piece.end))
            requests += _drop(target, again, sleep)
            requests += _insert(target, quads, sleep)
            count += len(quads)
            size += piece.end - done.get(segment.name, 0)
            done[segment.name] = piece.end
            _remember(record, target, done)
    return Sent(count, requests, size)


def _drop(target: Endpoint, graphs: list[bytes], sleep: Callable[[float], None]) -> int:
    """Take back what earlier readings of captures said; return the requests answered."""
    if not graphs:
        return 0
    text = " ;\n".join(f"DROP SILENT GRAPH {graph.decode()}" for graph in graphs)
    status, words = _ask_until_answered(target, text.encode(), sleep)
    if not 200 <= status < 300:
        raise EndpointError(f"{target.url} answered {status} {words}; {_CURE}")
    return 1


def _insert(target: Endpoint, quads: list[Quad], sleep: Callable[[float], None]) -> int:
    """Insert statements, in halves where the server takes no more; return the requests answered."""
    if not quads:
        return 0
    status, words = _ask_until_answered(target, update(quads).encode(), sleep)
    if status == _TOO_LARGE and len(quads) > 1:
        middle = len(quads) // 2
        return 1 + _insert(target, quads[:middle], sleep) + _insert(target, quads[middle:], sleep)
    if not 200 <= status < 300:
        raise EndpointError(f"{target.url} answered {status} {words}; {_CURE}")
    return 1


def update(quads: Iterable[Quad]) -> str:
    """Write statements as an update that inserts them into their graphs."""
    blocks = (
        f"GRAPH {graph} {{\n" + "".join(f"{_in_sparql(str(quad.triple))} .\n" for quad in group) + "}\n"
        for graph, group in groupby(quads, key=lambda quad: quad.graph_name)
    )
    return "INSERT DATA {\n" + "".join(blocks) + "}"


def _in_sparql(triple: str) -> str:
    r"""Keep `\\u` from being read as an escape: SPARQL decodes `\u0041` before it looks for strings."""
    if "\\\\u" not in triple and "\\\\U" not in triple:
        return triple
    return _ESCAPE.sub(lambda found: f"\\\\\\u{ord(found[1]):04X}" if found[1] else found[0], triple)


# ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _ask_until_answered(target: Endpoint, body: bytes, sleep: Callable[[float], None]) -> tuple[int, str]:
    """Post an update until the server has answered for good."""
    answer, problem = 0, ""
    for attempt in range(ATTEMPTS):
        if attempt:
            sleep(PAUSE * 2 ** (attempt - 1))
        try:
            answer, problem = _post(target, body)
        except (OSError, http.client.HTTPException) as error:
            answer, problem = 0, f"{type(error).__name__}: {error}"
            continue
        if answer not in _AGAIN:
            return answer, problem
    if not answer:
        raise EndpointError(
            f"{target.url} cannot be reached ({problem}); is the server running? The same command goes on"
        )
    return answer, problem


def _post(target: Endpoint, body: bytes) -> tuple[int, str]:
    kind = http.client.HTTPSConnection if target.secure else http.client.HTTPConnection
    connection = kind(target.host, target.port, timeout=TIMEOUT)
    headers = {
        "Content-Type": "application/sparql-update; charset=utf-8",
        "User-Agent": f"Anansi/{__version__}",
        "Accept": "*/*",
    }
    if target.authorization:
        headers["Authorization"] = target.authorization
    try:
        connection.request("POST", target.path, body, headers)
        response = connection.getresponse()
        words = response.read(10_000).decode("utf-8", "replace")
        return response.status, f"({' '.join(words.split())[:300] or response.reason})"
    finally:
        connection.close()


# ── how far ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _progress(record: Path, target: Endpoint) -> dict[str, int]:
    try:
        found = json.loads(record.read_bytes())
        return {str(name): int(end) for name, end in found["segments"].items()} if found["url"] == target.url else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _remember(record: Path, target: Endpoint, done: dict[str, int]) -> None:
    with replacing(record) as path:
        path.write_text(json.dumps({"url": target.url, "segments": done}))
