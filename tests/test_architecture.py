"""The shape of the code: imports point down, parts stay small, stages that decide touch nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import anansi

ROOT = Path(anansi.__file__).parent

LAYERS: tuple[frozenset[str], ...] = (
    frozenset(
        {"errors", "url", "model", "config", "chunks", "framing", "markup", "clock"}
    ),  # the ground, whose parts may stand on each other
    frozenset({"knowledge", "language"}),  # what is known about applications, and about what texts are written in
    frozenset(
        {"frontier", "fetch", "recognise", "act", "learn", "feeds", "focus", "archive", "demo"}
    ),  # stages, which never import each other
    frozenset({"adapt"}),  # rules that failed, mended by what recognising and acting do
    frozenset({"awareness", "evaluate"}),  # where recognising and acting meet; crawls compared
    frozenset(
        {"mending", "proposing", "articles", "reading", "revision"}
    ),  # where knowing meets adapting, learning and feeds; bytes and meaning
    frozenset({"watching", "focus_reader", "suspecting"}),  # where reading meets feeds, focus, and gaps
    frozenset({"crawl", "inspection"}),  # where stages meet: for a crawl, and for who asks about a page
    frozenset({"service"}),  # processes that answer other programs
    frozenset({"workers"}),  # processes of a crawl
    frozenset({"cli", "scrapy"}),
    frozenset({"__main__"}),
)
GROUND = LAYERS[0]
ONLY = {"demo": {"errors"}, "errors": set[str](), "model": set[str](), "chunks": set[str](), "markup": set[str]()}
"""Parts that need less than their layer allows."""

DECIDING = (
    "lifecycle",
    "policy",
    "politeness",
    "priority",
    "record",
    "schedule",
    "scope",
    "site",
    "traps",
    "turn",
    "mazes",
)
PURE = (
    "act",
    "adapt",
    "awareness",
    "feeds",
    "focus",
    "knowledge",
    "language",
    "learn",
    "recognise",
    "url",
    "model",
    "chunks",
    "markup",
    *(f"frontier.{name}" for name in DECIDING),
)
"""What takes the time and chance as arguments and touches neither disk nor network."""
EXCEPT = {"knowledge.shelf": {"pathlib"}}
"""What a pure part needs all the same: the shelf reads the files of entries."""
READS_DATES = ("act", "focus", "language", "feeds.objects", "feeds.dating")
"""Parts that may know the calendar, but never ask the clock."""
CLOCKS = {"time", "datetime", "random", "secrets", "uuid"}
EDGES = {
    "os",
    "io",
    "pathlib",
    "tempfile",
    "socket",
    "subprocess",
    "asyncio",
    "threading",
    "logging",
    "pycurl",
    "rocksdict",
}
SYNCHRONOUS = (
    "act",
    "adapt",
    "mending",
    "archive",
    "awareness",
    "feeds",
    "focus",
    "frontier",
    "knowledge",
    "language",
    "learn",
    "recognise",
    "url",
    "model",
    "config",
    "crawl",
    "cli",
)

VAGUE = ("util", "utils", "helper", "helpers", "common", "manager", "managers", "misc", "base", "core")
LONGEST_FUNCTION = 60


@cache
def modules() -> dict[str, ast.Module]:
    """Parse every module of the package, by its name below `anansi`."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full names of what a module imports, `from` names included where they are modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they point"
            assert node.module is not None
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            own = [name for name in below if name.removeprefix("anansi.") in modules()]
            yield from own or [node.module]


def ours(tree: ast.Module) -> set[str]:
    """Return the modules of the package that a module imports."""
    return {name.removeprefix("anansi.") for name in imported(tree) if name.startswith("anansi.")}


def part(module: str) -> str:
    return module.partition(".")[0]


def layer(name: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if name in parts)


def belongs(module: str, parts: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in parts)


CODE = [name for name in modules() if name]


def test_every_part_has_its_layer() -> None:
    assert {part(name) for name in CODE} <= frozenset().union(*LAYERS)


