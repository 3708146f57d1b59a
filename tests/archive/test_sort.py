"""Sorting more than memory holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive import sort


def test_lines_come_out_sorted_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sort, "RUN", 64)
    monkeypatch.setattr(sort, "FAN", 3)
    lines = [b"%d\n" % (number * 7919 % 1000) for number in range(2000)]
    runs = sort.write_runs(lines, tmp_path, sort.whole)
    assert len(runs) > 50
    assert list(sort.merged(runs, tmp_path, sort.whole)) == sorted(set(lines))


def test_a_last_line_without_its_end_is_completed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\n\nc")
    (tmp_path / "b").write_bytes(b"b\nd\n")
    assert list(sort.merged([tmp_path / "a", tmp_path / "b"], tmp_path, sort.whole)) == [
        b"a\n",
        b"b\n",
        b"c\n",
        b"d\n",
    ]
