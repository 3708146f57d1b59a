"""What kind of address a URL has: what names one page (numbers, titles) left out, what names a kind of page kept."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 32
"""Characters of a part of a path; a longer one is a title."""

FILES: Final = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|bmp|psd|tiff?|zip|rar|7z|gz|exe|pdf|docx?|xlsx?|pptx?|odt|mp3|mp4|ogg|wav|avi"
    r"|mov|wmv|flv|swf|webm|css|js)$",
    re.IGNORECASE,
)
"""Addresses of what is no page, wherever it is linked from."""

_NUMBER: Final = re.compile(r"\d+")
_TITLE: Final = re.compile(r"[^,.=;_]*-[^,.=;]*")  # words joined by hyphens
_COUNTED: Final = re.compile(r"[A-Za-z]{1,9}-#")  # `page-2`, `post-17`
_NAME: Final = re.compile(r"[^\W\d_][^.,?#*]*(?=$|\.#)")  # a word, alone or before a number
_KIND: Final = re.compile(r"[a-z_-]{1,16}")
_SEPARATOR: Final = re.compile("[&;]")
_NUMERIC: Final = re.compile(r"[\d.,:-]+")


BRANCHES: Final = 8
"""Words that may stand in one place of an address before rare ones count as names, not as kinds of pages."""
OFTEN: Final = 20
"""Addresses in which a word stands in one place from which on it is a kind of page there, among however many."""
PLACES, WORDS = 2000, 500  # places of addresses whose words are counted, and words of a place


class Shapes:
    """The shapes of one site's addresses: where many words take turns (`/members/ann`, `/members/bob`), none of them
    is a kind of page. Mutable state: `_words` (beginning of a path → words that came next, and how often).
    """

    def __init__(self) -> None:
        self._words: dict[str, dict[str, int]] = {}

    def of(self, key: str) -> str:
        """Return the shape of an address, by those that were met before."""
        path, mark, query = shape_of(key).partition("?")
        kept: list[str] = []
        for part in path.split("/"):
            kept.append(self._general("/".join(kept), part))
        return "/".join(kept) + mark + query

    def _general(self, before: str, part: str) -> str:
        """Return a part of a path, or `*` in place of its words when many others stand there, too."""
        name = _NAME.match(part)
        if name is None:
            return part
        words = self._words.get(before)
        if words is None:
            if len(self._words) >= PLACES:
                return part
            words = self._words[before] = {}
        count = words.get(name[0], 0) + 1
        if count > 1 or len(words) < WORDS:
            words[name[0]] = count
        return "*" + part[name.end() :] if len(words) > BRANCHES and count < OFTEN else part


def shape_of(key: str) -> str:
    """Return the shape of an address: `http://x.org/t/a-title.7/page-2?by=date` → `t/*.#/page-#?by=date`."""
    path, _, query = (key.partition("://")[2] or key).partition("/")[2].partition("?")
    file = FILES.search(path)
    if file:
        return f"*{file[0].lower()}"
    shape = "/".join(map(_part, path.split("/")))
    if query:
        shape += "?" + "&".join(sorted({_parameter(each) for each in _SEPARATOR.split(query) if each}))
    return shape


def _part(part: str) -> str:
    found = _TITLE.sub(_title, _NUMBER.sub("#", part))
    return "*" if "%" in found or len(found) > LONGEST else found


def _title(match: re.Match[str]) -> str:
    return match[0] if _COUNTED.fullmatch(match[0]) else "*"


def _parameter(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    name = _NUMBER.sub("#", name)
    if not value or _KIND.fullmatch(value):
        return name + equals + value
    return f"{name}=#" if _NUMERIC.fullmatch(value) else f"{name}=*"
