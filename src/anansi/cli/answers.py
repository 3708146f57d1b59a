"""Answers to queries, printed as they come."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from pyoxigraph import NamedNode, QueryBoolean, QueryResultsFormat, QueryTriples, RdfFormat, serialize

from anansi.archive.triplestore import Answer
from anansi.cli.output import say, table
from anansi.errors import UserError
from anansi.knowledge.vocabulary import PREFIXES

ROWS: Final = 1000
"""Rows of a table."""
CELL: Final = 300
"""Characters of a cell."""

_RESULTS: Final = {"json": QueryResultsFormat.JSON, "csv": QueryResultsFormat.CSV}
_GRAPHS: Final = {"json": RdfFormat.JSON_LD, "ttl": RdfFormat.TURTLE}


def print_answer(answer: Answer, form: str | None) -> None:
    """Print an answer as a table, json, csv or ttl."""
    try:
        if isinstance(answer, QueryTriples):
            _print_triples(answer, form or "ttl")
        elif form == "ttl":
            raise UserError(
                "Turtle is for CONSTRUCT and DESCRIBE; this query answers in rows: use table, json or csv"
            )
        elif form is not None and form in _RESULTS:
            answer.serialize(sys.stdout.buffer, _RESULTS[form])
            sys.stdout.write("\n" if form == "json" else "")
        elif isinstance(answer, QueryBoolean):
            say("true" if answer else "false")
        else:
            _print_rows([each.value for each in answer.variables], answer)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(f"the query cannot be answered: {error}") from None


def _print_triples(triples: QueryTriples, form: str) -> None:
    headings = ("subject", "predicate", "object")
    if form == "csv":
        lines = csv.writer(sys.stdout, lineterminator="\r\n")
        lines.writerow(headings)
        lines.writerows([getattr(term, "value", term) for term in triple] for triple in triples)
    elif form == "table":
        _print_rows(headings, triples)
    else:
        serialize(triples, sys.stdout.buffer, _GRAPHS[form], prefixes=PREFIXES)


def _print_rows(headings: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table; a person reads so many rows, and the other formats have them all."""
    source = iter(rows)
    shown = [[_cell(term) for term in row] for row in islice(source, ROWS)]
    table(headings, shown)
    if next(source, None) is not None:
        say(f"… the first {ROWS:,} rows; LIMIT and OFFSET show others, --format csv or json all of them")


def _cell(term: Any) -> str:
    """Shorten a term: prefixes for vocabularies, one line for texts."""
    text = "" if term is None else " ".join(str(getattr(term, "value", term)).split())
    for prefix, namespace in PREFIXES.items():
        if isinstance(term, NamedNode) and text.startswith(namespace):
            return f"{prefix}:{text[len(namespace) :]}"
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
