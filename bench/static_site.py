"""One static site on loopback, crawled by Anansi, wget and Scrapy in turn.

nginx serves 5,000 pages of 28 KB. Anansi and wget write WARC, Scrapy writes nothing. Anansi crawls it twice: blind,
as the others do, and looking at every page for an application that it knows (`--strategy auto`; there is none). Pages
a second are those of the whole command, from its start to its end; nginx's log tells whether a crawler fetched every
page. The order of the crawlers changes from round to round, and medians are shown.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import Floor, Run, conclude, give_up, machine, middle, options, run, show_machine, table
from peers import Server, anansi, nginx, require, require_scrapy, scrapy, wget

from pages import write_site

PAGES, QUICK = 5000, 500
OVER_WGET = 2.0
OVER_SCRAPY = 12.0
AWARE_OVER_WGET = 1.6
OVER_BEFORE = 0.95


@dataclass(frozen=True, slots=True)
class Result:
    """One crawler's round."""

    run: Run
    pages: int
    told: float = 0.0
    """Pages a second as the crawler's own summary has it."""

    @property
    def rate(self) -> float:
        """Pages a second of the whole command."""
        return self.pages / self.run.seconds


Command = Callable[[str, Path], list[str | Path]]


def main() -> int:
    """Run the rounds and judge."""
    parser = options(__doc__)
    parser.add_argument("--pages", type=int, help=f"pages of the site (default {PAGES:,}, with --quick {QUICK})")
    parser.add_argument("--scrapy", default=sys.executable, metavar="PYTHON", help="interpreter that has Scrapy")
    parser.add_argument("--without-scrapy", action="store_true", help="leave Scrapy out, and its floor")
    parser.add_argument("--before", type=Path, metavar="ANANSI", help="another version's command, to compare with")
    asked = parser.parse_args()
    require("nginx", "wget")
    if not asked.without_scrapy:
        require_scrapy(asked.scrapy)
    facts = machine()
    show_machine(facts)
    results = _measure(asked, asked.pages or (QUICK if asked.quick else PAGES))
    return _report(results, facts, check=asked.check)


def _measure(asked: argparse.Namespace, count: int) -> dict[str, list[Result]]:
    crawlers: dict[str, Command] = {
        "anansi": anansi,
        "wget": wget,
        "anansi, aware": lambda url, folder: anansi(url, folder, "auto"),
    }
    if asked.before is not None:
        crawlers["before"] = lambda url, folder: anansi(url, folder, command=asked.before)
        crawlers["before, aware"] = lambda url, folder: anansi(url, folder, "auto", asked.before)
    if not asked.without_scrapy:
        crawlers["scrapy"] = lambda url, _: scrapy(url, asked.scrapy)
    results: dict[str, list[Result]] = {name: [] for name in crawlers}
    names = list(crawlers)
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        folder = Path(place)
        paths = set(write_site(folder / "site", count))
        with nginx(folder / "site", folder) as server:
            for number in range(asked.rounds):
                turn = number % len(names)
                for name in names[turn:] + names[:turn]:
                    result = _round(name, crawlers[name], server, paths, folder / "run")
                    print(f"round {number + 1}: {name} {result.rate:,.0f} pages/s", flush=True)
                    results[name].append(result)
    return results


def _round(name: str, command: Command, server: Server, paths: set[str], folder: Path) -> Result:
    """Crawl the site once into a fresh folder, and make sure that nothing is missing."""
    folder.mkdir()
    before = server.position()
    cost = run(command(server.url, folder), folder)
    missing = paths - server.fetched(before)
    if missing:
        give_up(f"{name} left out {len(missing)} of {len(paths)} pages, such as {min(missing)}")
    summary = folder / "collection" / "reports" / "summary.json"
    told = 0.0
    if summary.exists():
        figures = json.loads(summary.read_text())
        told = figures["pages_per_second"]
        if figures["pages"] != len(paths):
            give_up(f"{name} counts {figures['pages']} pages of {len(paths)}")
    shutil.rmtree(folder)
    return Result(cost, len(paths), told)


def _report(results: dict[str, list[Result]], facts: dict[str, object], *, check: bool) -> int:
    rates = {name: middle(each.rate for each in rounds) for name, rounds in results.items()}
    told = middle(each.told for each in results["anansi"])
    cpu = {name: middle(each.run.cpu / each.pages * 1000 for each in rounds) for name, rounds in results.items()}
    rows = [
        (name, rate, middle(each.run.seconds for each in results[name]), cpu[name], rates["anansi"] / rate)
        for name, rate in rates.items()
    ]
    table(("crawler", "pages/s", "seconds", "CPU ms a page", "anansi ÷ it"), rows)
    print(f"\nanansi by its own summary, without start and end: {told:,.0f} pages/s")
    floors = [Floor("anansi ÷ wget", rates["anansi"] / rates["wget"], OVER_WGET)]
    floors.append(Floor("anansi, aware ÷ wget", rates["anansi, aware"] / rates["wget"], AWARE_OVER_WGET))
    if "before" in rates:
        floors.append(Floor("anansi ÷ before", rates["anansi"] / rates["before"], OVER_BEFORE))
        floors.append(Floor("aware ÷ before, aware", rates["anansi, aware"] / rates["before, aware"], OVER_BEFORE))
    if "scrapy" in rates:
        floors.append(Floor("anansi ÷ scrapy", rates["anansi"] / rates["scrapy"], OVER_SCRAPY))
    every = {name: [round(each.rate, 1) for each in rounds] for name, rounds in results.items()}
    numbers = {"pages_per_second": rates, "anansi_summary": told, "cpu_ms_a_page": cpu, "rounds": every}
    return conclude("static_site", facts, numbers, floors, check=check)


if __name__ == "__main__":
    raise SystemExit(main())
