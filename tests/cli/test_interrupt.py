"""Ctrl-C at any moment: one line, the code that is documented, and no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anansi.crawl.run import EXIT_CODES
from anansi.errors import INTERRUPTED, INTERRUPTION
from tests.web import ScriptedWeb, html

LATE = """
import sys, time
from anansi.crawl import run
def wait(*_): print(flush=True); time.sleep(30)
run.repair = wait
from anansi.cli import main
main()
"""


def interrupted(program: str, arguments: list[str], delay: float) -> tuple[int, str]:
    """Run a program that prints a line when it is to be interrupted; return its exit code and what it complained."""
    command = (sys.executable, "-c", program, *arguments)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, complained = process.communicate(timeout=60)
        return process.returncode, complained


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.2, 0.3, 0.4, 0.6, 0.9])
def test_while_a_command_starts(tmp_path: Path, delay: float) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/a"]))
        web.add("/a", html("A"))
        program = "import anansi.__main__ as start; start.signal.signal(2, start._end); "
        program += "print(flush=True); start.main()"
        arguments = ["crawl", f"{web.url}/", "-o", str(tmp_path / "c"), "--delay", "5"]
        code, complained = interrupted(program, arguments, delay)
    assert complained in ("", f"anansi: {INTERRUPTION}\n"), "nothing when the crawl had begun, and ended by itself"
    assert code == INTERRUPTED == EXIT_CODES["interrupted"]


def test_while_a_command_works(tmp_path: Path) -> None:
    arguments = ["crawl", "http://127.0.0.1:9/", "-o", str(tmp_path / "c")]
    code, complained = interrupted(LATE, arguments, 0.1)
    assert complained == "anansi: interrupted; run the same command again\n"
    assert code == INTERRUPTED
