"""A collection that was packed is one again: sound, queried and exported the same, and crawled on."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import anansi
from tests.web import ScriptedWeb
from tests.web.comments import Commented

POSTS = (("bread", 12), ("ships", 3), ("tides", 2))
OPTIONS = ("--delay", "0", "--no-requisites", "--json")


def test_a_package_is_a_collection_again_and_is_crawled_on(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    with ScriptedWeb(address="127.0.8.9") as web:
        web.add("/*", Commented(POSTS, newest_first=True))
        anansi("crawl", f"{web.url}/", "-o", first, "--limit", "3", *OPTIONS)
        assert anansi("pack", first).code == 0
        said = anansi("unpack", tmp_path / "first.wacz", "-o", again)
        assert said.code == 0, said.errors
        assert anansi("check", again).output.endswith("sound\n")
        kept = [sorted(anansi("objects", each).output.splitlines()) for each in (first, again)]
        assert kept[0] == kept[1] != []
        asked = len(web.paths())
        for each in (first, again):
            went_on = anansi("crawl", "-o", each, "--limit", "100", *OPTIONS)
            assert went_on.code == 0, went_on.errors
            assert went_on.json["objects"]["comment"] == 17
        assert anansi("check", again).code == 0
        later = [path for path in web.paths()[asked:] if path != "/robots.txt"]
    assert all(later.count(path) == 2 for path in later), "each asks for what it has not, once"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package of a crawl that was begun, while its site is there to go on with."""
    first = tmp_path_factory.mktemp("unpack") / "first"
    with ScriptedWeb(address="127.0.8.11") as web:
        web.add("/*", Commented(POSTS, newest_first=True))
        anansi("crawl", f"{web.url}/", "-o", first, "--limit", "3", *OPTIONS)
        assert anansi("pack", first).code == 0
        yield first.with_suffix(".wacz")


@pytest.mark.parametrize("broken", ["scope: [\n", "\0\1", "scope:\n  limit: many\n", "no: such key\n"])
def test_a_package_whose_definition_is_broken_is_a_collection_all_the_same(
    broken: str, packed: Path, tmp_path: Path
) -> None:
    package, again = tmp_path / "first.wacz", tmp_path / "again"
    shutil.copy(packed, package)
    _rewrite(package, "crawl.yaml", broken.encode())
    said = anansi("unpack", package, "-o", again)
    assert said.code == 0 and "its definition cannot be read" in said.errors, said
    assert anansi("check", again).output.endswith("sound\n")
    went_on = anansi("crawl", "-o", again, "--limit", "100", *OPTIONS)
    assert went_on.code == 0 and went_on.json["objects"]["comment"] == 17, went_on.errors


def _rewrite(package: Path, name: str, data: bytes) -> None:
    """Put another file into a package in the place of one, with its digest."""
    with zipfile.ZipFile(package) as file:
        held = {each: file.read(each) for each in file.namelist()}
    (path,) = [each for each in held if each.endswith(name)]
    listing = json.loads(held["datapackage.json"])
    for each in listing["resources"]:
        if each["path"] == path:
            each |= {"hash": f"sha256:{hashlib.sha256(data).hexdigest()}", "bytes": len(data)}
    held |= {path: data, "datapackage.json": json.dumps(listing).encode()}
    with zipfile.ZipFile(package, "w") as file:
        for each, content in held.items():
            file.writestr(each, content)


def test_a_package_that_others_made_is_a_sound_collection(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.8.10") as web:
        web.add("/*", Commented(POSTS, newest_first=True))
        anansi("crawl", f"{web.url}/", "-o", tmp_path / "c", *OPTIONS)
    files = map(str, (tmp_path / "c" / "archive").iterdir())
    command = [
        str(Path(sys.executable).with_name("wacz")),
        "create",
        "-o",
        str(tmp_path / "other.wacz"),
        "-f",
        *files,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert anansi("unpack", tmp_path / "other.wacz").code == 0
    assert anansi("check", tmp_path / "other").output.endswith("sound\n")
    status = [anansi("status", tmp_path / each, "--json").json for each in ("c", "other")]
    assert status[1]["state"] == "unpacked"
    assert [[each[name] for name in ("requests", "pages", "types")] for each in status][1:] == [
        [status[0][name] for name in ("requests", "pages", "types")]
    ]
    again = anansi("objects", tmp_path / "other", "--again", "--type", "comment")
    assert len(again.output.splitlines()) == 17
