"""Reading WARC files of all kinds."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from anansi.archive.index import index_warc
from anansi.archive.reader import Damage, records


def _foreign(*, gzipped: bool) -> bytes:
    """Make a WARC file as warcio writes it: a page, an image, and its request."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=gzipped)
    writer.write_record(writer.create_warcinfo_record("a.warc", {"software": "warcio"}))
    for number in range(3):
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                f"http://example.org/{number}", "response", payload=io.BytesIO(b"x" * 100_000), http_headers=headers
            )
        )
    return out.getvalue()


@pytest.mark.parametrize("gzipped", [True, False])
def test_places_are_exact(tmp_path: Path, gzipped: bool) -> None:
    data = _foreign(gzipped=gzipped)
    path = tmp_path / ("a.warc.gz" if gzipped else "a.warc")
    path.write_bytes(data)
    places = []
    for record in records(path):
        record.finish()
        places.append((record.offset, record.length))
    assert len(places) == 4
    assert sum(length for _, length in places) == len(data)
    for offset, length in places:
        piece = data[offset : offset + length]
        assert (gzip.decompress(piece) if gzipped else piece).startswith(b"WARC/1.")


def _refuse(damage: Damage) -> None:
    raise AssertionError(damage)


@pytest.mark.parametrize("gzipped", [True, False])
def test_a_file_of_another_writer_is_indexed(tmp_path: Path, gzipped: bool) -> None:
    path = tmp_path / ("a.warc.gz" if gzipped else "a.warc")
    path.write_bytes(_foreign(gzipped=gzipped))
    lines = list(index_warc(path, _refuse))
    assert len(lines) == 3
    assert all(page is not None for _, page in lines)
    assert lines[0][0].startswith(b"org,example)/0 ")


def test_records_in_one_member_are_refused_with_a_cure(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(_foreign(gzipped=False)))
    damages: list[Damage] = []
    assert list(index_warc(path, damages.append)) == []
    (damage,) = damages
    assert "warcio recompress" in damage.reason


@given(st.binary(max_size=300))
def test_any_bytes_end_in_an_outcome(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.warc"
    for content in (data, b"WARC/1.1\r\n" + data, gzip.compress(data), gzip.compress(b"WARC/1.0\r\n" + data)):
        path.write_bytes(content)
        damages: list[Damage] = []
        list(index_warc(path, damages.append))
        assert all(each.reason and each.start < each.end for each in damages)
        assert bool(damages) == bool(content)
