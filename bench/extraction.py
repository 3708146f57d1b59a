"""Texts extracted with the help of a feed, beside those of extractors that know the page alone.

Reads recorded sites (WARC files with pages and feeds). Gold is the text that the feed gives of an item; the extractor
sees the title and the first words of it only. Every distinct link counts once, and the rules are these:

- what feeds add is not of the text: a link to the item's own page that nothing follows, first and last paragraphs
  with such a link, and last lines that, numbers aside, end more than half of the items of a feed;
- an item is left out if its text is empty; if it is cut, that is, ends with an ellipsis or has its own address among
  its last characters; or if its page was not recorded;
- the page of an item is its link without fragment, redirects followed; if that was not recorded, the link without the
  number at its end, and the page of twenty posts that the number falls on;
- texts are compared with white space collapsed and characters without width left out. Exact means equal; F1 is that
  of the words, each as often as it stands there, the mean over all items.

`--no-feed` learns the wrapper of a site from the items of one half of the pages and reads the other half with it.
Only items that are the first of their page count then, for nothing says which other one is meant.
"""

from __future__ import annotations

import importlib
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from fastwarc import ArchiveIterator, WarcRecordType
from measure import Floor, conclude, machine, options, show_machine, table

from anansi.feeds.article import article_of
from anansi.feeds.context import Context, context_of, fragment
from anansi.feeds.items import Item, items_of
from anansi.feeds.lines import Lines, lines_of
from anansi.feeds.nodes import find
from anansi.feeds.wrapper import Sample, Wrapper, learn, objects, refined
from anansi.fetch import charset
from anansi.text import tree

EXACT, F1, FASTER = 0.90, 0.98, 5.0
"""What is to be reached: on all items together, and how much faster than trafilatura."""
SEEN = 40
"""Words of the text that the extractor sees."""
PAGE = 20
"""Posts of a page, where a link ends with the number of a post."""
LEAST_ITEMS = 5
"""Items of a feed whose common ends tell what the feed adds."""

_CUT = re.compile(r"(?:…|\.\.\.)\s*[\])]?$")
_NUMBERED = re.compile(r"(.*/\d+)/(\d+)$")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))


@dataclass(frozen=True, slots=True)
class Task:
    """An item, its page and its text."""

    item: Item
    page: str
    gold: str
    main: bool
    """Whether it is the first of its page."""

    @property
    def context(self) -> Context:
        """What the extractor sees."""
        return context_of(self.item.title, " ".join(self.gold.split()[:SEEN]), language=self.item.language)


@dataclass(frozen=True, slots=True)
class Site:
    """What was recorded of a site."""

    name: str
    items: int
    """Those of all feeds, with those that several feeds name."""
    tasks: list[Task]
    pages: dict[str, tuple[bytes, str]]
    """Bytes and charset."""


@dataclass(slots=True)
class Tally:
    """How an extractor did on a site. Mutable: it grows item by item."""

    exact: int = 0
    f1: float = 0.0
    items: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    def add(self, task: Task, text: str) -> None:
        """Count a text."""
        mine = normal(text)
        share = f1(mine, task.gold)
        self.exact += mine == task.gold
        self.f1 += share
        self.items += 1
        if mine != task.gold:
            self.failures.append(f"{share:.2f} {task.item.link}\n  is  {mine[:150]!r}\n  not {task.gold[:150]!r}")


def main() -> int:
    """Measure on each site, and judge."""
    parser = options(__doc__)
    parser.add_argument("sites", nargs="+", type=Path, metavar="WARC", help="a recorded site with feeds")
    parser.add_argument("--no-feed", action="store_true", help="read pages with the learned wrapper alone")
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="items that failed to be listed")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    others = peers()
    sites = [load(path) for path in asked.sites]
    results: dict[str, dict[str, Tally]] = {}
    for site in sites:
        tasks = [each for each in site.tasks if each.main or not asked.no_feed]
        mine = without_feed(site, tasks) if asked.no_feed else with_feed(site, tasks)
        results[site.name] = {"anansi": mine, **{name: alone(site, tasks, read) for name, read in others.items()}}
        for told in mine.failures[: asked.failures]:
            print(f"{site.name}: {told}")
    rows = list(_rows(sites, results))
    table(("site", "items", "extractor", "counted", "exact", "token F1", "CPU s", "ms a page"), rows)
    numbers = {
        site: {
            name: {"exact": each.exact, "f1": each.f1, "items": each.items, "seconds": each.seconds}
            for name, each in tallies.items()
        }
        for site, tallies in results.items()
    }
    return conclude("extraction", facts, numbers, list(_floors(results, no_feed=asked.no_feed)), check=asked.check)


