"""Changes that RocksDB does not have yet are seen as if it had."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.errors import DiskError
from anansi.frontier.rocks import Rocks, translated

KEYS = st.integers(0, 12).map(lambda number: b"%02d" % number)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS),
        st.tuples(st.just("delete"), KEYS),
        st.tuples(st.sampled_from(["seal", "write", "commit"]), st.just(b"")),
    ),
    max_size=40,
)


@pytest.fixture
def rocks(tmp_path: Path) -> Iterator[Rocks]:
    opened = Rocks(tmp_path, ("points",), ("ordered",))
    yield opened
    opened.close()


@given(STEPS, KEYS)
@settings(max_examples=60, deadline=None)
def test_what_is_held_back_is_read_as_if_it_were_there(steps: list[tuple[str, bytes]], start: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rocks = Rocks(Path(folder), ("points",), ("ordered",), widths={"ordered": 1})
        rocks.hold(lambda: None)
        family, wanted, sealed = rocks["ordered"], dict[bytes, bytes](), False
        for number, (step, key) in enumerate(steps):
            if step == "put":
                wanted[key] = b"%d" % number
                family.put(key, wanted[key])
            elif step == "delete":
                wanted.pop(key, None)
                family.delete(key)
            elif step == "seal" and not sealed:
                rocks.seal()
                sealed = True
            elif step == "write":
                rocks.write()
                sealed = False
            elif step == "commit":
                rocks.commit()
            assert list(family.scan(start)) == sorted(each for each in wanted.items() if each[0] >= start)
            for prefix in (b"0", b"1", b"05"):
                under = sorted(each for each in wanted.items() if each[0] >= start and each[0].startswith(prefix))
                assert list(family.scan(start, prefix)) == under
            keys = [b"%02d" % each for each in range(13)]
            assert family.get_all(keys) == [family.get(key) for key in keys] == [wanted.get(key) for key in keys]
        rocks.close()


def test_nothing_reaches_the_disk_before_it_is_written(tmp_path: Path, rocks: Rocks) -> None:
    told: list[bool] = []
    rocks.hold(lambda: told.append(True))
    rocks["ordered"].put(b"a", b"1")
    rocks.commit()
    assert told and not _log(tmp_path)
    rocks.seal()
    rocks["ordered"].put(b"b", b"2")
    assert not _log(tmp_path) and rocks.pending == 2
    rocks.write()
    assert _log(tmp_path) and rocks.pending == 1
    rocks.hold(None)
    rocks.commit()
    assert rocks.pending == 0


def _log(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.log"))


def test_a_scan_shows_what_stood_there_when_it_began(rocks: Rocks) -> None:
    rocks.hold(lambda: None)
    for key in (b"a", b"b", b"c"):
        rocks["ordered"].put(key, b"1")
    seen = []
    for key, _ in rocks["ordered"].scan(b""):
        seen.append(key)
        rocks["ordered"].delete(b"c")
        rocks["ordered"].put(b"d", b"1")
    assert seen == [b"a", b"b", b"c"]


@pytest.mark.parametrize("said", ["No space left on device", "IO error: Writer has previous error."])
def test_a_disk_that_took_nothing_is_no_damage(said: str) -> None:
    def write() -> None:
        raise OSError(said)

    with pytest.raises(DiskError, match="nothing was lost"):
        translated(write)
