"""Finding the type of a page among 50, 5,000 and 100,000 types.

The page is a thread of 28 KB as one of the types writes it: prose, links, a generator, a style sheet, the classes of
its posts. Each made-up type has three detection patterns of the kinds that real entries have (a generator, a file's
address, a class of the body); all look alike and differ in a name. Time is processor time of recognising the page
with nothing known of its site, its tree parsed before; a round looks at the page many times. What is known of a site
is verified faster still. For comparison all patterns are evaluated one by one, as they are without an index.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from measure import Floor, conclude, machine, middle, options, show_machine, table

from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Kind, Level, Pattern, Type
from anansi.knowledge.xpath import parse
from anansi.model import Recognition
from anansi.pages.document import Document
from anansi.pages.recogniser import Recogniser
from anansi.text import tree as html
from pages import SIZE, vocabulary

SIZES, QUICK_SIZES = (50, 5_000, 100_000), (50, 500, 5_000)
LOOKS, QUICK_LOOKS = 2_000, 300
ONE_BY_ONE = 5_000  # types at the most that are evaluated one by one: more would take minutes

GROWTH = 1.3  # 5,000 types ÷ 50 types
LONGEST = 1.0  # milliseconds a page
FASTER = 100.0  # than one by one, at 5,000 types

MINE = 7  # the type that made the page


def main() -> int:
    """Measure at each size, and judge."""
    parser = options(__doc__)
    asked = parser.parse_args()
    sizes = QUICK_SIZES if asked.quick else SIZES
    looks = QUICK_LOOKS if asked.quick else LOOKS
    facts = machine()
    show_machine(facts)
    document = _document()
    found: dict[int, dict[str, float]] = {}
    for size in sizes:
        found[size] = _measure(size, document, looks=looks, rounds=asked.rounds)
        print(f"{size:,} types measured", flush=True)
    table(
        ("types", "ms a page", "one by one, ms", "times faster", "making the index, s"),
        [
            (f"{size:,}", each["ms"], each["one by one, ms"], each["faster"], each["index, s"])
            for size, each in found.items()
        ],
    )
    numbers = {f"{size}": each for size, each in found.items()}
    return conclude("detection", facts, numbers, _floors(found), check=asked.check)


def _measure(size: int, document: Document, *, looks: int, rounds: int) -> dict[str, float]:
    began = time.process_time()
    catalogue = Catalogue(_types(size))
    making = time.process_time() - began
    recogniser = Recogniser(catalogue)
    _check(recogniser.recognise(document))
    ms = middle(_milliseconds(lambda: _fresh(recogniser, document), looks) for _ in range(rounds))
    compared = catalogue if size <= ONE_BY_ONE else Catalogue(_types(ONE_BY_ONE))
    one = middle(_one_by_one(Recogniser(compared), compared, document) for _ in range(rounds))
    one *= size / min(size, ONE_BY_ONE)
    return {"ms": ms, "one by one, ms": one, "faster": one / ms, "index, s": making}


def _milliseconds(work: Callable[[], object], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - began) / times * 1000


def _fresh(recogniser: Recogniser, document: Document) -> Recognition | None:
    """Recognise a page that was never looked at: what a document remembers of itself is made anew."""
    fresh = Document(document.tree, document.source, document.url, document.status, document.headers)
    return recogniser.recognise(fresh)


def _one_by_one(recogniser: Recogniser, catalogue: Catalogue, document: Document) -> float:
    """Evaluate all patterns, each in lxml's form already; the first time makes that form and is not counted."""

    def all_of_them() -> list[str]:
        return [
            name
            for name, entry in catalogue.types.items()
            if any([recogniser.matches(document, pattern) for pattern in entry.detection])  # noqa: C419 - all of them
        ]

    assert all_of_them() == [f"forum/{_name(MINE)}"]
    return _milliseconds(all_of_them, 1)


def _check(found: Recognition | None) -> None:
    """Make sure that the page is found for what it is."""
    assert found is not None
    assert (found.type, found.level) == (f"forum/{_name(MINE)}", "thread")


# ── types and a page ─────────────────────────────────────────────────────────────────────────────────────────────

_WORDS = sorted(set(vocabulary(3000, random.Random(5))))


def _name(number: int) -> str:
    """Make up the name of a software; no two are alike."""
    return f"{_WORDS[number % 997]}{_WORDS[number // 997 % 997]}{number}"


def _types(count: int) -> Iterator[Type]:
    yield Type("forum", "Forum", levels=(Level("thread", Kind.TERMINAL),))
    for number in range(count):
        name = _name(number)
        texts = (
            f"meta[@name='generator'][contains(@content,'{name} ')]",
            f"link[contains(@href,'/{name}/theme.css')]",
            f"body[contains(@class,'{name}-thread')]",
        )
        level = Level("thread", Kind.TERMINAL, (Pattern((parse("div[@class='post']"),)),))
        yield Type(f"forum/{name}", name, detection=tuple(Pattern((parse(text),)) for text in texts), levels=(level,))


def _document() -> Document:
    rng = random.Random(11)
    name = _name(MINE)
    head = (
        f'<!DOCTYPE html><html><head><title>A thread</title><meta name="generator" content="{name} 3.1">'
        f'<link rel="stylesheet" href="/{name}/theme.css"></head><body class="forum {name}-thread">'
    )
    parts, size = [head], len(head)
    while size < SIZE:
        parts.append(_post(len(parts), rng))
        size += len(parts[-1])
    source = "".join((*parts, "</body></html>"))
    headers = (("content-type", "text/html; charset=utf-8"), ("server", "nginx"), ("set-cookie", "sid=1; path=/"))
    return Document(html.parse(source.encode(), "utf-8"), source, "http://forum.example/t/7?page=2", 200, headers)


def _post(number: int, rng: random.Random) -> str:
    prose = " ".join(rng.choices(_WORDS, k=150))
    links = "".join(f'<a href="/t/{rng.randrange(10**6)}?p={n}&amp;x=1">{rng.choice(_WORDS)}</a> ' for n in range(3))
    return (
        f'<div class="post" id="p{number}"><p class="author"><a href="/u/{number}">{rng.choice(_WORDS)}</a></p>'
        f'<div class="content"><p>{prose}</p>{links}</div></div>\n'
    )


def _floors(found: dict[int, dict[str, float]]) -> list[Floor]:
    small, middle_size, _ = sorted(found)
    growth = found[middle_size]["ms"] / found[small]["ms"]
    floors = [Floor(f"ms a page at {size:,}", each["ms"], LONGEST, most=True) for size, each in found.items()]
    floors.append(Floor(f"{middle_size:,} ÷ {small:,} types", growth, GROWTH, most=True))
    floors.append(Floor(f"times one by one at {middle_size:,}", found[middle_size]["faster"], FASTER))
    return floors


if __name__ == "__main__":
    raise SystemExit(main())
