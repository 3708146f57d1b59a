"""The process of `anansi helper`: it listens, and ends cleanly."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from anansi.crawl.listening import address, listener
from anansi.service.application import Parts, application
from anansi.service.page_reading import PageReading, Settings
from anansi.service.reader_processes import ReaderProcesses
from anansi.service.server import server_of


def serve(settings: Settings, ready: Callable[[str], None]) -> dict[str, Any]:
    """Run the service until SIGINT or SIGTERM; return what it did. `ready` is told where it can be asked."""
    settings.check()
    return asyncio.run(_serve(settings, ready))


async def _serve(settings: Settings, ready: Callable[[str], None]) -> dict[str, Any]:
    place = listener(settings.host, settings.port, "--port")
    readers = ReaderProcesses(settings.workers, settings.knowledge)
    pages = PageReading(settings, readers, address(place))
    server = server_of(application(Parts(pages=pages)))
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, setattr, server, "should_exit", True)
    try:
        await readers.start()
        ready(address(place))  # who asks before the server takes its first connection waits in the socket's queue
        await server.serve(sockets=[place])
    finally:
        await readers.close()
    return pages.health()
