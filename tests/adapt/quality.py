"""The figures of adaptation on a pinned corpus, and the floors under them.

python -m tests.adapt.quality            measure, and raise the floors that were passed
python -m tests.adapt.quality --lower    write what was measured, though it is less: say why in the commit
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from anansi.knowledge import shelf
from tests.adapt.mutate import THEMES
from tests.adapt.repairs import Tally, measured, templates

PAGES = Path(__file__).parents[1] / "knowledge" / "pages"
FLOORS = Path(__file__).with_name("quality.json")
PINNED = (
    "blog.wordpress/kubrick-post",
    "blog.drupal/bartik7-node",
    "forum.fluxbb/flux-topic",
    "forum.phpbb/prosilver_thread",
    "forum.smf/21_thread",
    "qa.askbot/question",
)
"""Templates of several kinds that are measured at every test; `bench/adaptation.py` measures all."""

RUNS = {
    "recrawl, one change a step": (1, True, 0),
    "recrawl, two changes a step": (2, True, 0),
    "new site, one change a step": (1, False, THEMES),
    "new site, two changes a step": (2, False, THEMES),
    "new site, names at random": (1, False, 0),
}

WRONG = 0.005
"""Share of wrong values that no floor may be above."""


def corpus() -> str:
    """Return the hash of the pages."""
    digest = hashlib.sha256()
    for name in PINNED:
        folder, _, page = name.partition("/")
        digest.update((PAGES / folder / f"{page}.html").read_bytes())
    return digest.hexdigest()[:16]


def figures() -> dict[str, dict[str, float]]:
    """Measure the pinned corpus."""
    catalogue = shelf.catalogue()
    chosen = [each for each in templates(PAGES, catalogue) if each.name in PINNED]
    found = {}
    for name, (changes, recrawl, seed) in RUNS.items():
        tally = Tally()
        for template in chosen:
            tally.add(measured(template, catalogue, seed, changes, recrawl=recrawl))
        found[name] = {"repaired": round(tally.share, 4), "wrong": round(tally.wrongs, 4)}
    return found


def missed(found: dict[str, dict[str, float]], floors: dict[str, dict[str, float]]) -> Iterator[str]:
    """Go through the figures that are below their floors."""
    for name, floor in floors.items():
        if found[name]["repaired"] < floor["repaired"]:
            yield f"{name}: repaired {found[name]['repaired']}, at least {floor['repaired']}"
        if found[name]["wrong"] > floor["wrong"]:
            yield f"{name}: wrong {found[name]['wrong']}, at most {floor['wrong']}"


def pin(*, lower: bool) -> str:
    """Write the floors; they rise freely and fall only when told so."""
    found = figures()
    if worst := [name for name, figure in found.items() if figure["wrong"] > WRONG]:
        return f"not written: more than {WRONG:.1%} wrong in {', '.join(worst)}"
    before = json.loads(FLOORS.read_text()) if FLOORS.is_file() else None
    if before is not None and not lower and (falls := list(missed(found, before["floors"]))):
        return "not written: " + "; ".join(falls) + " (use --lower if that is meant)"
    FLOORS.write_text(json.dumps({"corpus": corpus(), "floors": found}, indent=2) + "\n")
    return f"written: {found}"


if __name__ == "__main__":
    sys.stdout.write(pin(lower="--lower" in sys.argv) + "\n")
