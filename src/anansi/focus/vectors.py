"""Sparse vectors of terms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import repeat
from operator import mul

Vector = Mapping[str, float]


def norm(vector: Vector) -> float:
    """Return the length of a vector."""
    return math.hypot(*vector.values())


def dot(small: Vector, large: Vector) -> float:
    """Return the product of two vectors; quicker when the first is the smaller."""
    return sum(map(mul, small.values(), map(large.get, small, repeat(0.0))), 0.0)


def cosine(small: Vector, large: Vector, *, length: float = 0.0) -> float:
    """Return the cosine of two vectors, 0 where one is empty; `length` is that of the second, where it is known."""
    product = dot(small, large)
    return product / (norm(small) * (length or norm(large))) if product else 0.0


def total(vectors: Iterable[Vector]) -> dict[str, float]:
    """Add vectors."""
    result: dict[str, float] = {}
    for vector in vectors:
        for term, value in vector.items():
            result[term] = result.get(term, 0.0) + value
    return result
