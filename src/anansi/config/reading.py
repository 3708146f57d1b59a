"""YAML → a definition, or the line, the key and what was expected there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import yaml

from anansi.config.examples import anchored
from anansi.config.faults import faults
from anansi.config.sections import Definition, Override
from anansi.config.setting import Section
from anansi.errors import ConfigError

Key = str | int
"""A key of a mapping, or a place in a list."""

MOST_VALUES = 200_000
"""Values of a definition, those that aliases repeat counted each time: ten thousand entities have less."""
LONGEST = 16 * 1024**2
"""Characters of a definition."""


RETIRED = (("frontier", "sort_query"),)
"""Settings that there once were: collections that were crawled by them go on."""


def load(path: Path) -> Definition:
    """Read a definition from a file."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; write one or leave out --config") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    return anchored(parse(text, str(path)), path.parent)


def parse(text: str, source: str) -> Definition:
    """Read a definition from YAML; a mistake stops with the file, the line and what was expected."""
    if len(text) > LONGEST:
        raise ConfigError(f"{source}: longer than a definition can be, which is {LONGEST:,} characters; shorten it")
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        _check_keys(root, source)
        _check_size(root, source)
        raw = (
            yaml.SafeLoader("").construct_document(root) if root is not None else {}
        )  # parsing once is half the time
    except yaml.YAMLError as error:
        mark, position = getattr(error, "problem_mark", None), getattr(error, "position", 0)
        line = mark.line + 1 if mark else text.count("\n", 0, position) + 1
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise ConfigError(f"{source}, line {line}: not YAML: {what}") from None
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"{source}: not YAML that a definition can hold: {error}") from None
    return convert(raw if raw is not None else {}, source, text)


def convert(raw: object, source: str, text: str = "") -> Definition:
    """Check plain values and make the definition of them; `text` is where their lines are looked for."""
    if not isinstance(raw, dict):
        raise ConfigError(f"{source}: a definition is a mapping of settings, such as `seeds: [https://example.org/]`")
    for section, name in RETIRED:
        if isinstance(raw.get(section), dict):
            raw = {**raw, section: {key: value for key, value in raw[section].items() if key != name}}
    try:
        definition = msgspec.convert(raw, Definition)
    except msgspec.ValidationError as error:
        raise ConfigError(_located(*_explain(str(error), raw), text, source)) from None
    for keys, fault in faults(definition):
        raise ConfigError(_located(list(keys), f"`{_written(keys)}`: {fault}", text, source))
    return definition


# ── what YAML lets through ────────────────────────────────────────────────────────────────────────────────────────


def _check_keys(root: Any, source: str) -> None:
    """Stop on what YAML lets through and nobody means: a key that stands twice, a key that is no text."""
    ahead, seen = [root], {None}
    while ahead:
        node = ahead.pop()
        if node in seen:  # aliases may lead in a circle
            continue
        seen.add(node)
        if isinstance(node, yaml.MappingNode):
            _check_mapping(node, source)
        ahead += _below(node)


def _check_mapping(node: yaml.MappingNode, source: str) -> None:
    known: set[str] = set()
    for key, _ in node.value:
        where = f"{source}, line {key.start_mark.line + 1}"
        if not key.tag.endswith((":str", ":merge")):
            raise ConfigError(f"{where}: a key must be text; write it in quotes")
        if key.value in known:
            raise ConfigError(f"{where}: `{key.value}` stands here for the second time; keep one of them")
        known.add(key.value)


def _check_size(root: Any, source: str) -> None:
    """Stop on a few lines whose aliases stand for more than a memory holds."""
    sizes: dict[Any, int] = {}
    ahead = [(root, False)]
    while ahead:
        node, is_done = ahead.pop()
        if is_done:
            sizes[node] = 1 + sum(sizes.get(each, 1) for each in _below(node))
        elif node not in sizes:
            sizes[node] = 1  # where aliases lead in a circle
            ahead.append((node, True))
            ahead += [(each, False) for each in _below(node)]
    if root is not None and sizes[root] > MOST_VALUES:
        raise ConfigError(
            f"{source}: more than {MOST_VALUES:,} values, those that aliases (*) repeat included; shorten it"
        )


def _below(node: Any) -> list[Any]:
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


# ── what is wrong, and where ──────────────────────────────────────────────────────────────────────────────────────


def _written(keys: Any) -> str:
    """Write the way to a value; its place in a list is told by the line."""
    return ".".join(key for key in keys if isinstance(key, str))


def _located(keys: list[Key], what: str, text: str, source: str) -> str:
    """Put file and line before what is wrong with a key."""
    line = _line_of(keys, text)
    return f"{source}{f', line {line}' if line else ''}: {what}"


def _explain(message: str, raw: dict[str, Any]) -> tuple[list[Key], str]:
    """Turn msgspec's words into the key at fault and what is wrong with it."""
    what, _, path = message.partition(" - at `")
    keys = list(_way(path, raw))
    if unknown := re.search(r"unknown field `([^`]*)`", what):
        known = ", ".join(sorted(_settings_at(keys)))
        keys.append(unknown[1])
        return keys, f"unknown key `{_written(keys)}`; known here: {known}"
    if missing := re.search(r"missing required field `([^`]*)`", what):
        return keys, f"`{_written(keys)}`: needs `{missing[1]}`"
    for word, words in {
        "`str | object`": "text or a mapping of settings",
        "`object`": "a mapping of settings",
        "`array`": "a list",
        "Invalid RFC3339 encoded date": "expected a day, YYYY-MM-DD",
    }.items():
        what = what.replace(word, words)
    return keys, f"`{_written(keys)}`: {what[:1].lower()}{what[1:]}{_choices(keys)}"


def _way(path: str, raw: dict[str, Any]) -> Iterator[Key]:
    for name, place, other in re.findall(r"([A-Za-z_]\w*)|\[(\d+)\]|(\.{3})(?=\])", path):
        yield name or (int(place) if place else _site_at_fault(raw["sites"]) if other else "")


def _site_at_fault(sites: dict[str, Any]) -> str:
    """Find the site whose settings are not right: msgspec does not say."""
    for name, settings in sites.items():
        try:
            msgspec.convert(settings, Override)
        except msgspec.ValidationError:
            return name
    return "…"


def _choices(keys: list[Key]) -> str:
    """List what a key with fixed choices takes."""
    hint = _settings_at(keys[:-1]).get(str(keys[-1])) if keys else None
    return f"; expected one of: {', '.join(map(str, get_args(hint)))}" if get_origin(hint) is Literal else ""


def _settings_at(path: list[Key]) -> dict[str, Any]:
    """Return the settings that stand under a way of keys, with their types."""
    settings = get_type_hints(Definition)
    for key in path:
        section = _section_in(settings.get(str(key)))
        if section is not None:  # a site's name, or a place in a list, leads nowhere else
            settings = get_type_hints(section)
    return settings


def _section_in(hint: Any) -> type[Section] | None:
    """Find the section that a type is, or that its entries are."""
    if isinstance(hint, type) and issubclass(hint, Section):
        return hint
    return next((found for part in get_args(hint) if (found := _section_in(part)) is not None), None)


def _line_of(keys: list[Key], text: str) -> int | None:
    """Find the line of a key by walking YAML's own nodes, so that the number is right in any style of YAML."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    line = None
    for key in keys:
        if isinstance(key, int):
            if not isinstance(node, yaml.SequenceNode) or key >= len(node.value):
                break
            node = node.value[key]
            line = node.start_mark.line + 1
            continue
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        found = next(((name, value) for name, value in pairs if name.value == key), None)
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line
