"""The option that names a folder of entries, for all commands that look into the knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.errors import UserError
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue

_FOLDER = "A folder of entries beside the built-in ones, such as a collection's `knowledge`."

Knowledge = Annotated[Path | None, typer.Option("-k", "--knowledge", metavar="DIR", help=_FOLDER, show_default=False)]


def catalogue_of(folder: Path | None) -> Catalogue:
    """Return the built-in types, those of the person, and those of a folder."""
    if folder is None:
        return shelf.catalogue(shelf.personal())
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder; name one that holds entries (*.xml)")
    return shelf.catalogue(shelf.personal(), folder)
