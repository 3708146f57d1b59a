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
from anansi.archive.wacz import Said, pack, unpack
from anansi.errors import CollectionError, UserError
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


# ── what belongs to a collection goes with it ────────────────────────────────────────────────────────────────────


BESIDE = {
    "crawl.yaml": "seeds: [http://example.org/]\n",
    "reports/summary.json": "{}\n",
    "reports/skipped.jsonl": '{"url": "http://example.org/x", "reason": "robots", "detail": ""}\n',
    "knowledge/learned/site.xml": "<application/>\n",
    "objects/objects-1.nq": "<a:a> <b:b> <c:c> <d:d> .\n",
}


def test_a_collection_is_packed_and_unpacked_whole(made: Collection, tmp_path: Path) -> None:
    for name, text in BESIDE.items():
        path = made.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    made.state.mkdir(exist_ok=True)
    (made.state / "secret").write_text("a token")
    path = pack(made, tmp_path / "c.wacz")
    assert _validate(path).returncode == 0
    again = Collection(tmp_path / "again")
    unpack(path, again)
    for name, text in BESIDE.items():
        assert (again.root / name).read_text() == text
    assert [warc.read_bytes() for warc in again.warcs()] == [warc.read_bytes() for warc in made.warcs()]
    assert again.index.read_bytes() == made.index.read_bytes()
    assert again.pages.read_bytes() == made.pages.read_bytes()
    assert not (again.state / "secret").exists()
    assert pack(again, tmp_path / "d.wacz", title=made.root.name).read_bytes() == path.read_bytes()


def test_pages_can_be_searched_by_what_they_say(made: Collection, tmp_path: Path) -> None:
    pack(made)  # merges the list of pages
    listed = [json.loads(line) for line in made.pages.read_text().splitlines()[1:]]
    said = [Said(page["ts"], page["id"], f"text of {page['url']} ü") for page in reversed(listed[::2])]
    stray = Said("2000-01-01T00:00:00Z", "x", "of no page")
    path = pack(made, tmp_path / "c.wacz", texts=lambda _: [*said, stray])
    assert _validate(path).returncode == 0
    with zipfile.ZipFile(path) as file:
        header, *pages = map(json.loads, file.read("pages/pages.jsonl").splitlines())
    assert header["hasText"] is True
    assert [page["url"] for page in pages] == [page["url"] for page in listed]
    assert [page.get("text") for page in pages[::2]] == [f"text of {page['url']} ü" for page in listed[::2]]
    assert all("text" not in page for page in pages[1::2])


def _forged(path: Path, files: dict[str, bytes], listed: dict[str, object] | None = None) -> Path:
    """Write a package whose list may say something else than is true."""
    resources = [
        {"path": name, "hash": f"sha256:{hashlib.sha256(data).hexdigest()}", "bytes": len(data), **(listed or {})}
        for name, data in files.items()
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
        file.writestr("datapackage.json", json.dumps({"resources": resources}))
    return path


def test_a_package_writes_nothing_outside_its_folder(made: Collection, tmp_path: Path) -> None:
    warc, deep = made.warcs()[0].read_bytes(), tmp_path / "deep"
    names = ("../escaped.warc.gz", "/tmp/escaped.warc.gz", "archive/../../escaped.warc.gz", "state/x", "logs/a/b")
    dots = ("logs/..", "logs/.")
    path = _forged(tmp_path / "c.wacz", {"archive/a.warc.gz": warc, **dict.fromkeys(names + dots, b"x")})
    unpack(path, Collection(deep / "again"))
    written = {each.relative_to(deep).as_posix() for each in deep.rglob("*") if each.is_file()}
    assert written == {"again/archive/a.warc.gz", "again/indexes/index.cdxj", "again/pages/pages.jsonl"}
    assert not list(tmp_path.glob("escaped*"))


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        ({"hash": "sha256:00"}, "not what its digest says"),
        ({"bytes": 10}, "more bytes than the package says"),
        ({"bytes": "many"}, "datapackage.json is missing or wrong"),
        ({"bytes": float("inf")}, "datapackage.json is missing or wrong"),
        ({"hash": "shake_128:00"}, "digest of archive/a.warc.gz that is not known"),
        ({"path": "archive/gone.warc.gz"}, "lists archive/gone.warc.gz and does not hold it"),
    ],
)
def test_a_package_that_lies_is_refused(
    made: Collection, tmp_path: Path, listed: dict[str, object], why: str
) -> None:
    path = _forged(tmp_path / "c.wacz", {"archive/a.warc.gz": made.warcs()[0].read_bytes()}, listed)
    with pytest.raises(UserError, match=why):
        unpack(path, Collection(tmp_path / "again"))
    assert not (tmp_path / "again").exists(), "half a collection would pass for a whole one"


def test_a_package_in_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    path = _forged(tmp_path / "c.wacz", {"archive/a.warc.gz": bytes(100_000)})
    with pytest.raises(UserError, match="hold nothing that can be read"):
        unpack(path, Collection(tmp_path / "again"))
    assert not (tmp_path / "again").exists()


def test_packages_of_others_may_have_other_digests(made: Collection, tmp_path: Path) -> None:
    data = made.warcs()[0].read_bytes()
    for digest in ("md5:" + hashlib.md5(data).hexdigest(), hashlib.md5(data).hexdigest()):
        path = _forged(tmp_path / "c.wacz", {"archive/a.warc.gz": data}, {"hash": digest})
        again = Collection(tmp_path / digest[:4])
        unpack(path, again)
        assert again.warcs()[0].read_bytes() == data


@pytest.mark.parametrize("how", ["encrypted", "a deep list", "not there", "a folder"])
def test_what_cannot_be_read_is_told_in_a_line(made: Collection, tmp_path: Path, how: str) -> None:
    path = pack(made, tmp_path / "c.wacz")
    if how == "encrypted":
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
    elif how == "a deep list":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("datapackage.json", "[" * 100_000)
    else:
        path = tmp_path / "none.wacz" if how == "not there" else tmp_path
    with pytest.raises(UserError, match=r"is encrypted|missing or wrong|cannot be read"):
        unpack(path, Collection(tmp_path / "again"))
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("data", [b"", b"PK", b"<html>", b"PK\x03\x04" + bytes(100)])
def test_what_is_no_package_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "c.wacz").write_bytes(data)
    with pytest.raises(UserError, match="not a whole WACZ file"):
        unpack(tmp_path / "c.wacz", Collection(tmp_path / "again"))
    assert not (tmp_path / "again").exists()


def test_a_collection_is_not_unpacked_over(made: Collection, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a collection already"):
        unpack(pack(made, tmp_path / "c.wacz"), made)
