"""A page as lines of text, each with the block that it stands in.

One walk over the tree gives all that extraction needs: the lines of any block are a range, so the text of a node, its
length and what it shares with an item are sums over ranges and searches in one string.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from anansi.text.elements import BLOCKS, is_furniture

UNSEEN: Final = frozenset(
    "script style noscript template head select button svg textarea input object iframe video audio canvas".split()  # noqa: SIM905 - a word list
)
"""Elements whose text no reader sees as such."""
DEEPEST: Final = 200
"""Levels of a tree that are read; below, markup has run away."""
MOST_HITS: Final = 40
"""Places of one sequence of words that are looked at."""
BEGINNING: Final = 6
"""Words that tell where a text begins."""
INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff \u00ad"
"""Characters without width; editors leave them where nothing stands."""

_NOT_WORD: Final = re.compile(r"[^\w\n]+|_+")
_SINGLE: Final = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
"""Letters of scripts without spaces between words; each counts as a word."""


def flattened(text: str) -> str:
    """Return the words of a text in small letters, one space between them."""
    small = text.lower()
    if not small.isascii():
        small = _SINGLE.sub(r" \1 ", small)
    return _NOT_WORD.sub(" ", small)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a tree, in their order."""

    root: Any
    texts: list[str]
    blocks: list[Any]
    """The innermost block around each line."""
    spans: dict[Any, tuple[int, int]]
    """Of each block: its first line, and the one behind its last."""
    flat: str
    """The words of all lines; a line ends with ` \\n `, so that no sequence of words crosses it."""
    starts: list[int]
    """Where each line starts there."""

    def hits(self, gram: str) -> Iterator[int]:
        """Go through the lines that hold a sequence of words."""
        wanted = f" {gram} "
        at = self.flat.find(wanted)
        for _ in range(MOST_HITS):
            if at < 0:
                return
            yield bisect_right(self.starts, at) - 1
            at = self.flat.find(wanted, at + 1)

    def words(self, first: int, end: int) -> str:
        """Return the words of a range of lines."""
        if first >= end:
            return ""
        return self.flat[self.starts[first] : self.starts[end] if end < len(self.starts) else len(self.flat)]

    def begins(self, line: int, words: Sequence[str]) -> bool:
        """Tell whether a text begins with a line: whether some words follow each other from there on."""
        wanted = list(words[:BEGINNING])
        return (
            bool(wanted) and self.words(line, min(line + BEGINNING, len(self.texts))).split()[: len(wanted)] == wanted
        )


def lines_of(root: Any) -> Lines:
    """Read a tree."""
    reader = _Reader([], [], {}, [])
    if root is not None:
        reader.block(root, 0)
    pieces = [f" {each.strip()} \n" for each in flattened("\n".join(reader.texts)).split("\n")]
    starts = [0, *accumulate(map(len, pieces))][: len(reader.texts)]
    return Lines(root, reader.texts, reader.blocks, reader.spans, "".join(pieces), starts)


def text_of(root: Any) -> str:
    """Return the text of a tree, one line a paragraph."""
    return "\n".join(lines_of(root).texts)


@dataclass(frozen=True, slots=True)
class _Reader:
    """What was read so far. Mutable: all of its lists."""

    texts: list[str]
    blocks: list[Any]
    spans: dict[Any, tuple[int, int]]
    pieces: list[str]
    """Of the line that is being read."""

    def block(self, element: Any, depth: int) -> None:
        """Read a block: what stands in it begins and ends lines."""
        first = len(self.texts)
        self.inline(element, element, depth)
        if self.pieces:
            self.end(element)
        self.spans[element] = (first, len(self.texts))

    def inline(self, element: Any, block: Any, depth: int) -> None:
        """Read what stands in an element."""
        add = self.pieces.append
        if element.text:
            add(element.text)
        for child in element:
            tag = child.tag
            if tag == "br":
                add("\n")
            elif tag == "img":
                add(_symbol(child.get("alt") or ""))
            elif (
                tag in UNSEEN or not isinstance(tag, str) or depth > DEEPEST or (tag == "ins" and is_furniture(child))
            ):
                pass
            elif tag in BLOCKS:
                if self.pieces:
                    self.end(block)
                self.block(child, depth + 1)
            elif len(child):
                self.inline(child, block, depth + 1)
            elif child.text:
                add(child.text)
            if child.tail:
                add(child.tail)

    def end(self, block: Any) -> None:
        """End a line."""
        text = " ".join("".join(self.pieces).split()).strip(INVISIBLE)
        self.pieces.clear()
        if text:
            self.texts.append(text)
            self.blocks.append(block)


def _symbol(alternative: str) -> str:
    """Return what an image says if it stands for a character, as those of emoji do; nothing otherwise."""
    return alternative if not alternative.isascii() and not any(map(str.isalnum, alternative)) else ""
