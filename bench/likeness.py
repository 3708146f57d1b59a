"""How alike learned sites are: of the same software, of the same one under another theme, of different ones.

    python bench/likeness.py SITE.warc.gz… [--pages 500] [--seed 1]

No HTTP and no committed data: name WARC files of whole sites, each of other software. Of each, two samples that share
no page are learned apart and stand for two sites of one software; then the second again with a part of its classes
and ids renamed, as another theme would. `learn.likeness.ALIKE` must lie between what is the same and what is not.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from measure import conclude, machine, options, show_machine, table
from regions import NOW, drawn

from anansi.learn.drafts import draft_of
from anansi.learn.likeness import ALIKE, features, likenesses
from anansi.learn.regions import SitePage, propose
from anansi.text.dates import Reader

RENAMED = (0.2, 0.4, 0.6)


def main() -> int:
    """Compare all with all."""
    parser = options(__doc__)
    parser.add_argument("warcs", nargs="+", type=Path, metavar="WARC")
    parser.add_argument("--pages", type=int, default=500, metavar="N", help="pages that are drawn (default 500)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="where chance begins (default 1)")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    sites: dict[str, frozenset[str]] = {}
    themes: dict[str, list[frozenset[str]]] = {}
    for warc in asked.warcs:
        name = warc.name.partition(".")[0]
        pages = [SitePage(each.url, each.tree) for each in drawn(warc, asked.pages, Random(asked.seed))]
        one, two = pages[::2], pages[1::2]
        sites[f"{name} 1"], sites[f"{name} 2"] = learned(one), learned(two)
        themes[name] = [learned([renamed(page, share) for page in two]) for share in RENAMED]
    rows, numbers = compared(sites, themes)
    table(("site", "same", *(f"{share:.0%} renamed" for share in RENAMED), "most alike of others"), rows)
    print(f"threshold {ALIKE}: {sum(value < ALIKE for value in numbers['same'])} of the same below it,", end=" ")
    print(f"{sum(value >= ALIKE for value in numbers['different'])} of {len(numbers['different'])} others above")
    return conclude("likeness", facts, numbers, [], check=asked.check)


def compared(
    sites: dict[str, frozenset[str]], themes: dict[str, list[frozenset[str]]]
) -> tuple[list[tuple[Any, ...]], dict[str, list[float]]]:
    """Return a row a site, and the numbers."""
    alike = likenesses(sites)
    rows: list[tuple[Any, ...]] = []
    for name, variants in themes.items():
        one, two = f"{name} 1", f"{name} 2"
        others = [value for pair, value in alike.items() if len({one, two} & set(pair)) == 1]
        again = [likenesses({**sites, two: each})[one, two] for each in variants]
        rows.append((name, *(f"{value:.2f}" for value in (alike[one, two], *again, max(others, default=0.0)))))
    same = [alike[f"{name} 1", f"{name} 2"] for name in themes]
    different = [alike[pair] for pair in combinations(sites, 2) if pair[0][:-1] != pair[1][:-1]]
    return rows, {"same": same, "different": different}


def learned(pages: Sequence[SitePage]) -> frozenset[str]:
    """Learn a site from pages and return what it goes by."""
    return features(draft_of(propose(pages, Reader(NOW).read), pages[0].url))


def renamed(page: SitePage, share: float) -> SitePage:
    """Return a page with a share of all names replaced, the same on every page."""
    tree = copy.deepcopy(page.tree)
    for element in tree.iter():
        for attribute in ("class", "id"):
            if value := element.get(attribute) if isinstance(element.tag, str) else None:
                element.set(attribute, " ".join(_other(each, share) for each in value.split()))
    return SitePage(page.url, tree)


def _other(name: str, share: float) -> str:
    stem = name.rstrip("0123456789")
    if crc32(stem.encode()) % 1000 >= 1000 * share:
        return name
    letters = "".join(
        chr(ord("a") + digit) for digit in crc32(stem.encode()[::-1]).to_bytes(4) for digit in (digit % 26,)
    )
    return f"q{letters}{name[len(stem) :]}"


if __name__ == "__main__":
    raise SystemExit(main())
