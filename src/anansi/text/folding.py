"""One spelling for what is the same word: small letters, no accents, no full width, nothing unseen."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LETTERS = (*range(0xC0, 0x250), *range(0x370, 0x460), *range(0x1E00, 0x2000))
_FOLDS: Final[dict[int, str | None]] = {
    **{code: unicodedata.normalize("NFD", chr(code))[0] for code in _LETTERS},
    **{code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)},  # full width
    **dict.fromkeys((*range(0x300, 0x370), *range(0x200B, 0x2010), 0xAD, 0xFEFF)),  # combining and unseen
    **{ord(letter): plain for letter, plain in zip("đłøıðþ−‐‑’‘ʼ", [*"dloidt", *"---", *"'''"], strict=True)},
    ord("æ"): "ae",
    ord("œ"): "oe",
}


def fold(text: str) -> str:
    """Return a text in small letters without accents."""
    return text.lower() if text.isascii() else _FOREIGN.sub(_folded, text.casefold())


_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")


def _folded(found: re.Match[str]) -> str:
    return found[0].translate(_FOLDS)
