"""What was lost, written down and read back."""

from __future__ import annotations

from pathlib import Path

from anansi.archive.lost import Lost, losses, note
from tests.archive.exchanges import collection

CAPTURE = Lost("its record is damaged", url="http://example.org/ü", captured="20240506070809")
BYTES = Lost("no record", file="a.warc.gz", offset=7, bytes=100, kept="state/torn/a.warc.gz.7")


def test_losses_are_read_back_as_they_were_noted_and_gather(tmp_path: Path) -> None:
    made = collection(tmp_path)
    assert note(made, [CAPTURE]) == 1
    assert note(made, [BYTES, CAPTURE]) == 2
    assert list(losses(made.lost)) == [CAPTURE, BYTES, CAPTURE]


def test_a_line_that_was_torn_is_ended_and_left_out(tmp_path: Path) -> None:
    made = collection(tmp_path)
    made.lost.parent.mkdir(parents=True, exist_ok=True)
    made.lost.write_text('{"url": "http://torn')
    note(made, [CAPTURE])
    assert list(losses(made.lost)) == [CAPTURE]


def test_where_nothing_was_lost_there_is_nothing(tmp_path: Path) -> None:
    assert list(losses(tmp_path / "none")) == []
