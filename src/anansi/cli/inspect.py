"""`anansi inspect`: what would a crawl make of this page, and why?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from anansi.cli.knowledge import Knowledge, catalogue_of
from anansi.cli.output import Json, as_json, say, table
from anansi.cli.target import Address, Target, document_of
from anansi.inspection.look import Fired, Inspector, Look
from anansi.model import WebObject
from anansi.pages.recogniser import BY_ADDRESS, BY_OBJECTS

SHOWN = 40  # rows of a table; --json has all
LONGEST = 100  # characters of a value in a table


def command(target: Target, url: Address = None, knowledge: Knowledge = None, json: Json = False) -> None:
    """Look at one page: its type and level, which patterns tell, where its links lead, what objects stand on it.

    A private address is looked at when you name it; robots.txt is not asked, for nothing is crawled.
    """
    inspector = Inspector(catalogue_of(knowledge))
    look = inspector.look(document_of(target, url), time.time())
    if json:
        as_json(_plain(look))
    else:
        _print(look)


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _plain(look: Look) -> dict[str, Any]:
    found = look.recognition
    links = [
        {"url": link.url, "key": link.key, "level": link.action.partition(":")[2], "score": link.score}
        for link in look.way.links
    ]
    return {
        "url": look.document.url,
        "status": look.document.status,
        "type": found.type if found else None,
        "level": found.level or None if found else None,
        "terminal": found.terminal if found else None,
        "pattern": found.pattern if found else None,
        "level_pattern": found.level_pattern or None if found else None,
        "fired": [_fired(each) for each in (*look.fired, *look.level)],
        "aware": look.aware,
        "links": links,
        "skips": [{"url": skip.url, "reason": skip.detail} for skip in look.way.skips],
        "shortcuts": [
            {"kind": each.kind, "url": each.url, "leads": each.leads or None, "asked": each.url in look.asked}
            for each in look.shortcuts
        ],
        "objects": [_object(each) for each in look.objects],
    }


def _fired(fired: Fired) -> dict[str, Any]:
    return {"of": fired.type, "pattern": fired.pattern, "seen": fired.seen, "found": list(fired.nodes)}


def _object(found: WebObject) -> dict[str, Any]:
    names = dict.fromkeys(name for name, _ in found.properties)
    values = {name: [value.text for key, value in found.properties if key == name] for name in names}
    return {"kind": found.kind, "uri": found.uri, "part_of": found.part_of or None, "properties": values}


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _print(look: Look) -> None:
    _print_what(look)
    _rows("patterns that match", ("of", "pattern", "finds"), _patterns(look))
    follow = "links that are followed" if look.aware else "links (all are followed: no application is known here)"
    led = sorted(look.way.links, key=lambda link: -link.score)
    links = [(link.action.partition(":")[2] or "unknown", f"{link.score:.1f}", link.url) for link in led]
    _rows(follow, ("leads to", "score", "address"), links)
    asks = [(each.kind, "at once" if each.url in look.asked else "maybe", each.url) for each in look.shortcuts]
    _rows("lists that the site may keep of its content", ("kind", "asked", "address"), asks)
    _rows("links that are not", ("why", "address"), [(skip.detail, skip.url) for skip in look.way.skips])
    _rows("objects", ("object", "property", "value"), _objects(look))


def _print_what(look: Look) -> None:
    found = look.recognition
    say(f"page       {look.document.url}")
    if found is None:
        say("type       none: no detection pattern of the knowledge base matches (`anansi kb list` shows the types)")
        return
    say(f"type       {found.type}  by {found.pattern}")
    how = {BY_ADDRESS: "its address", BY_OBJECTS: "what stands on it"}.get(found.level_pattern, found.level_pattern)
    kind = "content" if found.terminal else "leads to content"
    level = f"{found.level} ({kind})  by {how}" if found.level else "none: no pattern of a level matches, no address"
    say(f"level      {level}")


def _patterns(look: Look) -> list[tuple[str, str, str]]:
    return [(each.type, each.pattern, " · ".join(each.nodes)) for each in (*look.fired, *look.level)]


def _objects(look: Look) -> list[tuple[str, str, str]]:
    rows = []
    for found in look.objects:
        rows.append((found.kind, "", found.uri))
        rows += [("", name, value.text) for name, value in found.properties]
    return rows


def _rows(title: str, headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    if not rows:
        return
    say("")
    say(f"{title}: {len(rows):,}" if title != "objects" else title)
    table(headings, [tuple(_cut(cell) for cell in row) for row in rows[:SHOWN]])
    if len(rows) > SHOWN:
        say(f"… and {len(rows) - SHOWN:,} more (--json lists all)")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
