"""Documents: each is really in the encoding, of the kind, of the depth and brokenness that it says."""

from __future__ import annotations

import pytest
from lxml import html as parser

from tests.web import (
    BROKEN_HREFS,
    CHARSETS,
    LIES,
    MISDECLARED,
    PDF,
    PNG,
    ScriptedWeb,
    broken_hrefs,
    charset,
    deep_html,
    many_links,
    mime_lie,
    nul_html,
)
from tests.web.documents import Lie
from tests.web.exchange import Reply
from tests.web.wire import get


def hrefs_of(page: bytes) -> list[str]:
    """List the addresses of a page's links."""
    return [anchor.get("href", "") for anchor in parser.fromstring(page.decode()).iter("a")]


def declared(reply: Reply) -> str:
    """Return the encoding a reader would believe in: byte order mark, then HTTP, then meta."""
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    by_mark = next((name for mark, name in marks.items() if reply.body.startswith(mark)), "")
    in_http = dict(reply.headers)["Content-Type"].partition("charset=")[2]
    in_meta = reply.body.partition(b'<meta charset="')[2].partition(b'"')[0].decode()
    known = [name for name in (by_mark, in_http, in_meta) if name and not name.startswith("x-")]
    name = known[0].lower() if known else "utf-8"
    return "windows-1252" if name == "iso-8859-1" else name  # WHATWG: that label means windows-1252


@pytest.mark.parametrize("case", CHARSETS)
def test_a_page_reads_right_exactly_when_its_declaration_is_right(case: str) -> None:
    text, reply = CHARSETS[case]
    with ScriptedWeb() as web:
        body = get(web.add("/", reply)).body
    assert body == reply.body
    assert (text in body.decode(declared(reply), errors="replace")) is (case not in MISDECLARED)


def test_a_charset_can_be_declared_in_two_ways_and_be_a_third() -> None:
    reply = charset("é", actual="utf-16-be", declared_http="koi8-r", meta="big5", bom=b"\xfe\xff")
    assert dict(reply.headers) == {"Content-Type": "text/html; charset=koi8-r"}
    assert '<meta charset="big5"><title>é</title>' in reply.body.decode("utf-16")


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_has_one_type_and_other_bytes(lie: Lie) -> None:
    with ScriptedWeb() as web:
        answer = get(web.add("/", mime_lie(lie)))
    starts = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n", "html": b"<!DOCTYPE html>"}
    types = {"as html": "text/html", "as plain": "text/plain", "as octet-stream": "application/octet-stream"}
    types |= {"as png": "image/png", "without type": None}  # type: ignore[dict-item]
    thing, claim = lie.split(" ", 1)
    assert answer.body.startswith(starts[thing])
    assert answer.headers.get("content-type") == types[claim]


def test_the_samples_are_whole() -> None:
    assert PDF.endswith(b"%%EOF\n")
    assert PNG.endswith(b"IEND\xaeB`\x82")


def test_a_hundred_thousand_links_are_all_there() -> None:
    hrefs = hrefs_of(many_links().body)
    assert len(set(hrefs)) == 100_000
    assert hrefs[-1] == "/link/99999"


def test_tags_are_nested_as_deep_as_asked() -> None:
    body = deep_html().body
    assert body.count(b"<div>") == body.count(b"</div>") == 200_000
    assert b'<div><a href="/at-the-bottom">bottom</a></div>' in body
    assert body.index(b'"/after"') > body.rindex(b"</div>")


def test_nul_bytes_stand_in_text_tags_and_attributes() -> None:
    with ScriptedWeb() as web:
        body = get(web.add("/", nul_html())).body
    assert b"NUL\x00 in title" in body
    assert b'hr\x00ef="' in body
    assert b'href="/nul\x00in-href"' in body
    assert body.index(b"/after-nul") > body.rindex(b"\x00")


def test_broken_addresses_arrive_as_they_are_with_a_good_one_last() -> None:
    hrefs = hrefs_of(broken_hrefs("x:y").body)
    assert hrefs[-2:] == ["x:y", "/good"]
    without_nul = [href for href in BROKEN_HREFS if "\x00" not in href]
    assert set(without_nul) <= set(hrefs)
    assert max(map(len, hrefs)) > 100_000
