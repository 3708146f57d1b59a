"""What the frontier goes by."""

from __future__ import annotations

from dataclasses import dataclass

from anansi import config
from anansi.frontier.site import Site

TURN = 8.0  # seconds a turn lasts at most where sites are left alone between visits; re-run bench/many_hosts.py


@dataclass(frozen=True, slots=True)
class Policy:
    """What the frontier goes by; replaced while running when the definition is edited."""

    scope: config.Scope
    settings: config.Frontier
    overrides: dict[str, config.Override]
    shared: bool = False
    """Whether idle workers may help with a site that another holds (no wait is asked for, so none can be broken)."""
    learning: bool = False
    """Whether every site is learned while it is crawled, not only those that nobody knows."""
    led: bool = False
    """Whether what pages turn out to be decides about others, so that the order of visits matters."""
    watching: bool = False
    """Whether the crawl goes on for as long as nobody stops it: then no host is given up for good."""
    floor: float = 0.0
    """Seconds that a site is left alone at least between two visits."""

    @property
    def per_turn(self) -> int:
        """The URLs of a turn, no more than last a while: those of thousands of sites are in memory at once."""
        most = self.settings.per_turn
        return most if self.floor * most <= TURN else max(1, int(TURN / self.floor))

    def override(self, site: str) -> config.Override:
        """Return what holds for a site instead."""
        return self.overrides.get(site, _NO_OVERRIDE)

    def budget(self, site: Site) -> int | None:
        """Return the requests that a site has left, or None when they are not counted."""
        most = self.override(site.row.name).budget or self.scope.site_budget
        return None if most is None else max(0, most - site.row.requests)


_NO_OVERRIDE = config.Override()


def policy_of(definition: config.Definition, first: config.Definition) -> Policy:
    """Take scope and overrides from a definition that may have been edited, the rest from the one we began with."""
    return Policy(
        definition.scope,
        first.frontier,
        dict(definition.sites),
        shared=first.politeness.ceiling == 0,
        learning=first.strategy in config.LED,
        led=first.strategy != "blind" or first.focus.is_set(),
        watching=first.watch.what != "nothing",
        floor=first.politeness.floor,
    )
