"""Text → the language it is in: by its script, by stop words where it is short, else by its sequences of letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from resiliparse.parse.lang import detect_fast

from anansi.text.scripts import OTHER_SCRIPTS, language_by_script
from anansi.text.terms import words
from anansi.text.words import code_of, language_of

READ: Final = 2_000
"""Characters of a text by which its language is told: more do not change it (0.03 ms of CPU time)."""
SHORT: Final = 120
"""Characters below which stop words tell more than sequences of letters."""
LEAST: Final = 12
"""Letters below which nothing but its script tells a text's language."""
FAR: Final = 1_200
"""Distance from a language's own texts at which resiliparse gives up."""
RIVALS: Final = 4
NEAR: Final = 1.2
"""Distance, as a multiple of the least, of languages that may be meant as well."""
UNSURE: Final = 0.1
"""How sure a language is that is only declared."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The language of a text."""

    code: str = ""
    """Two letters; empty when nothing tells."""
    sure: float = 0.0
    """From 0 to 1."""


UNTOLD: Final = Spoken()
"""Nothing tells the language."""


def identify(text: str, *, declared: str = "") -> Spoken:
    """Return the language of a text; what its page declares counts only where the text says nothing."""
    head = text[:READ]
    if not head.isascii() and OTHER_SCRIPTS.search(head):
        code, share = language_by_script(head)
        if code:
            return Spoken(code, share)
    if len(head) >= LEAST and (head.isascii() or sum(map(str.isalpha, head)) >= LEAST):
        spoken = _by_words(head) if len(head) < SHORT else _by_letters(head)
        if spoken.code:
            return spoken
    code = code_of(declared)
    return Spoken(code, UNSURE) if len(code) in (2, 3) and code.isalpha() else Spoken()


def _by_letters(head: str) -> Spoken:
    """Take the nearest language; between some that are about as near (Portuguese, Galician), stop words decide."""
    near = [(code_of(code), distance) for code, distance in detect_fast(head, cutoff=FAR, n_results=RIVALS)]
    if not near:
        return _by_words(head, told_only=True)
    rivals = {code: distance for code, distance in near if distance <= NEAR * near[0][1]}
    told = language_of(words(head)) if len(rivals) > 1 else ""
    code = told if told in rivals else near[0][0]
    return Spoken(code, round(1 - rivals[code] / (FAR + 1), 3))


def _by_words(head: str, *, told_only: bool = False) -> Spoken:
    code = language_of(words(head))
    if code:
        return Spoken(code, 0.5)
    return Spoken() if told_only else _by_letters(head)
