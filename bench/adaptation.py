"""Rules that a template's change broke: how many adaptation mends, and how many wrong values that lets in.

Pages of the built-in types (the project's own test pages, each multiplied with other content; with --sites also pages
of recorded sites) are rewritten: classes and ids renamed, tags swapped among span, div, article, section and li,
wrappers added, blocks moved; every element that a template names has one change, or two. Ten pages are learned from,
the others are held out. A broken rule is one that finds other values on a held-out page than before the change; it is
repaired when the mended rules find exactly what the old ones found before. Wrong values are those that mended rules
find and that were not there, among all that they find.

Recrawl: an earlier crawl knows the pages. New site: nothing is known; names are changed as themes do, or at random.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Floor, conclude, machine, options, show_machine, table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.adapt.mutate import THEMES  # noqa: E402
from tests.adapt.repairs import Tally, measured, recorded, templates  # noqa: E402

from anansi.knowledge import shelf  # noqa: E402

PAGES = ROOT / "tests" / "knowledge" / "pages"
SEEDS, QUICK_SEEDS = 3, 1

RUNS = (
    ("recrawl", "at random", 1, True, 70),
    ("recrawl", "at random", 2, True, 70),
    ("new site", "as themes do", 1, False, THEMES + 80),
    ("new site", "as themes do", 2, False, THEMES + 80),
    ("new site", "at random", 1, False, 80),
    ("new site", "at random", 2, False, 80),
)
"""The last is the first seed; nothing was tuned on these."""
REPAIRED = {("recrawl", 1): 0.99, ("recrawl", 2): 0.95}  # share of broken rules; of a new site, whatever is safe
WRONG = 0.005  # share of the values that mended rules find


def main() -> int:
    """Measure each kind of change, and judge."""
    parser = options(__doc__)
    parser.add_argument("--sites", type=Path, metavar="DIR", help="a folder of recorded sites (*.warc.gz)")
    parser.add_argument("--seeds", type=int, metavar="N", help="how many mutations of each template")
    given = parser.parse_args()
    seeds = given.seeds or (QUICK_SEEDS if given.quick else SEEDS)
    catalogue = shelf.catalogue()
    corpora = {"test pages": list(templates(PAGES, catalogue))}
    if given.sites is not None:
        warcs = sorted(given.sites.glob("*.warc*"))
        corpora["recorded"] = [each for warc in warcs for each in recorded(warc, catalogue)]
    rows, floors = [], []
    numbers: dict[str, dict[str, float]] = {}
    for corpus, chosen in corpora.items():
        for how, names, changes, recrawl, first in RUNS:
            tally = Tally()
            for template in chosen:
                for seed in range(first, first + seeds):
                    tally.add(measured(template, catalogue, seed, changes, recrawl=recrawl))
            cpu = 1000 * tally.seconds / max(1, tally.pages)
            shown = f"{tally.broken:,}", f"{tally.share:.1%}", f"{tally.wrongs:.2%}", f"{cpu:.0f}"
            rows.append((corpus, how, names, changes, *shown))
            label = f"{corpus}: {how}, names {names}, {changes} a step"
            numbers[label] = {"broken": tally.broken, "repaired": tally.share, "wrong": tally.wrongs, "cpu, ms": cpu}
            print(label, *shown, flush=True)
            if (how, changes) in REPAIRED:
                floors.append(Floor(f"{label}, repaired", tally.share, REPAIRED[how, changes]))
            floors.append(Floor(f"{label}, wrong", tally.wrongs, WRONG, most=True))
    about = machine()
    show_machine(about)
    table(("corpus", "", "names", "changes", "broken", "repaired", "wrong", "ms CPU a page"), rows)
    return conclude("adaptation", about, numbers, floors, check=given.check)


if __name__ == "__main__":
    sys.exit(main())
