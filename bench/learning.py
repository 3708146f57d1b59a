"""Learning from 1,000, 10,000 and 100,000 sampled pages, and what learning adds to each page of a crawl.

Sampled pages are made up: a board of lists, threads and members, with labels, 2-grams and redundant views as forums
have them (about 300 items and 40 links a page). Each size is learned in a process of its own, so that its memory is
its own; time is processor time of making the site map and choosing patterns, growth is time a page against the
smaller size. The pages of the online phase have 28 KB and 15 posts, as in `knowing.py`, with ten new links each:
one after the other, just parsed and its links found, their text is taken and read for its items, the places of the
news are labelled, and the guide of the site is told and asked what comes next. Shown besides: an automaton of ten
patterns that follows forty links of a page.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import threads
from measure import Floor, conclude, give_up, machine, middle, options, show_machine, table

from anansi.knowledge.patterns import parse_pattern
from anansi.learn.automaton import Automaton
from anansi.learn.learner import Learner
from anansi.learn.lesson import Parameters, learn
from anansi.learn.pathfinder import Pathfinder
from anansi.learn.sitemap import Sampled, SiteMap
from anansi.model import Ended, Link, Outcome, Visit
from anansi.pages.links import LinkFinder
from anansi.state import PageHashes
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import Rules

SIZES, QUICK_SIZES = (1_000, 10_000, 100_000), (500, 1_000, 2_000)
PAGES, QUICK_PAGES = 1_000, 100
SECONDS = 300.0  # for the largest size: minutes
MEMORY = 2_000.0  # MB
GROWTH = 2.0  # time a page at ten times the size
ONLINE = 0.5  # milliseconds a page
ADDED = (
    "text",
    "items",
    "places",
    "guide",
)  # what learning adds to a page; following patterns adds the automaton instead
NEW = 10  # links of a page that are news
LINKS = 40  # of a page that an automaton follows
PAGE = "http://forum.example/viewtopic.php"
ITEMS = 300


def main() -> int:
    """Measure at each size, and judge."""
    parser = options(__doc__)
    parser.add_argument(
        "--one", type=int, metavar="PAGES", help="learn from so many pages once and print what it cost"
    )
    asked = parser.parse_args()
    if asked.one:
        print(*_once(asked.one))
        return 0
    facts = machine()
    show_machine(facts)
    sizes = QUICK_SIZES if asked.quick else SIZES
    found = {size: _apart(size, asked.rounds if size < 50_000 else 1) for size in sizes}
    table(
        ("pages", "seconds", "ms a page", "MB", "patterns", "covered"),
        [
            (f"{size:,}", each["seconds"], each["ms"], each["MB"], each["patterns"], each["covered"])
            for size, each in found.items()
        ],
    )
    online = _online(QUICK_PAGES if asked.quick else PAGES, asked.rounds)
    table(("each page", "ms"), list(online.items()))
    numbers: dict[str, Any] = {**{str(size): each for size, each in found.items()}, "online": online}
    return conclude("learning", facts, numbers, _floors(found, online), check=asked.check)


def _floors(found: dict[int, dict[str, float]], online: dict[str, float]) -> list[Floor]:
    sizes = sorted(found)
    floors = [
        Floor(f"time a page at {large:,} ÷ {small:,}", found[large]["ms"] / found[small]["ms"], GROWTH, most=True)
        for small, large in pairwise(sizes)
    ]
    floors.append(Floor(f"seconds at {sizes[-1]:,}", found[sizes[-1]]["seconds"], SECONDS, most=True))
    floors.append(Floor(f"MB at {sizes[-1]:,}", found[sizes[-1]]["MB"], MEMORY, most=True))
    floors.append(Floor("ms a page online", sum(online[name] for name in ADDED), ONLINE, most=True))
    return floors


def _apart(size: int, rounds: int) -> dict[str, float]:
    """Learn in a process of its own."""
    runs = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            give_up(f"learning from {size:,} pages failed:\n{done.stderr[-2000:]}")
        runs.append([float(number) for number in done.stdout.split()])
    seconds, memory, patterns, covered = (middle(column) for column in zip(*runs, strict=True))
    return {"seconds": seconds, "ms": 1000 * seconds / size, "MB": memory, "patterns": patterns, "covered": covered}


def _once(size: int) -> tuple[float, float, int, float]:
    spent = 0.0
    sitemap = SiteMap("/")
    for page in _pages(size):
        began = time.process_time()
        sitemap.add(page)
        spent += time.process_time() - began
    began = time.process_time()
    lesson = learn(sitemap, Parameters())
    spent += time.process_time() - began
    return spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(lesson.patterns), lesson.covered


# ── sampled pages ────────────────────────────────────────────────────────────────────────────────────────────────


def _label(name: str) -> str:
    return f"/html/body/div[@id='wrap']/div[@id='{name}']/a/@href"


def _pages(count: int) -> Iterator[Sampled]:
    """Go through a board: its lists, a tenth of all; threads, half; members and redundant views, the rest."""
    rng = random.Random(count)
    lists, threads, members = count // 10, count // 2, count // 5
    menu = [(f"/menu/{number}", _label(f"menu{'abcdefgh'[number]}")) for number in range(8)]
    boards = [(f"/list/{number}", _label("boards")) for number in range(0, lists, 20)]
    yield Sampled("/", _items(rng, 0), (*menu, *boards))
    for number in range(8):
        yield Sampled(f"/menu/{number}", _items(rng, 0), tuple(menu))
    for number in range(lists):
        here = [(f"/t/{rng.randrange(threads)}", _label("threads")) for _ in range(25)]
        flips = [(f"/list/{(number * 7 + step) % lists}", _label("pages")) for step in range(1, 6)]
        yield Sampled(f"/list/{number}", _items(rng, 20), (*menu, *here, *flips))
    for number in range(threads):
        here = [(f"/u/{rng.randrange(members)}", _label("author")) for _ in range(10)]
        views = [(f"/print/{rng.randrange(members)}", _label("print")), (f"/p/{number}", _label("post"))] * 5
        yield Sampled(f"/t/{number}", _items(rng, 200), (*menu, *here, *views))
    for number in range(members):
        yield Sampled(f"/u/{number}", _items(rng, 5), tuple(menu))
        yield Sampled(f"/print/{number}", _items(rng, 0), tuple(menu))


_TEMPLATE = random.Random(1).sample(range(1 << 32), ITEMS)


def _items(rng: random.Random, new: int) -> array[int]:
    own = {rng.getrandbits(32) for _ in range(new)}
    return array("I", sorted({*_TEMPLATE[: ITEMS - new], *own, rng.getrandbits(32)}))


# ── the online phase ─────────────────────────────────────────────────────────────────────────────────────────────


def _online(pages: int, rounds: int) -> dict[str, float]:
    """Do what a worker does with a page of a site that is being learned, and what the hub does with its report."""
    made = [page.html.encode() for software in threads.EVERY for page in threads.pages(software, 20)]
    automaton = Automaton([parse_pattern(text) for text in _patterns()])
    spent: dict[str, list[float]] = {}
    for _ in range(rounds):
        clock, learner, finder = _Clock(), Learner(), LinkFinder(Rules())
        reports: list[tuple[Outcome, list[Link]]] = []
        for number in range(pages):
            page = PageModel(html.parse(made[number % len(made)], "utf-8"))
            finder.links(page, PAGE)  # what a crawl does anyway, before it learns
            text = clock("text", lambda page: page.text, page)
            items = clock("items", learner.items, text)
            news = [
                Link(f"{href}?n={number}", f"{href}?n={number}", path=label, anchor=text)
                for href, label, text in clock("places", _places, learner, page)
            ]
            reports.append((Outcome(Ended.DONE, 200, page=True, said=PageHashes(items)), news))
            labels = [link.path for link in news] * (LINKS // NEW)
            clock("automaton", lambda labels: [automaton.step(automaton.start(), each) for each in labels], labels)
        guide = Pathfinder(random.Random(1))  # in a process of its own, as the hub is
        guide.offer("/", "")
        for outcome, news in reports:
            clock("guide", _lead, guide, outcome, news)
        for name, seconds in clock.spent.items():
            spent.setdefault(name, []).append(1000 * seconds / pages)
    return {name: middle(times) for name, times in spent.items()}


class _Clock:
    """Adds up processor time by name. Mutable state: `spent`, in seconds."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def __call__(self, name: str, work: Callable[..., Any], *given: Any) -> Any:
        began = time.process_time()
        done = work(*given)
        self.spent[name] = self.spent.get(name, 0.0) + time.process_time() - began
        return done


def _places(learner: Learner, page: PageModel) -> list[tuple[str, str, str]]:
    """Say where the new links of a page stand, and what they say."""
    places = learner.places(page)
    news = places.anchors[:: max(1, len(places.anchors) // NEW)]
    return [(href, places.label(anchor), places.text(anchor)) for href, anchor in news]


def _lead(guide: Pathfinder, outcome: Outcome, news: list[Link]) -> None:
    key = guide.next() or "/"
    guide.learn(Visit(key, key), outcome, [(link, link.path) for link in news])


def _patterns() -> Iterator[str]:
    for number in range(10):
        path = f"/html/body/div[@id='wrap']/div[contains(@class,'box{'abcdefghij'[number]}')]/p/a/@href"
        yield f'doc("http://x.example/")/({path}{{click/}})+/({path}{{click/}})'


if __name__ == "__main__":
    raise SystemExit(main())
