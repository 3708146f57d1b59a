"""A definition as a file to read and edit: what is looked for, a line each, and beside it where it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import msgspec
import yaml

from anansi.focus.corpus import Support
from anansi.focus.proposals import Key, Proposal
from anansi.focus.settings import SETTINGS


@dataclass(frozen=True, slots=True)
class Draft:
    """What goes into the file."""

    seeds: Sequence[str]
    proposals: Sequence[Proposal]
    source: str
    """Where proposals came from, in one line."""
    accepted: bool
    """Whether somebody has looked at them."""


def draft(made: Draft) -> str:
    """Write a definition as YAML."""
    lines = [f"# {clean(made.source)}"]
    if made.accepted:
        lines.append("# What was not accepted is not here. Each line says where it came from.")
    else:
        lines.append("# Nobody has looked at these proposals yet: delete the lines that the archive is not about,")
        lines.append("# and a key with its last line.")
    lines += ["seeds:", *(f"- {_value(seed)}" for seed in made.seeds)]
    parts = [line for key in get_args(Key) for line in _part(key, made.proposals)]
    return "\n".join([*lines, *(["focus:", *parts] if parts else []), ""])


def _part(key: Key, proposals: Iterable[Proposal]) -> Iterator[str]:
    mine = [each for each in proposals if each.key == key]
    if mine:
        yield f"  {key}:"
        yield from (f"  - {_value(_plain(each.value))}  # {_origin(each)}" for each in mine)


def _plain(value: Any) -> Any:
    """Leave out what is as it is by default."""
    if isinstance(value, str):
        return value
    defaults = {each.name: each.default_factory() for each in msgspec.structs.fields(value) if _is_made(each)}
    defaults |= {each.name: each.default for each in msgspec.structs.fields(value) if not _is_made(each)}
    return {name: each for name, each in msgspec.to_builtins(value).items() if each != defaults[name]}


def _is_made(field: msgspec.structs.FieldInfo) -> bool:
    return field.default_factory is not msgspec.NODEFAULT


def _value(value: Any) -> str:
    shown = str(value).isprintable()  # signs that end lines must be written as numbers
    dumped = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=shown, width=SETTINGS.widest, sort_keys=False
    )
    return dumped.removesuffix("\n").removesuffix("\n...").strip()


def _origin(each: Proposal) -> str:
    """Say where an entry came from."""
    by = "yours; " if each.given else "edited by you; " if each.edited else ""
    return by + told(each.witness)


def told(witness: Support) -> str:
    """Say what speaks for a proposal, in one line."""
    times = f", {witness.count:,} times" if witness.count else ""
    where = f": “{quoted(witness.sentence)}” {clean(witness.url)}" if witness.sentence else ""
    if not witness.pages:
        return f"on none of {witness.of:,} pages"
    return f"{witness.pages:,} of {witness.of:,} pages{times}{where}"


def quoted(sentence: str) -> str:
    """Return a sentence, or its beginning."""
    line = clean(sentence)
    return line if len(line) <= SETTINGS.quoted else line[: SETTINGS.quoted - 1] + "…"


def clean(text: str) -> str:
    """Put a text of the web in one line that a comment can hold and a terminal can show."""
    return "".join(each if each.isprintable() else " " for each in " ".join(text.split()))
