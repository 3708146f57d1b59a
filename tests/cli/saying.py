"""Commands run as people type them: how they end, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from anansi.cli import app
from anansi.errors import UserError


def run(command: str, *arguments: str | Path) -> tuple[int, str]:
    """Run a command; return its exit code, and what it printed or was refused with."""
    result = CliRunner().invoke(app, [command, *map(str, arguments)], env={"COLUMNS": "200"})
    if isinstance(result.exception, UserError):
        return result.exception.exit_code, str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def run_json(command: str, *arguments: str | Path) -> dict[str, Any]:
    """Run a command that must end well, and read the JSON that it prints."""
    code, said = run(command, *arguments, "--json")
    assert code == 0, said
    found: dict[str, Any] = json.loads(said)
    return found
