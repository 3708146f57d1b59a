"""The command line: one file a command; each parses, calls one function and prints."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from anansi import __version__
from anansi.cli.output import complain, say
from anansi.errors import INTERRUPTED, INTERRUPTION, AnansiError, UserError

GROUPS: Final = {
    "Everyday": ("crawl", "watch", "status", "check", "objects", "history", "pack", "unpack", "demo", "version"),
    "Research": ("define", "query", "rebuild", "feeds", "extract", "score", "relevance", "evaluate"),
    "Knowledge": ("inspect", "learn", "kb", "helper"),
}
"""The commands, as the help groups them."""

MODULES: Final = {"helper": "anansi.cli.serving", "demo": "anansi_demo.command"}
"""Those whose module is not the one of their name here; the example site is a package of its own."""

COMMANDS: Final = {name: MODULES.get(name, f"anansi.cli.{name}") for names in GROUPS.values() for name in names}
"""Each with its module."""


COLLECT: Final = (50_000, 20, 50)
"""When to look for cycles, of which commands make few: looking after every 700 objects costs a hub a tenth."""


class _Grouped(TyperGroup):
    """Lists commands by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section a group."""
        for title, names in GROUPS.items():
            known = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name, each.get_short_help_str(62)) for name, each in known if each is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def application(*names: str) -> typer.Typer:
    """Make the command line, of some commands or of all that are there; each is imported only for it."""
    app = typer.Typer(
        name="anansi",
        cls=_Grouped,
        help="A web-archiving crawler that knows what it is crawling.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    for name in names or filter(_is_there, COMMANDS):
        if not _is_there(name):
            package = _package(name)
            raise UserError(
                f"`anansi {name}` needs {package}, which is not installed; "
                f"run `pip install ./src/{package}` where Anansi's source is"
            )
        module = import_module(COMMANDS[name])
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(module.command)
    return app


def _is_there(name: str) -> bool:
    return find_spec(_package(name)) is not None


def _package(name: str) -> str:
    return COMMANDS[name].partition(".")[0]


def __getattr__(name: str) -> typer.Typer:
    """Make `app`, the whole command line, for whoever asks for it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return application()


def _say_version(asked: bool) -> None:
    if asked:
        say(f"anansi {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    """Remember what holds for every command."""
    del version  # it has been said, and nothing else is done then
    context.obj = {"debug": debug}


class _Interrupted(BaseException):
    """Somebody pressed Ctrl-C; `KeyboardInterrupt` would be taken by whoever runs a loop or reads arguments."""


def _interrupt(*_: object) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: what is open is being closed
    raise _Interrupted


def main() -> None:
    """Run the command line."""
    # a crawl starts in half the time when it does not import what draws figures, and the version is told in a third
    asked = ["version"] if sys.argv[1:2] == ["--version"] else [each for each in sys.argv[1:2] if each in COMMANDS]
    run(lambda: application(*asked))


def run(make: Callable[[], typer.Typer]) -> None:
    """Make a command line and run it; errors that a person can do something about are said without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names of files need not be text
            stream.reconfigure(errors="backslashreplace")
    try:
        app = make()
        gc.freeze()
        gc.set_threshold(*COLLECT)
        gc.enable()
        signal.signal(signal.SIGINT, _interrupt)
        app()
    except _Interrupted:
        complain(INTERRUPTION)
        sys.exit(INTERRUPTED)
    except AnansiError as error:
        if "--debug" in sys.argv:
            raise
        complain(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at its end
        sys.exit(0)
    finally:
        gc.freeze()  # what is left ends with the process, garbage or not
