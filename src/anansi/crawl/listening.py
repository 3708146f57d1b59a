"""The place that a service listens at."""

from __future__ import annotations

import os
import socket

from anansi.errors import UserError


def listener(host: str, port: int, option: str) -> socket.socket:
    """Open the place to listen at; what prevents that names the option that chooses it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None)  # Python's own words name the address a second time
        why = os.strerror(number) if number and number > 0 else str(error)
        words = f"cannot listen on {host}, port {port}: {why}; choose another with {option} (0: any)"
        raise UserError(words) from None
    # uvicorn writes head and body apart, and asyncio sees to this only where a socket says that it is of TCP: 40 ms
    place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    return place


def address(listening: socket.socket) -> str:
    """Return the URL of a place that is listened at."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
