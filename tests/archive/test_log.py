"""Lines of crawl.log."""

from __future__ import annotations

from anansi.archive.log import log_line
from anansi.model import Outcome, Validators, Visit


def test_a_fetched_page_fills_every_column() -> None:
    visit = Visit("http://e.org/a b", "k", hops="LE", via="http://e.org/", seed="http://e.org/")
    outcome = Outcome(
        "done", status=200, size=1234, mime="text/html", started=1_700_000_000.5, seconds=0.25, annotations="gzip",
        validators=Validators(digest="sha1:ABC"), duplicate=True,
    )  # fmt: skip
    assert log_line(visit, outcome, worker=7, now=1_700_000_001.0) == (
        "2023-11-14T22:13:21.000Z   200       1234 http://e.org/a%20b LE http://e.org/ text/html #007 "
        "20231114221320500+250 sha1:ABC http://e.org/ gzip,duplicate\n"
    )


def test_a_failed_visit_has_a_dash_for_what_is_not_known() -> None:
    visit = Visit("http://e.org/\r\nevil", "k")
    line = log_line(visit, Outcome("failed", status=-2, fault="connection refused or failed"), now=0.0)
    assert line == (
        "1970-01-01T00:00:00.000Z    -2          - http://e.org/%20evil - - - #000 - - - "
        "connection_refused_or_failed\n"
    )
    assert len(line.split()) == 12
