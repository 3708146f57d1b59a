"""The chunked transfer coding, undone piece by piece, to verify payload digests."""

from __future__ import annotations

import re
from typing import Final

_SIZE: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_LINE_LIMIT: Final = 8192
"""Bytes of the longest size line read; real ones have ten, extensions a few dozen."""


class Dechunker:
    """Decode a chunked body fed in pieces.

    Mutable state: `_pending` (bytes of an incomplete line), `_left` (bytes of the current chunk still to come),
    `_closing` (whether the line end after a chunk is due), `done` (the last chunk was seen) and `broken` (what came
    is not chunked; `feed` returns nothing from then on).
    """

    def __init__(self) -> None:
        self._pending = b""
        self._left = 0
        self._closing = False
        self.done = False
        self.broken = False

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes of the body and return the payload in them."""
        data = self._pending + data
        self._pending = b""
        position, pieces = 0, []
        while position < len(data) and not (self.done or self.broken):
            if self._left:
                piece = data[position : position + self._left]
                self._left -= len(piece)
                position += len(piece)
                pieces.append(piece)
                self._closing = self._left == 0
                continue
            step = self._line(data, position)
            if not step:
                self._keep(data[position:])
                break
            position += step
        return b"".join(pieces)

    def _line(self, data: bytes, position: int) -> int:
        """Read the line at `position` and return its length, 0 when it is incomplete."""
        end = data.find(b"\n", position)
        if end < 0:
            return 0
        if self._closing:
            self._closing = False
            self.broken = data[position : end + 1].strip() != b""
            return end + 1 - position
        match = _SIZE.fullmatch(data, position, end + 1)
        if match is None:
            self.broken = True
        else:
            self._left = int(match[1], 16)
            self.done = self._left == 0
        return end + 1 - position

    def _keep(self, rest: bytes) -> None:
        self.broken = len(rest) > _LINE_LIMIT
        self._pending = b"" if self.broken else rest
