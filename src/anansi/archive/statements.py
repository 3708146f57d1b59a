"""The statements in pieces of segments; lines that are no N-Quads are left out."""

from __future__ import annotations

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from anansi.archive.objects import Piece


def statements(piece: Piece) -> list[Quad]:
    """Read the statements of some pages."""
    try:
        return list(parse(piece.data, RdfFormat.N_QUADS))
    except SyntaxError:
        return list(parse(sound(piece.data), RdfFormat.N_QUADS))


def sound(lines: bytes) -> bytes:
    """Return the lines that are N-Quads of a named graph, each looked at by itself."""
    return b"".join(line for line in lines.splitlines(keepends=True) if _is_sound(line))


def _is_sound(line: bytes) -> bool:
    try:
        return all(isinstance(quad.graph_name, NamedNode) for quad in parse(line, RdfFormat.N_QUADS))
    except SyntaxError:
        return False
