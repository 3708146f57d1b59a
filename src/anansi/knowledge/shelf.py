"""Where entries are found: built in, and in folders of a person or a collection. The only part that reads files."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from anansi.errors import KnowledgeError
from anansi.knowledge import notation
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Type

MOST_ENTRIES = 200_000  # entries of a folder
HEAD = 1000  # bytes of an entry in which its title stands

_ID = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
_TITLE = re.compile(r'<type\b[^>]*\btitle="([^"]*)"')


@cache
def built_in() -> tuple[Type, ...]:
    """Return the entries that come with Anansi."""
    return tuple(map(in_file, built_in_files()))


def built_in_files() -> list[Path]:
    """List the files of the entries that come with Anansi."""
    with resources.as_file(resources.files(__package__).joinpath("entries")) as folder:
        return files(folder)


def in_folder(folder: Path) -> Iterator[Type]:
    """Read all entries of a folder, in the order of their names."""
    return map(in_file, files(folder))


def files(folder: Path) -> list[Path]:
    """List the files of a folder that hold entries."""
    found = sorted(path for path in islice(folder.rglob("*.xml"), MOST_ENTRIES + 1) if path.is_file())
    if len(found) > MOST_ENTRIES:
        raise KnowledgeError(f"{folder}: more than {MOST_ENTRIES:,} entries; is this a folder of the knowledge base?")
    return found


def in_file(path: Path) -> Type:
    """Read one entry."""
    try:
        with path.open("rb") as file:
            data = file.read(notation.LARGEST + 1)
    except OSError as error:
        raise KnowledgeError(f"{path} cannot be read: {error.strerror}") from None
    return notation.read(data, str(path))


def personal() -> Path:
    """Return the folder of the entries of the person who crawls; it need not be there."""
    return Path.home() / ".config" / "anansi" / "knowledge"


@cache
def catalogue(*folders: Path) -> Catalogue:
    """Return the built-in types with those of folders, as they were when they were first asked for."""
    return catalogue_now(*folders)


def catalogue_now(*folders: Path) -> Catalogue:
    """Return the built-in types with those of folders, as they are: a crawl adds what it learns."""
    more = [entry for folder in folders if folder.is_dir() for entry in in_folder(folder)]
    return Catalogue([*built_in(), *more])


@cache
def title(type_id: str) -> str:
    """Return what people call a type; without reading more than the head of its file, where it is built in."""
    parent, _, name = type_id.rpartition("/")
    if not _ID.fullmatch(type_id):  # a site's own rules: they are of the type that they mend, or of none
        return title(parent) if "/" in parent else parent or name
    entry = resources.files(__package__).joinpath("entries", *f"{type_id}.xml".split("/"))
    if not entry.is_file():
        return name
    with entry.open("rb") as file:
        found = _TITLE.search(file.read(HEAD).decode("utf-8", "replace"))
    return html.unescape(found[1]) if found is not None else name
