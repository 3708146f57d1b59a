"""The logs of a collection: every line stands alone, whatever happened to the one before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.crawl.journal import Journal, Log
from anansi.errors import DiskError
from anansi.model import Ended, Outcome, Visit

VISIT = Visit("http://example.org/", "http://example.org/")


def test_lines_wait_until_they_are_flushed_and_events_do_not(tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    journal = Journal(collection)
    journal.visited(2, VISIT, Outcome(Ended.DONE, 200, size=17, mime="text/html"))
    journal.skipped("http://example.org/é", "robots", "forbidden")
    assert collection.crawl_log.read_text() == collection.skipped.read_text() == ""
    journal.event("worker died", worker=2, code=-9)
    [event] = map(json.loads, collection.events.read_text().splitlines())
    assert (event["event"], event["worker"], event["code"]) == ("worker died", 2, -9)
    assert journal.last == "worker died worker=2 code=-9"
    journal.flush()
    assert json.loads(collection.skipped.read_text()) == {
        "url": "http://example.org/é",
        "reason": "robots",
        "detail": "forbidden",
    }
    assert collection.crawl_log.read_text().split()[1:4] == ["200", "17", "http://example.org/"]
    journal.close()


def test_a_line_cut_by_a_crash_is_ended_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log"
    log = Log(path)
    log.add("whole\n")
    log.add("the next was c")
    log.close()
    log = Log(path)
    log.add("after the crash\n")
    log.close()
    log = Log(path)
    log.close()
    assert path.read_text() == "whole\nthe next was c\nafter the crash\n"


def test_text_that_is_not_unicode_is_written_all_the_same(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    log.add("half a pair \ud83d\n")
    log.close()
    assert (tmp_path / "log").read_text() == "half a pair \\ud83d\n"


def test_a_full_disk_is_told_in_words() -> None:
    log = Log(Path("/dev/full"))
    log.add("line\n")
    with pytest.raises(DiskError, match="free some space"):
        log.flush()


def test_closing_writes_what_is_left(tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    journal = Journal(collection)
    journal.skipped("http://example.org/", "robots", "")
    journal.close()
    assert json.loads(collection.skipped.read_text())["reason"] == "robots"
