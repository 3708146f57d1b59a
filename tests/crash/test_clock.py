"""The wall clock is set while a crawl runs: nothing is lost, nothing waits longer, and the crawl ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.crash.crawling import Crawling, wait_until
from tests.crash.sites import served
from tests.learn import unknown
from tests.web import Reply, ScriptedWeb, html
from tests.web.replies import HTML

DAY = 86400.0
SHIFTED = Path(__file__).parent / "shifted"
"""Found first on the path of a crawl under test: its wall clock differs from ours by what a file says."""


@pytest.mark.parametrize("shift", [-DAY, -365 * DAY, 10 * DAY], ids=["a day back", "a year back", "ten days on"])
@pytest.mark.parametrize("resumed", [False, True], ids=["in one run", "killed and resumed"])
def test_nothing_is_lost_when_the_clock_is_set(
    shift: float, resumed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    monkeypatch.setenv("ANANSI_TEST_CLOCK", str(clock))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SHIFTED), os.environ.get("PYTHONPATH", "")]))
    with served(2, 40) as sites:
        with Crawling(tmp_path / "c", sites.seeds, ("--delay", "0.02")) as crawling:
            assert wait_until(lambda: sites.requests() > 20)
            clock.write_text(str(shift))
            if resumed:
                crawling.kill_hub()
            else:
                assert crawling.wait() == 0, crawling.errors
        with Crawling(tmp_path / "c", sites.seeds, ("--delay", "0.02")) as crawling:
            assert crawling.wait() == 0, crawling.errors
        verdict = sites.judge(tmp_path / "c")
        assert verdict.sound, (verdict.lost[:5], verdict.invalid[:5])


def test_a_worker_that_begins_after_the_clock_was_set_goes_by_the_time_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    monkeypatch.setenv("ANANSI_TEST_CLOCK", str(clock))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SHIFTED), os.environ.get("PYTHONPATH", "")]))
    with served(2, 40) as sites, Crawling(tmp_path / "c", sites.seeds, ("--delay", "0.02")) as crawling:
        assert wait_until(lambda: sites.requests() > 20)
        clock.write_text(str(-DAY))
        for pid in crawling.workers():
            os.kill(pid, 9)
        assert crawling.wait() == 0, crawling.errors
        assert sites.judge(tmp_path / "c").sound


def test_pages_are_read_again_by_what_was_learned_after_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that were captured before rules were learned have later dates than the rules then."""
    clock = tmp_path / "clock"
    clock.write_text("0")
    monkeypatch.setenv("ANANSI_TEST_CLOCK", str(clock))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SHIFTED), os.environ.get("PYTHONPATH", "")]))
    with ScriptedWeb() as web:
        for path, text in unknown.forum(70).pages.items():
            web.add(path, Reply(200, (HTML,), text.encode()))
        web.add("/", html("Start", [f"/board/{number}" for number in range(3)]))
        options = ("--delay", "0", "--strategy", "auto")
        with Crawling(tmp_path / "c", [web.url + "/"], options, workers=1) as crawling:
            assert wait_until(lambda: len(web.log) > 20)
            clock.write_text(str(-DAY))
            assert crawling.wait() == 0, crawling.errors
    pages = len(crawling.collection.pages.read_bytes().splitlines()) - 1
    (again,) = crawling.events("pages read again")
    assert again["pages"] == pages, "those captured since have earlier dates, so none is left out"
