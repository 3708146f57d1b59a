"""Single records, read back by warcio."""

from __future__ import annotations

import base64
import io
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from anansi.archive import record
from anansi.archive.record import Origin, Subject

SUBJECT = Subject("http://example.org/", "2023-11-14T22:13:20.250Z", "2001:db8::1", "http/1.1, tls/1.3")


def _read_all(data: bytes) -> list[tuple[list[tuple[str, str]], bytes]]:
    return [
        (each.rec_headers.headers, each.raw_stream.read())
        for each in ArchiveIterator(io.BytesIO(data), no_record_parse=True)
    ]


def test_a_date_keeps_its_milliseconds() -> None:
    assert record.warc_date(1_700_000_000.2509) == "2023-11-14T22:13:20.250Z"
    assert record.warc_date(0) == "1970-01-01T00:00:00.000Z"


def test_identifiers_are_random_uuids() -> None:
    made = {record.new_id() for _ in range(1000)}
    assert len(made) == 1000
    for each in made:
        value = uuid.UUID(each.strip("<>"))
        assert (value.version, value.variant) == (4, uuid.RFC_4122)


@given(st.binary(min_size=20, max_size=20))
def test_a_digest_is_written_in_base_32(digest: bytes) -> None:
    assert record.digest_text(digest) == "sha1:" + base64.b32encode(digest).decode()


def test_warcinfo_says_who_wrote_the_file() -> None:
    data = record.warcinfo("a.warc.gz", SUBJECT.date, {"software": "anansi", "operator": "Jane\r\nrobots: ignore"})
    ((headers, block),) = _read_all(data)
    assert ("WARC-Filename", "a.warc.gz") in headers
    lines = block.decode().split("\r\n")
    assert "format: WARC File Format 1.1" in lines
    assert "operator: Jane robots: ignore" in lines
    assert "robots: ignore" not in lines


def test_a_response_header_names_address_and_protocols() -> None:
    digests = record.Digests("sha1:B", "sha1:P", "text/html")
    data = record.response_header("<urn:uuid:1>", SUBJECT, digests, 0) + record.END
    ((headers, _),) = _read_all(data)
    assert [value for name, value in headers if name == "WARC-Protocol"] == ["http/1.1", "tls/1.3"]
    assert ("WARC-IP-Address", "2001:db8::1") in headers
    assert ("WARC-Identified-Payload-Type", "text/html") in headers
    assert "WARC-Truncated" not in dict(headers)


@pytest.mark.parametrize("profile", [record.IDENTICAL, record.NOT_MODIFIED])
def test_a_revisit_refers_to_its_original(profile: str) -> None:
    origin = Origin("http://example.org/a", "2020-01-01T00:00:00.000Z", profile)
    ((headers, block),) = _read_all(record.revisit("<urn:uuid:1>", SUBJECT, origin, "sha1:P", b""))
    fields = dict(headers)
    assert fields["WARC-Profile"] == profile
    assert fields["WARC-Refers-To-Target-URI"] == "http://example.org/a"
    assert fields["WARC-Refers-To-Date"] == "2020-01-01T00:00:00.000Z"
    assert (fields["Content-Length"], block) == ("0", b"")


EVIL = st.text(
    alphabet=st.sampled_from("\r\n\t\0 :<>\x85\u2028\u2029\x0b\x0c\x1c\ud800éaW"), min_size=0, max_size=40
) | st.text(max_size=60)


@given(url=EVIL, address=EVIL, protocol=EVIL, mime=EVIL)
def test_no_value_can_begin_a_header_of_its_own(url: str, address: str, protocol: str, mime: str) -> None:
    subject = Subject(record.uri("http://example.org/" + url), SUBJECT.date, address, protocol)
    data = record.response_header("<urn:uuid:1>", subject, record.Digests("sha1:B", "sha1:P", mime), 0)
    lines = data.decode().split("\r\n")
    known = ("WARC-", "Content-")
    assert lines[0] == "WARC/1.1"
    assert lines[-2:] == ["", ""]
    assert all(line.startswith(known) for line in lines[1:-2])
    assert all(len(line.splitlines()) == 1 for line in lines[:-2])
    assert " " not in dict(line.split(": ", 1) for line in lines[1:-2])["WARC-Target-URI"]


@given(st.lists(st.tuples(EVIL, EVIL), max_size=5))
def test_no_metadata_value_can_begin_a_field_of_its_own(pairs: list[tuple[str, str]]) -> None:
    ((_, block),) = _read_all(
        record.metadata("<urn:uuid:1>", SUBJECT, [(f"x{name}", value) for name, value in pairs])
    )
    given_pairs = [value for _, value in pairs if value]
    lines = block.decode().split("\r\n")[:-1] if block else []
    assert len(lines) == len(given_pairs)
    assert all(line.startswith("x") for line in lines)


@given(st.text(max_size=200))
def test_one_line_is_stable(text: str) -> None:
    once = record.one_line(text, 100)
    assert record.one_line(once, 100) == once
    assert len(once.splitlines()) <= 1
