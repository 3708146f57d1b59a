"""Sites made up of pages and labelled links, for learning."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from random import Random

from anansi.learn.labels import Attributes
from anansi.learn.sitemap import Sampled, SiteMap

Links = Sequence[tuple[str, str]]
Graph = Mapping[str, tuple[Sequence[int], Links]]
"""Page → its items and its links (page, label)."""


def sampled(key: str, items: Sequence[int], links: Links = ()) -> Sampled:
    return Sampled(key, array("I", sorted(items)), tuple(links))


def sitemap_of(graph: Graph, root: str = "/", attributes: Attributes = Attributes.BOTH) -> SiteMap:
    sitemap = SiteMap(root, attributes)
    for key, (items, links) in graph.items():
        sitemap.add(sampled(key, items, links))
    return sitemap


def board(threads: int = 40, pages: int = 3, *, noise: int = 2) -> dict[str, tuple[list[int], list[tuple[str, str]]]]:
    """Make a board: lists that lead to threads, and on each thread links that show it again or lead nowhere new.

    Lists have the label `L`, their pages `N`, threads `T`, redundant views `P`, a page without news `M`.
    """
    rng = Random(threads)
    template = list(range(100))
    menu = [("/list/1", "L"), ("/login", "M")]
    site: dict[str, tuple[list[int], list[tuple[str, str]]]] = {
        "/": (template, menu),
        "/login": (template[:50], menu),
    }
    each = -(-threads // pages)
    said = {
        number: [1000 + 500 * number + word for word in range(rng.randrange(50, 150))] for number in range(threads)
    }
    for page in range(1, pages + 1):
        listed = range((page - 1) * each, min(threads, page * each))
        flips = [(f"/list/{page + 1}", "N")] if page < pages else []
        titles = [1000 + 500 * number for number in listed]
        site[f"/list/{page}"] = (template + titles, [*menu, *((f"/t/{number}", "T") for number in listed), *flips])
    for number, words in said.items():
        views = [(f"/print/{number}-{view}", "P") for view in range(noise)]
        site[f"/t/{number}"] = (template + words, [*menu, *views])
        for view, _ in views:
            site[view] = (template[:10] + words, menu)
    return {
        key: (items, [(link, f"/{label.lower()}/@href") for link, label in links])
        for key, (items, links) in site.items()
    }


def crawled(
    graph: Graph, next_key: Callable[[], str | None], take: Callable[[str, Sequence[int], Links], object]
) -> list[str]:
    """Crawl a made-up site with whatever chooses; a page that is not there brings nothing."""
    order: list[str] = []
    while (key := next_key()) is not None:
        assert len(order) < 100_000
        order.append(key)
        items, links = graph.get(key, ((), ()))
        take(key, items, links)
    return order
