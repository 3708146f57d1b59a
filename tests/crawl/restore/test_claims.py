"""What frontier, log and archive say of captures, held against one another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.archive.lines import About, Capture
from anansi.archive.lost import Lost, note
from anansi.archive.record import warc_date
from anansi.crawl.restore.claims import Claims, Finding, Kind, second
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Validators, Visit
from tests.archive.exchanges import collection

URL, OTHER = "http://a.org/page", "http://a.org/other"
NOW = 1_700_000_000.0
AT = second(NOW)
LINE = "2023-11-14T22:13:20.000Z   200  710 {url} {hops} - text/html #000 {at}000+5 sha1:A {url} -\n"


@pytest.fixture
def claims(tmp_path: Path) -> Claims:
    (tmp_path / "sorting").mkdir()
    return Claims(tmp_path / "sorting")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as opened:
        yield opened


def capture(url: str = URL, *, mime: str = "text/html", digest: str = "sha1:A") -> Capture:
    return Capture(url, warc_date(NOW), "urn:uuid:1", mime, "200", digest, "a.warc.gz", 0, 1)


def logged(folder: Path, *urls: str, hops: str = "L") -> Path:
    path = folder / "crawl.log"
    path.write_text("".join(LINE.format(url=url, hops=hops, at=AT) for url in urls))
    return path


def settle(store: Store, url: str = URL) -> None:
    store.discover([("a.org", Visit(url, url))])
    ((token, _),) = store.take(store.sites["a.org"], 1)
    store.settle(token, Outcome(Ended.DONE, 200, validators=Validators("", "", "sha1:A", NOW)), NOW)
    store.commit()


def found(claims: Claims) -> list[tuple[Kind, str]]:
    return [(each.kind, each.url) for each in claims.findings()]


def test_where_all_agree_nothing_is_wrong(claims: Claims, store: Store, tmp_path: Path) -> None:
    settle(store)
    claims.capture(capture(), About(hops="L"))
    claims.log(logged(tmp_path, URL))
    claims.frontier(store)
    assert found(claims) == []


def test_what_is_settled_and_not_kept_is_missing(claims: Claims, store: Store, tmp_path: Path) -> None:
    settle(store)
    claims.log(logged(tmp_path, URL))
    claims.frontier(store)
    assert list(claims.findings()) == [Finding(Kind.MISSING, URL, AT, URL)]


def test_what_is_kept_and_told_by_nobody_else(claims: Claims, store: Store, tmp_path: Path) -> None:
    claims.capture(capture(), About(hops="L"))
    claims.frontier(store)
    assert found(claims) == [(Kind.UNTOLD, URL), (Kind.FORGOTTEN, URL)]


def test_what_the_log_alone_tells_of_is_untrue(claims: Claims, tmp_path: Path) -> None:
    claims.log(logged(tmp_path, URL))
    assert list(claims.findings()) == [Finding(Kind.UNTRUE, URL, AT, hops="L", unknown=True)]


def test_robots_txt_is_known_to_no_frontier(claims: Claims, tmp_path: Path) -> None:
    claims.capture(capture(), About(hops="LP"))
    claims.log(logged(tmp_path, URL, hops="LP"))
    assert found(claims) == []


def test_a_revisit_without_the_payload_it_stands_for_is_hollow(claims: Claims, tmp_path: Path) -> None:
    claims.capture(capture(OTHER, mime="warc/revisit", digest="sha1:B"), None)
    claims.log(logged(tmp_path, OTHER))
    assert found(claims) == [(Kind.HOLLOW, OTHER)]


def test_a_revisit_is_whole_while_any_capture_holds_its_payload(claims: Claims, tmp_path: Path) -> None:
    claims.capture(capture(URL), None)
    claims.capture(capture(OTHER, mime="warc/revisit"), None)
    claims.log(logged(tmp_path, URL, OTHER))
    assert found(claims) == []


def test_a_loss_that_was_noted_is_due_or_gone(claims: Claims, store: Store, tmp_path: Path) -> None:
    made = collection(tmp_path)
    note(made, [Lost("damaged", url=URL, captured=AT), Lost("damaged", url=OTHER, captured=AT)])
    store.discover([("a.org", Visit(URL, URL))])
    store.commit()
    assert claims.losses(made.lost) == 2
    claims.frontier(store)
    assert sorted(found(claims), key=lambda each: each[1]) == [(Kind.GONE, OTHER), (Kind.DUE, URL)]


def test_lines_of_an_index_are_taken_and_torn_ones_left(claims: Claims, tmp_path: Path) -> None:
    index = tmp_path / "index.cdxj"
    fields = {"url": URL, "digest": "sha1:A", "mime": "text/html"}
    index.write_text(f"org,a)/page {AT} {json.dumps(fields)}\norg,a)/x {AT} {{torn\nshort\n")
    claims.index(index)
    claims.index(tmp_path / "none")
    assert found(claims) == [(Kind.UNTOLD, URL)]
