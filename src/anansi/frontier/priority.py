"""Scores: how they order a queue and how a new one changes an old one (ARCOMEM, section 5.1)."""

from __future__ import annotations

import struct
from collections.abc import Callable

# old score, number of times found before, new score → score
Update = Callable[[float, int, float], float]

UPDATES: dict[str, Update] = {
    "first": lambda old, _times, _new: old,
    "last": lambda _old, _times, new: new,
    "max": lambda old, _times, new: max(old, new),
    "sum": lambda old, _times, new: old + new,
    "avg": lambda old, times, new: (old * times + new) / (times + 1),
}

_FLOAT = struct.Struct(">f")
_WORD = struct.Struct(">I")
_LARGEST = 3.4028234663852886e38  # of four bytes


def clamp(score: float) -> float:
    """Keep a score from outside in [0, 1]; what is not a number counts as 0."""
    return min(1.0, max(0.0, score)) if score == score else 0.0


def single(score: float) -> float:
    """Round a score to the four bytes that records and queues hold; what is not a number counts as 0."""
    rounded: float = _FLOAT.unpack(_FLOAT.pack(min(max(0.0, score), _LARGEST)))[0]
    return rounded


def descending(score: float) -> bytes:
    """Encode a score so that byte order is descending score.

    The bits of non-negative floats order as integers do, so SUM may grow past 1 without losing order.
    """
    return _WORD.pack(0xFFFFFFFF - _WORD.unpack(_FLOAT.pack(min(max(0.0, score), _LARGEST)))[0])
