"""What a person sees: a display in place on a terminal, a line now and then elsewhere, nothing when asked."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from anansi.crawl.report import progress as module
from anansi.crawl.report.progress import Progress
from tests.web import ScriptedWeb, html

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def summary(**changes: Any) -> dict[str, Any]:
    """Make a summary of a crawl under way."""
    site = {"requests": 12, "pages": 10, "queued": 30, "state": "queued"}
    return {
        "requests": 12,
        "pages": 10,
        "bytes": 1_234_567,
        "queued": 30,
        "faults": {"no answer in time": 1},
        "statuses": {"200": 10, "503": 2},
        "sites": {"example.org": site},
        "sites_not_listed": 0,
        **changes,
    }


def test_a_line_now_and_then_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    with Progress() as progress:
        progress.show(summary(), workers=2, event="")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "12 requests, 10 pages (0.0/s), 30 queued, 1.2 MB, 3 errors\n"


def test_no_more_lines_than_one_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        for _ in range(5):
            progress.show(summary(), workers=2, event="")
    assert capsys.readouterr().err == ""


def test_the_rate_and_the_time_left_come_from_the_last_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    with Progress() as progress:
        for pages, queued in ((0, 100), (50, 7300), (100, 9)):
            progress.show(summary(pages=pages, queued=queued), workers=2, event="")
            now[0] += 10.0
    _, second, third = capsys.readouterr().err.splitlines()
    assert "50 pages (5.0/s)" in second and second.endswith("3 errors"), "nothing is said while the queue grows"
    assert "100 pages (5.0/s)" in third and third.endswith("about 0 s for the queue")


def test_with_a_limit_the_time_left_is_the_time_to_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    with Progress(limit=150) as progress:
        for pages, queued in ((0, 100), (50, 7300), (100, 9)):
            progress.show(summary(pages=pages, queued=queued), workers=2, event="")
            now[0] += 10.0
    _, second, third = capsys.readouterr().err.splitlines()
    assert second.endswith("about 20 s to the limit") and third.endswith("about 0 s for the queue")


def test_no_time_is_told_that_is_shorter_than_what_all_wait_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pages were to be tried again in 15 seconds, `about 0 s for the queue`."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: now[0])
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    waits = {"site": "example.org", "url": "", "why": "another attempt", "until": 135.0}
    with Progress() as progress:
        for pages, queued in ((0, 100), (50, 50), (98, 2)):
            progress.show(summary(pages=pages, queued=queued, now=[waits]), workers=2, event="")
            now[0] += 10.0
    _, second, third = capsys.readouterr().err.splitlines()
    assert "for the queue" not in second and "for the queue" not in third
    assert third.endswith("waits 15 s: another attempt")


def test_what_happens_is_told_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    with Progress() as progress:
        for event in ("host out of reach url=[x]", "host out of reach url=[x]", "trap closed"):
            progress.show(summary(), workers=2, event=event)
    lines = [line.partition("; ")[2] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["host out of reach url=[x]", "", "trap closed"]


def test_nothing_at_all_when_asked_to_be_quiet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)
    with Progress(quiet=True) as progress:
        progress.show(summary(), workers=2, event="worker died")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


def on_a_terminal(*command: str) -> tuple[int, str]:
    """Run a command with a terminal for its output and return its exit code and all that the terminal got."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True)
    os.close(theirs)
    seen = bytearray()
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end was closed
            break
        if not data:
            break
        seen += data
    os.close(ours)
    return process.wait(timeout=60), seen.decode("utf-8", "replace")


def test_a_display_that_stays_in_place_on_a_terminal(tmp_path: Path) -> None:
    """Crawl on a real terminal: the numbers are redrawn in place, then gone, and the result stays."""
    with ScriptedWeb() as web:
        paths = [f"/{number}" for number in range(12)]
        web.add("/", html("home", paths))
        for path in paths:
            web.add(path, html(path))
        command = [sys.executable, "-m", "anansi.cli", "crawl", web.url + "/", "-o", str(tmp_path / "c")]
        code, seen = on_a_terminal(*command, "--delay", "0.2", "--workers", "1", "--no-requisites")
    assert code == 0
    assert "\x1b[1A" in seen, "lines are drawn over"
    text = _ESCAPE.sub("", seen)
    assert "pages/s" in text and "1 workers" in text and "127.0.0.1" in text
    assert "finished: 14 requests, 13 pages" in text
    assert text.rstrip().endswith("(anansi status, anansi check, anansi pack)")
    assert text.count("crawl begins") >= 1


def test_a_site_whose_name_looks_like_markup_is_shown(tmp_path: Path) -> None:
    script = (
        "import time\n"
        "from anansi.crawl.report.progress import Progress\n"
        "from tests.crawl.report.test_progress import summary\n"
        "with Progress() as progress:\n"
        "    site = {'requests': 1, 'pages': 1, 'queued': 0, 'state': 'given up: [/odd]'}\n"
        "    sites = {'[fe80::1]': site, **{f'{n}.org': site for n in range(10)}}\n"
        "    progress.show(summary(sites=sites), workers=3, event='[/b] happened')\n"
        "    time.sleep(0.5)\n"
    )
    code, seen = on_a_terminal(sys.executable, "-c", script)
    text = _ESCAPE.sub("", seen)
    assert code == 0, text
    assert "[fe80::1]" in text and "given up: [/odd]" in text and "[/b] happened" in text
    assert "… and 3 more sites" in text
