"""Scored URLs, posted to a crawl while it runs."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from anansi.config import dump, load
from tests.crash.crawling import events, wait_until
from tests.posting.posting import posting
from tests.web import ScriptedWeb, html, redirect

FOREIGN = "http://elsewhere.example/"


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as found:
        found.add("/", html("<p>the start</p>"))
        for name in "abcdefgh":
            found.add(f"/{name}", html(f"<p>page {name * 30}</p>"))
        yield found


def asked(web: ScriptedWeb) -> list[str]:
    return [path for path in web.paths() if path != "/robots.txt"]


def arguments(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""  # it has ended meanwhile


def until(what: Callable[[], object]) -> None:
    assert wait_until(what, 30.0, every=0.02)


def test_what_is_posted_is_fetched_and_what_was_fetched_is_told(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0") as crawl:
        until(lambda: asked(web) == ["/"])
        assert crawl.states({"url": web.url + "/a", "score": 0.9, "via": FOREIGN}) == ["scheduled"]
        until(lambda: asked(web) == ["/", "/a"])
        until(lambda: crawl.status()["pages"] == 2)
        (told,) = crawl.give({"url": web.url + "/a#x", "score": 1}).json["urls"]
        assert (told["state"], told["score"], told["url"]) == ("fetched", None, web.url + "/a")
        assert told["detail"].startswith("status 200 on 20")
        until(lambda: crawl.status()["posted"] == 2)
        assert (crawl.status()["id"], crawl.status()["state"]) == (crawl.name, "running")
    log = crawl.collection.crawl_log.read_text()
    (line,) = (line for line in log.splitlines() if f"{web.url}/a " in line)
    assert line.split()[4:6] == ["S", FOREIGN], "how it was reached, and by whom"


def test_what_is_posted_needs_no_choice_at_a_site_that_is_learned(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/", html("the start", [f"/{name}" for name in "abc"]))
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0", "--strategy", "auto") as crawl:
        until(lambda: asked(web))
        entry = {"url": web.url + "/h", "score": 0.1, "via": web.url + "/"}
        assert crawl.states(entry) == ["scheduled"]
        until(lambda: "/h" in asked(web))


def test_scores_order_the_queue_by_the_update_function(web: ScriptedWeb, tmp_path: Path) -> None:
    slowly = "frontier: {update: max, per_turn: 1}\npoliteness: {floor: 1.0, factor: 0.0, ceiling: 1.0}\n"
    with posting(tmp_path / "c", [web.url + "/"], definition=slowly) as crawl:
        until(lambda: asked(web) == ["/"])
        entries = [
            {"url": f"{web.url}/{name}", "score": score} for name, score in (("a", 0.2), ("b", 0.3), ("c", 0.4))
        ]
        crawl.give({"url": web.url + "/d", "score": 1}, *entries)
        answered = crawl.give({"url": web.url + "/a", "score": 0.9}, {"url": web.url + "/b", "score": 0.1})
        assert [(each["state"], round(each["score"], 3)) for each in answered.json["urls"]] == [
            ("rescored", 0.9),
            ("rescored", 0.3),
        ]
        assert answered.json["counts"] == {"rescored": 2}
        until(lambda: len(asked(web)) == 5)
    order = asked(web)
    assert order.index("/a") < order.index("/c") < order.index("/b")


def test_what_is_blacklisted_is_never_fetched(web: ScriptedWeb, tmp_path: Path) -> None:
    slowly = "frontier: {per_turn: 1}\npoliteness: {floor: 0.5, factor: 0.0, ceiling: 0.5}\n"
    with posting(tmp_path / "c", [web.url + "/"], definition=slowly) as crawl:
        until(lambda: asked(web) == ["/"])
        crawl.give({"url": web.url + "/a", "score": 1}, *({"url": f"{web.url}/{x}", "score": 0.5} for x in "bcd"))
        assert crawl.states({"url": web.url + "/c", "blacklist": True}) == ["blacklisted"]
        assert crawl.states({"url": web.url + "/never", "blacklist": True, "score": 0.1}) == ["blacklisted"]
        again = [{"url": web.url + "/c", "score": 1}, {"url": web.url + "/never", "score": 1}]
        assert crawl.states(*again) == ["blacklisted", "blacklisted"]
        until(lambda: crawl.status()["queued"] == 0)
        assert sorted(asked(web)) == ["/", "/a", "/b", "/d"]
    skipped = crawl.collection.skipped.read_text()
    assert skipped.count('"blacklisted"') == 2


def test_scope_and_private_addresses_hold_for_what_is_posted(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--exclude", "/secret", "--delay", "0") as crawl:
        answered = crawl.give(
            {"url": FOREIGN, "score": 1},
            {"url": web.url + "/secret", "score": 1},
            {"url": web.url + "/a", "score": 1},
        )
        first, second, third = answered.json["urls"]
        assert (first["state"], first["detail"]) == ("refused", "out of scope: outside the host scope")
        assert (second["state"], second["detail"]) == ("refused", "out of scope: matches an exclude pattern")
        assert third["state"] == "scheduled", "the others are taken"
        until(lambda: "/a" in asked(web))
    with posting(tmp_path / "d", [web.url + "/"], "--include", "^http://10[.]", "--delay", "0") as crawl:
        (private,) = crawl.give({"url": "http://10.1.2.3/", "score": 1}).json["urls"]
        assert (private["state"], private["detail"].split(":")[0]) == ("refused", "private address")


def test_a_redirect_of_what_was_posted_does_not_widen_the_scope(web: ScriptedWeb, tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.9") as other:
        other.add("/", html("<p>another site</p>"))
        web.add("/moved", redirect(other.url + "/"))
        with posting(tmp_path / "c", [web.url + "/"], "--delay", "0") as crawl:
            assert crawl.states({"url": web.url + "/moved", "score": 1}) == ["scheduled"]
            until(lambda: "/moved" in asked(web))
            until(lambda: crawl.status()["queued"] == 0)
            assert crawl.states({"url": other.url + "/", "score": 1}) == ["refused"]
        assert other.paths() == []


def test_an_edited_scope_holds_at_once(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0") as crawl:
        file = crawl.collection.definition
        edited = load(file)
        file.write_text(dump(replace(edited, scope=replace(edited.scope, exclude=["/b"]))))
        until(lambda: any(each["event"] == "definition changed" for each in events(crawl.collection)))
        until(lambda: crawl.states({"url": web.url + "/b", "score": 1}) == ["refused"])


# ── the token ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_token_is_the_owners_alone_and_stands_nowhere_else(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0") as crawl:
        path = crawl.collection.state / "token"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        crawl.states({"url": web.url + "/a", "score": 0.5})
        processes = [arguments(each) for each in Path("/proc").iterdir() if each.name.isdigit()]
        assert not any(crawl.token.encode() in line for line in processes)
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {crawl.token}"}):
            answered = crawl.ask("POST", f"{crawl.place}/urls", b"{}", headers)
            assert (answered.status, answered.headers["www-authenticate"]) == (401, "Bearer")
            assert crawl.ask("GET", crawl.place, headers=headers).status == 401
            assert crawl.ask("GET", "/v1/crawls/0123456789abcdef", headers=headers).status == 401
        assert crawl.ask("GET", "/v1/crawls/0123456789abcdef", headers=crawl.entitled).status == 404
        assert crawl.ask("GET", "/v1/openapi.json").status == 200
    holders = [
        path
        for path in crawl.collection.root.rglob("*")
        if path.is_file() and crawl.token.encode() in path.read_bytes()
    ]
    assert holders == [crawl.collection.state / "token"]


def test_a_token_of_the_environment_is_written_nowhere(web: ScriptedWeb, tmp_path: Path) -> None:
    token = "t0ken-of-the-environment"
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0", ANANSI_TOKEN=token) as crawl:
        assert crawl.states({"url": web.url + "/a", "score": 0.5}) == ["scheduled"]
    assert not any(token.encode() in path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file())


def test_a_token_that_others_could_read_is_replaced(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"]) as crawl:
        before, name = crawl.token, crawl.name
    with posting(tmp_path / "c", []) as crawl:
        assert (crawl.token, crawl.name) == (before, name), "both are of the collection"
    (tmp_path / "c" / "state" / "token").chmod(0o644)
    with posting(tmp_path / "c", []) as crawl:
        assert crawl.token != before
        assert crawl.status()["state"] == "running"


# ── beginnings and ends ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_address_stands_in_the_collection_while_the_crawl_runs(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"]) as crawl:
        told = json.loads((crawl.collection.state / "service.json").read_text())
        assert told == {"id": crawl.name, "url": crawl.url}
    assert json.loads((crawl.collection.state / "service.json").read_text())["url"] is None


@pytest.mark.parametrize("place", ["nowhere", "127.0.0.1", "127.0.0.1:99999", "a b:1", "[::1:0"])
def test_what_is_no_place_is_said(place: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "anansi.cli", "crawl", "http://a.example/", "-o", str(tmp_path / "c")]
    done = subprocess.run([*command, "--listen", place], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "is not HOST:PORT" in done.stderr) == (2, True)
    assert not (tmp_path / "c").exists()


def test_a_place_that_is_taken_is_said(web: ScriptedWeb, tmp_path: Path) -> None:
    host = web.url.removeprefix("http://")
    command = [sys.executable, "-m", "anansi.cli", "crawl", web.url + "/", "-o", str(tmp_path / "c"), "--delay", "0"]
    done = subprocess.run([*command, "--listen", host], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "choose another with --listen" in done.stderr) == (2, True)


def test_a_crawl_that_listens_ends_when_nothing_is_left_unless_it_is_to_stay(
    web: ScriptedWeb, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "anansi.cli", "crawl", web.url + "/", "-o", str(tmp_path / "c"), "--delay", "0"]
    done = subprocess.run([*command, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "listening  http://127.0.0.1:" in done.stdout
    refused = subprocess.run([*command, "--stay"], capture_output=True, text=True, timeout=60)
    assert (refused.returncode, "--listen 127.0.0.1:0" in refused.stderr) == (2, True)


def test_a_posting_process_that_dies_is_replaced_at_the_same_address(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "0") as crawl:
        children = Path(f"/proc/{crawl.process.pid}/task/{crawl.process.pid}/children").read_text().split()
        own = Path(f"/proc/{crawl.process.pid}/cmdline").read_bytes()  # which is that of its workers, too
        told = {int(each): Path(f"/proc/{each}/cmdline").read_bytes() for each in children}
        found = [each for each, line in told.items() if b"service.posting_process" in line and line != own]
        os.kill(found[0], signal.SIGKILL)
        until(lambda: any(each["event"] == "posting process died" for each in events(crawl.collection)))
        assert crawl.states({"url": web.url + "/a", "score": 0.5}) == ["scheduled"]
        until(lambda: "/a" in asked(web))


def test_what_was_scheduled_is_there_after_a_crash(web: ScriptedWeb, tmp_path: Path) -> None:
    with posting(tmp_path / "c", [web.url + "/"], "--delay", "3") as crawl:
        until(lambda: asked(web) == ["/"])
        assert crawl.states(*({"url": f"{web.url}/{name}", "score": 0.5} for name in "abc")) == ["scheduled"] * 3
        crawl.process.kill()
        crawl.process.wait()
        time.sleep(0.5)  # its workers end by themselves
    with posting(tmp_path / "c", [], "--delay", "0") as crawl:
        until(lambda: set(asked(web)) == {"/", "/a", "/b", "/c"})
