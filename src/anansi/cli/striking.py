"""Proposals are shown to a person, who accepts, changes or strikes each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from anansi.config import Entity, Topic
from anansi.focus.drafting import clean, told
from anansi.focus.proposals import Proposal

KINDS = {"keywords": "keyword", "entities": "entity", "topics": "topic", "languages": "language"}
HELP = """y  accept it            n  strike it
a  accept this and all that follow
e  change it: a word; NAME = OTHER NAME, OTHER NAME; TOPIC: WORD, WORD; two letters of a language
q  strike this and all that follow"""

Read = Callable[[str], str]
"""Ask a person for a line; EOFError when there is none."""
Tell = Callable[[str], None]

_LETTERS = re.compile("[a-z]{2}")


def struck(proposals: Sequence[Proposal], read: Read, tell: Tell) -> list[Proposal]:
    """Return what a person accepts; what they gave themselves is not asked about."""
    kept: list[Proposal] = []
    for place, proposal in enumerate(proposals):
        if proposal.given:
            kept.append(proposal)
            continue
        answer, chosen = _answer(proposal, read, tell)
        if answer == "a":
            return [*kept, *proposals[place:]]
        if answer == "q":
            return [*kept, *(each for each in proposals[place:] if each.given)]
        if chosen is not None:
            kept.append(chosen)
    return kept


def _answer(proposal: Proposal, read: Read, tell: Tell) -> tuple[str, Proposal | None]:
    """Ask about a proposal until there is an answer."""
    tell("")
    tell(f"{KINDS[proposal.key]:9}  {written(proposal)}")
    tell(f"           {told(proposal.witness)}")
    while True:
        answer = _line(read, "accept? [y]es [n]o [e]dit, [a]ll, [q]uit, ? ").strip().lower()[:1]
        if answer in ("y", "n", "a", "q"):
            return answer, proposal if answer == "y" else None
        if answer == "e":
            changed = _changed(proposal, _line(read, "instead: "))
            if changed is not None:
                return "y", changed
            tell("that cannot be read; ? says how to write it")
        else:
            tell(HELP)


def _line(read: Read, question: str) -> str:
    try:
        return read(question)
    except EOFError:
        return "q"


def written(proposal: Proposal) -> str:
    """Write a proposal as it can be changed."""
    value = proposal.value
    if isinstance(value, Entity):
        kind = f" ({value.kind})" if value.kind != "other" else ""
        others = f" = {', '.join(value.aliases)}" if value.aliases else ""
        return clean(f"{value.name}{others}{kind}")
    if isinstance(value, Topic):
        return clean(f"{value.name}: {', '.join(map(str, value.terms))}")
    return clean(value)


def _changed(proposal: Proposal, line: str) -> Proposal | None:
    """Read what a person wrote; None when it is nothing."""
    text, old = " ".join(line.split()), proposal.value
    value: str | Entity | Topic
    if isinstance(old, Entity):
        name, _, others = text.partition("=")
        value = msgspec.structs.replace(old, name=name.strip(), aliases=_parts(others))
    elif isinstance(old, Topic):
        name, _, words = text.partition(":")
        terms: list[str] = _parts(words)
        value = msgspec.structs.replace(old, name=name.strip(), terms=terms or list(old.terms))
    else:
        value = text.lower() if proposal.key == "languages" else text
        if proposal.key == "languages" and not _LETTERS.fullmatch(value):
            return None
    changed = replace(proposal, value=value, edited=True)
    return changed if any(map(str.isalnum, changed.name)) and len(changed.name) <= 200 else None


def _parts(text: str) -> list[str]:
    return [each.strip()[:200] for each in text.split(",") if any(map(str.isalnum, each))]
