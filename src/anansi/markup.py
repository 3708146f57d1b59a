"""HTML, bounded before it is parsed: what would take a parser minutes is left out, and said.

libxml2 compares each attribute of an element with all before it: 80,000 of them take 16 s, a million 300 s. Memory
goes by elements and attributes, a few hundred bytes each. Everything else it does goes by the size of the page.

    bytes ─ length ─► ─ number of tags ─► ─ attributes of one tag ─► bytes that are parsed in bounded time

Tags are found as the tokeniser of the HTML standard finds them, in one pass of one expression: every part of it is
possessive, so that nothing is looked at twice, whatever the page.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

LONGEST: Final = 8 << 20
"""Bytes of a page that are parsed."""
TAGS: Final = 250_000
"""Tags of a page that are parsed, those that end elements included: 70 MB as a tree, 250 MB for who watches it."""
VALUES: Final = 320_000
"""Values of attributes of a page that are parsed, by their `=`: 75 MB as a tree. The densest recorded page looked at
would have 310,000 if it had 8 MB, most 150,000."""
WORDS: Final = 750_000
"""Words inside of the tags of a page that is parsed: attributes without values are such, 110 bytes each as a tree.
The densest of the recorded pages would have 700,000 in 8 MB."""
ATTRIBUTES: Final = 256
"""Attributes of one tag that are parsed; no person writes a tenth of them."""
SMALL: Final = 32 << 10
"""Bytes of a page that is parsed as it is: one tag of that size, all short attributes, takes 0.2 s."""

_WIDE: Final = ("utf-16", "utf-32", "iso-2022")
"""How the names of charsets begin in which the bytes of `<` may stand for something else."""
_RAW: Final = (b"script", b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"textarea", b"title")
"""Elements that hold text alone, whatever it looks like, up to their own end tag."""

_NAME = rb"[^\t\n\f\r />]*+"
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >\"'][^\t\n\f\r >]*+)?+)?+"
)
_CLOSE = rb"[\t\n\f\r /]*+(?:>|\Z)"
_CLOSE_EMPTY = rb"(?:[\t\n\f\r ]*+/)++>"  # libxml2 takes `<script/>` for an element that holds nothing
_COMMENT = rb"!--(?:>|->|[^-]*+(?:(?!--!?>)-[^-]*+)*+(?:--!?>|\Z))"
_BETWEEN: Final = re.compile(rb">[^<]*+")
"""What stands between two tags, or looks like that."""
_BOGUS = rb"(?!/?[a-zA-Z]|!--)[!?/][^>]*+(?:>|\Z)"  # what the standard reads as a comment


class Bounded(NamedTuple):
    """A page that can be parsed in bounded time."""

    data: bytes
    charset: str
    left_out: str = ""
    """What of it was left out, in words for people."""


class _Rules(NamedTuple):
    """Expressions for pages whose tags may have so many attributes."""

    sound: re.Pattern[bytes]
    """All up to the first tag with more."""
    first: re.Pattern[bytes]
    """Such a tag with the attributes that it may have."""
    rest: re.Pattern[bytes]
    """The others."""


def bounded(data: bytes, charset: str) -> Bounded:
    """Leave out of a page what exceeds the bounds."""
    if len(data) <= SMALL:
        return Bounded(data, charset)
    if charset.lower().replace("_", "-").startswith(_WIDE):
        data, charset = data[: 4 * LONGEST].decode(charset, "replace").encode("utf-8", "replace"), "utf-8"
    notes = []
    if len(data) > LONGEST:
        notes.append(f"all after {LONGEST >> 20} MB")
        data = data[:LONGEST]
    for mark, most, what in ((b"<", TAGS, "tags"), (b"=", VALUES, "values of attributes")):
        if data.count(mark) > most:
            notes.append(f"all after {most:,} {what}")
            data = data[: _end(_marks(mark, most + 1), data, 0) - 1]
    while len(data) > WORDS and _words_in_tags(data) > WORDS:
        data = data[: len(data) // 2]
        notes.append(f"all after {len(data) >> 10:,} KB: too many attributes")
    data, trimmed = trim(data, ATTRIBUTES)
    if trimmed:
        notes.append(f"attributes of {trimmed:,} tags after the first {ATTRIBUTES}")
    return Bounded(data, charset, ", ".join(notes))


def trim(data: bytes, most: int) -> tuple[bytes, int]:
    """Leave out the attributes of each tag after the first `most`; return of how many tags."""
    rules = _rules(most)
    end = _end(rules.sound, data, 0)
    if end == len(data):
        return data, 0
    kept, start, trimmed = [], 0, 0
    while end < len(data):
        tag = rules.first.match(data, end)
        assert tag is not None
        kept.append(data[start : tag.end()])
        start = _end(rules.rest, data, tag.end())
        end = _end(rules.sound, data, _after(data, start, tag[1].lower()))
        trimmed += 1
    return b"".join((*kept, data[start:])), trimmed


def _words_in_tags(data: bytes) -> int:
    """Count what may be attributes: at most as many as this stand in the tags."""
    return len(_BETWEEN.sub(b">", data).split())


def _after(data: bytes, start: int, name: bytes) -> int:
    """Return where markup goes on after a tag whose attributes end at `start`."""
    return _end(re.compile(_raw_rest(name) if name in _RAW else _CLOSE), data, start)


def _end(expression: re.Pattern[bytes], data: bytes, start: int) -> int:
    found = expression.match(data, start)
    assert found is not None
    return found.end()


@cache
def _rules(most: int) -> _Rules:
    attributes = rb"(?:" + _ATTRIBUTE + rb"){0,%d}+" % most
    tag = _NAME + rb"(?:>|" + attributes + _CLOSE + rb")"
    raw = rb"|".join(_folded(name) + rb"(?=[\t\n\f\r />])" + attributes + _raw_rest(name) for name in _RAW)
    ways = (
        rb"(?![SsXxIiNnTt])[a-zA-Z]" + tag,  # most tags are not raw, and are told by their first letter
        rb"/[a-zA-Z]" + tag,
        raw,
        rb"(?!(?:" + rb"|".join(map(_folded, _RAW)) + rb")[\t\n\f\r />])[a-zA-Z]" + tag,
        _COMMENT,
        _BOGUS,
        rb"(?![a-zA-Z/!?])",
    )
    return _Rules(
        re.compile(rb"(?:[^<]*+<(?:" + rb"|".join(ways) + rb"))*+(?:[^<]*+\Z)?+"),
        re.compile(rb"[^<]*+<(/?[a-zA-Z]" + _NAME + rb")(?:" + _ATTRIBUTE + rb"){%d}" % most),
        re.compile(rb"(?:" + _ATTRIBUTE + rb")*+"),
    )


@cache
def _marks(mark: bytes, count: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?:[^%s]*+%s){%d}+" % (mark, mark, count))


def _raw_rest(name: bytes) -> bytes:
    """Write how a tag ends whose element holds text alone, and that text."""
    end = rb"</" + _folded(name) + rb"[\t\n\f\r />]"
    text = rb"[^<]*+(?:(?!" + end + rb")" + (_script_part() if name == b"script" else rb"<") + rb"[^<]*+)*+"
    return rb"(?:" + _CLOSE_EMPTY + rb"|" + _CLOSE + text + rb")"


def _script_part() -> bytes:
    """Write what may stand at `<` in a script: after `<!--` another script may stand in it, with its own end."""
    script = _folded(b"script") + rb"(?=[\t\n\f\r />])"
    inner = rb"<" + script + rb"(?:[^<-]++|(?!-->)-|(?!</" + script + rb")<)*+(?:</" + script + rb")?+"
    return rb"(?:<!(?=--)(?:[^<-]++|(?!-->)-|" + inner + rb"|(?!</?" + script + rb")<)*+(?:-->)?+|<)"


def _folded(name: bytes) -> bytes:
    return b"".join(b"[%c%c]" % (letter - 32, letter) for letter in name)
