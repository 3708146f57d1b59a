"""`anansi crawl` as a README shows it: begin, stop, go on, look."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml

from anansi import __version__
from anansi.archive.layout import Collection
from tests.cli.conftest import PAGES, anansi
from tests.web import ScriptedWeb, header_flood, html


def test_a_crawl_ends_is_told_and_has_nothing_to_do_the_second_time(web: ScriptedWeb, tmp_path: Path) -> None:
    said = anansi("crawl", web.url + "/", "-o", "c", "--delay", "0", cwd=tmp_path)
    assert said.code == 0
    assert f"finished: {len(PAGES) + 3} requests, {len(PAGES) + 1} pages" in said.output
    assert "kept in    c" in said.output
    requests = len(web.log)
    again = anansi("crawl", "-o", "c", "--json", cwd=tmp_path)
    assert (again.code, again.json["state"], again.json["pages"]) == (0, "finished", len(PAGES) + 1)
    assert len(web.log) == requests
    assert anansi("check", "c", cwd=tmp_path).code == 0


def test_a_limit_is_met_and_a_larger_one_goes_on(web: ScriptedWeb, tmp_path: Path) -> None:
    first = anansi("crawl", web.url + "/", "-o", tmp_path / "c", "--delay", "0", "--limit", "5")
    assert first.code == 10
    assert "limit: " in first.output
    assert "run the same command again with a larger --limit" in first.output
    second = anansi("crawl", "-o", tmp_path / "c", "--limit", "100", "--json")
    assert (second.code, second.json["pages"]) == (0, len(PAGES) + 1)
    assert all(web.count(path) == 1 for path in PAGES)


def test_options_win_over_the_definition_and_both_are_written_down(web: ScriptedWeb, tmp_path: Path) -> None:
    definition = {
        "seeds": [web.url + "/"],
        "archive": {"operator": "Ada", "prefix": "test"},
        "politeness": {"floor": 0},
    }
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(definition))
    options = ("--config", tmp_path / "mine.yaml", "--operator", "Bob", "--exclude", "/1[0-9]?$", "--max-hops", "1")
    said = anansi("crawl", "-o", tmp_path / "c", *options, "--delay", "0", "--workers", "1", "--json")
    assert said.code == 0
    assert said.json["skipped"] == {"out of scope": 3}
    written = yaml.safe_load((tmp_path / "c" / "crawl.yaml").read_text())
    assert (written["archive"]["operator"], written["archive"]["prefix"]) == ("Bob", "test")
    assert (written["scope"]["exclude"], written["scope"]["max_hops"], written["workers"]) == (["/1[0-9]?$"], 1, 1)
    assert written["seeds"] == [web.url + "/"]
    (warc, *_) = (tmp_path / "c" / "archive").glob("test-*.warc.gz")
    assert warc.name


def test_what_the_archive_is_about_is_checked_doubted_and_written_down(web: ScriptedWeb, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("focus:\n  keywords: [flood]\n  languages: [en, xx]\n")
    options = ("-o", tmp_path / "c", "--config", file, "--delay", "0", "--limit", "1")
    refused = anansi("crawl", web.url + "/", *options)
    assert refused.code == 2
    assert "mine.yaml, line 3: `focus.languages`: there is no language 'xx'" in " ".join(refused.errors.split())
    assert not web.log
    file.write_text("focus:\n  keywords: [flood, the]\n  events: [{name: A flood, begins: 2013-06-01}]\n")
    said = anansi("crawl", web.url + "/", *options)
    assert said.code == 10
    assert "warning: `focus.keywords`: 'the' stands on every page" in " ".join(said.errors.split())
    written = yaml.safe_load(Collection(tmp_path / "c").definition.read_text(encoding="utf-8"))
    assert written["focus"]["events"][0]["begins"] == "2013-06-01"
    assert anansi("crawl", "-o", tmp_path / "c", "--limit", "2").code == 10


def test_who_crawls_is_told_to_the_server(web: ScriptedWeb, tmp_path: Path) -> None:
    contact = "https://example.org/crawler"
    anansi("crawl", web.url + "/", "-o", tmp_path / "c", "--delay", "0", "--contact", contact, "--limit", "1")
    assert {request.headers["user-agent"] for request in web.log} == {f"Anansi/{__version__} (+{contact})"}
    anansi("crawl", web.url + "/", "-o", tmp_path / "d", "--delay", "0", "--user-agent", "Käfer/1", "--limit", "1")
    assert "fer/1" in web.log[-1].headers["user-agent"]


def test_a_collection_in_use_is_left_alone(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    with collection.lock():
        for command in (["crawl", "http://127.0.0.1:9/", "-o"], ["pack"], ["check", "--repair"]):
            said = anansi(*command, collection.root)
            assert said.code == 3
            assert "is in use by process" in said.errors
    assert not collection.summary.exists()


def test_a_crawl_where_nothing_can_be_fetched_has_failed(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/", header_flood())
    said = anansi("crawl", web.url + "/", "-o", tmp_path / "c", "--robots", "ignore", "--delay", "0", "--json")
    assert said.code == 12
    assert (said.json["state"], said.json["pages"], said.json["statuses"]) == ("failed", 0, {})
    assert said.json["faults"] == {"headers larger than allowed": 1}


def test_a_crawl_that_is_interrupted_says_so_and_goes_on(web: ScriptedWeb, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "anansi.cli", "crawl", web.url + "/", "-o", str(tmp_path / "c"), "--delay", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while len(web.log) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        running = (
            anansi("status", tmp_path / "c", "--json") if (tmp_path / "c/reports/summary.json").exists() else None
        )
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 11, errors
    assert "interrupted: " in output
    assert "run the same command again" in output
    assert running is None or running.json["state"] == "running"
    assert json.loads((tmp_path / "c/reports/summary.json").read_text())["state"] == "interrupted"
    resumed = anansi("crawl", "-o", tmp_path / "c", "--delay", "0", "--json")
    assert (resumed.code, resumed.json["pages"]) == (0, len(PAGES) + 1)


def test_a_crawl_that_was_cut_off_is_known_by_its_status(web: ScriptedWeb, tmp_path: Path) -> None:
    anansi("crawl", web.url + "/", "-o", tmp_path / "c", "--delay", "0", "--limit", "1")
    summary = tmp_path / "c/reports/summary.json"
    summary.write_text(summary.read_text().replace('"limit"', '"running"'))
    assert anansi("status", tmp_path / "c", "--json").json["state"].startswith("cut off")


def test_a_recrawl_visits_everything_once_more(web: ScriptedWeb, tmp_path: Path) -> None:
    anansi("crawl", web.url + "/", "-o", tmp_path / "c", "--delay", "0")
    said = anansi("crawl", "-o", tmp_path / "c", "--delay", "0", "--recrawl", "--json")
    assert said.code == 0
    assert all(web.count(path) == 2 for path in ["/", *PAGES])
    assert anansi("check", tmp_path / "c").code == 0


def test_a_page_scope_is_the_seeds_alone(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/more", html("more", ["/5"]))
    seeds = (web.url + "/", web.url + "/more")
    said = anansi("crawl", *seeds, "-o", tmp_path / "c", "--delay", "0", "--scope", "page", "--json")
    assert (said.code, said.json["pages"]) == (0, 2)
    assert said.json["skipped"] == {"out of scope": len(PAGES)}


def test_a_folder_whose_name_is_no_text_is_refused(web: ScriptedWeb, tmp_path: Path) -> None:
    said = anansi("crawl", web.url + "/", "-o", bytes(tmp_path) + b"/caf\xe9", "--delay", "0", "--limit", "1")
    assert said.code == 3
    assert "not UTF-8" in said.errors
    assert not web.log
