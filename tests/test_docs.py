"""The documentation says what the code does: nothing undocumented, nothing invented, no link into the void."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer

from anansi import __version__, config, errors
from anansi.cli import app, reference
from anansi.cli.check import SHORT_CODE
from anansi.crawl.report.summary import read_summary
from anansi.crawl.run import EXIT_CODES
from anansi.fetch.retry import HERITRIX
from anansi.focus.definition import doubts
from anansi.frontier.lifecycle import TABLE
from anansi.model import Fault, Reason
from anansi_demo.server import DemoServer
from anansi_lab.cli import application as laboratory

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "anansi"
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
STAGES = ("text", "frontier", "fetch", "archive", "pages", "induce", "adapt", "learn", "feeds", "focus", "crawl")
SECTIONS = {name: section for name, section in config.sections() if name and "." not in name}
GROUPS = {name.rpartition(".")[2] for name, section in config.sections() if section is config.Weights} | set(SECTIONS)
"""Fields that are sections themselves."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
_SPAN = re.compile(r"``(.+?)``(?!`)|`([^`\n]+)`")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _prose(page: Path) -> str:
    return _FENCE.sub("", _text(page))


def _spans(page: Path) -> Iterator[str]:
    """Yield what stands between backticks."""
    for double, single in _SPAN.findall(_prose(page)):
        yield double or single


def _tables(page: Path) -> dict[str, list[list[str]]]:
    """Read a page's tables: the first heading → the rows of all tables that begin with it."""
    tables: dict[str, list[list[str]]] = {}
    rows: list[list[str]] | None = None
    for line in _prose(page).splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if not cells:
            rows = None
        elif rows is None:
            rows = tables.setdefault(cells[0], [])
        elif not set(cells[0]) <= {"-", ":"} or not cells[0]:
            rows.append(cells)
    return tables


def _first_cells(page: Path, heading: str) -> set[str]:
    return {cells[0].strip("`") for cells in _tables(page)[heading]}


@cache
def _messages() -> tuple[str, ...]:
    """Collect every text of the source, `…` for what is filled in."""
    found = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values)
                found.append("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(re.sub(r"\{[^}]*\}", "…", node.value))
    return tuple(found)


# ── generated pages ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_generated_pages_fit_the_code() -> None:
    assert reference.outdated(reference.FOLDER) == [], "run `python3 dev.py docs`"


