"""What a worker finds out about a page of a site that is being learned: what it says, and where its links stand."""

from __future__ import annotations

from array import array
from typing import Final

from anansi.learn.items import sample_of
from anansi.learn.labels import Labeller, Places
from anansi.learn.novelty import Novelty
from anansi.learn.titles import names_in
from anansi.text.page_model import PageModel

SITES: Final = 500
"""Sites of which that is remembered."""


class Learner:
    """Looks at pages. Mutable state: what its labeller remembers of elements, and what is known of sites."""

    def __init__(self) -> None:
        self._labeller = Labeller()
        self._sites: dict[str, Novelty] = {}

    def novelty(self, site: str) -> Novelty:
        """Return what is known of how much is new at a site."""
        known = self._sites.get(site)
        if known is None:
            if len(self._sites) >= SITES:
                del self._sites[next(iter(self._sites))]
            known = self._sites[site] = Novelty()
        return known

    def items(self, text: str) -> bytes:
        """Return a sample of what a page says."""
        return sample_of(text)

    def places(self, page: PageModel) -> Places:
        """Return the places of a page's links."""
        return self._labeller.places(page)

    def names(self, title: str) -> bytes:
        """Return the names that a page has by its title, four bytes each."""
        return array("I", names_in(title)).tobytes()
