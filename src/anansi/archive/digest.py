"""The digests of a block that is read, to verify or to complete those in its header."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from typing import Final

from anansi.archive.head import head_of, is_chunked
from anansi.archive.record import digest_text
from anansi.chunks import Dechunker

_ALGORITHMS: Final = {"sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha512": hashlib.sha512, "md5": hashlib.md5}


class Digester:
    """Hash a block and the payload in it, transfer coding undone.

    Mutable state: the running hashes. `_raw` hashes the body as framed: a body whose framing is broken has no better
    payload than that.
    """

    def __init__(self, algorithm: str, beginning: bytes, *, http: bool) -> None:
        make = _ALGORITHMS[algorithm]
        head = head_of(beginning) if http else b""
        self._skip = len(head)
        self._dechunker = Dechunker() if http and is_chunked(head) else None
        self._block, self._raw, self._payload = make(), make(), make()

    def feed(self, pieces: Iterable[bytes]) -> None:
        """Take the block, from its first byte."""
        for piece in pieces:
            self._block.update(piece)
            body = piece[self._skip :]
            self._skip = max(0, self._skip - len(piece))
            if not body:
                continue
            self._raw.update(body)
            if self._dechunker is not None:
                self._payload.update(self._dechunker.feed(body))

    def block(self) -> bytes:
        """Return the digest of the block."""
        return self._block.digest()

    def payloads(self) -> list[bytes]:
        """Return the digests that the payload may have, the likeliest first."""
        if self._dechunker is None:
            return [self._raw.digest()]
        decoded = [self._payload.digest()]
        return [*decoded, self._raw.digest()] if not self._dechunker.complete else decoded


def parse_digest(text: str) -> tuple[str, bytes] | None:
    """Read `algorithm:value` in base 32 or hexadecimal; None for an algorithm that is not known here."""
    algorithm, _, value = text.partition(":")
    make = _ALGORITHMS.get(algorithm.lower())
    if make is None:
        return None
    size = make().digest_size
    try:
        digest = bytes.fromhex(value) if len(value) == 2 * size else base64.b32decode(value + "=" * (-len(value) % 8))
    except (ValueError, binascii.Error):
        digest = b""
    return algorithm.lower(), digest


def payload_digest_of(beginning: bytes, pieces: Iterable[bytes], *, http: bool) -> str:
    """Compute the payload digest of a record whose header has none."""
    digester = Digester("sha1", beginning, http=http)
    digester.feed(pieces)
    return digest_text(digester.payloads()[0])