@pytest.mark.parametrize("module", CODE)
def test_imports_point_down(module: str) -> None:
    own = part(module)
    for other in map(part, ours(modules()[module])):
        below = layer(other) < layer(own) or (other in GROUND and own in GROUND)
        assert other == own or below, f"anansi.{module} must not import anansi.{other}"
        assert other == own or other in ONLY.get(own, {other}), f"anansi.{own} may import {sorted(ONLY[own])} only"


def test_no_module_stands_on_itself() -> None:
    needs = {name: ours(tree) & modules().keys() for name, tree in modules().items()}
    standing: set[str] = set()
    while len(standing) < len(needs):
        free = {name for name, others in needs.items() if name not in standing and others <= standing}
        assert free, f"these import each other in a circle: {sorted(needs.keys() - standing)}"
        standing |= free


@pytest.mark.parametrize("module", CODE)
def test_a_module_is_named_for_what_it_is(module: str) -> None:
    assert module.rpartition(".")[2].strip("_") not in VAGUE
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.ClassDef):
            assert not node.name.startswith("Base")
            assert not node.name.endswith(("Manager", "Helper", "Util"))


def path_of(module: str) -> Path:
    path = Path(*module.split(".")) if module else Path()
    return path / "__init__.py" if (ROOT / path).is_dir() else path.with_suffix(".py")


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_functions_are_short() -> None:
    long = {
        f"{name}.{each.name}": each.end_lineno - each.lineno + 1
        for name, tree in modules().items()
        for each in functions(tree)
        if each.end_lineno is not None and each.end_lineno - each.lineno >= LONGEST_FUNCTION
    }
    assert long == {}


def test_most_functions_are_very_short() -> None:
    lengths = sorted(
        each.end_lineno - each.lineno + 1
        for tree in modules().values()
        for each in functions(tree)
        if each.end_lineno
    )
    assert lengths[len(lengths) // 2] <= 10
    assert lengths[len(lengths) * 9 // 10] <= 30


@pytest.mark.parametrize("module", [name for name in CODE if part(name) != "cli"])
def test_only_the_command_line_prints(module: str) -> None:
    if module == "demo.server":
        pytest.skip("it is a command of its own, too")
    for node in ast.walk(modules()[module]):
        called = node.func if isinstance(node, ast.Call) else None
        assert not (isinstance(called, ast.Name) and called.id == "print"), f"anansi.{module} prints"


@pytest.mark.parametrize("module", [name for name in CODE if belongs(name, PURE)])
def test_what_decides_knows_no_clock_no_chance_and_no_disk(module: str) -> None:
    allowed = EXCEPT.get(module, set()) | ({"datetime"} if belongs(module, READS_DATES) else set())
    assert not ({name.partition(".")[0] for name in imported(modules()[module])} & (CLOCKS | EDGES)) - allowed


@pytest.mark.parametrize("module", [name for name in CODE if belongs(name, READS_DATES)])
def test_what_reads_dates_does_not_ask_the_clock(module: str) -> None:
    asked = {node.attr for node in ast.walk(modules()[module]) if isinstance(node, ast.Attribute)}
    assert not asked & {"now", "utcnow", "today"}


@pytest.mark.parametrize("module", [name for name in CODE if belongs(name, SYNCHRONOUS)])
def test_waiting_is_done_at_the_edges_only(module: str) -> None:
    for node in ast.walk(modules()[module]):
        assert not isinstance(node, ast.AsyncFunctionDef | ast.Await), f"anansi.{module} waits"


@pytest.mark.parametrize("module", list(modules()))
def test_nothing_imports_everything(module: str) -> None:
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.ImportFrom):
            assert all(alias.name != "*" for alias in node.names)


def test_every_package_says_what_it_does_step_by_step() -> None:
    packages = (
        "knowledge",
        "language",
        "frontier",
        "fetch",
        "recognise",
        "act",
        "adapt",
        "learn",
        "feeds",
        "focus",
        "archive",
        "inspection",
        "workers",
        "service",
        "demo",
    )
    for package in packages:
        said = ast.get_docstring(modules()[package]) or ""
        assert "1. " in said, f"anansi.{package} has no numbered list"
        files = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
        named = [name for name in files if f"`{name}`" in said]
        assert named, f"anansi.{package} names none of its modules"
