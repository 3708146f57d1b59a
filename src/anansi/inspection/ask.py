"""One page from the web, or from a file."""

from __future__ import annotations

from pathlib import Path

from anansi.errors import UserError
from anansi.fetch import charset, mime
from anansi.fetch.single import LARGEST, bytes_at
from anansi.inspection.look import document_of
from anansi.pages.document import Document


def page_at(url: str, agent: str) -> Document:
    """Fetch a page, redirects followed; what the web does wrong is told, for there is nothing to look at."""
    page, data = bytes_at(url, agent)
    kind = mime.sniff(page.header("content-type"), data[: mime.HEAD], page.visit.url.partition("?")[0])
    if not mime.is_html(kind):
        raise UserError(f"{page.visit.url} cannot be looked at: it is no HTML page but {kind or 'an empty body'}")
    encoding = charset.detect(page.header("content-type"), data)
    return document_of(data, encoding, page.visit.url, page.status, page.headers)


def page_in(path: Path, url: str) -> Document:
    """Read a saved page, which stood at a URL."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    return document_of(data, charset.detect("", data), url)
