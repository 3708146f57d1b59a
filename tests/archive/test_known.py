"""What earlier crawls know of a page: its objects, read back from their segments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from anansi.archive.known import KnownObjects
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.model import Recognition, Value, WebObject

URL = "https://boats.example/t?a=1&b=ü"


POST = WebObject(
    "post",
    f"{URL}#p1",
    (
        ("id", Value("p1")),
        ("author", Value("Ada")),
        ("date", Value("2020-01-02T03:04:00", "date", "2 Jan 2020 03:04")),
        ("text", Value("One\ntwo", "body")),
        ("number", Value("3", "number", "#3")),
        ("link", Value(f"{URL}#p1", "link")),
        ("tag", Value("wool")),
    ),
    f"{URL}",
)


def test_objects_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    log = ObjectLog(collection, 0)
    found = Recognition("forum/phpbb", "thread")
    older = replace(POST, properties=(("text", Value("old", "body")),))
    log.write(URL, 0.0, "urn:uuid:1", found, [older])
    log.write("https://boats.example/else", 0.0, "urn:uuid:2", found, [older])
    log.write(URL, 9.0, "urn:uuid:3", found, [POST])
    log.close()
    (known,) = KnownObjects(collection)(URL)
    assert known.kind == "post"
    assert known.part_of
    for name in ("id", "author", "date", "text", "number", "tag"):
        assert known.get(name) == POST.get(name), name
    assert dict(known.properties)["date"].original == "2 Jan 2020 03:04"


def test_nothing_is_known_of_a_page_that_was_not_there(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    assert KnownObjects(collection)(URL) == ()


def test_damaged_segments_are_not_known(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    folder = collection.root / "objects"
    folder.mkdir()
    (folder / "objects-20200101000000-000-00000.nq").write_bytes(b"\x00garbage <http://www.w3.org/ns/prov#\n" * 50)
    assert KnownObjects(collection)(URL) == ()