def _rows(sites: Sequence[Site], results: dict[str, dict[str, Tally]]) -> Iterator[tuple[object, ...]]:
    for site in sites:
        for name, each in results[site.name].items():
            pages = len({task.page for task in site.tasks})
            count = max(1, each.items)
            spent = f"{each.seconds:.2f}", f"{each.seconds * 1000 / max(1, pages):.2f}"
            yield (
                site.name,
                site.items,
                name,
                each.items,
                f"{each.exact / count:.4f}",
                f"{each.f1 / count:.4f}",
                *spent,
            )
    for name, each in _whole(results).items():
        count = max(1, each.items)
        shares = f"{each.exact / count:.4f}", f"{each.f1 / count:.4f}"
        yield "all", sum(site.items for site in sites), name, each.items, *shares, f"{each.seconds:.2f}", ""


def _whole(results: dict[str, dict[str, Tally]]) -> dict[str, Tally]:
    whole: dict[str, Tally] = defaultdict(Tally)
    for tallies in results.values():
        for name, each in tallies.items():
            one = whole[name]
            one.exact, one.f1 = one.exact + each.exact, one.f1 + each.f1
            one.items, one.seconds = one.items + each.items, one.seconds + each.seconds
    return whole


def _floors(results: dict[str, dict[str, Tally]], *, no_feed: bool) -> Iterator[Floor]:
    whole = _whole(results)
    mine = whole["anansi"]
    if not no_feed:
        yield Floor("exact texts, all items", mine.exact / max(1, mine.items), EXACT)
        yield Floor("token F1, all items", mine.f1 / max(1, mine.items), F1)
    if "trafilatura" in whole:
        yield Floor("times faster than trafilatura", whole["trafilatura"].seconds / max(1e-9, mine.seconds), FASTER)
        for site, tallies in results.items() if no_feed else ():
            own, other = tallies["anansi"], tallies["trafilatura"]
            yield Floor(f"{site}: exact, beside trafilatura's", float(own.exact), float(other.exact))
            yield Floor(f"{site}: F1, beside trafilatura's", own.f1, other.f1)


# ── gold ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def load(path: Path) -> Site:
    """Read a recorded site."""
    answers: dict[str, tuple[int, str, str, bytes]] = {}
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
            http = record.http_headers
            if http is not None:
                url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
                kind, target = http.get("Content-Type") or "", http.get("Location") or ""
                answers[url] = (http.status_code or 0, kind, target, record.reader.read(32 << 20))
    feeds = [items_of(data) for _, kind, _, data in answers.values() if "xml" in kind and "html" not in kind]
    added = set().union(*map(endings, feeds))
    tasks: dict[str, Task] = {}
    for item in (each for feed in feeds for each in feed if each.link):
        gold, page = gold_of(item, added), page_of(item.link, answers)
        if gold and page and item.link not in tasks:
            tasks[item.link] = Task(item, page, gold, _is_main(item.link))
    pages = {each.page: (answers[each.page][3], _charset(answers[each.page])) for each in tasks.values()}
    return Site(path.name.partition(".")[0], sum(map(len, feeds)), list(tasks.values()), pages)


def _charset(answer: tuple[int, str, str, bytes]) -> str:
    return charset.detect(answer[1], answer[3])


def _is_main(link: str) -> bool:
    numbered = _NUMBERED.match(link)
    return "#" not in link and (numbered is None or numbered[2] == "1")


def page_of(link: str, answers: dict[str, tuple[int, str, str, bytes]]) -> str:
    """Return the address of the page that an item stands on; nothing when it was not recorded."""
    url = link.partition("#")[0]
    for _ in range(5):
        if url in answers and 300 <= answers[url][0] < 400:
            url = urljoin(url, answers[url][2])
    numbered = _NUMBERED.match(url)
    if url not in answers and numbered is not None:
        page = (int(numbered[2]) - 1) // PAGE + 1
        url = numbered[1] + (f"?page={page}" if page > 1 else "")
    return url if url in answers and answers[url][0] == 200 and "html" in answers[url][1] else ""


def gold_of(item: Item, added: set[str]) -> str:
    """Return the text of an item without what its feed adds; nothing when it is cut."""
    root = fragment(item.content or item.description)
    if root is None:
        return ""
    _without_last_link(root, item.link)
    lines = lines_of(root)
    first, end = 0, len(lines.texts)
    while first < end and _leads_home(lines, first, item.link):
        first += 1
    while end > first and (_leads_home(lines, end - 1, item.link) or _shape(lines.texts[end - 1]) in added):
        end -= 1
    text = normal(" ".join(lines.texts[first:end]))
    return "" if _CUT.search(text) or item.link in text[-2 * len(item.link) - 200 :] else text


def _without_last_link(root: Any, link: str) -> None:
    """Take the link to the item's own page away that nothing follows: `Read more`."""
    for each in [each for each in root.iter("a") if _is_home(each, link)]:
        if not each.xpath("following::text()[normalize-space()]"):
            each.clear()


