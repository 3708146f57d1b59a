"""A page that someone else fetched → what a crawl of Anansi would do with it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anansi.config import Definition, Scope
from anansi.crawl.stages.read import Reader
from anansi.knowledge.catalogue import Catalogue
from anansi.model import Body, Link, Page, Recognition, Skip, Visit, WebObject
from anansi.url import canonical, resolve, site_of

SPOOL: Final = Path(tempfile.gettempdir())
"""Where a body would go that is too large for memory; those that are advised on are not."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a page is, where it leads, and what stands on it."""

    url: str
    site: str
    mime: str
    aware: bool
    """Whether an application is known here; if not, the links are all that the page has."""
    recognition: Recognition | None
    links: list[Link]
    skips: list[Skip]
    objects: list[WebObject]


class Adviser:
    """Advises on pages of any site, each time in the light of what the site's earlier pages were.

    Mutable state: what the interpreter of each `crawl.Reader` remembers of sites, which is bounded.
    """

    def __init__(self, catalogue: Catalogue):
        self._reader = Reader(Definition(scope=Scope(requisites=False)), SPOOL, catalogue)
        self._thorough = Reader(Definition(scope=Scope(requisites=True)), SPOOL, catalogue)

    def advise(self, page: Page, *, requisites: bool = False) -> Advice:
        """Say what a crawl would do with a page; one that wants requisites also fetches what a page shows."""
        reader = self._thorough if requisites else self._reader
        found = reader.act(page, reader.read(page))
        site = site_of(page.visit.url)
        if reader.interpreter is not None:
            self.remind(site, reader.interpreter.types(site))
        aware = bool(self.types(site)) and found.document is not None
        return Advice(
            url=page.visit.url,
            site=site,
            mime=found.mime,
            aware=aware,
            recognition=found.recognition,
            links=[*found.links, *reader.requisites(page, found)],
            skips=found.skips,
            objects=found.objects,
        )

    def types(self, site: str) -> tuple[str, ...]:
        """Return the types that were seen at a site."""
        return self._reader.interpreter.types(site) if self._reader.interpreter is not None else ()

    def remind(self, site: str, types: tuple[str, ...]) -> None:
        """Take over what others saw at a site."""
        for reader in (self._reader, self._thorough):
            if reader.interpreter is not None:
                reader.interpreter.remind(site, types)


def page_of(url: str, status: int, headers: tuple[tuple[str, str], ...], body: bytes, fetched: float) -> Page | None:
    """Make a page of what another crawler has of it; None when the address is none of the web."""
    whole = resolve(url)
    if whole is None:
        return None
    return Page(
        visit=Visit(url=whole, key=canonical(whole)),
        started=fetched,
        seconds=0.0,
        body=Body(len(body), data=body),
        status=status,
        headers=tuple((name.strip().lower(), value.strip()) for name, value in headers),
    )
