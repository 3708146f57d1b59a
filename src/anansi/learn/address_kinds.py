"""What kind of address a URL has: what names one page (numbers, titles) left out, what names a kind of page kept."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

LONGEST: Final = 32
"""Characters of a part of a path; a longer one is a title."""

FILES: Final = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|bmp|psd|tiff?|zip|rar|7z|gz|exe|pdf|docx?|xlsx?|pptx?|odt|mp3|mp4|ogg|wav|avi"
    r"|mov|wmv|flv|swf|webm|css|js)$",
    re.IGNORECASE,
)
"""Addresses of what is no page, wherever it is linked from."""
ENDING: Final = 6
"""Characters that such an ending has at the most, with a line's end behind it."""

MEMO: Final = 5000
"""Addresses whose shapes are remembered, their numbers aside; about 300 bytes each."""

_NUMBER: Final = re.compile(r"\d+")
_TITLE: Final = re.compile(r"[^,.=;_]*-[^,.=;]*")  # words joined by hyphens
_COUNTED: Final = re.compile(r"[A-Za-z]{1,9}-#")  # `page-2`, `post-17`
_NAME: Final = re.compile(r"[^\W\d_][^.,?#*]*(?=$|\.#)")  # a word, alone or before a number
_KIND: Final = re.compile(r"[a-z_-]{1,16}")
_SEPARATOR: Final = re.compile("[&;]")
_NUMERIC: Final = re.compile(r"[#.,:-]+")


BRANCHES: Final = 8
"""Words that may stand in one place of an address before rare ones count as names, not as kinds of pages."""
OFTEN: Final = 20
"""Addresses in which a word stands in one place from which on it is a kind of page there, among however many."""
PLACES, WORDS = 2000, 500  # places of addresses whose words are counted, and words of a place


class Shapes:
    """The shapes of one site's addresses: where many words take turns (`/members/ann`, `/members/bob`), none of them
    is a kind of page. Mutable state: `words` (beginning of a path → words that came next, and how often).
    """

    def __init__(self) -> None:
        self.words: dict[str, dict[str, int]] = {}

    def of(self, key: str) -> str:
        """Return the shape of an address, by those that were met before."""
        parts, rest = _named(shape_of(key))
        found = ""
        for part, name in parts:
            found += part if not name else self._general(found, part, name)
        return found + rest

    def _general(self, before: str, part: str, name: str) -> str:
        """Return a part of a path, or `*` in place of its words when many others stand there, too."""
        words = self.words.get(before)
        if words is None:
            if len(self.words) >= PLACES:
                return part
            words = self.words[before] = {}
        count = words.get(name, 0) + 1
        if count > 1 or len(words) < WORDS:
            words[name] = count
        return part.replace(name, "*", 1) if len(words) > BRANCHES and count < OFTEN else part


def shape_of(key: str) -> str:
    """Return the shape of an address: `http://x.org/t/a-title.7/page-2?by=date` → `t/*.#/page-#?by=date`."""
    address = (key.partition("://")[2] or key).partition("/")[2]
    path = address.partition("?")[0]
    # most end in no file's name: to see that takes a quarter of looking for all of them
    file = FILES.search(path) if path.rfind(".", -ENDING) >= 0 else None
    return f"*{file[0].lower()}" if file else _shape(_NUMBER.sub("#", address))


@lru_cache(MEMO)
def _named(shape: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return the parts of a shape's path, each with the word in it that may be a name; and the rest."""
    path, mark, query = shape.partition("?")
    parts = [_NAME.match(part) or part for part in path.split("/")]
    named = [(each, "") if isinstance(each, str) else (each.string, each[0]) for each in parts]
    return tuple(("/" * bool(number) + part, name) for number, (part, name) in enumerate(named)), mark + query


@lru_cache(MEMO)
def _shape(address: str) -> str:
    """Return the shape of an address whose numbers are cut down to `#`; most differ in nothing else."""
    path, _, query = address.partition("?")
    shape = "/".join(map(_part, path.split("/")))
    if query:
        shape += "?" + "&".join(sorted({_parameter(each) for each in _SEPARATOR.split(query) if each}))
    return shape


def _part(part: str) -> str:
    found = _TITLE.sub(_title, part)
    return "*" if "%" in found or len(found) > LONGEST else found


def _title(match: re.Match[str]) -> str:
    return match[0] if _COUNTED.fullmatch(match[0]) else "*"


def _parameter(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    if not value or _KIND.fullmatch(value):
        return name + equals + value
    return f"{name}=#" if _NUMERIC.fullmatch(value) else f"{name}=*"
