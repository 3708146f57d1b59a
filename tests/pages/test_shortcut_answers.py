"""What shortcuts answer: sitemaps, feeds, JSON and text are read; whatever is bent lists nothing."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.pages import shortcut_answers as listing
from anansi.pages.shortcut_answers import Listing, answers, first, following, read

HERE = "http://a.org/feed/"
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://a.org/1 </loc><lastmod>2020</lastmod></url><url><loc>/2</loc></url><url><loc/></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>http://a.org/s1.xml</loc></sitemap></sitemapindex>"
RSS = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://a.org/</link>
<atom:link rel="next" href="/feed/?paged=2"/>
<item><title>One</title><link>http://a.org/1</link><guid>http://a.org/?p=1</guid></item>
<item><guid isPermaLink="false">tag:x</guid></item><item><guid>http://a.org/3</guid></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="http://a.org/feed?p=2"/>
<link rel="alternate" href="http://a.org/"/><entry><link rel="replies" href="http://a.org/r"/>
<link rel="alternate" href="http://a.org/1"/></entry><entry><link href="2"/></entry></feed>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>x</title></channel><item><link>http://a.org/1</link></item></rdf:RDF>"""


def test_a_sitemap_lists_its_addresses_in_their_order() -> None:
    assert read(SITEMAP, HERE) == Listing("sitemap", ("http://a.org/1", "http://a.org/2"))


def test_an_index_lists_sitemaps() -> None:
    assert read(INDEX, HERE) == Listing("sitemap", sitemaps=("http://a.org/s1.xml",))


def test_a_packed_sitemap_is_unpacked() -> None:
    assert read(gzip.compress(SITEMAP), HERE) == read(SITEMAP, HERE)


def test_a_sitemap_may_be_plain_text() -> None:
    assert read(b"\xef\xbb\xbfhttp://a.org/1\r\nhttps://a.org/2\n", HERE).links == (
        "http://a.org/1",
        "https://a.org/2",
    )


@pytest.mark.parametrize(
    ("data", "links", "onward"),
    [
        (RSS, ("http://a.org/1", "http://a.org/3"), "http://a.org/feed/?paged=2"),
        (ATOM, ("http://a.org/1", "http://a.org/feed/2"), "http://a.org/feed?p=2"),
        (RDF, ("http://a.org/1",), ""),
    ],
    ids=["RSS", "Atom", "RDF"],
)
def test_a_feed_lists_its_entries_and_names_its_next_page(data: bytes, links: tuple[str, ...], onward: str) -> None:
    assert read(data, HERE) == Listing("feed", links, next=onward)


@pytest.mark.parametrize(
    ("data", "way", "links"),
    [
        (
            b'[{"link": "http://a.org/1"}, {"link": "/2"}, {"x": 1}, 5]',
            "*.link",
            ("http://a.org/1", "http://a.org/2"),
        ),
        (b'{"query": {"pages": {"7": {"fullurl": "http://a.org/w"}}}}', "query.pages.*.fullurl", ("http://a.org/w",)),
        (b'{"t": [{"id": 5, "s": "a b"}]}', "/t/{t.*.s}/{t.*.id}", ("http://a.org/t/a%20b/5",)),
        (b'{"t": [{"id": true}]}', "/t/{t.*.id}", ()),
    ],
)
def test_json_lists_what_the_way_leads_to(data: bytes, way: str, links: tuple[str, ...]) -> None:
    assert read(data, HERE, way) == Listing("json", links)


BENT = {
    "nothing": b"",
    "a page": b"<!DOCTYPE html><html><body><a href='/1'>x</a></body></html>",
    "words": b"These are words, http://a.org/1 among them",
    "binary": bytes(range(256)) * 10,
    "an entity": b'<!DOCTYPE x [<!ENTITY e "http://a.org/">]>' + SITEMAP.replace(b"/2", b"&e;"),
    "half a gzip": gzip.compress(SITEMAP)[:5],
    "a bomb": gzip.compress(b"<urlset>" + b" " * (listing.LARGEST + 1)),
    "JSON nobody described": b'[{"link": "http://a.org/1"}]',
    "half of JSON": b'[{"link": "http://a.org',
    "deep JSON": b"[" * 100_000,
}


@pytest.mark.parametrize("data", BENT.values(), ids=BENT)
def test_what_is_bent_lists_nothing(data: bytes) -> None:
    way = "" if data == BENT["JSON nobody described"] else "*.link"
    found = read(data, HERE, way)
    assert (found.links, found.sitemaps, found.next) == ((), (), "")


def test_what_is_too_much_is_cut() -> None:
    many = b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(listing.MOST + 10)) + b"</urlset>"
    assert len(read(many, HERE).links) == listing.MOST
    assert read(b"<urlset><url><loc>/" + b"a" * 3000 + b"</loc></url></urlset>", HERE).links == ()


@given(st.binary(max_size=300), st.sampled_from(["", "*.link", "{a.*.b}/x"]))
def test_any_bytes_can_be_read(data: bytes, way: str) -> None:
    for start in (b"", b"<rss>", b"<urlset><url>", b"[", b"\x1f\x8b"):
        assert all(link.startswith("http") for link in read(start + data, HERE, way).links)


# ── paging ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pages_are_counted_in_the_address_or_beside_it() -> None:
    api, page = "wp/v2/posts?per_page=100&page={page}", "http://a.org/wp-json/wp/v2/posts?per_page=100&page={}"
    assert first(api) == "wp/v2/posts?per_page=100&page=1"
    assert following(api, "", page.format(9), b"") == page.format(10)
    assert following("", "?paged={page}", HERE, b"") == "http://a.org/feed/?paged=2"
    assert following("", "?paged={page}", HERE + "?paged=2", b"") == "http://a.org/feed/?paged=3"


def test_the_next_page_may_stand_in_the_answer() -> None:
    more = "?from={continue.at}"
    assert following("", more, "http://a.org/api.php?x=1", b'{"continue": {"at": "B & C"}}') == (
        "http://a.org/api.php?from=B%20%26%20C"
    )
    assert following("", more, "http://a.org/api.php", b"{}") == ""
    assert following("", more, "http://a.org/api.php", b"{") == ""


def test_a_shortcut_without_pages_has_no_next_one() -> None:
    assert following("sitemap.xml", "", "http://a.org/sitemap.xml", b"") == ""


def test_an_answer_is_known_by_its_address() -> None:
    assert answers("wp/v2/posts?page={page}", "http://a.org/wp-json/wp/v2/posts?page=12")
    assert not answers("wp/v2/posts?page={page}", "http://a.org/wp-json/wp/v2/pages?page=12")
    assert answers("?list=all", "http://a.org/api.php?list=all&from=B")
    assert not answers("", "http://a.org/feed/")
