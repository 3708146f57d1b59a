"""Words of scripts that put no space between them.

ICU cuts Japanese, Thai, Lao, Khmer and Burmese by its dictionaries, jieba cuts Chinese by its own; both are loaded
when the first such text comes. To begin is what costs them most, so all runs of a text are cut at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from anansi.text.scripts import EASTERN, is_japanese

_BETWEEN = "\n"
"""What stands between runs: no word has it, and no word crosses it."""


def segmented(runs: Sequence[str], *, japanese: bool = False) -> list[list[str]]:
    """Return the words of each run of a word-less script; Han without kana is Chinese if the text is not Japanese."""
    found: list[list[str]] = [[] for _ in runs]
    chinese = [] if japanese else [number for number, run in enumerate(runs) if _is_chinese(run)]
    theirs = set(chinese)
    others = [number for number in range(len(runs)) if number not in theirs]
    for numbers, cutter in ((chinese, _jieba), (others, _icu)):
        place = 0
        for word in cutter()(_BETWEEN.join(runs[number] for number in numbers)) if numbers else ():
            if word == _BETWEEN:
                place += 1
            else:
                found[numbers[place]].append(word)
    return found


def _is_chinese(run: str) -> bool:
    return EASTERN.search(run) is not None and not is_japanese(run)


@cache
def _icu() -> Callable[[str], list[str]]:
    from icu4py.breakers import WordBreaker

    return lambda text: list(WordBreaker(text, "ja"))


@cache
def _jieba() -> Callable[[str], list[str]]:
    import rjieba

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut
