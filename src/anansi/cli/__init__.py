"""The command line: one file a command; each parses, calls one function and prints."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from anansi.cli import (
    check,
    crawl,
    demo,
    evaluate,
    experiments,
    inspect,
    kb,
    learn,
    objects,
    pack,
    query,
    status,
    version,
)
from anansi.cli.output import complain
from anansi.errors import AnansiError

app = typer.Typer(
    name="anansi",
    help="A web-archiving crawler that knows what it is crawling.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("crawl")(crawl.command)
app.command("status")(status.command)
app.command("check")(check.command)
app.command("pack")(pack.command)
app.command("objects")(objects.command)
app.command("query")(query.command)
app.command("evaluate")(evaluate.command)
app.command("learn")(learn.command)
app.command("experiments")(experiments.command)
app.command("inspect")(inspect.command)
app.add_typer(kb.app, name="kb")
app.command("demo")(demo.command)
app.command("version")(version.command)


@app.callback()
def _root(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """Remember what holds for every command."""
    context.obj = {"debug": debug}


def main() -> None:
    """Run the command line; errors that a person can do something about are said without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names of files need not be text
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except AnansiError as error:
        if "--debug" in sys.argv:
            raise
        complain(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at its end
        sys.exit(0)
