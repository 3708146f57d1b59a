"""How many gaps are found on the pages of `gaps`, and how many alarms are false; pinned in `gaps_figures.json`.

    python -m tests.pages.gaps_gate    says what is reached, which pages are judged wrongly, and what is pinned
    python -m tests.pages.gaps_gate --pin      pins what is reached, if nothing is lower than before
    python -m tests.pages.gaps_gate --pin --lower    pins it though something is lower; say why in the commit

Each page begins with a comment: what is wanted of it, its address, the way to it, status and header of the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from anansi.model import Body, Gap, Page, Visit
from anansi.pages.gap_rules import Suspect
from anansi.pages.gaps import Gaps, is_paid
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import site_of
from tests.pinning import Figures, Gate

PAGES = Path(__file__).parent / "gaps"
PINNED = Path(__file__).parent / "gaps_figures.json"

_HEAD = re.compile(r"<!--\n(.*?)\n-->\n", re.S)


class Example(NamedTuple):
    """A page, and what is wanted of it."""

    name: str
    wanted: str
    suspect: Suspect


def example(path: Path) -> Example:
    """Read a page with what is wanted of it."""
    source = path.read_text(encoding="utf-8")
    head = _HEAD.match(source)
    assert head is not None, f"{path} does not begin with what is wanted of it"
    parted = (line.partition(": ") if ": " in line else (line.rstrip(":"), "", "") for line in head[1].splitlines())
    told = {name: value for name, _, value in parted}
    data = source[head.end() :].strip().encode()
    name, _, value = told.get("header", "").partition(": ")
    visit = Visit(told["url"], told["url"], hops=told["hops"], via="https://site.example/")
    headers = ((name.lower(), value),) if name else ()
    page = Page(visit, 0.0, 0.0, body=Body(len(data), data), status=int(told.get("status", "200")), headers=headers)
    return Example(path.stem, told["wanted"].replace("none", ""), suspect(page))


def suspect(page: Page) -> Suspect:
    """Make of a page what the crawl makes of one whose site nobody knows."""
    data = page.body.read()
    tree = html.parse(data, "utf-8")
    model = PageModel(tree, data.decode()) if tree is not None else None
    links = len(model.of("a")) if model is not None else 0
    return Suspect(page, model, model.title if model is not None else "", links=links, paid=is_paid(data))


def found(each: Example) -> str:
    """Say which gap a page is taken for, seen alone."""
    gap = Gaps().look(each.suspect, site_of(each.suspect.page.visit.url))
    return gap[0].value if gap is not None else ""


def examples() -> list[Example]:
    """Read all pages."""
    return [example(path) for path in sorted(PAGES.glob("*.html"))]


def reached() -> Figures:
    """Measure precision and recall of all gaps, and of each kind that there are pages of."""
    right: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for each in examples():
        seen = found(each)
        for name, counts, good in (
            ("recall", bool(each.wanted), seen == each.wanted),
            ("precision", bool(seen), seen == each.wanted),
            ("no alarm", not each.wanted, not seen),
            (f"recall: {each.wanted}", bool(each.wanted), seen == each.wanted),
        ):
            of[name] += counts
            right[name] += counts and good
    return {name: (right[name], of[name]) for name in sorted(of) if of[name]}


def wrong() -> list[str]:
    """Name the pages that are judged wrongly."""
    judged = ((each, found(each)) for each in examples())
    return [
        f"{each.name}: {seen or 'none'}, wanted {each.wanted or 'none'}"
        for each, seen in judged
        if seen != each.wanted
    ]


GATE = Gate(PAGES, PINNED, reached, wrong)

LOOKED_FOR = set(Gap) - {
    *(Gap.LARGE, Gap.RATE, Gap.REFUSED, Gap.ERROR, Gap.ROBOTS, Gap.HOST, Gap.FAILING, Gap.UNANSWERED)
}
"""What a page alone can tell; the rest follows from how its visit ended."""

if __name__ == "__main__":
    raise SystemExit(GATE.main(__doc__ or ""))
