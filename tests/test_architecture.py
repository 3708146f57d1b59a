"""The shape of the code: imports point down, stages that decide touch nothing, the core stands without the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import anansi

ROOT = Path(anansi.__file__).parent
BESIDE = ("anansi_demo", "anansi_lab")
"""Packages that stand on `anansi`, and on which nothing stands: the example site, and the laboratory."""

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "url", "state", "model", "config", "chunks", "framing", "clock", "markup"}),  # the ground
    frozenset({"text"}),  # texts, and the pages that they stand on
    frozenset({"knowledge"}),  # what is known about applications
    frozenset({"frontier", "fetch", "archive"}),  # what is due, what came, what is kept
    frozenset({"pages"}),  # page → recognition, links, objects, by what is known
    frozenset({"induce"}),  # where author, date, title and text stand in markup that nobody described
    frozenset({"adapt", "learn", "feeds", "focus"}),  # what is not known: mended, learned, told by feeds, sought
    frozenset({"evaluate"}),  # crawls compared
    frozenset({"crawl"}),  # the stages in order and the processes that run them: where all of these meet
    frozenset({"inspection"}),  # a page or a collection, for who asks about it
    frozenset({"service"}),  # processes that answer other programs
    frozenset({"cli", "scrapy"}),
    frozenset({"__main__"}),
)
GROUND = LAYERS[0]
ONLY = {"errors": set[str](), "state": set[str](), "model": {"state"}, "chunks": set[str](), "markup": set[str]()}
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
    "adapt",
    "feeds",
    "focus",
    "induce",
    "knowledge",
    "learn",
    "pages",
    "text",
    "url",
    "state",
    "model",
    "chunks",
    *(f"frontier.{name}" for name in DECIDING),
)
"""What takes the time and chance as arguments and touches neither disk nor network."""
EXCEPT = {"knowledge.shelf": {"pathlib"}}
"""What a pure part needs all the same: the shelf reads the files of entries."""
READS_DATES = ("pages", "focus", "text", "feeds.objects", "feeds.dating")
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
    "adapt",
    "archive",
    "crawl.stages",
    "crawl.pipeline",
    "feeds",
    "focus",
    "frontier",
    "induce",
    "knowledge",
    "learn",
    "pages",
    "text",
    "url",
    "state",
    "model",
    "config",
    "cli",
)

UNTESTED = 119
"""Modules of the core without a test of their name, `tests/<package>/test_<module>.py`; it may only fall."""

VAGUE = ("util", "utils", "helper", "helpers", "common", "manager", "managers", "misc", "base", "core")


@cache
def every() -> dict[str, ast.Module]:
    """Parse every module of the packages, by its full name."""
    found = {}
    for package in (ROOT.name, *BESIDE):
        for path in sorted((ROOT.parent / package).rglob("*.py")):
            parts = path.relative_to(ROOT.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def modules() -> dict[str, ast.Module]:
    """Return the modules of the core, by their names below `anansi`."""
    return {name.partition(".")[2]: tree for name, tree in every().items() if part(name) == "anansi"}


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full names of what a module imports, `from` names included where they are modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they point"
            assert node.module is not None
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            own = [name for name in below if name in every()]
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


@pytest.mark.parametrize("module", list(every()))
def test_nothing_stands_on_the_example_site_or_the_laboratory(module: str) -> None:
    others = {part(name) for name in imported(every()[module])} & set(BESIDE)
    assert others <= {part(module)} & set(BESIDE), f"{module} must not import {sorted(others)}"


@pytest.mark.parametrize("module", [name for name in every() if part(name) == "anansi_demo"])
def test_the_example_site_knows_nothing_of_the_crawler_but_its_errors(module: str) -> None:
    if module != "anansi_demo.command":  # it crawls the site
        assert ours(every()[module]) <= {"errors"}


def test_no_module_stands_on_itself() -> None:
    needs = {name: set(imported(tree)) & every().keys() for name, tree in every().items()}
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


@pytest.mark.parametrize("module", [name for name in CODE if part(name) != "cli"])
def test_only_the_command_line_prints(module: str) -> None:
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


@pytest.mark.parametrize("module", list(every()))
def test_nothing_imports_everything(module: str) -> None:
    for node in ast.walk(every()[module]):
        if isinstance(node, ast.ImportFrom):
            assert all(alias.name != "*" for alias in node.names)


def test_every_package_says_what_it_does_step_by_step() -> None:
    packages = (
        "knowledge",
        "text",
        "frontier",
        "pages",
        "fetch",
        "induce",
        "adapt",
        "learn",
        "feeds",
        "focus",
        "archive",
        "crawl",
        "crawl.stages",
        "crawl.report",
        "crawl.restore",
        "inspection",
        "service",
        "evaluate",
    )
    for package in (*(f"anansi.{name}" for name in packages), *BESIDE):
        said = ast.get_docstring(every()[package]) or ""
        assert "1. " in said, f"{package} has no numbered list"
        files = {path.stem for path in ROOT.parent.joinpath(*package.split(".")).glob("*.py")} - {"__init__"}
        named = [name for name in files if f"`{name}`" in said]
        assert named, f"{package} names none of its modules"


def test_tests_mirror_the_source() -> None:
    files = [path.relative_to(ROOT) for path in ROOT.rglob("*.py") if not path.stem.startswith("__")]
    files = [path for path in files if path.name != "settings.py"]  # numbers alone
    tests = Path(__file__).parent
    missing = [path for path in files if not (tests / path.parent / f"test_{path.name}").exists()]
    names = ", ".join(sorted(map(str, missing)))
    assert len(missing) <= UNTESTED, f"{len(missing)} modules have no test of their name: {names}"


@pytest.mark.parametrize("module", [name for name in CODE if name.endswith(".settings")])
def test_every_number_of_a_package_says_what_it_means(module: str) -> None:
    (settings,) = (node for node in modules()[module].body if isinstance(node, ast.ClassDef))
    fields = [place for place, node in enumerate(settings.body) if isinstance(node, ast.AnnAssign)]
    for place in fields:
        below = settings.body[place + 1] if place + 1 < len(settings.body) else None
        said = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
        assert isinstance(said, str) and len(said) > 10, ast.unparse(settings.body[place])
    assert fields
    how = ast.get_docstring(modules()[module]) or ""
    assert "found" in how or "measured" in how, f"anansi.{module} does not say how its numbers were found"
