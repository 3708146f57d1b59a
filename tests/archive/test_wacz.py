"""WACZ files, judged by py-wacz."""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from anansi.archive import wacz
from anansi.archive.exchange import Notes
from anansi.archive.layout import Collection
from anansi.archive.wacz import pack
from anansi.errors import CollectionError
from tests.archive.exchanges import NOW, answer, collection, prose, writer


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    made = collection(tmp_path)
    into = writer(made, max_bytes=20_000)
    for number in range(40):
        page = answer(
            f"http://example.org/{number}", prose(3000, number), started=NOW + number, hops="L" * min(number, 3)
        )
        into.write_page(page, page.body, Notes(f"Page {number}", "text/html"))
    into.close()
    made.crawl_log.write_text("2023-11-14T22:13:21.000Z 200 1 http://example.org/ - - - - - - - -\n")
    made.events.write_text('{"event": "crawl ended"}\n')
    return made


def _validate(path: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("wacz")
    return subprocess.run([command, "validate", "-f", path], capture_output=True, text=True, timeout=120, check=False)


def test_py_wacz_finds_the_package_valid(made: Collection, tmp_path: Path) -> None:
    path = pack(made, tmp_path / "out" / "c.wacz", title="Forum", description="A forum")
    result = _validate(path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Validation succeeded" in result.stdout
    with zipfile.ZipFile(path) as file:
        stored = {info.filename for info in file.infolist() if info.compress_type == zipfile.ZIP_STORED}
        assert {f"archive/{warc.name}" for warc in made.warcs()} | {"indexes/index.cdx.gz"} == stored
        package = json.loads(file.read("datapackage.json"))
    assert (package["wacz_version"], package["title"]) == ("1.1.1", "Forum")
    assert package["mainPageURL"] == "http://example.org/0"
    assert package["created"] == "2023-11-14T22:13:59Z"


def test_the_blocks_of_the_index_hold_the_index(
    made: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wacz, "BLOCK", 7)
    path = pack(made, tmp_path / "c.wacz")
    with zipfile.ZipFile(path) as file:
        blocks = file.read("indexes/index.cdx.gz")
        header, *places = file.read("indexes/index.idx").decode().splitlines()
    assert header == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'
    assert len(places) == 6
    assert gzip.decompress(blocks) == made.index.read_bytes()
    for line in places:
        key, stamp, fields = line.split(" ", 2)
        place = json.loads(fields)
        block = blocks[place["offset"] : place["offset"] + place["length"]]
        assert gzip.decompress(block).decode().startswith(f"{key} {stamp} {{")
        assert place["digest"] == "sha256:" + hashlib.sha256(block).hexdigest()
    assert _validate(path).returncode == 0


def test_the_files_begin_where_readers_look_for_them(made: Collection, tmp_path: Path) -> None:
    """ReplayWeb.page takes a file whose entry in the directory has no extra field for one without any."""
    target = pack(made, tmp_path / "x.wacz")
    data = target.read_bytes()
    for info in zipfile.ZipFile(target).infolist():
        names, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
        assert (names, extra) == (len(info.filename), len(info.extra))


def test_packing_twice_gives_the_same_bytes(made: Collection, tmp_path: Path) -> None:
    first = pack(made, tmp_path / "a.wacz", title="t").read_bytes()
    assert pack(made, tmp_path / "b.wacz", title="t").read_bytes() == first


def test_a_file_still_open_is_left_out(made: Collection) -> None:
    into = writer(made)
    page = answer("http://example.org/open")
    into.write_page(page, page.body)
    into.flush()
    path = pack(made)
    into.close()
    assert path == made.root / "collection.wacz"
    with zipfile.ZipFile(path) as file:
        assert not [name for name in file.namelist() if name.endswith(".open")]
    assert _validate(path).returncode == 0


def test_an_empty_collection_can_be_packed(tmp_path: Path) -> None:
    path = pack(collection(tmp_path))
    assert _validate(path).returncode == 0


def test_what_is_no_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="not a collection"):
        pack(Collection(tmp_path))
