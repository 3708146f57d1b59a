"""The laboratory's command line: one file a command; each parses, calls one function and prints."""

from __future__ import annotations

import typer

from anansi.cli import run
from anansi_lab.cli import experiments, simulate


def application() -> typer.Typer:
    """Make the command line."""
    app = typer.Typer(
        name="python -m anansi_lab",
        help="Experiments of the papers and simulated crawls, on what was recorded.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.command("experiments")(experiments.command)
    app.command("simulate")(simulate.command)
    return app


def main() -> None:
    """Run the command line."""
    run(application)
