"""Exchanges in the archive: what is kept, what stands for what was kept before, and what the next visit knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from anansi.archive.record import warc_date
from anansi.config import Definition
from anansi.model import Role, Validators
from tests.crawl.piped import PAGES, SEED, TEXT, bench, page


def test_what_was_read_goes_to_the_archive_with_the_page(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    desk.process(page("<title>A page</title>"))
    ((_, payload, notes, original),) = desk.archive.written
    assert (payload, original) == (b"<title>A page</title>", None)
    assert (notes.title, notes.mime, notes.charset) == ("A page", "text/html", "utf-8")


def test_a_payload_that_is_kept_already_becomes_a_revisit(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    first, _, _ = desk.process(page(TEXT))
    second, _, _ = desk.process(page(TEXT, SEED + "twin"))
    assert (first.duplicate, second.duplicate) == (False, True)
    original = desk.archive.written[1][3]
    assert original is not None and original.url == SEED


def test_what_the_server_calls_unmodified_stands_for_what_it_was(tmp_path: Path) -> None:
    before = Validators('"v1"', "", "sha1:ABC", 12.0)
    desk = bench(tmp_path)
    outcome, found, _ = desk.process(page("", status="304 Not Modified", validators=before))
    assert (outcome.status, outcome.validators, found, outcome.page) == (304, before, [], False)
    original = desk.archive.written[0][3]
    assert original is not None and original.digest == "sha1:ABC"


def test_validators_are_kept_for_the_next_time(tmp_path: Path) -> None:
    headers = (("ETag", '"' + "x" * 500 + '"'), ("Last-Modified", "Tue, 01 Sep 2026 00:00:00 GMT"))
    outcome, _, _ = bench(tmp_path).process(page("x", headers=headers))
    assert outcome.validators is not None
    assert outcome.validators.modified == "Tue, 01 Sep 2026 00:00:00 GMT"
    assert outcome.validators.digest.startswith("sha1:")


@pytest.mark.parametrize("started", [1_790_589_365.014337, 1_790_589_365.9996, 1_790_589_365.0])
def test_a_later_visit_knows_the_date_of_the_capture_to_the_millisecond(started: float, tmp_path: Path) -> None:
    outcome, _, _ = bench(tmp_path).process(page("x", started=started))
    assert outcome.validators is not None
    assert warc_date(outcome.validators.date) == warc_date(started)


def test_the_archive_says_of_an_address_that_nobody_linked_to_it(tmp_path: Path) -> None:
    made = bench(tmp_path, Definition(scope=PAGES))
    found = page("<p>Not here.<a href='/more'>More</a>", SEED + "made/up", depth=1)
    visit = msgspec.structs.replace(found.visit, role=Role.MADE_UP)
    outcome, links, _ = made.process(replace(found, visit=visit))
    assert (outcome.annotations, links) == ("madeUp", [])
    assert ("madeUp", "yes") in made.archive.written[0][2].fields
