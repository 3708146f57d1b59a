"""What is printed is what was said: nothing of it is drawn, and no terminal obeys it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from anansi.cli import output

SAID = "http://a.org/:heart:/[red]x\x1b]0;title\x07\x9b31m"
SHOWN = "http://a.org/:heart:/[red]x\\x1b]0;title\\x07\\x9b31m"


@pytest.mark.parametrize("said", [output.say, output.report, output.complain, output.warn])
def test_a_line_is_printed_as_it_is(said: Callable[[str], None], capsys: pytest.CaptureFixture[str]) -> None:
    said(SAID)
    printed = capsys.readouterr()
    assert (printed.out + printed.err).rstrip("\n").endswith(SHOWN)


def test_so_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(["address"], [[SAID]])
    assert capsys.readouterr().out.splitlines()[1].rstrip() == SHOWN
