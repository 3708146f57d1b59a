"""Statements in pieces of segments: what is no N-Quads of a graph is left out, and the rest is read."""

from __future__ import annotations

from anansi.archive.objects import Piece
from anansi.archive.statements import sound, statements

GOOD = b'<http://a/s> <http://a/p> "one" <http://a/g> .\n'
NEXT = b'<http://a/s> <http://a/p> "two" <http://a/g> .\n'
NO_GRAPH = b'<http://a/s> <http://a/p> "three" .\n'
TORN = b'<http://a/s> <http://a/p> "fo\n'


def test_a_line_that_is_torn_costs_itself_alone() -> None:
    data = GOOD + TORN + NEXT
    assert [str(quad.object) for quad in statements(Piece(data, len(data)))] == ['"one"', '"two"']


def test_a_statement_of_no_graph_belongs_to_no_capture() -> None:
    assert sound(GOOD + NO_GRAPH + NEXT) == GOOD + NEXT
