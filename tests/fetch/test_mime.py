"""A body whose server may be wrong about it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.fetch.mime import HEAD, is_html, sniff

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
ZIP = b"PK\x03\x04\x14\0\0\0\x08\0" + b"x" * 40
EPUB = b"PK\x03\x04\n\0\0\0\0\0" + b"\0" * 20 + b"mimetypeapplication/epub+zipPK\x03\x04"
PAGE = b"<!DOCTYPE html>\n<html><head><title>Anansi</title></head>"
RSS = b'<?xml version="1.0"?>\n<!-- feed -->\n<rss version="2.0"><channel>'
ATOM = b'<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
RDF = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
XHTML = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head/>'


@pytest.mark.parametrize(
    "declared", ["text/html", "text/plain; charset=x", "application/octet-stream", "", "image/gif"]
)
@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (PDF, "application/pdf"),
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (ZIP, "application/zip"),
        (EPUB, "application/epub+zip"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "application/gzip"),
        (b"\0\0\0\x18ftypmp42\0\0", "video/mp4"),
        (b"\0\0\0\x18ftypM4A \0\0", "audio/mp4"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", "video/webm"),
        (b"OggS\0\x02\0\0", "application/ogg"),
        (b"ID3\x04\0\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64\0", "audio/mpeg"),
        (b"wOF2\0\x01\0\0", "font/woff2"),
        (b"OTTO\0\x0b", "font/otf"),
    ],
)
def test_a_signature_corrects_the_server(declared: str, head: bytes, mime: str) -> None:
    assert sniff(declared, head) == mime


@pytest.mark.parametrize(
    ("declared", "head"),
    [
        ("application/epub+zip", ZIP),
        ("application/vnd.oasis.opendocument.text", ZIP),
        ("audio/ogg", b"OggS\0\x02"),
        ("audio/mp4", b"\0\0\0\x18ftypmp42"),
        ("application/font-woff", b"wOFF\0\x01"),
        ("application/x-gzip", b"\x1f\x8b\x08\0"),
        ("application/msword", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ],
)
def test_a_more_exact_declaration_is_kept(declared: str, head: bytes) -> None:
    assert sniff(declared, head) == declared


def test_an_extension_tells_office_files_apart() -> None:
    assert sniff("application/octet-stream", ZIP, "/a/b.docx").endswith("wordprocessingml.document")
    assert sniff("application/octet-stream", ZIP, "/a/b") == "application/zip"


@pytest.mark.parametrize("declared", ["", "text/plain", "application/octet-stream", "image/jpeg", "application/pdf"])
@pytest.mark.parametrize(
    "head",
    [
        PAGE,
        b"\xef\xbb\xbf \n\t" + PAGE,
        b"<!-- a licence > with --\n--><!-- another -->\n<HTML lang=en>",
        b"\xff\xfe" + PAGE.decode().encode("utf-16-le"),
        b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><title>x',
    ],
)
def test_a_page_is_html_whatever_the_server_says(declared: str, head: bytes) -> None:
    assert sniff(declared, head) == "text/html"


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("/doc/a.txt", b"<!DOCTYPE html> is how a page begins"),
        ("/user/project/raw/main/x", PAGE),
        ("/listing", b"<div>is a tag, </div> closes it"),
        ("/listing", b"#include <stdio.h>\n<html>"),
        ("/listing", b"if (a <b> c) { }"),
    ],
)
def test_a_listing_stays_plain_text(path: str, head: bytes) -> None:
    assert sniff("text/plain", head, path) == "text/plain"


def test_where_the_server_does_not_know_any_tag_will_do() -> None:
    assert sniff("", b"<div class=x>hello") == "text/html"
    assert sniff("application/octet-stream", b" <p>hello") == "text/html"
    assert sniff("", b"<divine>hello") == "text/plain"


@pytest.mark.parametrize(
    ("declared", "head", "mime"),
    [
        ("text/html", RSS, "application/rss+xml"),
        ("text/xml", RSS, "application/rss+xml"),
        ("application/xml", ATOM, "application/atom+xml"),
        ("text/plain", ATOM, "application/atom+xml"),
        ("text/xml", RDF, "application/rss+xml"),
        ("application/xml", XHTML, "application/xhtml+xml"),
        ("text/html", XHTML, "text/html"),
        ("application/xhtml+xml", XHTML, "application/xhtml+xml"),
        ("", b"<?xml version='1.0'?><urlset>", "application/xml"),
        ("", b"<?xml version='1.0'?><invoice>", "application/xml"),
        ("text/xml", b"<invoice>", "text/xml"),
        ("application/xml", b"<svg xmlns='http://www.w3.org/2000/svg'>", "image/svg+xml"),
        ("image/svg+xml", b"<svg>", "image/svg+xml"),
        ("text/html", b"<svg><title>an icon</title></svg><p>and text", "text/html"),
    ],
)
def test_xml_is_named_by_its_vocabulary(declared: str, head: bytes, mime: str) -> None:
    assert sniff(declared, head) == mime


@pytest.mark.parametrize("declared", ["text/html", "", "text/plain", "application/octet-stream"])
def test_json_is_json(declared: str) -> None:
    assert sniff(declared, b' {"posts": [1, 2]}') == "application/json"
    long = json.dumps([{"text": "x" * 100}] * 100).encode()
    assert len(long) > HEAD
    assert sniff(declared, long) == "application/json"


def test_what_only_looks_like_json_is_not() -> None:
    assert sniff("text/html", b"[note] {see below}") == "text/html"
    assert sniff("text/plain", b"{" * 5000) == "text/plain"
    assert sniff("application/ld+json", b'{"@id": 1}') == "application/ld+json"


@pytest.mark.parametrize("declared", ["text/css", "text/javascript", "application/javascript"])
def test_css_and_scripts_stay_what_they_are_declared(declared: str) -> None:
    assert sniff(f"{declared}; charset=utf-8", b"<!-- old trick\nvar a = '<html>';") == declared


def test_text_is_told_from_binary() -> None:
    assert sniff("text/plain", b"hello") == "text/plain"
    assert sniff("text/plain", b"\x00\x01\x02\x03") == "application/octet-stream"
    assert sniff("", "grüß".encode("latin-1")) == "text/plain"
    assert sniff("", b"\x00\x01\x02\x03") == "application/octet-stream"
    assert sniff("text/html", b"\x00\x01\x02\x03" * 9) == "application/octet-stream"
    assert sniff("text/html", b"one stray \x07 bell in some text") == "text/html"
    assert sniff("", b"body { color: red }", "/style.css") == "text/css"


def test_an_empty_body_is_what_it_was_declared() -> None:
    assert sniff("Text/HTML; charset=utf-8", b"") == "text/html"
    assert sniff("", b"") == "application/octet-stream"


def test_a_malformed_declaration_counts_as_none() -> None:
    assert sniff("html", PAGE) == "text/html"
    assert sniff("text/html, text/html", b"hello") == "text/html"
    assert sniff(";;;", b"hello") == "text/plain"


def test_html_is_html_and_xhtml() -> None:
    assert is_html("text/html")
    assert is_html("application/xhtml+xml")
    assert not is_html("application/xml")


@given(st.text(max_size=40), st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_have_a_type(declared: str, head: bytes, path: str) -> None:
    kind, slash, subtype = sniff(declared, head, path).partition("/")
    assert kind
    assert slash
    assert subtype


@given(
    st.lists(st.sampled_from([b"<", b"!--", b"-->", b"<?xml", b"?>", b"<!doctype", b"[", b"]", b">", b" ", b"html"]))
)
def test_any_beginning_of_markup_has_a_type(parts: list[bytes]) -> None:
    assert "/" in sniff("", b"".join(parts))
