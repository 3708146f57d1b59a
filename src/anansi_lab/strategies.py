"""Strategies that crawl a recorded site: blindly, along learned patterns, by the chooser; and what each brings."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from anansi.evaluate.recorded import Recorded, blind
from anansi.knowledge.patterns import NavigationPattern
from anansi.learn.automaton import NOWHERE, Automaton, States
from anansi.learn.chooser import Chooser
from anansi.learn.link_kinds import ChooserSettings

BOILERPLATE: Final = 0.2
"""Share of the pages above which an item is of the template, not of a page."""
REDIRECT: Final = "redirect"
"""The label of what a redirect leads to."""


def followed(site: Recorded, patterns: Sequence[NavigationPattern]) -> list[str]:
    """List what a crawl along patterns requests; a page met again in other states is not requested again."""
    automaton = Automaton(patterns)
    states: dict[str, States] = {site.root: automaton.start()}
    queue, order = deque([site.root]), dict.fromkeys([site.root])
    while queue:
        key = queue.popleft()
        order[key] = None
        answer, here = site.get(key), states[key]
        links = [(answer.leads, "")] if answer.leads else answer.links
        for link, label in links:
            there = automaton.step(here, label) if label else here
            if not there <= states.get(link, NOWHERE):
                states[link] = states.get(link, NOWHERE) | there
                queue.append(link)
    return list(order)


def chosen(site: Recorded, rng: Random, settings: ChooserSettings | None = None) -> list[str]:
    """List what a crawl by the chooser requests."""
    chooser, order = Chooser(settings=settings), dict[str, None]()
    chooser.discover(site.root, "")
    while (key := chooser.next(rng)) is not None:
        order[key] = None
        answer = site.get(key)
        links = [(answer.leads, REDIRECT)] if answer.leads else answer.links
        left = [(link, label) for link, label in links if link not in order]
        chooser.learn(key, answer.items if answer.status == 200 else (), left)
    return list(order)


@dataclass(frozen=True, slots=True)
class Brought:
    """What a crawl brought of what the blind one did."""

    requests: int
    saving: float
    items: float
    own: float
    """Items without boilerplate."""
    content: float
    """Own items that stand on content pages."""
    links: float
    """Links to other sites."""
    content_links: float
    """Those of content pages that are no boilerplate."""


class Measure:
    """What a blind crawl of a site brings, and how much of that another one does."""

    def __init__(self, site: Recorded, content: Callable[[str], bool] = lambda _: True):
        self.site, self.order = site, blind(site)
        pages = {key: page for key in self.order if (page := site.page(key)) is not None}
        most = BOILERPLATE * len(pages)
        counts = Counter(item for page in pages.values() for item in page.items)
        abroad = Counter(link for key in pages for link in site.get(key).abroad)
        wanted = [key for key in pages if content(key)]
        self._items = set(counts)
        self.own = {item for item, count in counts.items() if count <= most}
        self._content = self.own.intersection(item for key in wanted for item in pages[key].items)
        self._links = set(abroad)
        self._content_links = {link for key in wanted for link in site.get(key).abroad if abroad[link] <= most}

    def of(self, order: Sequence[str]) -> Brought:
        """Measure a crawl by what it requested."""
        items, links = self.had(order)
        return Brought(
            requests=len(order),
            saving=len(self.order) / max(1, len(order)),
            items=_share(items, self._items),
            own=_share(items, self.own),
            content=_share(items, self._content),
            links=_share(links, self._links),
            content_links=_share(links, self._content_links),
        )

    def had(self, order: Iterable[str]) -> tuple[set[int], set[str]]:
        """Return the items and the links to other sites that requests bring."""
        items: set[int] = set()
        links: set[str] = set()
        for key in order:
            answer = self.site.get(key)
            items.update(answer.items)
            links |= answer.abroad
        return items, links


def _share(found: set[int] | set[str], of: set[int] | set[str]) -> float:
    return len(found & of) / len(of) if of else 1.0
