"""A dry run: a few dozen requests say what a crawl would bring, and leave nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.case import crawl
from tests.web import Connection, Reply, Request, ScriptedWeb, html, robots_text
from tests.web.board import Board, words
from tests.web.replies import HTML


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.9") as web:
        yield web


def dry(web: ScriptedWeb, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "anansi.cli", "crawl", web.url + "/", "--dry-run", "--delay", "0", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def told(web: ScriptedWeb, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    ran = dry(web, folder, "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    (site,) = found["sites"].values()
    return found, site


def test_a_forum_is_told_in_its_own_terms_and_nothing_is_left(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/*", Board(boards=3, threads=70, posts=14))
    found, site = told(web, tmp_path)
    asked = len(web.log)
    assert asked <= 60 and found["requests"] <= asked and not found["whole"]
    assert site["title"] == "phpBB" and site["holds"]["board"] == 3
    assert site["holds"]["thread"]["best"] == 210 and site["holds"]["post"]["best"] == 210 * 14
    assert set(site["followed"]) >= {"thread", "board"} and site["followed"]["thread"]["examples"]
    assert list(tmp_path.iterdir()) == []
    real = crawl(tmp_path / "real", web.url + "/").summary["requests"]
    assert real / 1.5 <= site["requests"]["best"] <= real * 1.5
    assert site["requests"]["low"] <= real <= site["requests"]["high"]


def months(web: ScriptedWeb, count: int, each: int) -> None:
    """Serve a Movable Type blog whose posts stand in months and lead to the next one."""

    def page(kind: str, links: list[str], words: str = "") -> Reply:
        head = "<meta name='generator' content='Movable Type 5.2'><title>Reeds</title>"
        named = "".join(f'<h2 class="entry-header"><a href="{link}">there</a></h2>' for link in links)
        body = f"<body class='mt-{kind}'><p>{words}</p>{named}</body>"
        return Reply(200, (HTML,), f"<html><head>{head}</head>{body}</html>".encode())

    posts = [f"/archives/{number:06}.html" for number in range(1, count * each + 1)]
    lists = [f"/archives/{2000 + number // 12}_{number % 12 + 1:02}.html" for number in range(count)]
    for number, at in enumerate(lists):
        web.add(at, page("archive-listing", posts[number * each : number * each + each]))
    for number, at in enumerate(posts, 1):
        web.add(at, page("entry-archive", posts[number : number + 1], f"{words(number)} " * 9))
    web.add("/", page("main-index", [*posts[:5], *lists]))


def test_lists_that_state_nothing_are_looked_at(web: ScriptedWeb, tmp_path: Path) -> None:
    """Months without numbers: 140 requests were told where 264 were needed, with no upper end."""
    months(web, 80, 3)
    requests = told(web, tmp_path)[1]["requests"]
    real = crawl(tmp_path / "real", web.url + "/").summary["requests"]
    assert real / 1.3 <= requests["best"] <= real * 1.3
    assert requests["low"] <= real <= requests["high"]


def test_it_is_told_in_words_with_what_is_left_out(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/*", Board(boards=2, threads=70))
    said = dry(web, tmp_path).stdout
    assert "phpBB: 140 threads, " in said and " boards" in said and " requests for pages, " in said
    assert "left out   phpBB: members and groups" in said
    assert "nothing was kept" in said


def test_a_site_smaller_than_the_trial_is_told_exactly(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/*", Board(boards=1, threads=4, posts=3))
    found, site = told(web, tmp_path)
    assert found["whole"]
    assert site["requests"]["low"] == site["requests"]["best"] == site["requests"]["high"] == found["requests"]


def test_an_unknown_site_is_called_unknown(web: ScriptedWeb, tmp_path: Path) -> None:
    links = "".join(f"<p><a href='/p{n}.html'>{n}</a></p>" for n in range(200))
    page = Reply(200, (HTML,), f"<html><title>Pages</title><body>{links}</body></html>".encode())
    web.add("/*", page)
    web.add("/robots.txt", robots_text("User-agent: *\nAllow: /\n"))
    ran = dry(web, tmp_path)
    assert ran.returncode == 0 and "unknown and would be learned" in ran.stdout


def test_a_site_that_does_not_answer_is_no_estimate(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "anansi.cli", "crawl", "http://127.0.8.9:9/", "--dry-run", "--json"]
    ran = subprocess.run(
        [*command, "--delay", "0"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in ran.stderr and ran.returncode != 0


def test_kinds_that_no_table_of_addresses_names_are_told_with_examples(web: ScriptedWeb, tmp_path: Path) -> None:
    """Posts of a WordPress were not named among what is followed, nor any page of an unknown site."""
    for number in range(3):
        web.add(f"/{number}.html", html("Page", (), f"What page {number} says is its own."))
    web.add("/", html("Home", [f"/{number}.html" for number in range(3)]))
    _, site = told(web, tmp_path)
    assert site["followed"]["page"]["found"] == 4 and len(site["followed"]["page"]["examples"]) == 3


def test_cookies_are_sent_and_a_wall_without_them_has_the_code_of_one(web: ScriptedWeb, tmp_path: Path) -> None:
    """A dry run of a site with a login said `missed: login` to whoever gave cookies, and ended with 0."""

    async def behave(request: Request, connection: Connection) -> None:
        inside = "sid=42" in request.headers.get("cookie", "")
        wall = Reply(200, (HTML,), b"<title>Log in</title><form><input name=u><input type=password></form>")
        await (html("Inside", (), "Words that only members see.") if inside else wall)(request, connection)

    web.add("/", behave)
    assert dry(web, tmp_path).returncode == 13
    jar = tmp_path / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n127.0.8.9\tFALSE\t/\tFALSE\t0\tsid\t42\n")
    ran = dry(web, tmp_path, "--cookies", str(jar))
    assert ran.returncode == 0 and "login" not in ran.stdout


def test_a_site_among_others_that_does_not_answer_is_no_estimate(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/", html("Home", (), "Words."))
    said = dry(web, tmp_path, "http://127.0.8.10:9/").stdout
    assert "127.0.8.10: no request was answered" in said


def test_pages_at_which_the_server_fails_are_told(web: ScriptedWeb, tmp_path: Path) -> None:
    """They wait for another attempt when a dry run ends, so they are no gaps yet, and nothing was said of them."""
    web.add("/", html("Home", ["/a", "/b"], "Words."))
    for path in ("/a", "/b"):
        web.add(path, Reply(500, (HTML,), b"<h1>Internal Server Error</h1>"))
    assert "500: 2; a crawl would try these pages again" in dry(web, tmp_path).stdout


def test_files_that_pages_need_are_told_where_they_would_be_fetched(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/", Reply(200, (HTML,), b"<p>Words, and a picture.</p><img src=/a.png><img src=/b.png>"))
    assert "2 files that these pages need" in dry(web, tmp_path).stdout
    assert "files that these pages need" not in dry(web, tmp_path, "--no-requisites").stdout


def test_a_dry_run_needs_a_seed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "anansi.cli", "crawl", "--dry-run"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2 and "name at least one seed" in ran.stderr
