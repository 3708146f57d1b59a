"""Where reading meets focus: what a page gives to be scored by, for who scores for the whole crawl.

page ─► terms of its regions, its links with where they stand, what modules say of it ─► hub (`crawl.scoring`)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

from anansi.config import Definition
from anansi.crawl.findings import Findings, replace
from anansi.crawl.stages.read import Reader
from anansi.focus.definition import Subject, subject_of
from anansi.focus.judging import page_text, verdict_on
from anansi.focus.page import page_terms, regions
from anansi.focus.settings import SETTINGS
from anansi.focus.spam import blacklisted
from anansi.model import Page, WebObject
from anansi.state import ScoringInput


class FocusReader:
    """Reads pages for who scores. Mutable state: none of its own."""

    def __init__(self, definition: Definition, reader: Reader):
        self._reader = reader
        self._subject: Subject = subject_of(definition.focus)

    def refused(self, url: str) -> str:
        """Say why a URL is on the blacklist, or nothing."""
        found = blacklisted(url, self._subject.blacklist)
        return f"on the blacklist: {found.found}" if found is not None else ""

    def look(self, page: Page, found: Findings) -> Findings:
        """Add what a page gives to be scored by."""
        return replace(found, to_score=self.read(page, found))

    def read(self, page: Page, found: Findings) -> ScoringInput | None:
        """Return what a page gives to be scored by; None when it is none."""
        if found.model is None or not page.ok:
            return None
        url, tree = page.visit.url, found.tree
        base, parts = self._reader.base(found.model, url), regions(tree)
        keys = {link.url: link.key for link in found.links}

        @cache
        def find(href: str) -> str | None:
            target = self._reader.resolved(href, base)
            return target and (keys.get(target) or self._reader.key(target))

        text = page_text(tree, url, parts, find)
        return ScoringInput(
            page_terms(parts, page.visit.key, find, text.spoken.code, text.said),
            verdict_on(self._subject, text),
            dict(islice(self._authors(found.objects), SETTINGS.most_authors)),
        )

    def _authors(self, objects: Iterable[WebObject]) -> Iterable[tuple[str, Any]]:
        """Go through the links that stand in posts, with who wrote them."""
        for each in objects:
            author = each.get("author")
            if author:
                for name, value in each.properties:
                    if name == "reference":
                        yield self._reader.key(value.text), author
