"""What is known of a URL by its looks: the patterns of the definition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement


@dataclass(frozen=True, slots=True)
class Known:
    """A pattern of URLs and what they are worth."""

    pattern: re.Pattern[str]
    score: float


def known(patterns: Iterable[tuple[str, float]]) -> tuple[Known, ...]:
    """Compile patterns, each with its score."""
    return tuple(Known(re.compile(pattern), score) for pattern, score in patterns)


def judge(url: str, patterns: Sequence[Known]) -> Judgement | None:
    """Score a URL by the first pattern that it matches; no opinion where none does."""
    for each in patterns:
        match = each.pattern.search(url[: SETTINGS.longest_url])
        if match is not None:
            evidence = Evidence(each.pattern.pattern, match[0], "URL", score=each.score)
            return Judgement(each.score, (evidence,))
    return None
