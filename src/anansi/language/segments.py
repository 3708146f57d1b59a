"""Words of scripts that put no space between them.

ICU cuts Japanese, Thai, Lao, Khmer and Burmese by its dictionaries, jieba cuts Chinese by its own; both are loaded
when the first such text comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anansi.language.scripts import EASTERN, is_japanese


def segmented(run: str, *, japanese: bool = False) -> list[str]:
    """Return the words of a run of a word-less script; Han without kana is Chinese unless the text is Japanese."""
    if EASTERN.search(run):
        return _icu()(run) if japanese or is_japanese(run) else _jieba()(run)
    return _icu()(run)


@cache
def _icu() -> Callable[[str], list[str]]:
    from icu4py.breakers import WordBreaker

    return lambda run: list(WordBreaker(run, "ja"))


@cache
def _jieba() -> Callable[[str], list[str]]:
    import rjieba

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut
