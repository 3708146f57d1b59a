"""A page that was kept looks in replay as the live one did: a real WordPress and a real forum, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.request import urlopen

import pytest

from anansi.archive.captures import captures
from anansi.archive.layout import Collection
from anansi.archive.wacz import pack
from anansi.inspection.texts import texts
from tests.adapt import wordpress
from tests.crawl.case import crawl
from tests.replay import browser, forum, players
from tests.replay.browser import Browser, Seen, different

ALIKE = 0.003
"""Share of a picture that may look different: less than an icon of 50 by 50 pixels; none did in our runs."""

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "all there")

Site = Callable[[Path], AbstractContextManager[wordpress.WordPress | forum.Forum]]
SITES = [
    pytest.param(
        wordpress.WordPress,
        r'<h2 class="[^"]*title[^"]*"><a href="([^"]+)"',
        marks=pytest.mark.skipif(bool(wordpress.missing()), reason=wordpress.missing() or "all there"),
        id="wordpress",
    ),
    pytest.param(
        forum.Forum,
        r'href="(/forum/forum/[^"]+/topic/[^"?]+)"',
        marks=pytest.mark.skipif(bool(forum.missing()), reason=forum.missing() or "all there"),
        id="forum",
    ),
]


def addresses(url: str, pattern: str) -> list[str]:
    """Return the front page and a page of content that can be found from there."""
    with urlopen(url, timeout=30) as answer:
        html = answer.read().decode()
    found = re.findall(pattern, html) or re.findall(pattern, _first_board(url, html))
    host = "/".join(url.split("/")[:3])
    return [url, found[0] if found[0].startswith("http") else host + found[0]]


def _first_board(url: str, html: str) -> str:
    host = "/".join(url.split("/")[:3])
    board = re.findall(r'href="(/forum/forum/[^"/]+/)"', html)[0]
    with urlopen(host + board, timeout=30) as answer:
        found: str = answer.read().decode()
    return found


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(("site", "pattern"), SITES)
def test_what_was_kept_looks_as_it_did(site: Site, pattern: str, tmp_path: Path, chromium: Browser) -> None:
    (tmp_path / "site").mkdir()
    with site(tmp_path / "site") as running:
        urls = addresses(running.url, pattern)
        live = {url: chromium.visit(url) for url in urls}
        crawled = crawl(tmp_path / "kept", running.url, options=("--requisites",))
    collection = crawled.collection
    assert crawled.code == 0
    for seen in live.values():
        assert _lost(collection, seen) == []
    with players.pywb(collection, tmp_path / "pywb") as before:
        replayed = {url: chromium.visit(before + url) for url in urls}
    assert {url: different(live[url].picture, replayed[url].picture) for url in urls} == pytest.approx(
        dict.fromkeys(urls, 0.0), abs=ALIKE
    )
    _package_looks_alike(collection, live, tmp_path, chromium)


def _lost(collection: Collection, seen: Seen) -> list[str]:
    """Return what the live page loaded and the archive does not hold."""
    assert len(seen.loaded) > 2, "a page of these has styles and scripts"
    return [url for url, status in seen.loaded.items() if status == 200 and not captures(collection, url)]


def _package_looks_alike(collection: Collection, live: dict[str, Seen], folder: Path, chromium: Browser) -> None:
    if players.missing():
        pytest.skip(players.missing())
    packed = pack(collection, folder / "kept.wacz", texts=texts)
    with players.replayweb(packed, folder / "replayweb") as before:
        for url, seen in live.items():
            shown = chromium.visit(before + url, until=lambda now: different(now.picture, seen.picture) < ALIKE)  # noqa: B023
            assert different(shown.picture, seen.picture) < ALIKE, url
