"""Certificates: a bad one is refused, unless the definition says not to ask, and then the archive says so."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.crawl.case import crawl
from tests.web import ScriptedWeb, html

BAD: tuple[Any, ...] = ("self-signed", "expired", "wrong-host")
AT_ONCE = {"politeness": {"robots_deadline": 0.0}}


def bad_webs(stack: ExitStack) -> list[ScriptedWeb]:
    """Serve a page behind each kind of bad certificate."""
    webs = [ScriptedWeb(address=f"127.0.6.{number}", tls=kind) for number, kind in enumerate(BAD, 1)]
    for web in webs:
        stack.enter_context(web).add("/", html("Behind"))
    return webs


def test_bad_certificates_are_refused(tmp_path: Path) -> None:
    with ExitStack() as stack:
        webs = bad_webs(stack)
        seeds = [web.url + "/" for web in webs]
        environment = {"SSL_CERT_FILE": str(webs[0].ca_file)}
        crawled = crawl(tmp_path, *seeds, settings=AT_ONCE, environment=environment)
        assert [web.log for web in webs] == [[], [], []]
    assert crawled.code == 12
    assert all(crawled.skipped[seed] == ("robots", "robots.txt could not be had in time") for seed in seeds)
    assert list(crawled.summary["faults"]) == ["certificate or TLS handshake not valid"]
    assert not any(record.kind == "response" for record in crawled.records)


def test_without_robots_a_bad_certificate_is_the_fault_of_the_page(tmp_path: Path) -> None:
    with ScriptedWeb(tls="expired") as web:
        url = web.add("/", html("Behind"))
        crawled = crawl(
            tmp_path, url, options=("--robots", "ignore"), environment={"SSL_CERT_FILE": str(web.ca_file)}
        )
    assert crawled.statuses(url) == [-2, -2]
    assert "certificate_or_TLS_handshake_not_valid" in crawled.annotations(url)
    assert crawled.code == 12


def test_accepted_by_the_definition_they_are_noted_in_the_archive(tmp_path: Path) -> None:
    with ExitStack() as stack:
        webs = bad_webs(stack)
        crawled = crawl(tmp_path, *(web.url + "/" for web in webs), settings={"fetch": {"verify_tls": False}})
    assert crawled.titles == {web.url + "/": "Behind" for web in webs}
    assert all(b"tls-verification: off" in record.block for record in crawled.records if record.kind == "warcinfo")


def test_a_good_certificate_of_an_authority_of_ones_own_is_trusted(tmp_path: Path) -> None:
    with ScriptedWeb(tls="good") as web:
        url = web.add("/", html("Behind"))
        crawled = crawl(tmp_path, url, environment={"SSL_CERT_FILE": str(web.ca_file)})
        assert crawled.one(url, "request").block == web.log[-1].raw
    assert crawled.titles == {url: "Behind"}
    assert not any(b"tls-verification" in record.block for record in crawled.records if record.kind == "warcinfo")
