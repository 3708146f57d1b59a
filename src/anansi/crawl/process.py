"""A worker's process: it listens to the hub and runs a `Worker` until told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from contextlib import suppress
from typing import Final

from anansi import clock
from anansi.crawl import wire
from anansi.crawl.worker import Worker
from anansi.errors import AnansiError
from anansi.framing import frame

COLLECT: Final = (50_000, 20, 50)
"""When to look for cycles: pages are trees and lists that die by reference count, and looking after every 700 of them
costs a tenth."""


async def _main(sock: socket.socket) -> int:
    reader, writer = await wire.open_stream(sock)
    setup = await wire.read_down(reader)
    if not isinstance(setup, wire.Setup):
        return 1
    if setup.clock is not None:
        clock.go_by(setup.clock)
    try:
        worker = Worker(setup, writer)
    except AnansiError as error:
        writer.write(frame(wire.Goodbye(str(error), error.exit_code)))
        await writer.drain()
        return error.exit_code
    gc.freeze()  # what is known of applications stays
    return await _serve(worker, reader, writer)


async def _serve(worker: Worker, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    beat = asyncio.create_task(worker.beat())
    listen = asyncio.create_task(_listen(worker, reader))
    quiet = asyncio.create_task(worker.quiet.wait())
    await asyncio.wait({listen, quiet}, return_when=asyncio.FIRST_COMPLETED)
    for task in (beat, listen, quiet):
        task.cancel()
    if worker.failed is None and quiet.done() and not quiet.cancelled():
        try:
            worker.finish()
            writer.write(frame(wire.Goodbye()))
            await writer.drain()
            return 0
        except Exception as error:
            worker.failed = error
    worker.abandon()
    if isinstance(worker.failed, AnansiError):
        with suppress(ConnectionError):  # the hub has met the same disk
            writer.write(frame(wire.Goodbye(str(worker.failed), worker.failed.exit_code)))
            await writer.drain()
        return worker.failed.exit_code
    if isinstance(worker.failed, ConnectionError):
        return 0
    if worker.failed is not None:
        raise worker.failed
    return 0  # the hub is gone: what was not reported will be claimed again


async def _listen(worker: Worker, reader: asyncio.StreamReader) -> None:
    while (message := await wire.read_down(reader)) is not None:
        if isinstance(message, wire.Turns):
            worker.take(message.turns)
        elif isinstance(message, wire.Change):
            worker.change(message)
        elif isinstance(message, wire.Stop):
            worker.stop(at_once=message.at_once)


def serve(sock: socket.socket) -> int:
    """Run a worker on our end of a line to the hub; return its exit code."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the hub is told, and tells us
        signal.signal(name, signal.SIG_IGN)
    gc.set_threshold(*COLLECT)
    sock.setblocking(False)
    return asyncio.run(_main(sock))


def main() -> None:
    """Run a worker on the socket whose descriptor is the first argument."""
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sys.exit(serve(sock))


if __name__ == "__main__":
    main()
