"""A capture in words: its line in the index, and the one in the list of pages, if people read it."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from anansi.archive.lines import NO_PAGE, REVISIT, About, Capture, cdxj_line, page_key, page_line, timestamp

CAPTURE = Capture(
    url="http://example.org/a b?q=1",
    date="2024-05-06T07:08:09.123Z",
    identity="urn:uuid:1",
    mime="text/html",
    status="200",
    digest="sha1:ABC",
    filename="a.warc.gz",
    offset=0,
    length=77,
)


@pytest.mark.parametrize(
    ("date", "digits"),
    [
        ("2024-05-06T07:08:09.123Z", "20240506070809"),
        ("2024-05-06T07:08:09Z", "20240506070809"),
        ("2024-05-06", "20240506000000"),
        ("2024", "20240101000000"),
        ("", "10000101000000"),
    ],
)
def test_a_date_of_any_length_has_fourteen_digits(date: str, digits: str) -> None:
    assert timestamp(date) == digits


def test_a_line_of_the_index_has_a_key_without_spaces_and_no_empty_field() -> None:
    key, moment, fields = cdxj_line(replace(CAPTURE, digest="")).decode().split(" ", 2)
    assert (key, moment) == ("org,example)/a%20b?q=1", "20240506070809")
    assert json.loads(fields) == {
        "url": "http://example.org/a b?q=1",
        "mime": "text/html",
        "status": "200",
        "length": "77",
        "offset": "0",
        "filename": "a.warc.gz",
    }


def test_a_page_says_its_title_and_whether_it_is_a_seed() -> None:
    line = page_line(CAPTURE, "text/html", About(title="A title"))
    assert line is not None
    assert json.loads(line) == {
        "id": "urn:uuid:1",
        "url": CAPTURE.url,
        "ts": CAPTURE.date,
        "title": "A title",
        "seed": True,
    }
    linked = page_line(CAPTURE, "text/html", About(hops="L"))
    assert linked is not None
    assert "seed" not in json.loads(linked)


@pytest.mark.parametrize(
    ("capture", "served", "about"),
    [
        (replace(CAPTURE, status="404"), "text/html", About()),
        (CAPTURE, "image/png", About()),
        (CAPTURE, "text/html", About(mime="application/pdf")),  # what was found goes before what was said
        (CAPTURE, "text/html", About(hops="LE")),
        (CAPTURE, "text/html", About(hops="P")),
        (CAPTURE, "text/html", About(hops="M")),
        (replace(CAPTURE, mime=REVISIT, status="304"), "text/html", About()),
    ],
)
def test_what_nobody_reads_is_no_page(capture: Capture, served: str, about: About) -> None:
    assert page_line(capture, served, about) is None


def test_a_revisit_whose_status_is_not_known_is_a_page_if_it_was_one() -> None:
    assert page_line(replace(CAPTURE, mime=REVISIT, status=""), "text/html", About()) is not None


def test_lines_are_sorted_by_time_and_what_is_no_page_comes_first() -> None:
    line = page_line(CAPTURE, "text/html", About())
    assert line is not None
    assert page_key(line) == (CAPTURE.date, "urn:uuid:1")
    assert page_key(b'{"format": "json-pages-1.0"}\n') == page_key(b"garbage") == page_key(b"[]") == NO_PAGE
