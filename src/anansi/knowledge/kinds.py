"""Kinds of addresses: what those of one kind have in common, whatever software they are of."""

from __future__ import annotations

import re
from typing import Final

_SPLIT: Final = re.compile("[&;]")
_WORD: Final = re.compile(r"[a-z_]{1,20}(?:-[a-z]{1,20})?")
_PROGRAM: Final = re.compile(r"\w{1,40}\.(?:php|aspx?|cgi|pl|jsp|do)")
_TELLING: Final = frozenset(
    ("action", "mode", "do", "view", "type", "act", "area", "sa", "section", "tab", "op", "task")
)
"""Parameters whose values are kinds of pages."""

_NUMBER: Final = re.compile(r"[0-9][0-9.,:-]*")


def shape(url: str) -> str:
    """Return what addresses of one kind have in common: `/members/ann.7/about?page=2` → `/members/*/about?page=#`."""
    start = url.find("/", 8)
    path, _, query = url[start:].partition("#")[0].partition("?") if start > 0 else ("/", "", "")
    parameters = sorted({_parameter(part) for part in _SPLIT.split(query) if part})
    return _path(path) + ("?" + "&".join(parameters) if parameters else "")


def _path(path: str) -> str:
    """Keep of a path its first word, programs, and words behind what varies; what follows a word varies, too."""
    kept: list[str] = []
    for part in filter(None, path.split("/")):
        stays = _PROGRAM.fullmatch(part) or (_WORD.fullmatch(part) and kept[-1:] in ([], ["*"]))
        kept.append(part if stays else "*")
    return "/" + "/".join(kept)


def _parameter(part: str) -> str:
    name, equals, value = part.partition("=")
    if not equals or (name in _TELLING and _WORD.fullmatch(value)):
        return part[:40]
    return f"{name[:40]}={'#' if _NUMBER.fullmatch(value) else '*'}"
