"""Crawls that come back: what has not changed is not kept twice, and what was interrupted is finished."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.crash.crawling import is_pending
from tests.crawl.case import SECONDS, begin, crawl, finish, json_lines, sha1
from tests.web import Reply, ScriptedWeb, chunked, delayed, html, in_turn, not_modified, whole_site
from tests.web.exchange import Behaviour, Connection, Request
from tests.web.replies import HTML, markup
from tests.web.wire import soon

LONG = "The same words again. " * 100
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


# ── what has not changed ─────────────────────────────────────────────────────────────────────────────────────


def test_a_recrawl_keeps_only_what_has_changed(tmp_path: Path) -> None:
    same = markup("Same", text=LONG).encode()
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/etag", "/date", "/same", "/changed", "/odd-etag"], LONG))
        web.add("/etag", not_modified('"v1"', same))
        web.add("/date", not_modified("", same + b"<!-- date -->", modified="Tue, 01 Sep 2026 00:00:00 GMT"))
        web.add("/odd-etag", not_modified('W/"caf\xe9"', same + b"<!-- odd -->"))
        web.add("/same", Reply(200, (HTML,), same + b"<!-- same -->"))
        web.add("/changed", in_turn(html("Before", (), LONG), html("After", ["/new"], LONG)))
        web.add("/new", html("New"))
        first = crawl(tmp_path, web.url + "/")
        second = crawl(tmp_path, web.url + "/", options=("--recrawl",))
        asked = {request.path: request.headers for request in web.log}
        counts = Counter(request.path for request in web.log)
    assert not any(record.kind == "revisit" for record in first.records)
    assert asked["/etag"]["if-none-match"] == '"v1"'
    assert asked["/date"]["if-modified-since"] == "Tue, 01 Sep 2026 00:00:00 GMT"
    assert all(counts[path] == 2 for path in ("/", "/etag", "/date", "/odd-etag", "/same", "/changed"))
    assert counts["/new"] == 1

    def profile(path: str) -> str:
        return second.one(web.url + path, "revisit").headers["warc-profile"]

    assert [profile(path) for path in ("/etag", "/date", "/odd-etag")] == [NOT_MODIFIED] * 3
    assert profile("/same") == profile("/") == IDENTICAL
    assert [b"Before" in record.body for record in second.kept(web.url + "/changed")] == [True, False]
    assert second.titles[web.url + "/new"] == "New"


def test_a_revisit_says_which_record_it_stands_for(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/", not_modified('"v1"', markup("Same", text=LONG).encode()))
        crawl(tmp_path, url)
        crawled = crawl(tmp_path, url, options=("--recrawl",))
    original, revisit = crawled.one(url), crawled.one(url, "revisit")
    assert revisit.headers["warc-refers-to-target-uri"] == url
    assert revisit.headers["warc-refers-to-date"] == original.headers["warc-date"]
    assert revisit.headers["warc-payload-digest"] == original.headers["warc-payload-digest"]


def test_one_payload_under_two_addresses_is_kept_once(tmp_path: Path) -> None:
    page = markup("Twin", text=LONG).encode()
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/one", "/two", "/three"]))
        web.add("/one", Reply(200, (HTML,), page))
        web.add("/two", Reply(200, (HTML,), page))
        web.add("/three", chunked(page, (100,)))
        crawled = crawl(tmp_path, web.url + "/")
    kinds = Counter(
        record.kind
        for path in ("/one", "/two", "/three")
        for record in crawled.records
        if record.url == web.url + path
    )
    assert (kinds["response"], kinds["revisit"], kinds["request"]) == (1, 2, 3)
    digests = {record.headers["warc-payload-digest"] for record in crawled.records if record.kind == "revisit"}
    assert digests == {sha1(page)}
    assert crawled.summary["duplicates"] == 2 and crawled.summary["pages"] == 4
    assert [crawled.titles[web.url + path] for path in ("/one", "/two", "/three")] == ["Twin"] * 3


# ── what was interrupted ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_crawl_ends_cleanly_and_goes_on(workers: int, tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.51") as one, ScriptedWeb(address="127.0.0.52") as two:
        wanted: set[str] = set()
        for web in (one, two):
            wanted |= whole_site(web, 25, embeds=False)
        seeds = [web.url + "/" for web in (one, two)]
        running = begin(tmp_path, *seeds, delay=0.05, workers=workers)
        assert soon(lambda: len(one.log) + len(two.log) >= 12)
        running.interrupt()
        stopped = finish(running)
        assert (stopped.code, stopped.summary["state"]) == (11, "interrupted")
        assert stopped.summary["requests"] == len(one.log) + len(two.log)
        assert 0 < stopped.summary["queued"] < 50
        assert json_lines(stopped.collection.events)[-1]["how"] == "interrupted"
        resumed = crawl(tmp_path, *seeds, workers=workers)
        counts = Counter(web.url + target for web in (one, two) for target in web.paths())
    assert (resumed.code, resumed.summary["queued"]) == (0, 0)
    assert set(resumed.titles) == wanted
    assert set(counts.values()) == {1}, "nothing is fetched twice, robots.txt included"
    assert resumed.summary["requests"] == sum(counts.values())


def after(happened: threading.Event, then: Behaviour) -> Behaviour:
    """Answer when something has happened."""

    async def behave(request: Request, connection: Connection) -> None:
        while not happened.is_set() and await connection.pause(0.01):
            pass
        await then(request, connection)

    return behave


def test_an_interrupted_exchange_is_finished_first(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/slow", "/later"]))
        told = threading.Event()
        url = web.add("/slow", after(told, html("Slow")))
        web.add("/later", html("Later"))
        running = begin(tmp_path, web.url + "/")
        assert soon(lambda: web.count("/slow") == 1)
        running.interrupt()
        assert soon(lambda: not is_pending(running.process.pid, signal.SIGINT))
        time.sleep(1)  # the workers are told, too
        told.set()
        stopped = finish(running)
        assert web.count("/later") == 0
    assert stopped.code == 11
    assert stopped.titles[url] == "Slow"


def test_interrupted_twice_a_crawl_stops_at_once_and_still_goes_on(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/slow", "/later"]))
        url = web.add("/slow", in_turn(delayed(SECONDS, html("Never")), html("Quick now")))
        web.add("/later", html("Later"))
        running = begin(tmp_path, web.url + "/")
        assert soon(lambda: web.count("/slow") == 1)
        running.interrupt()
        assert soon(lambda: not is_pending(running.process.pid, signal.SIGINT)), "two signals at a time are one"
        assert running.process.poll() is None
        running.interrupt()
        stopped = finish(running)
        resumed = crawl(tmp_path, web.url + "/")
    assert stopped.code == 11
    assert resumed.titles[url] == "Quick now" and resumed.titles[web.url + "/later"] == "Later"


def test_a_finished_crawl_has_nothing_left_to_do(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        whole_site(web, 10)
        first = crawl(tmp_path, web.url + "/")
        asked = len(web.log)
        again = crawl(tmp_path, web.url + "/")
        assert len(web.log) == asked
    assert (first.code, again.code) == (0, 0)
    assert {**first.summary, "seconds": 0, "pages_per_second": 0} == {
        **again.summary,
        "seconds": 0,
        "pages_per_second": 0,
    }
