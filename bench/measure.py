"""What every benchmark does alike: read its options, time commands, watch memory, print, judge.

A benchmark prints tables for people, then one line of JSON for programs. With `--check` it ends with code 1 when a
floor is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, NoReturn

PATIENCE = 1800.0
"""Seconds after which a command is killed: a benchmark never hangs."""

ENDING = 20.0
"""Seconds for a crawl to finish what is under way when it is asked to stop."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What a number must reach; `limit` is the least it may be, or the most."""

    name: str
    value: float
    limit: float
    most: bool = False

    @property
    def met(self) -> bool:
        """Tell whether the number is good enough."""
        return self.value <= self.limit if self.most else self.value >= self.limit


@dataclass(frozen=True, slots=True)
class Run:
    """What a command cost: wall clock and processor time, those of its children included."""

    seconds: float
    cpu: float
    code: int


def options(description: str | None) -> argparse.ArgumentParser:
    """Make the parser with the options that every benchmark has; from here on, being terminated cleans up, too."""
    signal.signal(signal.SIGTERM, _terminated)
    # what is measured starts as an installed program does, which has its bytecode: compiling takes 1.5 s each time
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=shown)
    parser.add_argument("--quick", action="store_true", help="small sizes: does it work, not how fast is it")
    parser.add_argument("--rounds", type=_count, default=3, metavar="N", help="rounds; medians are shown (default 3)")
    parser.add_argument("--check", action="store_true", help="end with code 1 when a floor is missed")
    return parser


def _terminated(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not cut the cleaning up short
    give_up("terminated")


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rounds, such as 3")
    return int(text)


def give_up(message: str) -> NoReturn:
    """End with what is missing and how to get it."""
    sys.exit(f"bench: {message}")


def run(command: Sequence[str | Path], folder: Path, *, good: Iterable[int] = (0,)) -> Run:
    """Run a command to its end and say what it cost; any other exit code than the good ones ends the benchmark."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with (folder / "output.txt").open("wb+") as output:
        try:
            with ended(subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)) as process:
                code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            give_up(f"{command[0]} did not end within {PATIENCE:.0f} s")
        seconds = time.perf_counter() - started
        if code not in good:
            output.seek(0)
            tail = output.read()[-2000:].decode(errors="replace")
            give_up(f"{' '.join(map(str, command))} ended with code {code}:\n{tail}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, cpu, code)


def middle(numbers: Iterable[float]) -> float:
    """Return the median of the rounds."""
    return median(numbers)


# ── processes ────────────────────────────────────────────────────────────────────────────────────────────────────


def resident(process: int) -> int:
    """Return the bytes of memory that a process holds; 0 when it is gone."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def processor_time(process: int) -> float:
    """Return the seconds of processor time that a process has used; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    """List the processes that a process started."""
    try:
        return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """End a process and what it started with the block, gently and then not."""
    try:
        yield process
    finally:
        started = children(process.pid)
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for each in started:
            _outlive(each)


def _outlive(process: int) -> None:
    """Wait until a process that lost its parent is gone, and kill it when it stays."""
    kill_at = time.monotonic() + ENDING
    while resident(process):
        if time.monotonic() > kill_at:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def disk_bytes(folder: Path) -> int:
    """Add up the sizes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


# ── printing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def machine() -> dict[str, Any]:
    """Say what the numbers were measured on, and how busy it was before."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def show_machine(facts: dict[str, Any]) -> None:
    """Print what the numbers were measured on."""
    print(" · ".join(f"{name} {value}" for name, value in facts.items()), flush=True)


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under headings; numbers stand right."""
    body = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *body, strict=True)]
    print()
    for line in [list(headings), ["-" * width for width in widths], *body]:
        cells = zip(line, widths, strict=True)
        first, rest = next(cells), list(cells)
        print("  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]).rstrip())
    sys.stdout.flush()


def _cell(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.1f}"


def conclude(name: str, facts: dict[str, Any], numbers: dict[str, Any], floors: list[Floor], *, check: bool) -> int:
    """Print the floors and the line of JSON; return the exit code."""
    rows = [
        (each.name, each.value, ("≤ " if each.most else "≥ ") + _cell(each.limit), _verdict(each)) for each in floors
    ]
    table(("floor", "measured", "asked", ""), rows)
    judged = [{**asdict(each), "met": each.met} for each in floors]
    print()
    print(
        json.dumps({"bench": name, "machine": facts, "numbers": numbers, "floors": judged}, default=float), flush=True
    )
    return 1 if check and not all(each.met for each in floors) else 0


def _verdict(floor: Floor) -> str:
    return "met" if floor.met else "MISSED"
