"""`python -m anansi.cli.reference`: write the pages of `docs/reference` that derive from the code, or check them.

1. `cli_page` words every command, argument and option, as they are declared in `anansi.cli`.
2. `settings_page` words every setting, as it is declared in `anansi.config`.
3. `main` writes both, or says which of them no longer fits the code.
"""

from __future__ import annotations

import argparse
import enum
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import typer

from anansi import config
from anansi.cli import app
from anansi.errors import UserError

FOLDER: Final = Path(__file__).resolve().parents[3] / "docs" / "reference"
"""Where the pages stand in a checkout."""

_COMMAND: Final = "python3 dev.py docs"
_NOTICE: Final = f"<!-- Written by `{_COMMAND}`; edit the declarations in src/anansi instead. -->"
_NAMES: Final = {
    int: "integer",
    float: "number",
    str: "text",
    bool: "yes or no",
    Path: "path",
    dict: "table",
    date: "day",
}
_BOUNDS: Final = {
    "ge": "≥ {:,}",
    "gt": "> {:,}",
    "le": "≤ {:,}",
    "lt": "< {:,}",
    "min_length": "length ≥ {:,}",
    "max_length": "length ≤ {:,}",
    "pattern": "matches `{}`",
}


# ── the command line ─────────────────────────────────────────────────────────────────────────────────────────────


def cli_page() -> str:
    """Word the page about the command line."""
    group: Any = typer.main.get_command(app)
    found = list(commands())
    contents = " · ".join(f"[{name}](#anansi-{name.replace(' ', '-')})" for name, _, _ in found)
    blocks = [
        _NOTICE,
        "# The command line",
        f"{group.help}\n\nCommands: {contents}. How they end: [exit codes](exit-codes.md).",
        "Every command takes `--help`. These options stand before the command:",
        _table(("option", "meaning"), [(_names(each), each.help or "") for each in group.params]),
    ]
    for name, command, callback in found:
        blocks += _command_blocks(name, command, callback)
    return "\n\n".join(blocks) + "\n"


def commands(typed: typer.Typer = app, group: str = "") -> Iterator[tuple[str, Any, Callable[..., Any] | None]]:
    """Go through all commands, those of groups with the group's name before theirs."""
    made: Any = typer.main.get_command(typed)
    callbacks = {str(info.name): info.callback for info in typed.registered_commands}
    groups = {str(info.name): info.typer_instance for info in typed.registered_groups}
    for name, command in made.commands.items():
        inner = groups.get(name)
        if inner is not None:
            yield from commands(inner, f"{group}{name} ")
        else:
            yield f"{group}{name}", command, callbacks[name]


def _command_blocks(name: str, command: Any, callback: Callable[..., Any] | None) -> Iterator[str]:
    hints = get_type_hints(callback, include_extras=True) if callback else {}
    given = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    words = [each.metavar if each.required else f"[{each.metavar}]" for each in given]
    yield f"## anansi {name}"
    yield f"```\nanansi {' '.join([name, *words, '[OPTION…]'])}\n```"
    yield inspect.cleandoc(command.help)
    if given:
        yield _table(("argument", "meaning"), [(f"`{each.metavar}`", each.help or "") for each in given])
    rows = [(_names(each), _takes(each, hints[each.name]), _default(each), each.help or "") for each in options]
    yield _table(("option", "takes", "default", "meaning"), rows)


def _names(option: Any) -> str:
    """Write the spellings of an option, the short one first."""
    return ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))


def _takes(option: Any, hint: Any) -> str:
    """Say what follows an option: nothing for a switch, else its placeholder or kind, and its bounds."""
    if option.is_flag:
        return ""
    what = f"`{option.metavar}`" if option.metavar else _kind(hint)
    declared = [each for each in _metadata(hint) if isinstance(each, typer.models.OptionInfo)]
    bounds = [
        text.format(value)
        for each in declared
        for text, value in (("≥ {:,}", each.min), ("≤ {:,}", each.max))
        if value is not None
    ]
    repeated = ["may be repeated"] if option.multiple else []
    return ", ".join([what, *bounds, *repeated])


def _default(option: Any) -> str:
    if option.is_flag or option.default in (None, ""):
        return ""
    return f"`{option.default}`"


# ── the settings ─────────────────────────────────────────────────────────────────────────────────────────────────


