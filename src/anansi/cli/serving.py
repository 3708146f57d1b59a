"""`anansi helper`: recognition and action as a service, for other crawlers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from anansi.cli.knowledge import Knowledge, catalogue_of
from anansi.cli.output import Json, as_json, say
from anansi.crawl.tokens import checked
from anansi.errors import UserError
from anansi.service.helper_process import serve
from anansi.service.page_reading import Settings

VARIABLE: Final = "ANANSI_TOKEN"

_HOST = "The address to listen on; other machines reach a service only where it has a token."
_PORT = "The port to listen on; 0 for any."
_TOKEN = "A file that holds the token that clients must show; ANANSI_TOKEN in the environment holds it itself."  # noqa: S105
_WORKERS = "Processes that read pages; by default one a core."


def command(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help=_HOST)] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=_PORT)] = 8470,
    token: Annotated[Path | None, typer.Option("--token", metavar="FILE", help=_TOKEN, show_default=False)] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help=_WORKERS, show_default=False)] = None,
    knowledge: Knowledge = None,
    json: Json = False,
) -> None:
    """Serve other crawlers over HTTP: POST a page, get what it is, which links lead to content, and its objects.

    The address that is printed shows how to ask. Ctrl-C ends the service, after the requests under way.
    """
    settings = Settings(
        host=host,
        port=port,
        token=_token(token),
        workers=workers or os.cpu_count() or 1,
        knowledge=knowledge.resolve() if knowledge is not None else None,
        types=len(catalogue_of(knowledge).types),
    )

    def ready(url: str) -> None:
        if json:
            as_json({"event": "ready", "url": url, "types": settings.types, "workers": settings.workers})
        else:
            say(f"the helper is at {url}/  (Ctrl-C ends it)")
            sys.stdout.flush()  # it may be a file that someone watches

    done = serve(settings, ready)
    if json:
        as_json({"event": "ended", **done})
    else:
        say(f"read {done['pages']:,} pages of {done['sites']:,} known sites in {done['seconds']:,} s")


def _token(file: Path | None) -> str:
    """Read the token, from the file or the environment; it is never printed."""
    token = os.environ.get(VARIABLE, "")
    if file is not None:
        try:
            with file.open(encoding="ascii") as source:
                token = source.read(4096)
        except (OSError, ValueError):  # the name may be the token itself: it is not repeated
            raise UserError(
                "the file of the token cannot be read; --token takes the name of a file, for everyone sees arguments"
            ) from None
    return checked(token) if file is not None or VARIABLE in os.environ else ""
