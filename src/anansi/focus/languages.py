"""Is a text in a language of the archive."""

from __future__ import annotations

from collections.abc import Collection

from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement
from anansi.text.language import Spoken


def judge(spoken: Spoken, wanted: Collection[str]) -> Judgement | None:
    """Score a text by its language; no opinion where the definition names none."""
    if not wanted:
        return None
    if not spoken.code:
        return Judgement(SETTINGS.language_unknown)
    if spoken.code in wanted:
        return Judgement(1.0, (Evidence("language", spoken.code, score=1.0),))
    score = 0.0 if spoken.sure >= SETTINGS.language_sure else SETTINGS.language_doubtful
    return Judgement(
        score, (Evidence("language", spoken.code, f"expected {', '.join(sorted(wanted))}", score=score),)
    )
