"""The examples of docs/helper.md are what happens."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.service.running import AT, FORUM, Running
from tests.web import Reply, ScriptedWeb

PAGE = (Path(__file__).parents[2] / "docs" / "helper.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)


def block(kind: str, words: str) -> str:
    (found,) = (text for name, text in BLOCKS if name == kind and words in text)
    return found


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_first_session_ends_as_it_says(helper: Running) -> None:
    with ScriptedWeb() as web:
        web.add("/viewtopic.php?t=7", Reply(200, {"Content-Type": "text/html"}, FORUM))
        pipe = block("sh", "curl -si")
        pipe = pipe.replace("'https://forum.example/viewtopic.php?t=7' |", f"'{web.url}/viewtopic.php?t=7' |")
        pipe = pipe.replace("http://127.0.0.1:8470", helper.url)
        done = subprocess.run(["sh", "-c", pipe], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == json.loads(block("json", "recognition")), done.stderr


def test_the_spider_is_a_spider() -> None:
    http = pytest.importorskip("scrapy.http")
    found: dict[str, Any] = {}
    exec(block("python", "CrawlSpider"), found)
    spider = found["Forum"]()
    response = http.HtmlResponse(AT, body=FORUM)
    assert [request.url for request in spider._requests_to_follow(response)] == [
        "https://forum.example/viewtopic.php?t=8&sid=0123456789abcdef0123456789abcdef"
    ]
    (thread,) = spider.keep(response)
    assert (thread["kind"], thread["uri"]) == ("thread", AT)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_driver_queues_what_leads_to_content(helper: Running, tmp_path: Path) -> None:
    driver = block("js", "queueInScopeUrls").replace("http://127.0.0.1:8470", helper.url)
    (tmp_path / "driver.mjs").write_text(driver)
    (tmp_path / "page.html").write_bytes(FORUM)
    (tmp_path / "crawler.mjs").write_text(f"""
        import {{ readFileSync }} from "node:fs";
        import drive from "./driver.mjs";
        const page = {{ url: () => "{AT}", content: async () => readFileSync("page.html", "utf-8") }};
        const crawler = {{
          loadPage: async () => {{}},
          queueInScopeUrls: async (seed, urls, depth) => console.log(JSON.stringify([seed, urls, depth])),
        }};
        await drive({{ data: {{ seedId: 0, depth: 2 }}, page, crawler }});
    """)
    done = subprocess.run(["node", "crawler.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        0,
        ["https://forum.example/viewtopic.php?t=8&sid=0123456789abcdef0123456789abcdef"],
        2,
    ]
