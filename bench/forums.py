"""URLs as a crawl of forums meets them: 2,000 boards, about 70 characters each, with the pages they stood on."""

from __future__ import annotations

import random

from anansi.model import Visit
from anansi.url import canonical
from pages import vocabulary

SITES = 2000
ORIGIN = "http://forum.community-{:04d}.org"

_SHAPES = (
    "/viewtopic.php?f={f}&start={start}&t={t}",
    "/viewtopic.php?f={f}&p={p}",
    "/showthread.php?goto=newpost&t={t}",
    "/threads/{slug}.{t}/page-{page}",
)
_WORDS = vocabulary(1024, random.Random(3))
_SCATTER = 0x9E3779B1  # odd, so that multiplying by it modulo a power of two mixes numbers without meeting any twice
_IDS = 1 << 23  # topics a board


def url_of(site: int, number: int, *, origin: str = ORIGIN) -> str:
    """Return URL `number` of a board; no two numbers have one URL, and neighbours do not look alike."""
    shape = number % len(_SHAPES)
    topic = (number // len(_SHAPES) * _SCATTER + site * 40_503) % _IDS
    slug = "-".join([_WORDS[topic >> shift & 1023] for shift in (0, 5, 9, 13)]) if shape == 3 else ""
    path = _SHAPES[shape].format(f=topic % 30, start=topic % 7 * 20, t=topic, p=topic, slug=slug, page=topic % 5 + 2)
    return origin.format(site) + path


def visit_of(site: int, number: int, *, score: float = 0.5, origin: str = ORIGIN) -> Visit:
    """Return the visit that a link to a URL asks for, with the page it stood on."""
    url = url_of(site, number, origin=origin)
    via = url_of(site, number // 20, origin=origin)
    return Visit(url=url, key=url, hops="LLL", depth=3, via=via, score=score, seed=origin.format(site) + "/")


def check() -> None:
    """Make sure that the URLs are what they are taken for: all different, and canonical."""
    urls = [url_of(site, number) for site in (0, 1) for number in range(2000)]
    assert len(set(urls)) == len(urls)
    assert all(canonical(url) == url for url in urls)
