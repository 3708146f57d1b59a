"""What an index needs from the head of an HTTP response: where it ends, status, type, and framing."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS: Final = re.compile(rb"HTTP/\S+[ \t]+([0-9]{3})")
_TYPE: Final = re.compile(rb"\ncontent-type[ \t]*:[ \t]*([^;\s]+)", re.IGNORECASE)
_CODING: Final = re.compile(rb"\ntransfer-encoding[ \t]*:[^\r\n]*\bchunked[ \t]*\r?\n", re.IGNORECASE)


def head_of(block: bytes) -> bytes:
    """Return the head with the empty line that ends it; the whole block when no empty line does."""
    match = _END.search(block)
    return block[: match.end()] if match else block


def status_of(head: bytes) -> str:
    """Return the three digits of the status, or nothing."""
    match = _STATUS.match(head)
    return match[1].decode() if match else ""


def mime_of(head: bytes) -> str:
    """Return the media type that the server named, without parameters, or nothing."""
    match = _TYPE.search(head)
    return match[1].decode("latin-1").lower() if match else ""


def is_chunked(head: bytes) -> bool:
    """Tell whether the body is framed in chunks."""
    return _CODING.search(head) is not None