def _leads_home(lines: Lines, line: int, link: str) -> bool:
    """Tell whether a paragraph links to the item's own page."""
    block = lines.blocks[line]
    return block.tag == "p" and any(_is_home(each, link) for each in block.iter("a"))


def _is_home(anchor: Any, link: str) -> bool:
    return urljoin(link, str(anchor.get("href") or "x:")).partition("#")[0] == link.partition("#")[0]


def endings(items: Sequence[Item]) -> set[str]:
    """Return the last lines that most items of a feed share, numbers aside."""
    if len(items) < LEAST_ITEMS:
        return set()
    counts: Counter[str] = Counter()
    for item in items:
        root = fragment(item.content or item.description)
        counts.update({_shape(each) for each in lines_of(root).texts[-3:]} if root is not None else ())
    return {shape for shape, count in counts.items() if count > len(items) / 2}


def _shape(line: str) -> str:
    return re.sub(r"s\b", "", re.sub(r"\d+", "#", line))


def normal(text: str) -> str:
    """Return a text as it is compared."""
    return " ".join(text.translate(_INVISIBLE).split())


def f1(mine: str, gold: str) -> float:
    """Return the F1 of the words of a text."""
    one, other = Counter(mine.split()), Counter(gold.split())
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total()) if shared else 0.0


# ── extractors ───────────────────────────────────────────────────────────────────────────────────────────────────


def with_feed(site: Site, tasks: Sequence[Task]) -> Tally:
    """Extract the items of a site: each by itself first, then by what they taught together."""
    tally = Tally()
    began = time.process_time()
    contexts = [each.context for each in tasks]
    pages = {page: read_page(site, page) for page in {each.page for each in tasks}}
    matches = [find(pages[task.page], context) for task, context in zip(tasks, contexts, strict=True)]
    samples = [Sample(pages[task.page], match) for task, match in zip(tasks, matches, strict=True) if match]
    wrappers = learn(samples)
    texts = []
    for task, context, match in zip(tasks, contexts, matches, strict=True):
        lines = pages[task.page]
        if match is None:
            texts.append("")
            continue
        better, without = refined(lines, match, context, wrappers)
        texts.append(article_of(lines, better, context, without=without).text)
    tally.seconds = time.process_time() - began
    for task, text in zip(tasks, texts, strict=True):
        tally.add(task, text)
    return tally


def without_feed(site: Site, tasks: Sequence[Task]) -> Tally:
    """Extract the first object of each page by the wrapper that the items of other pages taught."""
    tally = Tally()
    addresses = sorted({each.page for each in site.tasks})
    halves = (set(addresses[::2]), set(addresses[1::2]))
    for taught, asked in (halves, halves[::-1]):
        wrappers = _taught([each for each in site.tasks if each.page in taught], site)
        mine = [each for each in tasks if each.page in asked]
        began = time.process_time()
        texts = {page: objects(read_page(site, page), wrappers) for page in {each.page for each in mine}}
        tally.seconds += time.process_time() - began
        for task in mine:
            tally.add(task, texts[task.page][0].text if texts[task.page] else "")
    return tally


def _taught(tasks: Sequence[Task], site: Site) -> tuple[Wrapper, ...]:
    pages = {page: read_page(site, page) for page in {each.page for each in tasks}}
    found = ((pages[each.page], find(pages[each.page], each.context)) for each in tasks)
    return learn([Sample(lines, match) for lines, match in found if match is not None])


def read_page(site: Site, address: str) -> Lines:
    """Parse a page."""
    return lines_of(tree.parse(*site.pages[address]))


def alone(site: Site, tasks: Sequence[Task], read: Callable[[str], str]) -> Tally:
    """Extract with one of the others, once a page."""
    tally = Tally()
    sources = {each.page: site.pages[each.page][0].decode("utf-8", "replace") for each in tasks}
    began = time.process_time()
    texts = {page: read(source) for page, source in sources.items()}
    tally.seconds = time.process_time() - began
    for task in tasks:
        tally.add(task, texts[task.page])
    return tally


def peers() -> dict[str, Callable[[str], str]]:
    """Return the other extractors; one that is not installed is said and left out."""
    found: dict[str, Callable[[str], str]] = {}
    for name, make in {"boilerpy3": _boilerpy, "trafilatura": _trafilatura, "resiliparse": _resiliparse}.items():
        try:
            found[name] = make()
        except ImportError:
            print(f"{name} is not installed and left out; `pip install anansi[bench]` brings it")
    return found


def _boilerpy() -> Callable[[str], str]:
    extractor: Any = importlib.import_module("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return lambda source: extractor.get_content(source) or ""


def _trafilatura() -> Callable[[str], str]:
    extract: Any = importlib.import_module("trafilatura").extract
    return lambda source: extract(source, include_comments=False) or ""


def _resiliparse() -> Callable[[str], str]:
    extract: Any = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda source: extract(source, main_content=True, alt_texts=False, links=False) or ""


if __name__ == "__main__":
    raise SystemExit(main())
