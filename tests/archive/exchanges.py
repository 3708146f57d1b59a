"""Exchanges to archive, made by hand."""

from __future__ import annotations

import random
from pathlib import Path

from anansi.archive.layout import Collection
from anansi.archive.writer import WarcWriter
from anansi.model import Body, Cut, Page, Validators, Visit, role_of

NOW = 1_700_000_000.25
INFO = {"software": "anansi test", "operator": "Nobody", "robots": "obey"}


def body(data: bytes) -> Body:
    return Body(len(data), data)


def prose(size: int, seed: int = 1) -> bytes:
    """Make a page that compresses about as well as real ones do."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(600)]
    parts = ["<!doctype html><html><head><title>Prose</title></head><body>"]
    length = 0
    while length < size:
        text = " ".join(rng.choices(words, k=50))
        part = (
            f'<div class="post" id="p{rng.randint(0, 9999)}"><a href="/t/{rng.randint(0, 99999)}">{text}</a></div>\n'
        )
        parts.append(part)
        length += len(part)
    return "".join(parts).encode()[:size]


def answer(
    url: str = "http://example.org/",
    data: bytes = b"<title>x</title>hello",
    *,
    status: str = "200 OK",
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),),
    started: float = NOW,
    hops: str = "",
    validators: Validators | None = None,
    cut: Cut | None = None,
) -> Page:
    """Make the page that a server answered with; no Content-Length is added when the body is chunked."""
    if not any(name == "Transfer-Encoding" for name, _ in headers):
        headers = (*headers, ("Content-Length", str(len(data))))
    head = f"HTTP/1.1 {status}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    path = "/" + url.split("/", 3)[3]
    return Page(
        visit=Visit(
            url, url, hops, via="http://example.org/" if hops else "", role=role_of(hops), validators=validators
        ),
        started=started,
        seconds=0.125,
        request=f"GET {path} HTTP/1.1\r\nHost: example.org\r\nUser-Agent: anansi\r\n\r\n".encode(),
        sent=1,
        head=head.encode("latin-1"),
        body=body(data),
        ip="192.0.2.1",
        status=int(status[:3]),
        headers=tuple((name.lower(), value) for name, value in headers),
        cut=cut,
    )


def chunked(data: bytes, size: int = 7) -> bytes:
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def collection(folder: Path) -> Collection:
    made = Collection(folder / "collection")
    made.create()
    return made


def writer(into: Collection, max_bytes: int = 1_000_000_000) -> WarcWriter:
    return WarcWriter(into, "test", "host.example", INFO, max_bytes)
