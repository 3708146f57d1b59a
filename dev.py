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
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENV = ROOT / ".venv"
BIN = ENV / "bin"
LOCK = ROOT / "requirements.lock"
RUN_LOCK = ROOT / "requirements-run.lock"
REPLAYWEB = "replaywebpage@2.4.6"
"""The package that replays what was packed, in tests: two scripts for a browser."""


def run(*command: str | Path) -> None:
    """Run a command of the environment, echoed; stop with its exit code when it fails."""
    print("$", *command, flush=True)
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    code = subprocess.run([str(part) for part in command], cwd=ROOT, env={**os.environ, "PATH": path}).returncode
    if code:
        sys.exit(code)


def set_up(*, develop: bool) -> None:
    """Make the environment from a lock file, once and again whenever the lock changes: to crawl, or to develop."""
    if _is_set_up(LOCK) or (not develop and _is_set_up(RUN_LOCK)):
        return
    lock = LOCK if develop else RUN_LOCK
    print("setting up .venv (once) …", flush=True)
    venv.create(ENV, with_pip=True, clear=True)
    pip = (BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", lock)
    run(*pip, "--no-deps", *(["--no-build-isolation"] if develop else []), "--editable", ".")
    _stamp(lock).write_text(_wanted(lock))


def _is_set_up(lock: Path) -> bool:
    stamp = _stamp(lock)
    return stamp.exists() and stamp.read_text() == _wanted(lock)


def _stamp(lock: Path) -> Path:
    return ENV / ("installed" if lock == LOCK else "installed-to-run")


def _wanted(lock: Path) -> str:
    return hashlib.sha256(
        lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes() + sys.version.encode()
    ).hexdigest()


def set_up_replay() -> None:
    """Put ReplayWeb.page beside the environment, for the tests of replay; without npm these are skipped."""
    target = ENV / "replaywebpage"
    if (target / "sw.js").exists() or shutil.which("npm") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", REPLAYWEB, "--pack-destination", folder]
        if subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL).returncode:
            print(f"{REPLAYWEB} cannot be had from the registry: tests of replay with it are skipped", flush=True)
            return
        target.mkdir(exist_ok=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as packed:
            for name in ("ui.js", "sw.js"):
                found = packed.extractfile(f"package/{name}")
                assert found is not None
                (target / name).write_bytes(found.read())


def check() -> None:
    """Run every check, cheapest first."""
    set_up_replay()
    run(BIN / "ruff", "format", "--check", ".")
    run(BIN / "ruff", "check", ".")
    run(BIN / "mypy")
    run(BIN / "python", "-m", "anansi.cli.reference", "--check")
    run(BIN / "pytest", "-n", "2", "--dist", "loadfile")


def lock() -> None:
    """Resolve both environments into their lock files, with hashes and without index addresses."""
    run(BIN / "python", "-m", "pip", "install", "--quiet", "uv")
    how = (
        BIN / "uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--quiet",
        "--generate-hashes", "--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links",
        "--no-emit-package", "pip",
    )  # fmt: skip
    extras = (part for name in ("dev", "bench", "parquet") for part in ("--extra", name))
    run(*how, *extras, "--upgrade", "--output-file", LOCK)
    run(*how, "--constraint", LOCK, "--output-file", RUN_LOCK)


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
    set_up(develop=job != "demo")
    jobs[job]()


if __name__ == "__main__":
    main(sys.argv[1:])
