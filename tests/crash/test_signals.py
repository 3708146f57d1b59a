"""A crawl is asked to stop: it ends cleanly, or quickly when asked twice, and goes on when started again."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.sites import Sites
from tests.crash.verdict import captures
from tests.web import ScriptedWeb, drip, html


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_ends_the_crawl_cleanly(number: signal.Signals, tmp_path: Path, small: Sites) -> None:
    folder = tmp_path / "c"
    with Crawling(folder, small.seeds, ("--delay", "0.05")) as crawling:
        assert wait_until(lambda: small.requests() > 10)
        crawling.signal(number)
        assert crawling.wait() == 11, crawling.errors
    assert crawling.errors == ""
    assert "interrupted" in crawling.output and "run the same command again" in crawling.output
    assert not list(crawling.collection.archive.glob("*.open"))
    assert anansi("check", folder).returncode == 0
    assert crawling.events("crawl ends")[-1]["how"] == "interrupted"

    assert crawl(folder, small.seeds).wait() == 0
    verdict = small.judge(folder)
    assert verdict.sound, verdict.lost
    assert verdict.doubles == 0


def test_the_second_signal_ends_the_crawl_quickly_even_while_a_server_drips(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/1", "/drip", "/2"]))
        web.add("/1", html("one"))
        web.add("/2", html("two"))
        web.add("/drip", drip(b"x" * 10_000, interval=0.2))
        with Crawling(tmp_path / "c", [web.url + "/"]) as crawling:
            assert wait_until(lambda: web.count("/drip"))
            crawling.signal(signal.SIGTERM)
            assert crawling.was_told(signal.SIGTERM)
            time.sleep(0.5)
            assert crawling.running, "the first signal lets the page under way be finished"
            asked = time.monotonic()
            crawling.signal(signal.SIGTERM)
            assert crawling.wait() == 11, crawling.errors
            assert time.monotonic() - asked < 30.0  # the page under way has a minute
        assert crawling.errors == ""
        assert not list(crawling.collection.archive.glob("*.open"))
        assert anansi("check", tmp_path / "c").returncode == 0

        web.add("/drip", html("at once"))
        assert crawl(tmp_path / "c", []).wait() == 0
        kept = {url for url, status in captures(crawling.collection) if status == "200"}
        assert kept == {web.url + path for path in ("/", "/1", "/2", "/drip")}
        assert web.count("/drip") == 2
        assert web.count("/1") == 1


def test_a_signal_that_hits_a_worker_too_ends_the_crawl_all_the_same(tmp_path: Path, small: Sites) -> None:
    """Signal the workers as well, as a service manager does that stops a whole group."""
    with Crawling(tmp_path / "c", small.seeds, ("--delay", "0.05")) as crawling:
        assert wait_until(lambda: small.requests() > 10)
        for pid in [*crawling.workers(), crawling.pid]:
            os.kill(pid, signal.SIGTERM)
        assert crawling.wait() == 11, crawling.errors
    assert not crawling.events("worker died")
    assert crawl(tmp_path / "c", small.seeds).wait() == 0
    verdict = small.judge(tmp_path / "c")
    assert verdict.sound and verdict.doubles == 0


def test_a_worker_that_is_stopped_for_good_does_not_keep_the_crawl_from_ending(tmp_path: Path, small: Sites) -> None:
    with Crawling(tmp_path / "c", small.seeds, ("--delay", "0.05")) as crawling:
        assert wait_until(lambda: small.requests() > 10)
        os.kill(crawling.workers()[0], signal.SIGSTOP)
        crawling.signal(signal.SIGTERM)
        assert crawling.was_told(signal.SIGTERM)
        crawling.signal(signal.SIGTERM)
        asked = time.monotonic()
        assert crawling.wait() == 11, crawling.errors
        assert time.monotonic() - asked < 30.0
    assert crawl(tmp_path / "c", small.seeds).wait() == 0
    assert small.judge(tmp_path / "c").sound
