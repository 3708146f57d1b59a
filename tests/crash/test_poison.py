"""A page over which workers die is given up after three; nothing else is lost with it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from anansi.fetch.curl import SPOOL_ABOVE
from tests.crash.crawling import Crawling, anansi, crawl, wait_until
from tests.crash.sites import served, words
from tests.crash.verdict import captures
from tests.web import Behaviour, Connection, Reply, Request, ScriptedWeb, html

PAGES = [f"/{number}" for number in range(40)]


def deadly(crawls: list[Crawling]) -> Behaviour:
    """Kill, when asked, the worker whose connection asks."""

    async def behave(request: Request, connection: Connection) -> None:
        for pid in crawls[-1].workers():
            if _talks_to(pid, connection):
                os.kill(pid, signal.SIGKILL)
        await connection.wait_for_end()

    return behave


def _talks_to(pid: int, connection: Connection) -> bool:
    """Tell whether a process holds the other end of a connection, by the kernel's table of sockets."""
    port = connection._writer.get_extra_info("peername")[1]
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {f"socket:[{row[9]}]" for row in rows if int(row[1].rpartition(":")[2], 16) == port}
    try:
        return any(str(each.readlink()) in inodes for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def test_a_poisonous_page_is_given_up_alone(tmp_path: Path) -> None:
    crawls: list[Crawling] = []
    with ScriptedWeb() as web, ScriptedWeb(address="127.0.0.2") as other:
        for number, path in enumerate(PAGES):
            web.add(path, html(words(number)))
            other.add(path, html(words(number)))
        web.add("/", html("home", [*PAGES[:20], "/poison", *PAGES[20:]]))
        web.add("/poison", deadly(crawls))
        other.add("/", html("home", PAGES))
        with Crawling(tmp_path / "c", [web.url + "/", other.url + "/"]) as crawling:
            crawls.append(crawling)
            assert crawling.wait() == 14, crawling.errors
        kept = {url for url, status in captures(crawling.collection) if status == "200"}
        wanted = {each.url + path for each in (web, other) for path in ("/", *PAGES)}
        assert kept == wanted, sorted(wanted - kept)
        assert web.count("/poison") == 3
        assert len(crawling.events("worker died")) == 3
        summary = json.loads(crawling.collection.summary.read_text())
        assert summary["faults"] == {"the worker died on it": 1}
        assert summary["queued"] == 0
        assert any(
            " -5 " in line and "/poison" in line for line in crawling.collection.crawl_log.read_text().splitlines()
        )

        # The crawl is finished: going on changes nothing, and the page is not tried again.
        assert crawl(tmp_path / "c", []).wait() == 14
        assert web.count("/poison") == 3


FATAL = """
import os, signal
from anansi.text import tree

real = tree.parsed

def parsed(data, *rest):
    if b"no parser survives this" in data:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(data, *rest)

tree.parsed = parsed
"""
"""A program whose parser dies of one page; Python runs it at the start of every process."""


@pytest.mark.parametrize("large", [False, True], ids=["in memory", "in a file"])
def test_a_page_that_kills_its_reader_is_in_the_archive(
    large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FATAL)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    body = b"<title>fatal</title>" + b"no parser survives this " * (SPOOL_ABOVE // 20 if large else 100)
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/1", "/fatal", "/2"]))
        web.add("/1", html(words(1)))
        web.add("/2", html(words(2)))
        web.add("/fatal", Reply(200, {"Content-Type": "text/html"}, body))
        with Crawling(tmp_path / "c", [web.url + "/"]) as crawling:
            assert crawling.wait() == 14, crawling.errors
        assert len(crawling.events("worker died")) == web.count("/fatal") == 3
        kept = [url for url, status in captures(crawling.collection) if status == "200"]
        assert set(kept) >= {web.url + path for path in ("/", "/1", "/2", "/fatal")}
        index = [json.loads(line.split(b" ", 2)[2]) for line in crawling.collection.index.read_bytes().splitlines()]
        fatal = [line for line in index if line["url"] == web.url + "/fatal"]
        assert len(fatal) == 3 and {line["mime"] for line in fatal} == {"text/html"}
        assert anansi("check", tmp_path / "c").returncode == 0
        log = crawling.collection.crawl_log.read_text().splitlines()
        assert any(" -5 " in line and "/fatal" in line and "workersDied:3" in line for line in log)


def test_a_storm_of_kills_at_the_start_takes_nothing_with_it(tmp_path: Path) -> None:
    """Kill all workers three times before they have done anything: the seeds in their hands are not to blame."""
    with served(2, 12) as sites:
        with Crawling(tmp_path / "c", sites.seeds) as crawling:
            kill_all(crawling, times=3)
            assert crawling.wait() == 0
        assert len(crawling.events("worker died")) == 6
        verdict = sites.judge(tmp_path / "c")
        assert verdict.sound, verdict.lost
        assert verdict.doubles == 0


def test_a_storm_of_kills_takes_nothing_of_what_waits_for_its_turn(tmp_path: Path) -> None:
    """Kill all workers three times while the pages in their hands wait for their delay."""
    with served(2, 12) as sites:
        with Crawling(tmp_path / "c", sites.seeds, options=("--delay", "0.2")) as crawling:
            assert wait_until(lambda: sites.requests() > 6)
            kill_all(crawling, times=3)
            assert crawling.wait() == 0
        verdict = sites.judge(tmp_path / "c")
        assert verdict.sound, verdict.lost
        assert verdict.doubles <= 6


def kill_all(crawling: Crawling, times: int) -> None:
    """Kill both workers, and those that take their places."""
    dead: set[int] = set()
    for _ in range(times):
        assert wait_until(lambda: len(set(crawling.workers()) - dead) == 2)
        for pid in set(crawling.workers()) - dead:
            os.kill(pid, signal.SIGKILL)
            dead.add(pid)
