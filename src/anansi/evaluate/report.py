"""Numbers and figures on one page that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded, replacing
from anansi.errors import UserError
from anansi.evaluate.compare import Compared
from anansi.evaluate.figures import Figure, bars, boxes, curves
from anansi.evaluate.score import Score, Share

NAME: Final = "report.html"

_STYLE: Final = """
:root{--ink:#23262d;--soft:#5d6370;--ground:#fbf9f4;--rule:#ded7c8;--c0:#7b7f88;--c1:#2f7a72;--c2:#c07a16;--c3:#6b54a8;
--c4:#b0413e;--c5:#3a6ea5}
@media (prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#a6abb6;--ground:#15171c;--rule:#33363f;--c0:#8d929d;
--c1:#63b8ae;--c2:#e0a44a;--c3:#a792e0;--c4:#e07a72;--c5:#7aa8dc}}
body{color:var(--ink);background:var(--ground);font:16px/1.5 'Segoe UI','Helvetica Neue',Helvetica,Arial,sans-serif;
max-width:900px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;font-size:14px}th,td{padding:.3em .7em;border-bottom:1px solid var(--rule);
text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}p.soft,figcaption{color:var(--soft)}
figure{margin:1.5em 0}svg{width:100%;height:auto}svg text{fill:var(--ink);font-size:13px}.b{font-weight:600}
.e{text-anchor:end}.m{text-anchor:middle}.grid{stroke:var(--rule);fill:none}.line{fill:none!important;stroke-width:2}
.median{stroke:var(--ink);stroke-width:2.5}
""" + "".join(f".s{number}{{fill:var(--c{number});stroke:var(--c{number})}}" for number in range(6))

_NUMBERS: Final = (
    ("requests", "every HTTP request sent, robots.txt and retries included"),
    ("saving", "requests of the blind crawl by those of this one"),
    ("2-grams", "share of the blind crawl's distinct sequences of two words that was fetched"),
    ("own 2-grams", "the same without boilerplate, which stands on more than 20% of the distinct pages"),
    ("links", "share of the blind crawl's distinct links to other registered domains"),
    ("own links", "the same without boilerplate"),
    ("content", "share of content pages of which at least 95% of the own 2-grams, digits aside, were fetched"),
)
HEADINGS: Final = ("crawl", *(name for name, _ in _NUMBERS))


def percent(share: Share) -> str:
    """Write a share; never rounded up, so that 100% means all."""
    return f"{share.found * 10_000 // share.of / 100:.2f}%" if share.of else "–"


def row(score: Score) -> tuple[str, ...]:
    """Write the numbers of a crawl under `HEADINGS`."""
    shares = (score.grams, score.own_grams, score.links, score.own_links, score.content)
    saving = f"{score.saving:.2f}" if score.saving is not None else "–"
    return label(score), f"{score.requests:,}", saving, *map(percent, shares)


def label(score: Score) -> str:
    """Name a crawl by its folder, and by the strategy it followed where the folder's name does not tell."""
    name = Path(score.folder).name or score.folder
    return name if score.strategy in name else f"{name} ({score.strategy})"


def write_report(folder: Path, sites: Sequence[Compared]) -> Path:
    """Write the page into a folder, which is made when it is missing."""
    return write_page(folder / NAME, page(sites))


def write_page(path: Path, text: str) -> Path:
    """Write a page into its folder, which is made when it is missing."""
    if path.parent.exists() and not path.parent.is_dir():
        raise UserError(f"{path.parent} is a file; name a folder for the report")
    with guarded(path), replacing(path) as target:
        target.write_text(text, encoding="utf-8", errors="backslashreplace")
    return path


def page(sites: Sequence[Compared]) -> str:
    """Write the page."""
    parts = [
        *(_numbers(site) for site in sites),
        _legend(),
        *map(shown, _overview(sites)),
        "<h2>External links</h2>",
        _links(sites),
        "<h2>The course of the crawls</h2>",
        *(shown(_course(number, site)) for number, site in enumerate(sites)),
    ]
    return framed("Crawls compared", parts)


def framed(title: str, parts: Iterable[str]) -> str:
    """Put the parts of a page below its title."""
    whole = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *parts,
        "</body></html>\n",
    ]
    return "\n".join(whole)


def _numbers(site: Compared) -> str:
    """Write the table of a site, and what must be known about it."""
    heading = f"<h2>{escape(site.name)}{f' ({escape(site.type)})' if site.type else ''}</h2>"
    rows = [row(score) for score in site.scores]
    about = (
        f"{site.blind.pages:,} distinct pages, {site.blind.grams.of:,} 2-grams ({site.blind.own_grams.of:,} without"
    )
    about += f" boilerplate), {site.blind.links.of:,} external links, {site.blind.content.of:,} content pages"
    notes = [f"{label(score)}: {note}" for score in site.scores for note in score.notes]
    told = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f'{heading}{tabulated(HEADINGS, rows)}<p class="soft">The blind crawl has {about}. '
        f"Content: {escape(site.content_by)}.</p>{f'<ul>{told}</ul>' if told else ''}"
    )


def _legend() -> str:
    lines = "".join(f"<tr><td>{name}</td><td>{escape(about)}</td></tr>" for name, about in _NUMBERS)
    return f"<h2>What the numbers mean</h2><table>{lines}</table>"


def _overview(sites: Sequence[Compared]) -> list[Figure]:
    """Draw what is shown of all sites together; a spread needs more than one."""
    requests = [(site.name, [(label(score), score.requests) for score in site.scores]) for site in sites]
    drawn = [bars("requests", "HTTP requests of each crawl", requests)]
    if len(sites) > 1:
        drawn.append(boxes("spread", f"Share of the blind crawl's 2-grams, over {len(sites)} sites", spreads(sites)))
    return drawn


def spreads(sites: Sequence[Compared]) -> list[tuple[str, list[float]]]:
    """Gather the 2-gram shares of the crawls named at the same place for each site."""
    columns = zip(*(site.others for site in sites), strict=True)
    gathered = []
    for number, scores in enumerate(columns, 1):
        strategies = {score.strategy for score in scores}
        name = strategies.pop() if len(strategies) == 1 else ""
        shares = [score.grams.share for score in scores]
        gathered.append((f"{number}. {name}".strip(), [share for share in shares if share is not None]))
    return gathered


def _links(sites: Iterable[Compared]) -> str:
    rows = [
        (site.name, label(score), percent(score.links), percent(score.own_links))
        for site in sites
        for score in site.others
    ]
    return tabulated(("site", "crawl", "external links", "without boilerplate"), rows)


def _course(number: int, site: Compared) -> Figure:
    lines = [(label(score), score.curve) for score in site.scores]
    return curves(f"course-{number}", f"Distinct 2-grams of the blind crawl over requests: {site.name}", lines)


def shown(figure: Figure) -> str:
    """Show a figure with its title."""
    return f"<figure>{figure.svg()}<figcaption>{escape(figure.title)}</figcaption></figure>"


def tabulated(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; columns of words at the left, of numbers at the right."""
    words = {"site", "crawl", "what", "kind", "measure", "page", "title", "found"}
    kinds = ["" if heading in words else ' class="n"' for heading in headings]
    head = "".join(f"<th{kind}>{escape(text)}</th>" for kind, text in zip(kinds, headings, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, cells, strict=True)) + "</tr>"
        for cells in rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'
