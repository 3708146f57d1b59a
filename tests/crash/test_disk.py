"""The disk is full, read-only or limited: a clear message, the right exit code, and nothing lost once it is not."""

from __future__ import annotations

import resource
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.disks import Disk, mounted
from tests.crash.sites import Sites
from tests.crash.verdict import judge, logs
from tests.web import Reply, ScriptedWeb, big_file, big_file_bytes, html
from tests.web.exchange import PIECE

PAGES = 120
SIZE = 200_000
"""Bytes of a page: 24 MB in all, which do not compress."""


@pytest.fixture
def heavy() -> Iterator[Sites]:
    """Serve two sites of heavy pages."""
    with ScriptedWeb(address="127.0.0.2") as one, ScriptedWeb(address="127.0.0.3") as two:
        urls: set[str] = set()
        for number, web in enumerate((one, two)):
            paths = [f"/{page}.bin" for page in range(PAGES // 2)]
            for index, path in enumerate(paths):
                body = b"".join(big_file_bytes(SIZE, seed=1000 * number + index))
                web.add(path, Reply(200, {"Content-Type": "application/octet-stream"}, body))
            web.add("/", html("home", paths))
            urls |= {web.url + path for path in ("/", *paths)}
        yield Sites([one, two], urls)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Mount a disk of 100 MB."""
    with mounted(tmp_path / "disk", "100m") as found:
        yield found


@pytest.mark.parametrize("megabytes", [3, 8, 14])
def test_a_full_disk_is_said_and_the_same_command_goes_on(megabytes: int, disk: Disk, heavy: Sites) -> None:
    folder = disk.path / "c"
    disk.leave(megabytes << 20)
    full = crawl(folder, heavy.seeds)
    assert full.wait() == 5, full.errors
    assert "Traceback" not in full.errors and "Exception" not in full.errors, full.errors
    assert full.errors.startswith("anansi: ")
    assert "free some space" in full.errors
    assert len(full.errors.splitlines()) == 1

    disk.relieve()
    again = crawl(folder, heavy.seeds)
    assert again.wait() == 0, again.errors
    verdict = heavy.judge(folder)
    assert verdict.sound, (verdict.lost[:3], verdict.invalid[:3])
    assert verdict.doubles <= 2 * 24


def test_a_disk_that_is_full_before_the_crawl_begins(disk: Disk, heavy: Sites) -> None:
    disk.leave(0)
    full = crawl(disk.path / "c", heavy.seeds)
    assert full.wait() == 5, full.errors
    assert full.errors.startswith("anansi: ") and len(full.errors.splitlines()) == 1
    disk.relieve()
    assert crawl(disk.path / "c", heavy.seeds).wait() == 0
    assert heavy.judge(disk.path / "c").sound


def test_a_disk_that_fills_up_while_a_long_body_comes(disk: Disk) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/film", "/1"]))
        web.add("/1", html("one"))
        web.add("/film", big_file(30 << 20))
        disk.leave(14 << 20)
        full = crawl(disk.path / "c", [web.url + "/"])
        assert full.wait() == 5, full.errors
        assert full.errors.startswith("anansi: ") and len(full.errors.splitlines()) == 1, full.errors
        assert "free some space" in full.errors
        disk.relieve()
        assert crawl(disk.path / "c", [web.url + "/"]).wait() == 0
        verdict = judge(Collection(disk.path / "c"), {web.url + path for path in ("/", "/1", "/film")}, [])
        assert verdict.sound, (verdict.lost, verdict.invalid[:3])


def test_a_disk_that_fills_up_when_the_index_is_merged(disk: Disk, small: Sites) -> None:
    folder = disk.path / "c"
    with Crawling(folder, small.seeds) as crawling:
        assert wait_until(lambda: crawling.events("crawl ends") or not crawling.running, every=0.0005)
        disk.leave(0)
        code = crawling.wait()
    assert code in (0, 5), crawling.errors
    assert "Traceback" not in crawling.errors
    disk.relieve()
    assert crawl(folder, small.seeds).wait() == 0
    verdict = small.judge(folder)
    assert verdict.sound and verdict.doubles == 0


def test_a_read_only_disk_is_said(disk: Disk, small: Sites) -> None:
    folder = disk.path / "c"
    assert crawl(folder, small.seeds).wait() == 0
    disk.remount("ro")
    refused = crawl(folder, small.seeds)
    assert refused.wait() == 5
    assert "read-only" in refused.errors.lower() and "Traceback" not in refused.errors
    assert len(refused.errors.splitlines()) == 1
    # What only reads goes on working.
    assert anansi("status", folder).returncode == 0
    assert anansi("check", folder).returncode == 0
    disk.remount("rw")
    assert crawl(folder, small.seeds).wait() == 0


def test_files_limited_in_size_are_said(tmp_path: Path, heavy: Sites) -> None:
    folder = tmp_path / "c"
    command = [sys.executable, "-m", "anansi.cli", "crawl", *heavy.seeds, "-o", str(folder), "--delay", "0"]
    limited = subprocess.run(
        [*command, "--workers", "2"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20)),
    )
    assert limited.returncode == 5, limited.stderr
    assert "Traceback" not in limited.stderr
    assert limited.stderr.startswith("anansi: ")
    assert crawl(folder, heavy.seeds).wait() == 0
    assert judge(Collection(folder), heavy.urls, logs(heavy.webs, [0, 0])).sound


def test_pieces_of_a_file_do_not_compress() -> None:
    """Guard the size of the heavy pages: were they to compress, no disk would fill up."""
    assert len(zlib.compress(b"".join(big_file_bytes(2 * PIECE)))) > 1.9 * PIECE
