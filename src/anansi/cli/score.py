"""`anansi score`: how relevant is this page, and why?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anansi.archive.disk import guarded
from anansi.cli.output import Json, as_json, say, table
from anansi.cli.subject import File, compiled, fetched, focused
from anansi.cli.target import Address, Target, document_of
from anansi.errors import UserError
from anansi.fetch import mime
from anansi.focus.explaining import LATER, Explanation, Lead, Scored, explain
from anansi.focus.verdict import Evidence, Opinion
from anansi.pages.document import Document
from anansi.pages.links import base_of
from anansi.url import canonical, resolve

SHOWN = 20  # rows of a table; --json has all
REASONS = 3  # modules named for a link
LONGEST = 80  # characters of a value in a table


def command(target: Target, definition: File, url: Address = None, json: Json = False) -> None:
    """Explain the score of one page: which module, with which weight, by which words, in which part of the page.

    Links are scored as a crawl would that has seen nothing but this page. A private address is looked at when you
    name it; robots.txt is not asked, for nothing is crawled.
    """
    subject = compiled(focused(definition), fetched)
    _refuse_binary(Path(target))
    document = document_of(target, url)
    if document.tree is None:
        raise UserError(f"{target} cannot be scored: it is empty; name a page that has text")
    found = explain(document.tree, document.url, subject, _finder(document))
    if not found.size and not found.links:
        raise UserError(f"{target} cannot be scored: the page has neither text nor links")
    if json:
        as_json(_plain(found))
    else:
        _print(found)


def _refuse_binary(path: Path) -> None:
    """Say that a saved file is no page; what the web sends is judged where it is fetched."""
    if path.is_file():
        with guarded(path), path.open("rb") as file:
            kind = mime.sniff("", file.read(mime.HEAD), path.name)
        if kind and not mime.is_html(kind) and kind != "text/plain":
            raise UserError(f"{path} cannot be scored: it is no HTML page but {kind}; name a saved page")


def _finder(document: Document) -> Any:
    base, own = base_of(document.page, document.url), canonical(document.url)

    def find(raw: str) -> str | None:
        link = resolve(raw, base) if raw[:1] != "#" else None
        target = canonical(link) if link is not None else None
        return target if target != own else None

    return find


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _plain(found: Explanation) -> dict[str, Any]:
    return {
        "url": found.url,
        "score": round(found.score, 6),
        "language": found.language.code or None,
        "terms": found.size,
        "modules": [_opinion(each) for each in found.opinions],
        "learned_in_a_crawl": list(LATER),
        "regions": [_region(each) for each in found.regions],
        "links": [_link(each) for each in found.links],
    }


def _opinion(each: Opinion) -> dict[str, Any]:
    return {
        "module": each.module,
        "weight": each.weight,
        "score": round(each.score, 6) if each.score is not None else None,
        "evidence": [_evidence(reason) for reason in each.evidence],
    }


def _evidence(each: Evidence) -> dict[str, Any]:
    return {
        "what": each.what,
        "found": each.found,
        "where": each.where,
        "count": each.count,
        "score": round(each.score, 6),
    }


def _region(each: Scored) -> dict[str, Any]:
    about = {"place": each.region.place, "kind": each.region.kind, "score": round(each.score, 6)}
    return {**about, "terms": list(each.terms), "text": each.region.text[:500]}


def _link(each: Lead) -> dict[str, Any]:
    about = {"url": each.url, "anchor": each.anchor, "place": each.place, "score": round(each.score, 6)}
    return {**about, "modules": [_opinion(said) for said in each.opinions]}


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _print(found: Explanation) -> None:
    say(f"page       {found.url}")
    say(f"score      {found.score:.3f}")
    sure = f" ({found.language.sure:.2f} sure)" if found.language.code else ""
    say(f"language   {found.language.code or 'nothing tells it'}{sure}, {found.size:,} terms")
    if not found.size:
        say("text       none: the page has no text of its own, so that only its address and its links can tell")
    _rows("modules", ("module", "weight", "score", "by", "found", "times", "where"), _modules(found.opinions))
    say(f"({', '.join(LATER)}: learned while a crawl runs; of one page alone they say nothing)")
    near = [
        (f"{each.score:.3f}", each.region.kind, each.region.place, ", ".join(each.terms)) for each in found.regions
    ]
    _rows("regions with words of the definition", ("score", "kind", "place", "words"), near)
    leads = [(f"{each.score:.3f}", each.url, each.anchor, _reasons(each)) for each in found.links]
    _rows("links, the best first", ("score", "address", "anchor", "because of"), leads)


def _modules(opinions: Sequence[Opinion]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for each in opinions:
        score = f"{each.score:.3f}" if each.score is not None else "–"
        first, *more = each.evidence or (None,)
        rows.append((each.module, f"{each.weight:g}", score, *_reason(first)))
        rows += [("", "", "", *_reason(reason)) for reason in more[: SHOWN - 1]]
    return rows


def _reason(each: Evidence | None) -> tuple[str, ...]:
    if each is None:
        return "", "", "", ""
    return f"{each.what} ({each.score:.3f})", each.found, str(each.count), each.where


def _reasons(lead: Lead) -> str:
    told = []
    for each in lead.opinions[:REASONS]:
        found = ", ".join(reason.found for reason in each.evidence[:2])
        told.append(f"{each.module} {each.score or 0:.2f}×{each.weight:g}{f' ({found})' if found else ''}")
    return ", ".join(told)


def _rows(title: str, headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    if not rows:
        return
    say("")
    say(title)
    shown = rows if title == "modules" else rows[:SHOWN]
    table(headings, [tuple(_cut(cell) for cell in row) for row in shown])
    if len(rows) > len(shown):
        say(f"… and {len(rows) - len(shown):,} more (--json lists all)")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
