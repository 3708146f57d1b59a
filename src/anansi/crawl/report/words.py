"""A summary in words for people: what was kept in the site's own terms, what is missing, what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from anansi.model import Gap

SITES: Final = 5
"""Sites whose content is told one by one."""
KINDS: Final = 4
"""Kinds of objects, and levels, of a site that are told."""
EXAMPLES: Final = 2
DOUBTS: Final = 5
WIDE: Final = 100
"""Characters of an example."""


def _named(types: list[str]) -> str:
    from anansi.knowledge import shelf  # a crawl of sites that nobody knows starts sooner without

    return " and ".join([*dict.fromkeys(map(shelf.title, types))][:2])


def kept(site: dict[str, Any]) -> str:
    """Say what a site is and what was kept of it: `phpBB · 590 threads · 3,300 posts · 13 board pages`."""
    types, objects = site.get("types", {}), site.get("objects", {})
    named = sorted(types, key=lambda each: -sum(types[each].values()))
    told = [_named(named)] if named else []
    told += [counted(count, kind) for kind, count in _most(objects)]
    levels: dict[str, int] = {}
    for each in types.values():
        for level, count in each.items():
            levels[level] = levels.get(level, 0) + count
    # a level that is named as its objects, or holds one each, is told by them
    shown = {
        level: count for level, count in levels.items() if level not in objects and count not in objects.values()
    }
    told += [f"{counted(count, f'{level} page')}" for level, count in _most(shown) if level not in ("others", "home")]
    return " · ".join(told)


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: -each[1])[:KINDS]


def counted(count: int, noun: str) -> str:
    """Write a number of things: `1 post`, `2,000 entries`."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}{'es' if noun.endswith(('s', 'x', 'ch')) else 's'}"


def duration(seconds: float) -> str:
    """Write a time that lasts: `12 s`, `3 min 20 s`, `2 h 05 min`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {whole % 60:02d} s"


def content_lines(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say what was kept, site by site, as (heading, line)."""
    told = [(name, kept(site)) for name, site in summary["sites"].items()]
    known = [(name, words) for name, words in told if words]
    for name, words in known[:SITES]:
        yield "kept", f"{name}: {words}"
    if len(known) > SITES:
        yield "", f"and {len(known) - SITES:,} more sites (anansi status --sites N)"


def missing_lines(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say what is missing and what to do about it, as (heading, line)."""
    for kind, gap in summary.get("gaps", {}).items():
        noun = "host" if kind == Gap.HOST else "page"
        yield "missing", f"{kind} ({counted(gap['count'], noun)}): {gap['means']}"
        for url in gap["examples"][:EXAMPLES]:
            yield "", url[:WIDE]
        yield "do", gap["do"]
    for words, doubt in list(summary.get("doubts", {}).items())[:DOUBTS]:
        example = ", ".join(doubt["examples"][:1])
        named = example in words  # most say it themselves
        said = words if named else f"{words} ({counted(doubt['count'], 'page')}), as {example[:WIDE]}"
        yield "doubt", "; ".join(filter(None, (said, doubt.get("since", ""))))
    if any(not each.get("since") for each in summary.get("doubts", {}).values()):
        yield (
            "do",
            "see how such a page is read with `anansi inspect URL`, and describe its template (docs/knowledge)",
        )
    for why, count in summary.get("left", {}).items() if summary["state"] != "running" else ():
        yield "left", f"{counted(count, 'URL')} queued: {why}{LEFT.get(why, '')}"


LEFT: Final = {
    "host given up": "; run the same command again later",
    "budget": "; raise the site's budget in crawl.yaml to go on",
    "paused": "; let the site go on in crawl.yaml",
    "page limit": "; go on with a larger --limit",
    "enough was seen": "; go on with --strategy auto",
    "not visited": "; run the same command again",
}
"""Why URLs are left → what to do."""


def doing(each: dict[str, Any], now: float) -> str:
    """Say what is done with a site at this moment: fetched, or why it waits and how long."""
    left = each["until"] - now
    over = (
        each["url"] and each["until"] and left <= 0
    )  # workers say so as they begin to wait, and not when it is over
    if not each["why"] or over:
        return f"fetching {each['url']}"
    wait = f"waits {duration(left)}" if left >= 1 else "waits"
    return f"{wait}: {each['why']}"
