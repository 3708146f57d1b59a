"""Whose folder it is: two crawls on one, and what `status` says at each moment."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.sites import Sites

SLOWLY = ("--delay", "1")
"""So slow that a crawl is sure to run as long as a test looks at it."""


def test_a_second_crawl_is_refused_and_the_first_undisturbed(tmp_path: Path, small: Sites) -> None:
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds, SLOWLY) as first:
        assert wait_until(lambda: small.requests() > 3)
        second = crawl(folder, small.seeds)
        assert second.wait() == 3
        assert f"in use by process {first.pid}" in second.errors
        assert "Traceback" not in second.errors
        for command in (("check", folder, "--repair"), ("pack", folder)):
            refused = anansi(*command)
            assert refused.returncode == 3, refused.stdout
            assert f"process {first.pid}" in refused.stderr
        before = small.requests()
        assert wait_until(lambda: small.requests() > before + 1), "the first goes on"
        first.signal(signal.SIGTERM)
        assert first.wait() == 11, first.errors
        assert first.errors == ""
    assert crawl(folder, small.seeds).wait() == 0
    verdict = small.judge(folder)
    assert verdict.sound and verdict.doubles == 0


def test_the_status_of_a_crawl_while_it_runs_after_it_was_killed_and_when_it_is_done(
    tmp_path: Path, small: Sites
) -> None:
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds, SLOWLY) as crawling:
        assert wait_until(lambda: json_status(folder).get("pages", 0) > 2, every=0.05)
        running = json_status(folder)
        assert running["state"] == "running"
        assert running["queued"] > 0
        assert set(running["sites"]) == {"127.0.0.2", "127.0.0.3"}
        crawling.kill_hub()
    killed = json_status(folder)
    assert killed["state"].startswith("cut off")
    assert "run the same crawl command again" in anansi("status", folder).stdout
    assert crawl(folder, small.seeds).wait() == 0
    done = json_status(folder)
    assert (done["state"], done["queued"], done["pages"]) == ("finished", 0, len(small.urls))


def test_the_status_of_what_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("hello")
    for path in (tmp_path / "nothing", tmp_path / "file", tmp_path / "full"):
        for command in ("status", "check", "pack"):
            shown = anansi(command, path)
            assert shown.returncode == 3, (command, path, shown.stdout, shown.stderr)
            assert str(path) in shown.stderr.replace("\n", "")
            assert "Traceback" not in shown.stderr
    for path in (tmp_path / "file", tmp_path / "full"):
        refused = crawl(path, ["http://127.0.0.1:9/"])
        assert refused.wait() == 3
    assert (tmp_path / "full" / "letter.txt").read_text() == "hello"


def json_status(folder: Path) -> dict[str, Any]:
    """Ask for the status; nothing when there is none yet."""
    shown = anansi("status", folder, "--json")
    return json.loads(shown.stdout) if shown.returncode == 0 else {}
