"""A crawl as a process that a test can watch, signal and kill.

crawl = Crawling(folder, seeds)
crawl.wait_for_page()
crawl.kill_hub()
crawl = Crawling(folder, seeds)
assert crawl.wait() == 0
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from anansi.archive.layout import Collection

PATIENCE = 120.0
"""Seconds that anything a test waits for may take before it counts as hanging."""
MARK = "ANANSI_TEST_CRAWL"
"""Environment variable that every process of one crawl carries, so that none is overlooked afterwards."""


def is_pending(pid: int, number: signal.Signals) -> bool:
    """Tell whether a signal waits to be taken by a process."""
    masks = re.findall(r"^(?:Shd|Sig)Pnd:\s*([0-9a-f]+)$", Path(f"/proc/{pid}/status").read_text(), re.M)
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


def wait_until(what: Callable[[], object], seconds: float = PATIENCE, *, every: float = 0.002) -> bool:
    """Wait until something is true; return whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True


class Crawling:
    """One run of `anansi crawl`.

    Mutable state: the process, and `_known` (workers seen so far, for the search for orphans).
    """

    def __init__(
        self,
        folder: Path,
        seeds: Sequence[str],
        options: Sequence[str] = ("--delay", "0"),
        workers: int = 2,
        verb: str = "crawl",
    ):
        self.collection = Collection(folder)
        self._mark = uuid.uuid4().hex
        strategy = () if "--strategy" in options or verb != "crawl" else ("--strategy", "blind")
        command = [sys.executable, "-m", "anansi.cli", verb, *seeds, "-o", str(folder), *strategy]
        command.append("--no-requisites")
        self.began = time.monotonic()
        self._process = subprocess.Popen(
            [*command, "--workers", str(workers), *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: self._mark},
        )
        self.output = self.errors = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing running behind, whatever the test did."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.wait()

    @property
    def pid(self) -> int:
        """Return the hub's process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Tell whether the hub runs."""
        return self._process.poll() is None

    @property
    def age(self) -> float:
        """Return the seconds since it was started."""
        return time.monotonic() - self.began

    def workers(self) -> list[int]:
        """List the hub's living children."""
        found = []
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{self.pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    found += [int(pid) for pid in (task / "children").read_text().split()]
        return [pid for pid in found if _is_alive(pid)]

    def processes(self) -> list[int]:
        """List every living process of this crawl, also those whose hub is gone."""
        found = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
        return [pid for pid in found if self._owns(pid)]

    def _owns(self, pid: int) -> bool:
        try:
            return f"{MARK}={self._mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes() and _is_alive(pid)
        except OSError:
            return False

    def wait_for_workers(self, count: int = 2) -> bool:
        """Wait until the workers have been started."""
        return wait_until(lambda: len(self.workers()) >= count or not self.running) and self.running

    def wait_for_page(self) -> bool:
        """Wait until something was archived (a file that holds more than its warcinfo record), or the crawl ended."""
        return wait_until(lambda: self._archived() > 1500 or not self.running) and self.running

    def _archived(self) -> int:
        with contextlib.suppress(OSError):
            return max((path.stat().st_size for path in self.collection.archive.iterdir()), default=0)
        return 0

    def was_told(self, number: signal.Signals) -> bool:
        """Wait until a signal has reached the hub: two at a time are one."""
        return wait_until(lambda: not is_pending(self.pid, number))

    def signal(self, number: signal.Signals) -> None:
        """Send the hub a signal."""
        self._process.send_signal(number)

    def kill_hub(self) -> None:
        """Kill the hub and see its workers end by themselves."""
        self._process.kill()
        self.wait()
        assert wait_until(lambda: not self.processes(), every=0.02), f"orphans: {self.processes()}"

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the end and return the exit code; what it said is in `output` and `errors`."""
        try:
            output, errors = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            for pid in self.processes():
                os.kill(pid, signal.SIGKILL)
            output, errors = self._process.communicate()
            raise AssertionError(f"the crawl did not end in {seconds} s; it said: {errors[-2000:]}") from None
        self.output, self.errors = output or "", errors or ""
        return self._process.returncode

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the events of one kind that the collection's log holds."""
        return [event for event in events(self.collection) if event["event"] == name]


def events(collection: Collection) -> list[dict[str, Any]]:
    """Read the log of events, without a line that a crash cut."""
    found = []
    lines = collection.events.read_text(encoding="utf-8").splitlines() if collection.events.exists() else []
    for line in lines:
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def _is_alive(pid: int) -> bool:
    """Tell whether a process lives; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def crawl(folder: Path, seeds: Sequence[str], options: Sequence[str] = ("--delay", "0")) -> Crawling:
    """Run a crawl to its end."""
    with Crawling(folder, seeds, options) as crawling:
        crawling.wait()
    return crawling


def anansi(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run any command of Anansi's to its end."""
    command = [sys.executable, "-m", "anansi.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
