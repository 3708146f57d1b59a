"""Which URLs belong to the crawl."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from anansi import config
from anansi.model import Hop, Reason
from anansi.url import origin_of, site_of


@dataclass(frozen=True, slots=True)
class Scope:
    """A compiled scope: the seeds' hosts, domains or folders, and the patterns."""

    kind: str
    anchors: frozenset[str]
    include: tuple[re.Pattern[str], ...]
    exclude: tuple[re.Pattern[str], ...]
    max_hops: int | None

    def refuse(self, url: str, hop: str, depth: int) -> tuple[Reason, str] | None:
        """Return why a URL must not be fetched, or None when it may.

        What a page in scope embeds may stand outside (the page is not complete without it); links and
        redirects may not lead there, except a seed's own redirect, which widens the scope (`widened`).
        """
        if self.excludes(url):
            return Reason.SCOPE, "matches an exclude pattern"
        if not (hop == Hop.EMBED.value or self._inside(url)):
            return Reason.SCOPE, f"outside the {self.kind} scope"
        if self.max_hops is not None and depth > self.max_hops:
            return Reason.HOPS, f"{depth} links from the seed"
        return None

    def excludes(self, url: str) -> str:
        """Return the exclude pattern that a URL matches, or nothing."""
        return next((pattern.pattern for pattern in self.exclude if pattern.search(url)), "")

    def widened(self, url: str) -> Scope:
        """Return the scope with the place that a seed redirects to added (example.org → www.example.org)."""
        anchor = _ANCHORS.get(self.kind)
        return replace(self, anchors=self.anchors | {anchor(url)}) if anchor else self

    def _inside(self, url: str) -> bool:
        if any(pattern.search(url) for pattern in self.include):
            return True
        match self.kind:
            case "host":
                return _server(url) in self.anchors
            case "domain":
                return site_of(url) in self.anchors
            case "prefix":
                return any(url.startswith(anchor) for anchor in self.anchors)
            case "page":
                return url in self.anchors
            case _:
                return False


def compile_scope(settings: config.Scope, seeds: Iterable[str]) -> Scope:
    """Make a scope from its settings and the seeds."""
    anchor = _ANCHORS.get(settings.kind)
    return Scope(
        kind=settings.kind,
        anchors=frozenset(anchor(seed) for seed in seeds) if anchor else frozenset(),
        # one by one: joined into one expression, flags such as (?i) and group numbers would not mean the same
        include=tuple(map(re.compile, settings.include)),
        exclude=tuple(map(re.compile, settings.exclude)),
        max_hops=settings.max_hops,
    )


def _folder(url: str) -> str:
    head, _, _ = url.partition("?")
    return head[: head.rindex("/") + 1]


def _server(url: str) -> str:
    """Return the host with its port where that is an unusual one: another server, though http and https are one."""
    return origin_of(url).partition("://")[2]


_ANCHORS: dict[str, Callable[[str], str]] = {"host": _server, "domain": site_of, "prefix": _folder, "page": str}
