"""The visits that ask for a robots.txt: the first one, and those that follow where it has moved to."""

from __future__ import annotations

import msgspec

from anansi.model import MAX_REDIRECTS, REDIRECTS, Hop, Page, Role, Visit, extend
from anansi.url import canonical, host_of, resolve

ROBOTS = "robots"
"""What the names begin with under which robots.txt files are remembered with a site."""


def remembered(origin: str) -> str:
    """Return the name under which an origin's robots.txt is remembered."""
    return f"{ROBOTS} {origin}"


def ask(origin: str, visit: Visit) -> Visit:
    """Return the visit to an origin's robots.txt that another visit must wait for."""
    url = f"{origin}/robots.txt"
    hops = extend(visit.hops, Hop.PREREQUISITE.value)
    return Visit(url, url, hops, via=visit.url, role=Role.ROBOTS, seed=visit.seed, address=visit.address)


def onward(page: Page) -> Visit | None:
    """Return the visit that follows a redirect of robots.txt, to another host too (RFC 9309, 2.3.1.2).

    Its address is known only on the same host. A redirect that leads nowhere or goes on for too long counts as no
    robots.txt.
    """
    if page.status not in REDIRECTS:
        return None
    location = page.header("location")
    target = resolve(location, page.visit.url) if location else None  # or it would be asked for again and again
    depth = len(page.visit.hops) - len(page.visit.hops.rstrip(Hop.REDIRECT.value))
    if target is None or depth >= MAX_REDIRECTS:
        return None
    hops = extend(page.visit.hops, Hop.REDIRECT.value)
    address = page.visit.address if host_of(target) == host_of(page.visit.url) else ""
    return msgspec.structs.replace(page.visit, url=target, key=canonical(target), hops=hops, address=address)
