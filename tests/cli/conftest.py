"""The command line as people meet it: arguments in, exit code and text out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anansi.cli import application
from anansi.errors import AnansiError
from tests.web import ScriptedWeb, html

PATIENCE = 240


@dataclass(frozen=True)
class Said:
    """What a command printed and how it ended."""

    code: int
    output: str
    errors: str

    @property
    def json(self) -> Any:
        """Return the one line of JSON that was printed."""
        (line,) = self.output.splitlines()
        return json.loads(line)


def anansi(*arguments: str | bytes | Path, cwd: Path | None = None) -> Said:
    """Run a command in a process of its own, as a shell does."""
    return said_by("anansi.cli", *arguments, cwd=cwd)


def said_by(module: str, *arguments: str | bytes | Path, cwd: Path | None = None) -> Said:
    """Run a command of a package that has its own."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        timeout=PATIENCE,
    )
    said = Said(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in said.errors, said.errors
    return said


def refused(*arguments: str | Path) -> Said:
    """Run a command that refuses what it is given, in this process: the same words, half a second sooner."""
    result = CliRunner().invoke(application(str(arguments[0])), [str(each) for each in arguments])
    error = result.exception
    if isinstance(error, AnansiError):
        return Said(error.exit_code, result.stdout, str(error))
    assert error is None or isinstance(error, SystemExit), repr(error)
    return Said(result.exit_code, result.stdout, result.stderr)


PAGES = [f"/{number}" for number in range(12)]


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    """A site of a dozen pages."""
    with ScriptedWeb() as served:
        served.add("/", html("home", PAGES))
        for path in PAGES:
            served.add(path, html(f"page {path}"))
        yield served


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Said]:
    """The collection that `anansi demo` makes, and what it said; made once, never changed."""
    folder = tmp_path_factory.mktemp("demo") / "example.org"
    return folder, anansi("demo", "-o", folder, "--json")
