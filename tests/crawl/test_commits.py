"""What the frontier commits waits for the disk, in groups."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import cast

import pytest

from anansi.crawl import commits as module
from anansi.crawl.commits import Commits
from anansi.crawl.journal import Journal
from anansi.errors import DiskError
from anansi.frontier.protocol import Frontier


class Disk:
    """A frontier and a journal that tell in which order they are called; syncs wait until they may go on."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.held = 0
        self.may_sync = threading.Event()
        self.may_sync.set()
        self.error: DiskError | None = None

    def hold(self, told: object) -> None:
        self.calls.append("hold" if told is not None else "let go")

    def seal(self) -> None:
        self.calls.append("seal")

    def write(self) -> None:
        self.calls.append("write")

    def flush(self) -> None:
        self.calls.append("flush")

    def sync(self) -> None:
        assert self.may_sync.wait(60)
        if self.error is not None:
            raise self.error
        self.calls.append("sync")


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no pause between two groups."""
    monkeypatch.setattr(module, "PAUSE", 0.0)


def made(disk: Disk, failures: list[Exception] | None = None) -> Commits:
    """Make what is tested."""
    seen: list[Exception] = failures if failures is not None else []
    return Commits(cast(Frontier, disk), cast(Journal, disk), seen.append)


GROUP = ["flush", "seal", "sync", "write"]


def test_what_is_sealed_is_written_after_the_logs_are_synced() -> None:
    async def run(disk: Disk) -> None:
        commits = made(disk)
        commits.begin()
        await commits.written()
        assert disk.calls == ["hold", *GROUP]
        await commits.finish()

    disk = Disk()
    asyncio.run(run(disk))
    assert disk.calls == ["hold", *GROUP, *GROUP, "let go"]


def test_what_comes_while_the_disk_works_waits_for_the_next_group() -> None:
    async def run(disk: Disk) -> None:
        commits = made(disk)
        commits.begin()
        disk.may_sync.clear()
        first = asyncio.create_task(commits.written())
        while "seal" not in disk.calls:
            await asyncio.sleep(0.001)
        second = asyncio.create_task(commits.written())
        await asyncio.sleep(0.01)
        assert not first.done() and "write" not in disk.calls
        disk.may_sync.set()
        await first
        assert not second.done()
        await second
        await commits.finish()

    disk = Disk()
    asyncio.run(run(disk))
    assert disk.calls == ["hold", *GROUP * 3, "let go"]


def test_files_that_workers_name_are_synced_once_with_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    monkeypatch.setattr(module, "sync_file", lambda path: disk.calls.append(path.name))
    monkeypatch.setattr(module, "sync_folder", lambda path: disk.calls.append(f"{path.name}/"))

    async def run() -> None:
        commits = made(disk)
        commits.begin()
        for _ in range(2):
            commits.need([str(tmp_path / "archive" / "a.warc.gz.open")])
            await commits.written()
        await commits.finish()

    asyncio.run(run())
    first = ["flush", "seal", "a.warc.gz.open", "archive/", "sync", "write"]
    second = ["flush", "seal", "a.warc.gz.open", "sync", "write"]
    assert disk.calls == ["hold", *first, *second, *GROUP, "let go"]


def test_a_file_that_was_finished_meanwhile_is_no_mistake(tmp_path: Path) -> None:
    async def run(disk: Disk) -> None:
        commits = made(disk)
        commits.begin()
        commits.need([str(tmp_path / "gone.warc.gz.open")])
        await commits.finish()

    disk = Disk()
    asyncio.run(run(disk))
    assert disk.calls[-2:] == ["write", "let go"]


def test_what_cannot_be_synced_is_never_written() -> None:
    failures: list[Exception] = []

    async def run(disk: Disk) -> None:
        commits = made(disk, failures)
        commits.begin()
        waiting = asyncio.create_task(commits.written())
        while not failures:
            await asyncio.sleep(0.001)
        await commits.finish()
        assert not waiting.done()
        waiting.cancel()

    disk = Disk()
    disk.error = DiskError("the disk failed")
    asyncio.run(run(disk))
    assert failures == [disk.error]
    assert "write" not in disk.calls and "let go" not in disk.calls


def test_a_disk_that_hangs_stops_the_turns() -> None:
    async def run(disk: Disk) -> None:
        commits = made(disk)
        assert not commits.behind
        disk.held = module.MOST_CHANGES + 1
        assert commits.behind

    asyncio.run(run(Disk()))
