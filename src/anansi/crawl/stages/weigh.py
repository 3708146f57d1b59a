"""What a page adds to what is known of its site, for the frontier, which opens and closes corners of sites by it.

Mutable state: `_said` (site → hashes of what its first pages and samples said).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from anansi.crawl.findings import Findings, replace
from anansi.crawl.settings import SETTINGS
from anansi.model import Page, Role
from anansi.text.page_model import PageModel
from anansi.url import site_of

if TYPE_CHECKING:
    from anansi.pages.interpreter import Interpreter

SAID: Final = 200_000
"""Hashes of what samples of a site say that are remembered, 60 bytes each."""
SITES: Final = 5000
"""Sites of which that is remembered."""


class Weigh:
    """Weighs pages of known sites."""

    def __init__(self, interpreter: Interpreter, said: Callable[[PageModel], set[int]]):
        self._interpreter, self._words = interpreter, said
        self._said: dict[str, set[int]] = {}

    def look(self, page: Page, found: Findings) -> Findings:
        """Add what a list would have told of that failed, what corners are weighed by, and what was found there."""
        visit = page.visit
        lost = self._interpreter.lost(page, found.answer)
        if not visit.corner and not visit.behind:
            self._note_first(page, found)
            return replace(found, lost=lost) if lost else found
        listed = sum(link.role is Role.CONTENT for link in found.links)
        novel = self._says_news(page, found) and (bool(visit.behind) or visit.role is Role.PROBE)
        claimed = self._interpreter.claimed(visit, found.links) if visit.corner and page.ok else 0
        return replace(found, lost=lost, listed=listed, novel=novel, claimed=claimed)

    def _met(self, site: str) -> set[int]:
        if len(self._said) >= SITES and site not in self._said:
            self._said.clear()
        return self._said.setdefault(site, set())

    def _note_first(self, page: Page, found: Findings) -> None:
        """Remember what the first pages of a known site say: where there are few, samples are held against them."""
        site = site_of(page.visit.url)
        if found.model is None or not page.ok or not self._interpreter.types(site):
            return
        met = self._met(site)
        if len(met) < SETTINGS.first_said:
            met |= self._words(found.model)

    def _says_news(self, page: Page, found: Findings) -> bool:
        """Tell whether a page says what no first page, no sample and nothing that samples led to has said."""
        if found.model is None or not page.ok:
            return False
        said = self._words(found.model)
        met = self._met(site_of(page.visit.url))
        new = len(said - met)
        if len(met) < SAID:
            met |= said
        return new >= SETTINGS.novel * max(1, len(said))
