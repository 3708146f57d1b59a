"""`anansi rebuild`: a channel page as it must have been at a time when no crawl saw it."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from anansi.archive.disk import replacing
from anansi.cli.output import as_json, complain
from anansi.crawl.run import check_seeds
from anansi.errors import UserError
from anansi.feeds.dates import seconds
from anansi.feeds.dating import iso
from anansi.feeds.evidence import evidence
from anansi.inspection.past import page_at

_CHANNEL = "The page that lists the items: a home page, a blog, the page a feed is about; or the feed itself."
_AT = "When: 2021-03-05, 2021-03-05T14:30, 2021-03-05T14:30+01:00, 20210305143000 or Fri, 5 Mar 2021 14:30; else UTC."
_DIR = "The collection that holds captures of the page and of its feeds."
_FORMAT = "What to write: the page, or what speaks for each of its entries."
_TO = "Where to write; by default standard output. Beside a page, its evidence goes to the same name with .json."

Form = Literal["html", "json"]
_DIGITS: Final = re.compile(r"(\d{8})(\d{2})(\d{2})?(\d{2})?")


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_DIR)],
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help=_CHANNEL)],
    at: Annotated[str, typer.Option("--at", metavar="TIME", help=_AT)],
    form: Annotated[Form, typer.Option("--format", help=_FORMAT)] = "html",
    to: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help=_TO, show_default=False)] = None,
) -> None:
    """Rebuild a channel page as it must have been at a time, from captures around it, feeds and objects.

    A page that was captured then, or that did not change between two captures, is given as captured.
    """
    (url,) = check_seeds([channel])
    rebuilt, page, url = page_at(folder, url, _moment(at))
    told = evidence(rebuilt, url)
    if to is not None:
        if to.is_dir():
            raise UserError(f"{to} is a folder; name a file for -o")
        if form == "html":
            _write(to, page)
        _write(to.with_suffix(".json") if form == "html" else to, _bytes(told))
        as_json({"file": str(to), "status": rebuilt.status, "entries": len(rebuilt.entries)})
    elif form == "json":
        as_json(told)
    else:
        sys.stdout.buffer.write(page)
        sys.stdout.buffer.flush()
        complain(f"{rebuilt.status}: {_summary(told['status'], told['template']['captured'])}")


def _summary(status: str, captured: str) -> str:
    if status == "reconstructed":
        return f"made with the template captured {captured}; --format json has the evidence"
    return f"this is the page as captured {captured}"


def _bytes(told: dict[str, object]) -> bytes:
    import json

    return json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as fresh:
        fresh.write_bytes(data)


def _moment(text: str) -> float:
    """Read a time as people write it."""
    told = text.strip()
    found = _DIGITS.fullmatch(told)
    if found and len(told) > 10:
        told = f"{found[1]}T{found[2]}:{found[3] or '00'}:{found[4] or '00'}"
    moment = seconds(told)
    if moment is None:
        raise UserError(f"--at {text!r} is not a time; write it as 2021-03-05, 2021-03-05T14:30 or 20210305143000")
    if moment > time.time():
        raise UserError(f"--at {text!r} is {iso(moment)}, which is still to come; name a time that is past")
    return moment
