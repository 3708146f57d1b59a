"""Is a text in a language of the archive."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from anansi.focus.verdict import Evidence, Judgement
from anansi.text.language import Spoken

UNKNOWN: Final = 0.5
"""What a text is worth whose language nothing tells."""
DOUBTFUL: Final = 0.25
"""What a text is worth that may be in another language."""
SURE: Final = 0.3
"""How sure a language must be for the others to be ruled out; of 100 words of prose it is about 0.5."""


def judge(spoken: Spoken, wanted: Collection[str]) -> Judgement | None:
    """Score a text by its language; no opinion where the definition names none."""
    if not wanted:
        return None
    if not spoken.code:
        return Judgement(UNKNOWN)
    if spoken.code in wanted:
        return Judgement(1.0, (Evidence("language", spoken.code, score=1.0),))
    score = 0.0 if spoken.sure >= SURE else DOUBTFUL
    return Judgement(
        score, (Evidence("language", spoken.code, f"expected {', '.join(sorted(wanted))}", score=score),)
    )
