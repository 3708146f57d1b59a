"""What `anansi crawl --dry-run` says: what a crawl would bring, in the site's own terms."""

from __future__ import annotations

from typing import Any, Final

from anansi.cli.output import say
from anansi.crawl.report.estimate import Range

SHOWN: Final = 6
"""Kinds of addresses of each sort that are named to people."""
_HOUR: Final = 3600.0


def print_dry_run(told: dict[str, Any]) -> None:
    """Say what would come of each site, with examples, and that nothing was kept."""
    if told["ended"] == "failed":
        say("no request was answered, so nothing can be said; is the address right, and the host up?")
        return
    for name, site in told["sites"].items():
        _print_site(name, site, whole=told["whole"])
    if told["failures"]:
        answers = ", ".join(f"{code}: {count:,}" for code, count in told["failures"].items())
        say(f"failures   {answers}; a crawl would try these pages again, and may miss them")
    if told["files_so_far"]:
        say(f"besides    {told['files_so_far']:,} files that these pages need to be shown, so far")
    kept = "nothing was kept: a dry run writes no collection"
    say(f"looked at  {told['requests']:,} requests in {told['seconds']:.0f} s; {kept}")


def _print_site(name: str, site: dict[str, Any], *, whole: bool) -> None:
    if not site["answered"]:
        say(f"{name}: no request was answered, so nothing can be said of it")
        return
    requests = Range(**site["requests"])
    cost = f"{requests} requests for pages, {_time(site['pace'] * requests.best)}"
    left = f"; {'' if whole else 'about '}{site['left_out_about']:,} addresses without content left out"
    say(f"{name}: {_held(site)}{left if site['type'] else ''}; {cost}")
    for level, each in sorted(site["followed"].items(), key=lambda item: -item[1]["found"])[:SHOWN]:
        if each["found"]:
            say(f"followed   {level} ({each['found']:,} found so far): {' '.join(each['examples'])}")
    for why, each in list(site["left_out"].items())[:SHOWN]:
        say(f"left out   {why} ({each['count']:,} so far): {' '.join(each['examples'])}")
    for kind, gap in site["gaps"].items():
        say(f"missed     {kind} ({gap['count']:,} so far): {' '.join(gap['examples'])}; {gap['do']}")


def _held(site: dict[str, Any]) -> str:
    if site["type"] is None:
        return "the application is unknown and would be learned while it is crawled"
    parts = [
        f"{Range(**count) if isinstance(count, dict) else f'{count:,}'} {kind}s"
        for kind, count in site["holds"].items()
    ]
    return f"{site['title']}: {', '.join(parts) or 'nothing that it states'}"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} hours"
