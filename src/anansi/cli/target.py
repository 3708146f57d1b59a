"""The page that a command is asked about: an address, or a saved file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.config import Definition
from anansi.crawl.run import agent_of, check_seeds
from anansi.errors import UserError
from anansi.inspection.ask import page_at, page_in
from anansi.pages.document import Document

_PAGE = "An address, or the file of a saved page."
_ADDRESS = "Where the saved page stood; links and addresses are judged by it."

Target = Annotated[str, typer.Argument(metavar="URL_OR_FILE", help=_PAGE, show_default=False)]
Address = Annotated[str | None, typer.Option("--url", metavar="URL", help=_ADDRESS, show_default=False)]

NOWHERE = "http://page.invalid/"
"""Where a saved page stood when nobody says so."""


def document_of(target: str, url: str | None) -> Document:
    """Read the page that a person named."""
    path = Path(target)
    if path.is_file():
        (where,) = check_seeds([url]) if url else (NOWHERE,)
        return page_in(path, where)
    if url is not None:
        raise UserError(f"{target}: no such file; `--url` says where a saved page stood")
    bare = "/" not in target and path.suffix in (".html", ".htm", ".xhtml")
    if "://" not in target and (bare or target.startswith(("/", "./", "../", "~"))):
        raise UserError(f"{target}: no such file; name a saved page or an address such as https://example.org/")
    (where,) = check_seeds([target])
    return page_at(where, agent_of(Definition()))
