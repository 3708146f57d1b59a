"""The link extractor for Scrapy, in Scrapy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="Scrapy comes with the extra `scrapy`")

from scrapy import Request
from scrapy.http import HtmlResponse, TextResponse
from scrapy.linkextractors import LinkExtractor

from anansi import scrapy as ours
from anansi.errors import UserError
from anansi.scrapy import AnansiLinkExtractor
from anansi_demo.judge import Verdict, judge
from anansi_demo.server import DemoServer
from anansi_demo.site import answer, contents

ROOT = Path(__file__).parents[1]
KNOWLEDGE = ROOT / "src" / "anansi_demo" / "knowledge"
SITE = "http://garden.example"


def response(path: str, *, session: str = "5e5510115e5510115e5510115e551011") -> HtmlResponse:
    page = answer(path, origin=SITE, session=session)
    return HtmlResponse(SITE + path, body=page.body, headers={"Content-Type": "text/html; charset=utf-8"})


def crawled(how: str) -> tuple[dict[str, Any], Verdict]:
    """Crawl the example site; return what the spider saw, and how its requests are judged."""
    with DemoServer() as server:
        run = [sys.executable, str(ROOT / "tests" / "scrapy_crawl.py"), how, server.url + "/", str(KNOWLEDGE)]
        done = subprocess.run(run, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1]), judge(path for _, path in server.log)


def test_a_spider_with_it_captures_all_content_with_far_fewer_requests() -> None:
    aware, judged = crawled("anansi")
    blind, wasteful = crawled("own")
    assert judged.missed == ()
    everything = contents()
    assert aware["objects"]["thread"] == everything.threads
    assert aware["objects"]["post"] == everything.posts
    assert aware["objects"]["article"] == everything.articles
    assert aware["objects"]["comment"] == everything.comments
    assert judged.repeated == 0
    assert judged.requests <= 1.25 * judged.content, judged.wasted_on
    assert wasteful.requests > 8 * judged.requests
    assert blind["requests"] > 8 * aware["requests"]
    assert max(aware["priorities"]) == 80, "links of threads and articles come with their priority"


def test_links_are_those_that_lead_to_content() -> None:
    page = response("/forum/thread.php?t=42")
    urls = [link.url for link in AnansiLinkExtractor(KNOWLEDGE).extract_links(page)]
    own = [link.url for link in LinkExtractor().extract_links(page)]
    assert set(urls) < {*own, page.url}, "the page itself is linked to under a session"
    assert any("start=10" in url for url in urls)
    assert not any("reply.php" in url or "sort=desc" in url or "member.php" in url for url in urls)
    assert [url for url in urls if "thread.php" in url] == urls[: sum("thread.php" in url for url in urls)], (
        "best first"
    )


def test_a_page_is_given_by_one_address_whatever_the_session() -> None:
    extractor = AnansiLinkExtractor(KNOWLEDGE)
    first = extractor.extract_links(response("/forum/board.php?board=1", session="a" * 32))
    again = extractor.extract_links(response("/forum/board.php?board=1", session="b" * 32))
    assert first == again
    home = response("/forum/")
    assert extractor.extract_links(home) == extractor.extract_links(home)


def test_objects_stand_on_a_page() -> None:
    thread, *posts = AnansiLinkExtractor(KNOWLEDGE).objects(response("/forum/thread.php?t=1"))
    assert (thread.kind, thread.uri) == ("thread", f"{SITE}/forum/thread.php?t=1")
    assert thread.get("title") == "Too late for foxgloves in December?"
    assert [each.kind for each in posts] == ["post"] * 7
    assert (posts[0].get("author"), posts[0].get("date")) == ("Tibor", "2023-04-28T12:11:00+00:00")
    assert posts[0].part_of == thread.uri


def test_a_site_that_nobody_describes_leads_everywhere() -> None:
    page = response("/forum/thread.php?t=42")
    extractor = AnansiLinkExtractor()
    assert not extractor.advice(page).aware
    assert {link.url for link in extractor.extract_links(page)} >= {f"{SITE}/", f"{SITE}/blog/", f"{SITE}/about/"}
    assert len(extractor.extract_links(page)) > 30


def test_priorities_follow_the_scores() -> None:
    extractor = AnansiLinkExtractor(KNOWLEDGE)
    page = response("/forum/thread.php?t=42")
    priorities = {
        link.url: extractor.prioritised(Request(link.url, priority=5), page).priority
        for link in extractor.extract_links(page)
    }
    threads = {priority for url, priority in priorities.items() if "thread.php" in url}
    boards = {priority for url, priority in priorities.items() if "board.php" in url}
    assert (threads, boards) == ({85}, {65})
    assert extractor.prioritised(Request("http://unknown.example/"), page).priority == 0


def test_what_is_no_page_leads_nowhere() -> None:
    extractor = AnansiLinkExtractor()
    for odd in (
        TextResponse("file:///etc/hostname", body=b"<a href='http://x.example/'>x</a>"),
        HtmlResponse("http://x.example/", status=404, body=b"<a href=/y>y</a>"),
        HtmlResponse("http://x.example/", body=b""),
        HtmlResponse("http://x.example/", body=b"\xff\xfe\x00" * 100),
    ):
        assert extractor.extract_links(odd) == []
        assert extractor.objects(odd) == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "KEYS", 10)
    extractor = AnansiLinkExtractor()
    links = "".join(f"<a href=/{number}>x</a>" for number in range(100))
    assert len(extractor.extract_links(HtmlResponse("http://x.example/", body=links.encode()))) == 100
    assert max(len(extractor._first), len(extractor._scores)) <= 10


def test_a_folder_that_is_not_there_is_said() -> None:
    with pytest.raises(UserError, match="is not a folder"):
        AnansiLinkExtractor("nowhere")


def test_without_scrapy_the_module_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['scrapy'] = None\n"
        "from anansi.scrapy import AnansiLinkExtractor, _link_class\n"
        "from anansi.errors import UserError\n"
        "AnansiLinkExtractor()\n"
        "try: _link_class()\n"
        "except UserError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "pip install 'anansi[scrapy]'" in done.stdout, done.stderr
