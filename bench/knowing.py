"""What knowing an application costs a page: recognition, action and object writing, beside a blind crawl.

Pages of 28 KB with 15 posts or comments, as phpBB, vBulletin, XenForo, SMF and WordPress write them, go through the
stages of a worker twice: once as a crawl with `--strategy auto` takes them, once as a blind one does (parsed, all
links found, archived). No page comes twice; the first pages of a site, by which it becomes known, are not counted.
What knowing adds is the processor time of the one minus that of the other. The stages are also measured one by one.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

import threads
from measure import Floor, conclude, give_up, machine, middle, options, show_machine, table

from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.quads import Capture, nquads
from anansi.archive.writer import WarcWriter
from anansi.config import Definition
from anansi.crawl import process
from anansi.crawl.pipeline import Pipeline, Tools, verdict_on
from anansi.fetch import charset
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.model import Body, Page, Visit
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import Rules, site_of

PAGES, QUICK = 120, 30
WARM = 10  # pages by which a site becomes known
NOW = 1_700_000_000.0  # when the pages were fetched
MOST = 0.8  # milliseconds that knowing an application may add to a page
STAGES = ("parse", "blind links", "decode", "recognise", "links", "extract", "write")
HEADERS = (("content-type", "text/html; charset=utf-8"), ("server", "nginx"))
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\nserver: nginx\r\n\r\n"


def main() -> int:
    """Measure each software, and judge."""
    parser = options(__doc__)
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    catalogue = shelf.catalogue()
    gc.freeze()  # as a worker does, with its thresholds
    gc.set_threshold(*process.COLLECT)
    added: dict[str, float] = {}
    stages: dict[str, dict[str, float]] = {}
    for software in threads.EVERY:
        pages = list(threads.pages(software, QUICK if asked.quick else PAGES))
        added[software.type] = middle([_added(catalogue, software, pages) for _ in range(asked.rounds)])
        stages[software.type] = _stages(catalogue, pages)
        print(f"{software.type}: {fmean(len(page.html) for page in pages):,.0f} bytes a page measured", flush=True)
    rows = [(name, *(each[stage] for stage in STAGES), added[name]) for name, each in stages.items()]
    table(("type", *(f"{stage}, ms" for stage in STAGES), "added, ms"), rows)
    floors = [Floor(f"ms added to a page of {name}", each, MOST, most=True) for name, each in added.items()]
    return conclude("knowing", facts, {"added_ms": added, "stages_ms": stages}, floors, check=asked.check)


# ── the whole ────────────────────────────────────────────────────────────────────────────────────────────────────


def _added(catalogue: Catalogue, software: threads.Software, pages: list[threads.Page]) -> float:
    """Return the milliseconds that knowing adds to a page: the median over the pages."""
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        aware = _worker(Path(place, "aware"), pages[0].url, catalogue)
        blind = _worker(Path(place, "blind"), pages[0].url, None)
        more = [aware(page) - blind(page) for page in pages][WARM:]
        _check(Path(place, "aware"), software, len(pages))
    return median(more)


def _worker(folder: Path, seed: str, catalogue: Catalogue | None) -> Callable[[threads.Page], float]:
    """Make what a worker does with a page; it returns the milliseconds that this took."""
    definition = Definition(strategy="auto" if catalogue is not None else "blind")
    collection = Collection(folder)
    log = ObjectLog(collection, 0)
    tools = Tools(definition, WarcWriter(collection, "bench", "localhost", {}), catalogue, log)
    pipeline = Pipeline(tools, compile_scope(definition.scope, [seed]), folder)
    traps = Traps()

    def work(page: threads.Page) -> float:
        body = page.html.encode()
        fetched = Page(
            Visit(page.url, page.url, hops="L", depth=1, via=seed, seed=seed),
            NOW,
            0.01,
            request=b"GET / HTTP/1.1\r\n\r\n",
            head=HEAD,
            body=Body(len(body), data=body),
            sent=1,
            status=200,
            headers=HEADERS,
        )
        verdict = verdict_on(fetched)
        began = time.process_time()
        pipeline.process(fetched, verdict, traps)
        log.flush()
        return (time.process_time() - began) * 1000

    return work


def _check(folder: Path, software: threads.Software, count: int) -> None:
    """Make sure that every post was kept."""
    kept = sum(path.read_bytes().count(b" <http://purl.org/dc/terms/created> ") for path in folder.rglob("*.nq*"))
    if kept < count * threads.POSTS:
        give_up(f"{software.type}: {kept} posts with a date kept, of {count * threads.POSTS}")


# ── stage by stage ───────────────────────────────────────────────────────────────────────────────────────────────


def _stages(catalogue: Catalogue, pages: list[threads.Page]) -> dict[str, float]:
    rules = Rules()
    interpreter, blind = Interpreter(catalogue, LinkFinder(rules)), LinkFinder(rules)
    seen = [_times(interpreter, blind, page) for page in pages][WARM:]
    return {stage: median(each[number] for each in seen) for number, stage in enumerate(STAGES)}


def _times(interpreter: Interpreter, blind: LinkFinder, page: threads.Page) -> list[float]:
    """Return the milliseconds of each stage for one page."""
    marks = [at * 1000 for at in _at_each_stage(interpreter, blind, page)]
    return [later - earlier for earlier, later in pairwise(marks)]


def _at_each_stage(interpreter: Interpreter, blind: LinkFinder, page: threads.Page) -> Iterator[float]:
    """Take a page through the stages; yield the processor time before the first and after each."""
    data, site = page.html.encode(), site_of(page.url)
    yield time.process_time()
    model = PageModel(html.parse(data, "utf-8"), charset.decode_text(data, "utf-8"))
    yield time.process_time()
    blind.links(model, page.url)
    yield time.process_time()
    document = Document(model.tree, model.source or "", page.url, 200, HEADERS, model)
    yield time.process_time()
    recognition = interpreter.recognise(document, site)
    yield time.process_time()
    interpreter.way(document, recognition, site)
    yield time.process_time()
    objects = interpreter.objects(document, recognition, site, NOW)
    yield time.process_time()
    nquads(Capture(page.url, "2023-11-14T22:13:20.000Z", "urn:uuid:0", recognition), objects)
    yield time.process_time()


if __name__ == "__main__":
    raise SystemExit(main())
