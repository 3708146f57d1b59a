"""A process that reads one page after another, so that a page that is too much for it takes nothing else down.

Frames over standard input and output: four bytes of length, then msgpack.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from anansi.framing import frame
from anansi.knowledge import shelf
from anansi.service import posted_page
from anansi.service.advice import Adviser
from anansi.service.answer import worded
from anansi.service.posted_page import Asked, Job
from anansi.service.problem import Problem

SECONDS: Final = 10
"""That a page may take; the largest ordinary ones take a tenth of one."""

MEMORY: Final = 3 << 30
"""Bytes of address space of the process: a page of 32 MB makes a tree of some hundred."""

Types = dict[str, tuple[str, ...]]
"""Site → the types that were seen there."""


class ReadPage(msgspec.Struct, frozen=True):
    """To a reader process: a page, and what others have seen since the last one."""

    asked: Asked
    now: float
    news: Types = {}


class PageRead(msgspec.Struct, frozen=True, tag=True):
    """From a reader process: the answer, and what is known about the site now."""

    body: bytes
    site: str
    types: tuple[str, ...]


class Ready(msgspec.Struct, frozen=True, tag=True):
    """From a reader process: the knowledge base is read."""


Reply = PageRead | Problem

_requests = msgspec.msgpack.Decoder(ReadPage)
_replies = msgspec.msgpack.Decoder(Reply | Ready)


def reply_in(data: bytes) -> Reply | Ready:
    """Read what a reader process says, without its length."""
    reply: Reply | Ready = _replies.decode(data)
    return reply


def attend(adviser: Adviser, message: ReadPage) -> Reply:
    """Answer one request."""
    for site, types in message.news.items():
        adviser.remind(site, types)
    job = posted_page.read(message.asked, message.now)
    return job if isinstance(job, Problem) else _advise(adviser, job)


def _advise(adviser: Adviser, job: Job) -> Reply:
    try:
        advice = adviser.advise(job.page, requisites=job.requisites)
        body = msgspec.json.encode(worded(advice))
    except MemoryError:
        return Problem("page-too-hard", "the page needs more memory than there is for one")
    except Exception as error:  # what a page does to us must not end the service
        return Problem("our-fault", f"{type(error).__name__} over the page")
    return PageRead(body, advice.site, adviser.types(advice.site))


def _read(source: BinaryIO) -> bytes | None:
    length = source.read(4)
    return source.read(int.from_bytes(length)) if len(length) == 4 else None


def main() -> None:
    """Answer until nobody asks any more; the argument, if any, is a folder of entries."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the service is told, and closes our input
        signal.signal(name, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints does not garble the frames
    adviser = Adviser(shelf.catalogue(*map(Path, sys.argv[1:])))
    target.write(frame(Ready()))
    target.flush()
    while (data := _read(source)) is not None:
        signal.alarm(SECONDS + 1)  # ends the process, if the service that does it first is gone
        target.write(frame(attend(adviser, _requests.decode(data))))
        target.flush()
        signal.alarm(0)


if __name__ == "__main__":
    main()
