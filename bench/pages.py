"""A site of static pages: prose, a menu, a side column, sixty links a page, all reachable from the home page."""

from __future__ import annotations

import random
from pathlib import Path

SIZE = 28_000  # bytes a page

LINKS = 60
SECTIONS = 20
_MENU = 10
_CHILDREN = 2  # page n links to 2n + 1 and 2n + 2: a tree in which every page has a way from the home page

_ONSETS: list[str] = [*"bcdfghjklmnprstvw", "br", "ch", "dr", "fl", "gr", "pr", "sh", "st", "th", "tr"]
_VOWELS: list[str] = [*"aeiou", "ai", "ea", "oo", "ou"]
_CODAS = ["", "", "l", "m", "n", "nd", "r", "rk", "s", "st", "t", "x"]


def vocabulary(count: int, rng: random.Random) -> list[str]:
    """Make up words."""
    return ["".join(_syllable(rng) for _ in range(rng.choice((1, 2, 2, 3)))) for _ in range(count)]


def _syllable(rng: random.Random) -> str:
    return rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS)


def path_of(number: int) -> str:
    """Return the path of a page; the home page is 0."""
    return f"/section-{number % SECTIONS:02d}/story-of-{number:05d}.html" if number else "/"


def write_site(root: Path, count: int) -> list[str]:
    """Write the pages of a site and return their paths."""
    rng = random.Random(2024)
    words = vocabulary(4000, rng)
    for section in range(SECTIONS):
        (root / f"section-{section:02d}").mkdir(parents=True, exist_ok=True)
    paths = [path_of(number) for number in range(count)]
    for number, path in enumerate(paths):
        file = root / (path.lstrip("/") or "index.html")
        file.write_text(_page(number, count, words, rng), encoding="utf-8")
    return paths


def _page(number: int, count: int, words: list[str], rng: random.Random) -> str:
    below = [child for child in range(_CHILDREN * number + 1, _CHILDREN * number + 1 + _CHILDREN) if child < count]
    targets = below + [rng.randrange(count) for _ in range(LINKS - _MENU - len(below))]
    rng.shuffle(targets)
    inline, aside = targets[:30], targets[30:]
    title = _sentence(words, rng, 7)
    top = _TOP.format(title=title, menu=_list(range(_MENU), words, rng), number=number)
    bottom = _BOTTOM.format(aside=_list(aside, words, rng), number=number)
    parts = [top]
    size = len(top) + len(bottom)
    while size < SIZE:
        parts.append(_paragraph(inline, words, rng))
        size += len(parts[-1])
    return "".join((*parts, bottom))


def _paragraph(links: list[int], words: list[str], rng: random.Random) -> str:
    prose = " ".join(_sentence(words, rng, rng.randint(6, 20)) for _ in range(5))
    link = f' <a href="{path_of(links.pop())}">{_sentence(words, rng, 4)}</a>' if links else ""
    return f'<div class="block"><h2>{_sentence(words, rng, 5)}</h2>\n<p class="text">{prose}{link}</p></div>\n'


def _list(numbers: list[int] | range, words: list[str], rng: random.Random) -> str:
    return "\n".join(
        f'<li class="item"><a class="link" href="{path_of(number)}">{_sentence(words, rng, 3)}</a></li>'
        for number in numbers
    )


def _sentence(words: list[str], rng: random.Random, length: int) -> str:
    return " ".join(rng.choices(words, k=length)).capitalize() + "."


_TOP = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="{title}">
<link rel="stylesheet" href="data:text/css,body%7Bmargin:0%7D"></head>
<body class="page page-{number}"><header id="top"><nav class="menu"><ul>
{menu}
</ul></nav></header>
<main><article id="story-{number}"><h1>{title}</h1>
"""

_BOTTOM = """</article></main><aside class="side"><h3>Read on</h3><ul>
{aside}
</ul></aside><footer><p>Page {number}. All stories are made up.</p></footer></body></html>
"""