def test_a_page_that_does_not_fit_is_named_with_its_cure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(["--check", str(tmp_path)]) == 1
    assert reference.main([str(tmp_path)]) == 0
    assert reference.main(["--check", str(tmp_path)]) == 0
    capsys.readouterr()
    with (tmp_path / "cli.md").open("a") as page:
        page.write("| `--more` | never declared |\n")
    assert reference.main(["--check", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert str(tmp_path / "cli.md") in told
    assert "python3 dev.py docs" in told
    assert "settings.md" not in told


def test_a_folder_that_cannot_be_written_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert reference.main([str(tmp_path / "file" / "folder")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_the_pages_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = reference.cli_page(), reference.settings_page()
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TERM", "dumb")
    assert (reference.cli_page(), reference.settings_page()) == wide


def test_every_command_and_option_is_described() -> None:
    page = _text(DOCS / "reference" / "cli.md")
    for name, command, _ in reference.commands():
        section = page.partition(f"\n## anansi {name}\n")[2].partition("\n## ")[0]
        for each in command.params:
            assert each.help, f"{name}: {each.name} has no help"
            spelled = each.metavar if each.param_type_name == "argument" else each.opts[-1]
            row = next((line for line in section.splitlines() if f"`{spelled}`" in line.split(" | ")[0]), "")
            assert each.help in row, f"{name}: {spelled} is not described"


def test_every_setting_is_described_with_its_default() -> None:
    page = _text(DOCS / "reference" / "settings.md")
    for name, section in config.sections():
        part = page.partition(f"\n## `{name}`\n" if name else "\n## Top level\n")[2].partition("\n## ")[0]
        for field in msgspec.structs.fields(section):
            row = next((line for line in part.splitlines() if line.startswith(f"| `{field.name}` |")), "")
            assert row, f"{name}.{field.name} is missing"
            if field.name in GROUPS:
                continue
            about = config.about(section, field.name)
            assert about, f"{name}.{field.name} has no meaning"
            assert about in row
            if field.required:
                assert "| must be given |" in row
                continue
            default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
            assert f"| `{default if isinstance(default, str) else json.dumps(default)}` |" in row


# ── everything is described ──────────────────────────────────────────────────────────────────────────────────────


def test_every_exit_code_is_described_and_no_other() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    given = {each.exit_code for each in classes if issubclass(each, errors.AnansiError)} | set(EXIT_CODES.values())
    given.add(SHORT_CODE)
    assert _first_cells(DOCS / "reference" / "exit-codes.md", "code") == {str(code) for code in given}


def test_every_reason_is_described_and_no_other() -> None:
    assert _first_cells(DOCS / "reference" / "collection.md", "reason") == {reason.value for reason in Reason}


def test_every_fault_and_its_code_is_described() -> None:
    answers = _first_cells(DOCS / "stages" / "fetch.md", "answer")
    codes = _first_cells(DOCS / "reference" / "collection.md", "code")
    for fault in Fault:
        assert fault.value in answers
        assert str(HERITRIX[fault]).replace("-", "−") in codes, fault


def test_every_event_is_described_and_no_other() -> None:
    told = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "event":
                told |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    assert told
    assert _first_cells(DOCS / "reference" / "collection.md", "event") == told


def test_every_plug_is_described_and_exists() -> None:
    described = {cells[0].strip("`"): cells[1].strip("`") for cells in _tables(DOCS / "architecture.md")["plug"]}
    plugs = {}
    for path in SOURCE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for found in re.finditer(r'^(?:class (\w+)\(Protocol\):|(\w+) = Callable\[.*)\n\s*"""The plug', source, re.M):
            plugs[found[1] or found[2]] = str(path.relative_to(ROOT))
    assert "Address" in plugs
    assert described == plugs


def test_every_dependency_earns_its_place() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    wanted = {re.split(r"[<>=\[ ]", each)[0] for each in project["dependencies"]}
    rows = _first_cells(DOCS / "decisions" / "0001-libraries.md", "dependency")
    assert {name for row in rows for name in row.split(", ")} == wanted


@pytest.mark.parametrize("stage", STAGES)
def test_every_module_of_a_stage_is_described(stage: str) -> None:
    files = [path for path in (SOURCE / stage).rglob("*.py") if path.stem != "__init__"]
    modules = {path.relative_to(SOURCE / stage).with_suffix("").as_posix() for path in files}
    page = DOCS / "stages" / f"{stage}.md"
    rows = {name.strip("` ") for cells in _tables(page).get("module", []) for name in cells[0].split(",")}
    assert (rows or modules & set(_spans(page))) == modules


# ── what is said is so ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_life_cycle_is_the_table_of_the_program() -> None:
    rows = {tuple(cells) for cells in _tables(DOCS / "architecture.md")["state"]}
    expected = {
        (state.name.lower(), event.name.lower().replace("_", " "), after.name.lower())
        for state, events in TABLE.items()
        for event, after in events.items()
    }
    assert rows == expected


def test_every_stage_says_its_limits() -> None:
    assert [stage for stage in STAGES if not _tables(DOCS / "stages" / f"{stage}.md").get("limit")] == []


@pytest.mark.parametrize("page", [page for page in PAGES if "\n| limit |" in _text(page)], ids=lambda page: page.stem)
def test_limits_are_those_of_the_program(page: Path) -> None:
    for name, value, why in _tables(page)["limit"]:
        module, _, constant = name.strip("`").rpartition(".")
        number = re.match(r"[\d,.]+", value)
        assert number, name
        assert why
        inside = module.endswith(".SETTINGS")  # a stage's constants stand in one struct
        held = importlib.import_module(f"anansi.{module.removesuffix('.SETTINGS')}")
        found = getattr(held.SETTINGS if inside else held, constant)
        assert float(number[0].replace(",", "")) == found, name


def test_quoted_messages_are_said_by_the_program() -> None:
    rows = _tables(DOCS / "quickstart.md")["message"]
    assert len(rows) > 5
    for message, meaning, cure in rows:
        for double, single in _SPAN.findall(message):
            quoted = (double or single).strip("… ")
            assert any(quoted in said for said in _messages()), message
        assert meaning
        assert cure


def test_the_example_of_what_the_archive_is_about_is_a_definition_without_doubts() -> None:
    ((_, example),) = [each for each in _FENCE.findall(_text(DOCS / "stages" / "definition.md")) if each[0] == "yaml"]
    definition = config.parse(example, "crawl.yaml")
    assert definition.focus.is_set()
    assert config.doubts(definition) == doubts(definition.focus) == []
    assert {name for name, value in msgspec.structs.asdict(definition.focus).items() if value} == {
        *config.Focus.__struct_fields__
    }
    rows = _tables(DOCS / "stages" / "definition.md")["key"]
    assert {name.strip("` ") for cells in rows for name in cells[0].split(",")} == {*config.Focus.__struct_fields__}


def test_each_mistake_is_told_as_described() -> None:
    rows = re.findall(
        r"^\| `(focus: .*?)` \| `{2,3} ?(.*?) ?`{2,3} \|$", _text(DOCS / "stages" / "definition.md"), re.M
    )
    assert len(rows) > 12
    for mistake, said in rows:
        with pytest.raises(errors.ConfigError) as caught:
            config.parse(mistake, "crawl.yaml")
        assert str(caught.value) == f"crawl.yaml, line 1: {said}"


def test_what_is_named_exists() -> None:
    group: Any = typer.main.get_command(app)
    commands = set(group.commands)
    options = {name for _, each, _ in reference.commands() for param in each.params for name in param.opts}
    options |= {name for _, each, _ in reference.commands() for param in each.params for name in param.secondary_opts}
    options |= {"--help", "--debug", "--version", *_laboratory()}
    for page in PAGES:
        lines = [line for _, block in _FENCE.findall(_text(page)) for line in block.splitlines()]
        for words in [*_spans(page), *(line.partition("#")[0].strip() for line in lines)]:
            if words.startswith("anansi ") and words.split()[1].isalpha():
                assert words.split()[1] in commands, f"{page.name}: {words}"
            if words.startswith(("anansi ", "--")):
                used = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", words))
                assert used <= options | {"--check", "--require-hashes"}, f"{page.name}: {words}"
            setting = re.fullmatch(rf"({'|'.join(SECTIONS)})\.([a-z_]+)", words)
            if setting:
                assert setting[2] in SECTIONS[setting[1]].__struct_fields__, f"{page.name}: {words}"
            if re.fullmatch(r"(src|tests|docs|bench)/[\w./-]+", words):
                assert (ROOT / words).exists(), f"{page.name}: {words}"


def test_no_change_touches_more_than_four_files() -> None:
    rows = _tables(ROOT / "CONTRIBUTING.md")["change"]
    assert len(rows) >= 8
    for change, files in rows:
        named = re.findall(r"`((?:src|tests|docs)/[^`]+)`|\]\((docs/[^)#]+)\)", files)
        assert named, change
        assert len({first or second for first, second in named}) <= 4, change


def test_every_option_of_the_laboratory_is_described_and_no_other() -> None:
    page = DOCS / "laboratory.md"
    described = {name for cells in _tables(page)["option"] for name in re.findall(r"`(-[-a-z]+)`", cells[0])}
    assert described == _laboratory()
    for name, _, _ in reference.commands(laboratory()):
        assert f"## `python -m anansi_lab {name} " in _text(page)


def _laboratory() -> set[str]:
    given = [param for _, each, _ in reference.commands(laboratory()) for param in each.params]
    return {name for each in given if each.param_type_name == "option" for name in each.opts}


def test_the_example_of_overrides_is_a_definition() -> None:
    (example,) = (block for kind, block in _FENCE.findall(_text(DOCS / "quickstart.md")) if kind == "yaml")
    override = config.parse(example, "quickstart.md").sites["example.org"]
    assert override == config.Override(delay=10.0, paused=True, budget=5000)


# ── links and form ───────────────────────────────────────────────────────────────────────────────────────────────


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", _prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(_prose(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in _anchors(there), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, todo = {README}, [README]
    while todo:
        page = todo.pop()
        for target in _LINK.findall(_prose(page)):
            there = (page.parent / target.partition("#")[0]).resolve()
            if there.suffix == ".md" and there not in seen:
                seen.add(there)
                todo.append(there)
    assert {page for page in DOCS.rglob("*.md") if page.name != "benchmarks.md"} <= seen


def test_decisions_are_numbered_and_say_what_was_measured_and_refused() -> None:
    pages = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    assert [page.name[:4] for page in pages] == [f"{number:04d}" for number in range(1, len(pages) + 1)]
    for page in pages:
        assert _text(page).startswith(f"# {page.name[:4]} ")
        for part in ("**Chosen.**", "**Measured.**", "**Refused.**"):
            assert part in _text(page), page.name


@pytest.mark.parametrize("picture", sorted((DOCS / "pictures").glob("*.svg")), ids=lambda path: path.name)
def test_pictures_are_whole_described_and_readable_in_the_dark(picture: Path) -> None:
    drawing = ET.parse(picture).getroot()
    names = {each.tag.rpartition("}")[2] for each in drawing}
    assert {"title", "desc", "style"} <= names
    assert "prefers-color-scheme:dark" in picture.read_text(encoding="utf-8")
    assert any(picture.name in _text(page) for page in PAGES)


def test_the_changelog_knows_the_version() -> None:
    assert f"## [{__version__}]" in _text(ROOT / "CHANGELOG.md")


# ── the readme ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_readme_fits_on_a_screen() -> None:
    assert len(_text(README).splitlines()) <= 60


def _example() -> list[list[str]]:
    """Read the commands of the readme's section on use."""
    use = _text(README).partition("\n## Use\n")[2]
    found = _FENCE.search(use)
    assert found
    return [shlex.split(line, comments=True) for line in found[2].splitlines() if line.startswith("anansi ")]


def test_the_readme_example_runs_and_its_summary_is_described(tmp_path: Path) -> None:
    commands = _example()
    assert [command[1] for command in commands] == ["crawl", "crawl", "status", "objects", "pack"]
    with DemoServer() as server:
        for command in commands:
            words = [server.url + "/" if word == "https://example.org/" else word for word in command[1:]]
            if words[0] == "crawl":
                assert server.url + "/" in words
                words += ["--delay", "0", "--max-hops", "1"]  # the friendly site is larger than a test has time for
            run = [sys.executable, "-m", "anansi.cli", *words]
            done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
    assert (tmp_path / "collection.wacz").stat().st_size > 10_000
    collection = importlib.import_module("anansi.archive.layout").Collection(tmp_path / "collection")
    summary = read_summary(collection)
    assert summary
    assert summary["pages"] > 3
    page = DOCS / "reference" / "collection.md"
    assert _first_cells(page, "field") == summary.keys()
    described = {name.strip("` ") for cells in _tables(page)["field of a site"] for name in cells[0].split(",")}
    assert all(described == site.keys() for site in summary["sites"].values())
    assert len(collection.crawl_log.read_text().splitlines()[0].split()) == len(_tables(page)["column"])
