"""What a crawl is given along with its seeds: a file of them, headers, cookies."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from anansi.archive.layout import Collection
from anansi.errors import UserError
from anansi.fetch.credentials import Credentials, credentials

LARGEST: Final = 64 << 20
"""Bytes of a file of seeds or cookies: a million of them."""

_SEEDS = "Also begin at the URLs of a file, one a line (`-`: standard input); what follows a # is left out."
_HEADER = "Send this header to the servers of the seeds, as 'Name: value', or those of a file, as @FILE."
_COOKIES = "Send the cookies of a file as browsers export it (Netscape's cookies.txt)."

SeedFile = Annotated[str | None, typer.Option("--seeds", metavar="FILE", help=_SEEDS, show_default=False)]
Headers = Annotated[list[str] | None, typer.Option("--header", metavar="HEADER", help=_HEADER, show_default=False)]
Cookies = Annotated[Path | None, typer.Option("--cookies", metavar="FILE", help=_COOKIES, show_default=False)]


def all_seeds(named: Sequence[str] | None, file: str | None) -> list[str]:
    """Return the seeds that were named and those of a file."""
    for each in named or ():
        if "://" not in each and Path(each).is_file():
            raise UserError(f"{each} is a file; to begin at the URLs in it, say --seeds {each}")
        if "://" not in each and "." not in Path(each).name and Collection(Path(each)).exists():
            raise UserError(f"{each} is a collection; to go on with it, say -o {each}")
    return [*(named or ()), *(_seeds_in(file) if file is not None else ())]


def _seeds_in(file: str) -> list[str]:
    lines = _read(file).splitlines()
    seeds = [seed for line in lines if (seed := _without_remark(line))]
    if not seeds:
        name = "standard input" if file == "-" else file
        raise UserError(f"{name} holds no seeds; write one URL a line")
    return seeds


def _without_remark(line: str) -> str:
    """Return the seed of a line; a # inside of a URL is part of it."""
    line = line.strip("\ufeff \t")
    return "" if line.startswith("#") else line.partition(" #")[0].strip()


def _read(file: str) -> str:
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if file == "-" else _beginning(Path(file))
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}; check the name") from None
    if len(data) > LARGEST:
        raise UserError(f"{file} is larger than {LARGEST >> 20} MB; split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file} is not text in UTF-8; save it as such") from None


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def given(headers: Sequence[str] | None, cookies: Path | None, seeds: Sequence[str]) -> Credentials:
    """Return the headers and cookies that go along with requests."""
    typed = [line for each in headers or () for line in _headers_in(each)]
    return credentials(typed, _read(str(cookies)) if cookies is not None else "", seeds)


def _headers_in(typed: str) -> list[str]:
    """Return a header, or those of a file: what is typed stands in the list of processes for all to see."""
    if not typed.startswith("@"):
        return [typed]
    return [line for line in _read(typed[1:]).splitlines() if line.strip()]
