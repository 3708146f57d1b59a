"""Seeds from a file, headers and cookies: what goes along with a crawl, and what no file may hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from anansi.archive.layout import Collection
from anansi.fetch.credentials import credentials
from tests.cli.conftest import anansi, refused
from tests.crawl.case import crawl, json_lines
from tests.web import Reply, ScriptedWeb, html

SECRET = "s3cr3t-session-value"
TOKEN = "t0ken-of-mine"


def test_seeds_come_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        for path in ("/one", "/two#part", "/three"):
            web.add(path.partition("#")[0], html("A page"))
        file = tmp_path / "seeds.txt"
        file.write_text(f"# mine\n{web.url}/one\n\n  {web.url}/two#part  # a remark\n", encoding="utf-8-sig")
        options = ("--scope", "page", "--delay", "0", "--no-requisites", "--json")
        said = anansi("crawl", f"{web.url}/three", "--seeds", file, "-o", tmp_path / "c", *options)
        assert (said.code, said.json["pages"]) == (0, 3), said.errors
        command = [sys.executable, "-m", "anansi.cli", "crawl", "--seeds", "-", "-o", str(tmp_path / "d"), *options]
        done = subprocess.run(command, input=f"{web.url}/one\n", capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    assert {line["url"].rpartition("/")[2] for line in json_lines(tmp_path / "c" / "pages" / "pages.jsonl")[1:]} == {
        *("one", "two", "three")
    }


def test_mistakes_are_told_with_their_cure(tmp_path: Path) -> None:
    seeds, empty, binary, cookies = (tmp_path / name for name in ("seeds.txt", "empty", "binary", "cookies.txt"))
    seeds.write_text("https://example.org/\n")
    empty.write_text("# nothing\n")
    binary.write_bytes(b"\xff\xfe\x00")
    cookies.write_text("example.org TRUE / FALSE 0 a b\n")
    before = tmp_path / "collection"
    Collection(before).create()
    for arguments, told in (
        ((seeds,), f"say --seeds {seeds}"),
        ((before,), f"to go on with it, say -o {before}"),
        (("--seeds", empty), "holds no seeds"),
        (("--seeds", binary), "is not text"),
        (("--seeds", tmp_path / "none"), "cannot be read"),
        (("--seeds", tmp_path), "cannot be read"),
        (("https://example.org/", "--header", f"Bearer {SECRET}"), "a header is written NAME: VALUE"),
        (("https://example.org/", "--header", "Host: x"), "Anansi's to set"),
        (("https://example.org/", "--cookies", cookies), "line 1 is not a cookie"),
    ):
        said = refused("crawl", *arguments, "-o", tmp_path / "c")
        assert said.code == 2, (arguments, said.errors)
        assert told in " ".join(said.errors.split())
        assert SECRET not in said.errors
        assert not (tmp_path / "c").exists()


def test_headers_and_cookies_go_where_they_belong_and_nowhere_else(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.61") as web:
        other = f"http://other.test:{web.port}/picture.png"
        web.add("/", Reply(200, (("Content-Type", "text/html"), ("Set-Cookie", f"session={SECRET}2; Path=/"),
                                 ("Set-Cookie", "theme=dark")),
                           f'<a href="/in">in</a><img src="{other}">'.encode()))  # fmt: skip
        web.add("/in", html("Inside"))
        web.add("/picture.png", Reply(200, {"Content-Type": "image/png"}, b"\x89PNG"))
        cookies = tmp_path / "cookies.txt"
        cookies.write_text(
            f"# Netscape HTTP Cookie File\n#HttpOnly_www.test\tFALSE\t/\tFALSE\t0\tsession\t{SECRET}\n"
        )
        names = [f"{name}:{web.port}:127.0.0.61" for name in ("www.test", "other.test")]
        resolved = [part for name in names for part in ("--resolve", name)]
        given = [
            "--cookies",
            str(cookies),
            "--header",
            f"Authorization: Bearer {TOKEN}",
            "--header",
            "Accept-Language: de",
        ]
        seed = f"http://www.test:{web.port}/"
        crawled = crawl(tmp_path, seed, options=[*resolved, *given, "--requisites"])
        requests = {(each.headers.get("host", "").partition(":")[0], each.path): each.headers for each in web.log}
    inside, picture = requests["www.test", "/in"], requests["other.test", "/picture.png"]
    assert SECRET in inside["cookie"]
    assert (inside["authorization"], inside["accept-language"]) == (f"Bearer {TOKEN}", "de")
    assert not {"cookie", "authorization", "accept-language"} & picture.keys()
    written = crawled.everything_written()
    assert SECRET.encode() not in written
    assert TOKEN.encode() not in written
    request = crawled.one(seed + "in", "request").block
    assert b"Authorization: (left out)" in request
    assert b"Accept-Language: de" in request
    head = crawled.one(seed).head
    assert b"session=(left out); Path=/" in head
    assert b"theme=dark" in head


def test_headers_go_to_the_servers_of_the_seeds_and_are_archived_only_if_they_are_surely_no_secret(
    tmp_path: Path,
) -> None:
    with ScriptedWeb(address="127.0.0.62") as web, ScriptedWeb(address="127.0.0.62") as other:
        page = f'<img src="{other.url}/picture.png"><img src="/own.png">'.encode()
        web.add("/", Reply(200, (("Content-Type", "text/html"),), page))
        file = tmp_path / "headers.txt"
        file.write_text(f"X-Whoami: {SECRET}\r\n\r\nAccept-Language: de\r\n", encoding="utf-8-sig")
        crawled = crawl(tmp_path, f"{web.url}/", options=["--header", f"@{file}", "--requisites"])
        assert {each.headers.get("x-whoami") for each in web.log} == {SECRET}
        assert other.count("/picture.png") == 1
        assert not any("x-whoami" in each.headers for each in other.log), "another port is another server"
    assert SECRET.encode() not in crawled.everything_written()
    assert b"Accept-Language: de" in crawled.one(f"{web.url}/", "request").block


def test_headers_for_a_server_go_to_it_in_safety_and_never_back() -> None:
    along = credentials(["X-A: b"], "", ["http://a.test/x", "https://b.test/", "http://c.test:8080/"])
    sent = ["http://a.test/", "https://a.test/y", "https://b.test/z", "http://c.test:8080/"]
    kept = ["http://b.test/", "https://c.test/", "https://c.test:8080/", "https://a.test:8443/", "http://www.a.test/"]
    assert all(along.headers_for(url, []) == ["X-A: b"] for url in sent)
    assert not any(along.headers_for(url, []) for url in kept)


def test_a_dry_run_is_given_what_a_crawl_is(tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    line = f"127.0.0.63\tFALSE\t/\tFALSE\t0\tsession\t{SECRET}\n127.0.0.63\tFALSE\t/\tFALSE\t0\tempty\n"
    cookies.write_text(line, encoding="utf-8-sig")
    with ScriptedWeb(address="127.0.0.63") as web:
        web.add("/", html("Home"))
        options = ("--dry-run", "--delay", "0", "--cookies", cookies, "--header", f"X-Token: {TOKEN}")
        assert anansi("crawl", f"{web.url}/", *options).code == 0
        headers = next(each.headers for each in web.log if each.path == "/")
    assert (headers.get("x-token"), f"session={SECRET}" in headers.get("cookie", "")) == (TOKEN, True)


def test_a_crawl_that_goes_on_without_what_it_was_given_says_so(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/a"]))
        web.add("/a", html("A"))
        crawl(tmp_path, web.url + "/", options=["--header", f"X-Token: {TOKEN}"])
        crawled = crawl(tmp_path, web.url + "/")
    told = [line["event"] for line in json_lines(crawled.collection.events)]
    assert told.count("without the headers and cookies of an earlier run") == 1


def test_a_table_for_a_program_breaks_no_address(tmp_path: Path) -> None:
    long = "a-very-long-name-" * 12
    with ScriptedWeb() as web:
        web.add("/", html(long, []))
        crawl(tmp_path, web.url + "/")
    said = anansi("status", tmp_path / "collection")
    assert "127.0.0.1" in said.output
    for row in anansi("kb", "list").output.splitlines():
        assert not row.startswith(" " * 20), "a cell that goes on in another line"


def test_the_version_and_the_groups_of_commands() -> None:
    assert anansi("--version").output.startswith("anansi ")
    said = anansi("--help").output
    assert said.index("Everyday:") < said.index("  crawl ") < said.index("Research:") < said.index("Knowledge:")
