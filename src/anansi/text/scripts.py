"""Which characters make words, and which scripts put no space between them."""

from __future__ import annotations

import re
from typing import Final

HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
SOUTH_EAST: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer letters, with their marks."""
WORDLESS: Final = f"{HAN}{KANA}{SOUTH_EAST}"
"""Letters of scripts without spaces between words, as the inside of a character class."""
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0900-\u0963\u0970-\u0dff\u200c-\u200d"
)
"""What belongs to the letter before it; the whole of the scripts of India, whose vowels are marks."""

_SPACED: Final = rf"(?:(?![{WORDLESS}])[^\W\d_]|[{MARKS}])"
TYPOGRAPHIC: Final = "’‘“”–—…•·«»\u00a0"
"""What English texts have beside ASCII: no letters."""
PLAIN: Final = re.compile(r"[^\W\d_]{2,}")
"""Words of a text in small letters where nothing is `INTRICATE`."""
INTRICATE: Final = re.compile("[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u200c\u200d\u3005-\U0010ffff]")
"""Characters that may be marks or of a word-less script."""
SPACED: Final = re.compile(rf"(?:[^\W\d_]|[{MARKS}]){{2,}}")
"""Words of a text in small letters without word-less scripts."""
PIECES: Final = re.compile(rf"[{WORDLESS}]+|{_SPACED}{{2,}}")
"""Words of any text, and runs of word-less scripts."""
SPELLED: Final = re.compile(rf"[{WORDLESS}]+|(?:(?![{WORDLESS}])[^\W_]|[{MARKS}])+")
"""The same with numbers and single letters."""
RUNS: Final = re.compile(f"[{WORDLESS}]+")
EASTERN: Final = re.compile(f"[{HAN}{KANA}]")
_KANA: Final = re.compile(f"[{KANA}]")
_HAN: Final = re.compile(f"[{HAN}]")

JAPANESE: Final = 0.05
"""Share of kana among kana and Han above which a text is Japanese: headlines have 0.2, Chinese that quotes less than
0.02."""

_OWN: Final = (  # scripts that one living language is mostly written in
    ("th", re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff\u3130-\u318f]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0531-\u0587]")),
    ("lo", re.compile("[\u0e81-\u0ecd]")),
    ("km", re.compile("[\u1780-\u17d3]")),
    ("my", re.compile("[\u1000-\u103f]")),
    ("ta", re.compile("[\u0b82-\u0bd7]")),
)


def is_japanese(text: str) -> bool:
    """Tell whether a text in Han characters is Japanese: Chinese has no kana."""
    kana = len(_KANA.findall(text))
    return kana > 0 and kana >= JAPANESE * (kana + len(_HAN.findall(text)))


OTHER_SCRIPTS: Final = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c00-\U0010ffff]")
"""Characters that no Latin script has."""


def language_by_script(text: str) -> tuple[str, float]:
    """Return the language whose script half of the letters are of, or more, and their share; empty where none is."""
    letters = sum(map(str.isalpha, text))
    kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
    eastern = "ja" if kana and kana >= JAPANESE * (kana + han) else "zh"
    counts = {eastern: kana + han}
    if sum(counts.values()) * 2 < letters:
        counts |= {code: len(each.findall(text)) for code, each in _OWN}
    code, count = max(counts.items(), key=lambda each: each[1])
    return (code, min(1.0, count / letters)) if letters and count * 2 >= letters else ("", 0.0)
