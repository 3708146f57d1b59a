"""`anansi` is installed, imported and run without the example site and the laboratory, which stand beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from anansi import __version__

ROOT = Path(__file__).parents[1]
BESIDE = {"anansi_demo", "anansi_lab"}
ABSENT = "import sys; sys.modules |= dict.fromkeys({names!r}); "
IMPORTED = """
import pkgutil, importlib, anansi
names = [each.name for each in pkgutil.walk_packages(anansi.__path__, "anansi.")]
for name in names:
    if not name.endswith("__main__"):  # which run
        importlib.import_module(name)
print(len(names))
"""


def alone(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter that has neither package."""
    command = [sys.executable, "-c", ABSENT.format(names=sorted(BESIDE)) + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return alone("from anansi.__main__ import main; main()", *arguments)


def test_every_module_is_imported() -> None:
    done = alone(IMPORTED)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300


def test_the_command_line_runs_and_leaves_out_what_is_not_there() -> None:
    done = command("--help")
    assert done.returncode == 0, done.stderr
    assert "\n  crawl " in done.stdout
    assert "\n  demo " not in done.stdout
    assert command("version").returncode == 0


def test_what_is_not_there_is_explained() -> None:
    done = command("demo")
    assert done.returncode == 2
    assert (
        "`anansi demo` needs anansi_demo, which is not installed; run `pip install ./src/anansi_demo`" in done.stderr
    )


@pytest.mark.parametrize("package", ["anansi", *sorted(BESIDE)])
def test_each_package_is_a_distribution_of_its_own(package: str, tmp_path: Path) -> None:
    copy = tmp_path / "project"
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    project = copy if package == "anansi" else copy / "src" / package
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
    ]
    subprocess.run([*build, str(project)], check=True, timeout=240)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"{package}-{__version__}-"), "the three have one version"
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    here = ROOT / "src" / package
    files = (path for path in here.rglob("*") if path.suffix in {".py", ".xml", ".rng", ".typed"})
    assert held == {str(path.relative_to(ROOT / "src")) for path in files}
