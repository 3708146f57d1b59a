"""What of a page's links belongs to the crawl, and why the rest does not.

Mutable state: `scope` (when a seed redirects elsewhere), the links told (`_known`) and those spoken against
(`_refused`), the samples of these (`_samples`), the parts of pages told (`_parts`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

import msgspec

from anansi import clock
from anansi.config import Definition
from anansi.crawl.findings import Findings, replace
from anansi.crawl.stages.read import Reader
from anansi.frontier.known import Known
from anansi.frontier.mazes import area
from anansi.frontier.scope import Scope
from anansi.frontier.traps import Traps
from anansi.model import MAX_REDIRECTS, REDIRECTS, Hop, Link, Page, Reason, Role, Skip, Visit
from anansi.pages.samples import Samples
from anansi.url import host_of, site_of

PARTS: Final = 2000
"""Parts of one page that are fetched; a page of a thousand small pictures has more than most."""
NOT_WANTED: Final = "images, styles and scripts of pages are left out (--no-requisites)"
TOO_MANY: Final = f"the page needs more than {PARTS} other files"
NESTED: Final = 20
"""Parts of parts in a row: sheets that import sheets, modules that import modules; half of it is much."""

_SINCE: Final = attrgetter("since")
# an enum's value costs a call, and this is done per link
_LINK, _REDIRECT, _EMBED = Hop.LINK.value, Hop.REDIRECT.value, Hop.EMBED.value
_ALIAS = Role.ALIAS


class Judge:
    """Judges the links of pages."""

    def __init__(
        self,
        definition: Definition,
        scope: Scope,
        reader: Reader,
        known: Known,
        *,
        blacklisted: Callable[[str], str] | None = None,
    ):
        self._definition, self.scope, self._reader, self._known = definition, scope, reader, known
        self._blacklisted = blacklisted
        self._refused = Known()
        self._parts = Known()
        self._samples = Samples()
        # every rediscovery counts unless the first score stands
        self._filtered = definition.frontier.update == "first"

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────

    def links(self, page: Page, found: Findings) -> Findings:
        """Add what is to be visited of a page's links and of what it needs to be shown, and what is refused."""
        parts = self._parts.news(self._reader.requisites(page, found), 0)
        onward, refused = self._judged(page, found, parts)
        if not self._definition.scope.requisites:
            refused += self._parts_left_out(page, found, onward)
        return replace(found, onward=onward, refused=refused)

    def part(self, page: Page, found: Findings) -> Findings:
        """Follow a part of a page to where it redirects, and to the parts that it needs itself; nothing else."""
        if page.status in REDIRECTS:
            found = replace(found, links=self._reader.act(page, found).links)
        parts = self._parts.news(self._reader.requisites(page, found), 0)
        onward, refused = self._judged(page, found, parts)
        return replace(found, onward=onward, refused=refused)

    def ask(self, page: Page, found: Findings) -> Findings:
        """Add what to ask a site for after one of its shortcuts answered."""
        redirected = page.status in REDIRECTS and found.onward  # the answer is yet to come
        if found.answer is None or redirected or self._reader.interpreter is None:
            return found
        news = sum(link.role is Role.CONTENT for link in found.onward)
        asks = self._reader.interpreter.asks_after(found.answer, site_of(page.visit.url), news)
        more, _ = self._judged(page, replace(found, links=asks, skips=[], placed=False))
        return replace(found, onward=[*found.onward, *more])

    def traps(self, page: Page, found: Findings) -> Findings:
        """Hold the page against others of its form; where it may be made up, ask for what nobody linked to."""
        model = found.model
        if model is None or not page.ok or not self._definition.frontier.traps:
            return found
        closed = found.traps.note(page.visit.url, lambda: model.text)
        asks = found.traps.mazes.note(
            page.visit.url,
            lambda name: sum(area(link.url) == name for link in found.onward),
            lambda: model.text,
        )
        made = (Link(url, url, role=Role.MADE_UP, score=1.0) for url in asks)
        return replace(found, closed=closed, onward=[*found.onward, *made])

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────

    def _parts_left_out(self, page: Page, found: Findings, onward: list[Link]) -> list[Skip]:
        """Say of what a page needs to be shown that it is not wanted; each once."""
        led = {link.key for link in onward}
        parts = self._parts.news(self._reader.needed(page, found), 0)[:PARTS]
        return [Skip(each.url, each.key, Reason.REQUISITE, NOT_WANTED) for each in parts if each.key not in led]

    def _judged(self, page: Page, found: Findings, parts: Sequence[Link] = ()) -> tuple[list[Link], list[Skip]]:
        """Keep of the links, and of the parts of the page, what belongs to the crawl; say why of the rest."""
        visit = page.visit
        samples, left = self._samples.pick(found.skips, host_of(visit.url), sooner=visit.role is Role.PROBE)
        onward: list[Link] = []
        skips = self._refused.news(left, 0)
        skips += [Skip(link.url, link.key, Reason.BUDGET, TOO_MANY) for link in parts[PARTS:]]
        year = time.gmtime(clock.now()).tm_year
        for link in (*self._news(page, found), *samples, *parts[:PARTS]):
            refusal = self._refusal(link, visit, found.traps, year)
            if refusal is not None and refusal[0] is Reason.SCOPE and self._reaches(link, visit):
                link, refusal = msgspec.structs.replace(link, outside=visit.outside + 1), None
            if refusal is None:
                onward.append(link)
            else:
                skips.append(Skip(link.url, link.identity, *refusal))
        # a picture that links to itself is refused as a link and wanted as a part of the page
        wanted = {link.key for link in onward if link.hop == _EMBED} if skips else ()
        return onward, [skip for skip in skips if skip.key not in wanted] if wanted else skips

    def _news(self, page: Page, found: Findings) -> list[Link]:
        """Return the links of a page that nobody was told of, or that changed since."""
        known, links = self._known, found.links
        if self._reader.interpreter is not None:  # aliases are known of applications only
            links = [link for link in links if link.role is not _ALIAS or link.key not in known]
        if not self._filtered or page.status in REDIRECTS or found.placed:
            return links
        news = known.news(links, page.visit.depth + 1)
        if not any(map(_SINCE, links)):
            return news
        return news + [link for link in links if link.since is not None and link not in news]

    def _refusal(self, link: Link, visit: Visit, traps: Traps, year: int) -> tuple[Reason, str] | None:
        refusal = self._out_of_crawl(link, visit, visit.depth + (link.hop == _LINK))
        if refusal is None and self._definition.frontier.traps and (fault := traps.fault(link.url, year)):
            return Reason.TRAP, fault
        return refusal

    def _out_of_crawl(self, link: Link, visit: Visit, depth: int) -> tuple[Reason, str] | None:
        if link.hop == _REDIRECT:
            if len(visit.hops) - len(visit.hops.rstrip(_REDIRECT)) >= MAX_REDIRECTS:
                return Reason.REDIRECTS, f"{MAX_REDIRECTS} redirects in a row"
            if not visit.hops.strip(_REDIRECT):
                return None  # a seed may lead elsewhere: the scope follows it
        if link.hop == _EMBED and len(visit.hops) - len(visit.hops.rstrip(_EMBED + _REDIRECT)) >= NESTED:
            return Reason.TRAP, f"{NESTED} parts of pages that need one another in a row"
        if self._blacklisted is not None and (why := self._blacklisted(link.url)):
            return Reason.BLACKLISTED, why
        if link.watched is not None and not self.scope.excludes(link.url):
            return None  # a feed tells of it, wherever it stands
        return self.scope.refuse(link.url, _EMBED if visit.requisite else link.hop, depth)

    def _reaches(self, link: Link, visit: Visit) -> bool:
        """Tell whether the crawl may follow a link out of its scope."""
        return visit.outside < self._definition.focus.reach and not self.scope.excludes(link.url)


def mark_made_up(_page: Page, found: Findings) -> Findings:
    """Say in the archive that nobody linked to a page: no frontier need know of it."""
    return replace(found, made_up=True)


def made_up(page: Page, found: Findings) -> Findings:
    """Judge a site by an address that nobody linked to: one that answers it makes up its pages."""
    text = found.model.text if page.ok and found.model is not None else None
    closed = found.traps.judge(page.visit.url, text)
    return replace(found, closed=closed, notes=(*found.notes, "madeUp"))
