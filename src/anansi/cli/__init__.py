"""The command line: one file a command; each parses, calls one function and prints."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Annotated, Final

import typer

from anansi.cli.output import complain
from anansi.errors import AnansiError

COMMANDS: Final = {
    "define": "define",
    "crawl": "crawl",
    "watch": "watch",
    "status": "status",
    "check": "check",
    "pack": "pack",
    "objects": "objects",
    "query": "query",
    "history": "history",
    "evaluate": "evaluate",
    "relevance": "relevance",
    "learn": "learn",
    "experiments": "experiments",
    "simulate": "simulate",
    "feeds": "feeds",
    "inspect": "inspect",
    "extract": "extract",
    "score": "score",
    "rebuild": "rebuild",
    "kb": "kb",
    "helper": "serving",
    "demo": "demo",
    "version": "version",
}
"""Each with its module."""


def application(*names: str) -> typer.Typer:
    """Make the command line, of some commands or of all; each is imported only when it is part of it."""
    app = typer.Typer(
        name="anansi",
        help="A web-archiving crawler that knows what it is crawling.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    for name in names or COMMANDS:
        module = import_module(f"anansi.cli.{COMMANDS[name]}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(module.command)
    return app


def __getattr__(name: str) -> typer.Typer:
    """Make `app`, the whole command line, for whoever asks for it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return application()


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
    asked = [each for each in sys.argv[1:2] if each in COMMANDS]
    try:
        application(*asked)()  # a crawl starts in half the time when it does not import what draws figures
    except AnansiError as error:
        if "--debug" in sys.argv:
            raise
        complain(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at its end
        sys.exit(0)
