"""One page from the web, or from a file."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from anansi.config import Fetch
from anansi.errors import UserError
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import Fetcher
from anansi.fetch.resolve import REFUSED, Resolver
from anansi.inspection.look import document_of
from anansi.model import Page, Visit
from anansi.recognise.document import Document
from anansi.url import host_of, resolve

LARGEST: Final = 32 << 20
"""Bytes of a page that are looked at."""

MOST_REDIRECTS: Final = 10
REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))


def page_at(url: str, agent: str) -> Document:
    """Fetch a page, redirects followed; what the web does wrong is told, for there is nothing to look at."""
    page, data = bytes_at(url, agent)
    kind = mime.sniff(page.header("content-type"), data[: mime.HEAD], page.visit.url.partition("?")[0])
    if not mime.is_html(kind):
        raise UserError(f"{page.visit.url} cannot be looked at: it is no HTML page but {kind or 'an empty body'}")
    encoding = charset.detect(page.header("content-type"), data)
    return document_of(data, encoding, page.visit.url, page.status, page.headers)


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


def page_in(path: Path, url: str) -> Document:
    """Read a saved page, which stood at a URL."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    return document_of(data, charset.detect("", data), url)


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
    for _ in range(MOST_REDIRECTS + 1):
        page = await _fetch_once(fetcher, resolver, url)
        target = resolve(page.header("location"), url) if page.status in REDIRECTS else None
        if target is None:
            return page
        url = target
    raise UserError(f"{url} cannot be looked at: more than {MOST_REDIRECTS} redirects in a row; name the page itself")


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
