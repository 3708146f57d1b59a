#!/usr/bin/env python3
"""Set up what the project needs in `.venv` and run one of its jobs; needs Python 3.11 or newer and nothing else.

python3 dev.py demo            crawl the bundled example site and show what was kept
python3 dev.py check           every check: format, lint, types, architecture, tests, docs
python3 dev.py test [ARG…]     only the tests (arguments go to pytest)
python3 dev.py test-long       the tests that take minutes
python3 dev.py docs            write the generated pages of docs/reference
python3 dev.py lock            resolve requirements.lock anew
python3 dev.py run CMD [ARG…]  any command inside the environment
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENV = ROOT / ".venv"
BIN = ENV / "bin"
LOCK = ROOT / "requirements.lock"


def run(*command: str | Path) -> None:
    """Run a command of the environment, echoed; stop with its exit code when it fails."""
    print("$", *command, flush=True)
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    code = subprocess.run([str(part) for part in command], cwd=ROOT, env={**os.environ, "PATH": path}).returncode
    if code:
        sys.exit(code)


def set_up() -> None:
    """Make the environment from the lock file, once and again whenever the lock changes."""
    wanted = hashlib.sha256(
        LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes() + sys.version.encode()
    ).hexdigest()
    stamp = ENV / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print("setting up .venv (once) …", flush=True)
    venv.create(ENV, with_pip=True, clear=True)
    pip = (BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", LOCK)
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", ".")
    stamp.write_text(wanted)


def check() -> None:
    """Run every check, cheapest first."""
    run(BIN / "ruff", "format", "--check", ".")
    run(BIN / "ruff", "check", ".")
    run(BIN / "mypy")
    run(BIN / "python", "-m", "anansi.cli.reference", "--check")
    run(BIN / "pytest", "-n", "2", "--dist", "loadfile")


def lock() -> None:
    """Resolve the development environment into requirements.lock, with hashes and without index addresses."""
    run(BIN / "python", "-m", "pip", "install", "--quiet", "uv")
    run(
        BIN / "uv", "pip", "compile", "pyproject.toml", "--extra", "dev", "--extra", "bench", "--extra", "parquet",
        "--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-header",
        "--no-emit-index-url", "--no-emit-find-links", "--output-file", LOCK, "--quiet", "--upgrade",
        "--no-emit-package", "pip",
    )  # fmt: skip


def main(arguments: list[str]) -> None:
    """Set up, then do the job that was asked for."""
    job, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    jobs: dict[str, Callable[[], None]] = {
        "demo": lambda: run(BIN / "anansi", "demo", *rest),
        "check": check,
        "test": lambda: run(BIN / "pytest", *rest),
        "test-long": lambda: run(BIN / "pytest", "-m", "long", *rest),
        "docs": lambda: run(BIN / "python", "-m", "anansi.cli.reference"),
        "lock": lock,
        "run": lambda: run(*rest),
    }
    if job not in jobs:
        sys.exit(__doc__)
    if sys.version_info < (3, 11):  # noqa: UP036 - said to the person who runs an older Python
        sys.exit(f"Anansi needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    set_up()
    jobs[job]()


if __name__ == "__main__":
    main(sys.argv[1:])
