"""Where entries are found: built in, and in folders of a person or a collection. The only part that reads files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from anansi.errors import KnowledgeError
from anansi.knowledge import notation
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Type

MOST = 200_000  # entries of a folder


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
    found = sorted(path for path in islice(folder.rglob("*.xml"), MOST + 1) if path.is_file())
    if len(found) > MOST:
        raise KnowledgeError(f"{folder}: more than {MOST:,} entries; is this a folder of the knowledge base?")
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
    """Return the built-in types with those of folders."""
    more = [entry for folder in folders if folder.is_dir() for entry in in_folder(folder)]
    return Catalogue([*built_in(), *more])
