"""Whatever stands at one address, for who asks about a single page."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from anansi.config import Fetch
from anansi.errors import UserError
from anansi.fetch import decode
from anansi.fetch.curl import Fetcher
from anansi.fetch.resolve import REFUSED, Resolver
from anansi.model import MAX_REDIRECTS, REDIRECTS, Page, Visit
from anansi.url import host_of, resolve

LARGEST: Final = 32 << 20
"""Bytes of a page that are looked at."""


def bytes_at(url: str, agent: str) -> tuple[Page, bytes]:
    """Fetch whatever stands at an address, its codings undone."""
    page = asyncio.run(_fetch(url, agent))
    if page.fault is not None:
        detail = f" ({page.detail})" if page.detail else ""
        raise UserError(f"{page.visit.url} cannot be looked at: {page.fault}{detail}; try a saved page and `--url`")
    body = page.body.read(LARGEST)
    if decode.is_chunked(page.headers):
        body = decode.transfer_decode(page.headers, body)[0]
    decoded = decode.content_decode(page.header("content-encoding"), body, LARGEST)
    if decoded.bomb:
        raise UserError(f"{page.visit.url} cannot be looked at: it is a body that inflates without end")
    return page, decoded.data


async def _fetch(url: str, agent: str) -> Page:
    """Fetch a page; a private address is refused unless the person named a host there."""
    settings = Fetch()
    resolver = Resolver(settings)
    await resolver.allow([host_of(url)])
    with tempfile.TemporaryDirectory(prefix="anansi-inspect-") as spool:
        fetcher = Fetcher(settings, agent, Path(spool))
        try:
            return await _fetch_following_redirects(fetcher, resolver, url)
        finally:
            fetcher.close()


async def _fetch_following_redirects(fetcher: Fetcher, resolver: Resolver, url: str) -> Page:
    for _ in range(MAX_REDIRECTS + 1):
        page = await _fetch_once(fetcher, resolver, url)
        target = resolve(page.header("location"), url) if page.status in REDIRECTS else None
        if target is None:
            return page
        url = target
    raise UserError(f"{url} cannot be looked at: more than {MAX_REDIRECTS} redirects in a row; name the page itself")


async def _fetch_once(fetcher: Fetcher, resolver: Resolver, url: str) -> Page:
    host = host_of(url)
    if resolver.address(host) is None:
        await resolver.resolve(host)
    address = resolver.address(host)
    if address == REFUSED:
        raise UserError(f"{url} is at a private address and was not named by you; name it itself to look at it")
    if not address:
        raise UserError(f"{url} cannot be looked at: the name {host} has no address; is it spelled right?")
    done: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
    fetcher.start(Visit(url=url, key=url, address=address), done.set_result, done.set_exception)
    return await done
