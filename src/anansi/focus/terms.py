"""Text → terms: words without those that say nothing, cut to their stems.

`terms` is the only way by which the rest of the package reads text.
"""

from __future__ import annotations

import re
from typing import Final

import snowballstemmer

LONGEST: Final = 40
"""Letters of a word that can be a term; what is longer is no word (base64, a hash, a run of one letter)."""
MEMO: Final = 200_000
"""Words whose terms are remembered, about 150 bytes each; all are forgotten when there are more."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_STOP: Final = frozenset(
    """about above after again all also am among an and another any are as at be became because become been before
    being between both but by can could de did do does doing down during each either few for from further had has
    have having he her here hers herself him himself his how however if in into is it its itself just la le many may
    me might more most much must my no nor not now of off often on once one only or other our out over own per same
    several shall she should since so some such than that the their them then there these they this those though
    three through thus to too two under until up upon us used using very via was we well were what when where
    whether which while who whom whose why will with within without would you your""".split()  # noqa: SIM905
)
_MEMO: dict[str, str] = {}
"""Word → its term, empty for what says nothing: what is remembered changes no result."""
_stem = snowballstemmer.stemmer("english").stemWord


def terms(text: str) -> tuple[str, ...]:
    """Return the terms of a text, in its order."""
    memo = _MEMO
    words = _WORD.findall(text.lower())
    try:
        return tuple([term for term in [memo[word] for word in words] if term])
    except KeyError:
        _learn(words)
        return tuple([term for term in [memo[word] for word in words] if term])


def _learn(words: list[str]) -> None:
    if len(_MEMO) > MEMO:
        _MEMO.clear()
    for word in words:
        if word not in _MEMO:
            _MEMO[word] = "" if word in _STOP or len(word) > LONGEST else _stem(word)
