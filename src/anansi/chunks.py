"""The chunked transfer coding of RFC 9112, undone as bytes arrive: by the crawl, and by whoever checks an archive.

Damaged input is normal: what can be decoded is returned and `complete` stays false.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_LINE_LIMIT: Final = 8192
"""Bytes of the longest chunk-size or trailer line: extensions have no use on the web, endless lines have abuses."""

_TRAILER_LIMIT: Final = 65536
"""Bytes of all trailer lines together."""

_SIZE_LINE: Final = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_SIZE_LINE_BEGUN: Final = re.compile(rb"[ \t]*[0-9a-fA-F]{0,15}[ \t]*(?:;[^\n]*|\r)?")


class Dechunker:
    """Take chunks apart as bytes arrive.

    State: `_state` is the method that reads next, from the offset `_at` of `_data` on, which begins with the line
    that was not finished before; `_left` counts the bytes missing from the current chunk, `_trailer` those of the
    trailer; `complete` tells whether the last chunk was seen.
    """

    def __init__(self) -> None:
        self.complete = False
        self._state: Callable[[], bytes | None] = self._first
        self._data = b""
        self._at = 0
        self._left = 0
        self._trailer = 0

    def feed(self, data: bytes) -> bytes:
        """Return the payload that `data` adds."""
        self._data = self._data[self._at :] + data
        self._at = 0
        parts: list[bytes] = []
        while self._at < len(self._data):
            part = self._state()
            if part is None:  # a line waits for its end
                break
            parts.append(part)
        return b"".join(parts)

    def _first(self) -> bytes | None:
        """Look at the first size line; a body that announced chunks and has none is given as it is."""
        line = self._line()
        if not line.endswith(b"\n") and len(line) < _LINE_LIMIT and _SIZE_LINE_BEGUN.fullmatch(line):
            return None
        self._state = self._size if _SIZE_LINE.fullmatch(line) else self._plain
        return b""

    def _size(self) -> bytes | None:
        line = self._line()
        size = _SIZE_LINE.fullmatch(line)
        if size is None:
            return self._stop() if line.endswith(b"\n") or len(line) >= _LINE_LIMIT else None
        self._left = int(size[1], 16)
        self.complete = self._left == 0
        self._state = self._trailers if self.complete else self._chunk
        self._at += len(line)
        return b""

    def _chunk(self) -> bytes:
        part = self._data[self._at : self._at + self._left]
        self._at += len(part)
        self._left -= len(part)
        if not self._left:
            self._state = self._end
        return part

    def _end(self) -> bytes | None:
        """Skip the line end after a chunk."""
        end = self._data[self._at : self._at + 2]
        if end == b"\r":
            return None
        if end != b"\r\n" and end[:1] != b"\n":
            return self._stop()
        self._at += 2 if end == b"\r\n" else 1
        self._state = self._size
        return b""

    def _trailers(self) -> bytes:
        line = self._line()
        self._at += len(line)
        self._trailer += len(line)
        return self._stop() if line in (b"\r\n", b"\n") or self._trailer > _TRAILER_LIMIT else b""

    def _plain(self) -> bytes:
        part = self._data[self._at :]
        self._at = len(self._data)
        return part

    def _stop(self) -> bytes:
        """Ignore what is left: it is malformed, or comes after the end."""
        self._state = self._stop
        self._at = len(self._data)
        return b""

    def _line(self) -> bytes:
        """Return the line that begins here, with its end if it is there."""
        end = self._data.find(b"\n", self._at, self._at + _LINE_LIMIT)
        return self._data[self._at : end + 1 if end >= 0 else self._at + _LINE_LIMIT]