def settings_page() -> str:
    """Word the page about the definition of a crawl."""
    blocks = [
        _NOTICE,
        "# The settings of `crawl.yaml`",
        "A definition is YAML. Every key may be left out. A key that is not listed here, or a value of the wrong kind"
        " or out of bounds, stops the program with the file, the line and what was expected. The collection's own "
        "`crawl.yaml` holds the complete definition that the crawl runs by. Where an option of `anansi crawl` sets "
        "the same, it is named, and it wins over the file.",
    ]
    options = dict(_options())
    for name, section in config.sections():
        blocks += _section_blocks(name, section, options)
    return "\n\n".join(blocks) + "\n"


def _section_blocks(name: str, section: type[msgspec.Struct], options: dict[str, str]) -> Iterator[str]:
    yield f"## `{name}`" if name else "## Top level"
    yield inspect.cleandoc(section.__doc__ or "")
    hints = get_type_hints(section, include_extras=True)
    described = {each for each, _ in config.sections()}
    rows = []
    for field in msgspec.structs.fields(section):
        path = f"{name}.{field.name}" if name else field.name
        see = f"see [{path}](#{path.replace('.', '')})" if path in described else ""
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            rows.append((f"`{field.name}`", "section", "", "", "", see))
            continue
        hint, about = hints[field.name], config.about(section, field.name)
        meaning = f"{about}; {see}" if see else about
        rows.append((f"`{field.name}`", _kind(hint), _written(field), _limits(hint), options.get(about, ""), meaning))
    yield _table(("key", "takes", "default", "bounds", "option", "meaning"), rows)


def _options() -> Iterator[tuple[str, str]]:
    """Pair what a setting means with the option that sets it: an option takes its help from its setting."""
    group: Any = typer.main.get_command(app)
    for option in group.commands["crawl"].params:
        if option.param_type_name == "option" and option.help:
            yield option.help, f"`{option.opts[-1]}`"


def _written(field: Any) -> str:
    """Write a default as YAML has it."""
    if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT:
        return "must be given"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return f"`{value if isinstance(value, str) else msgspec.json.encode(value).decode()}`"


def _limits(hint: Any) -> str:
    """Write the bounds of a setting, or of each entry of a list."""
    found = [
        text.format(value)
        for meta in _metadata(hint)
        if isinstance(meta, msgspec.Meta)
        for name, text in _BOUNDS.items()
        if (value := getattr(meta, name)) is not None
    ]
    each = "each " if found and any(get_origin(part) is list for part in _parts(hint)) else ""
    return each + ", ".join(found)


# ── both ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _parts(hint: Any) -> Iterator[Any]:
    """Go through a type and the types it is made of, the outermost first."""
    yield hint
    if get_origin(hint) is not Literal:
        for part in (hint.__origin__,) if get_origin(hint) is Annotated else get_args(hint):
            yield from _parts(part)


def _metadata(hint: Any) -> Iterator[Any]:
    for part in _parts(hint):
        if get_origin(part) is Annotated:
            yield from part.__metadata__


def _kind(hint: Any) -> str:
    """Say in words what a type takes."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _kind(hint.__origin__)
    if origin is Literal:
        return " or ".join(f"`{choice}`" for choice in arguments)
    if origin in (Union, UnionType):
        return " or ".join(_kind(part) for part in arguments if part is not NoneType)
    if origin is list:
        return f"list of {_kind(arguments[0])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return "mapping"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return " or ".join(f"`{choice.value}`" for choice in hint)
    return _NAMES.get(origin or hint, getattr(hint, "__name__", str(hint)))


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table; columns that are empty throughout are left out."""
    body = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    kept = [number for number in range(len(headings)) if any(row[number] for row in body)]
    lines = [[headings[number] for number in kept], ["---"] * len(kept)]
    lines += [[row[number] for number in kept] for row in body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


PAGES: Final[dict[str, Callable[[], str]]] = {"cli.md": cli_page, "settings.md": settings_page}


def outdated(folder: Path) -> list[str]:
    """List the pages of a folder that are missing or differ from what the code says now."""
    return [name for name, page in PAGES.items() if _read(folder / name) != page()]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write(folder: Path) -> None:
    """Write the pages."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in PAGES.items():
            (folder / name).write_text(page(), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder}: the pages cannot be written: {error.strerror}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the generated pages of docs/reference, or check that they fit the code."""
    parser = argparse.ArgumentParser(prog="python -m anansi.cli.reference", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is out of date")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the pages stand")
    asked = parser.parse_args(arguments)
    if asked.check:
        late = outdated(asked.folder)
        for name in late:
            print(f"{asked.folder / name} does not fit the code any more; run `{_COMMAND}`", file=sys.stderr)
        return 1 if late else 0
    try:
        write(asked.folder)
    except UserError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
