"""What the frontier goes by."""

from __future__ import annotations

from dataclasses import dataclass

from anansi import config
from anansi.frontier.site import Site


@dataclass(frozen=True, slots=True)
class Policy:
    """What the frontier goes by; replaced while running when the definition is edited."""

    scope: config.Scope
    settings: config.Frontier
    overrides: dict[str, config.Override]
    shared: bool = False
    """Whether idle workers may help with a site that another holds (no wait is asked for, so none can be broken)."""

    def override(self, site: str) -> config.Override:
        """Return what holds for a site instead."""
        return self.overrides.get(site, _NO_OVERRIDE)

    def budget(self, site: Site) -> int | None:
        """Return the requests that a site has left, or None when they are not counted."""
        most = self.override(site.row.name).budget or self.scope.site_budget
        return None if most is None else max(0, most - site.row.requests)


_NO_OVERRIDE = config.Override()
