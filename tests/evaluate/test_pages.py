"""What is read from a page: its words, those in links, its external links."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from anansi.evaluate.pages import PageReader, Text
from anansi.evaluate.source import Capture, open_crawl
from tests.archive.exchanges import answer, chunked, writer
from tests.archive.exchanges import collection as empty_collection
from tests.evaluate.collections import Made, collect


def read(tmp_path: Path, markup: str, **made: str) -> tuple[PageReader, Text | None]:
    crawl = open_crawl(collect(tmp_path / "c", {"/forum/page": Made(markup, **made)}))  # type: ignore[arg-type]
    reader = PageReader()
    return reader, reader.read(crawl.captures[0], linked=True)


def in_words(reader: PageReader, numbers: list[int]) -> list[str]:
    by_number = {number: word for word, number in reader.words.items()}
    return [by_number[number] for number in numbers]


def test_text_is_what_stands_outside_markup_scripts_and_styles(tmp_path: Path) -> None:
    markup = """<html><head><title>The title</title><style>p { color: red }</style></head><body>
    <!-- a comment --><p class="unseen">One&nbsp;two <b>three</b>four</p><script>var hidden = 1;</script>
    <a href="/x">linked words</a></body></html>"""
    reader, text = read(tmp_path, markup)
    assert text
    assert in_words(reader, text.words) == ["the", "title", "one", "two", "three", "four", "linked", "words"]
    assert in_words(reader, text.linked) == ["linked", "words"]


@pytest.mark.parametrize(
    ("href", "external"),
    [
        ("http://other.example/a?b=1#c", "http://other.example/a?b=1"),
        ("  HTTPS://Other.Example/", "https://other.example/"),
        ("//other.example/a", "http://other.example/a"),
        ("http://www.site.example/", None),  # the same registered domain
        ("http://site.example/x", None),
        ("http://site.example.org/", "http://site.example.org/"),
        ("/forum/2", None),
        ("page?http://other.example/", None),
        ("mailto:me@other.example", None),
        ("javascript:void(0)", None),
        ("#top", None),
        ("http://", None),
    ],
)
def test_a_link_is_external_when_it_leads_to_another_registered_domain(
    tmp_path: Path, href: str, external: str | None
) -> None:
    _, text = read(tmp_path, f'<p>x <a href="{href}">y</a>')
    assert text
    assert text.links == ({external} if external else set())


def test_a_base_elsewhere_makes_relative_links_external(tmp_path: Path) -> None:
    _, text = read(tmp_path, '<base href="http://other.example/d/"><a href="page">x</a><area href="/top">')
    assert text
    assert text.links == {"http://other.example/d/page", "http://other.example/top"}


def test_what_is_called_html_and_is_none_has_no_text(tmp_path: Path) -> None:
    assert read(tmp_path, "%PDF-1.4 words")[1] is None


def test_codings_and_charsets_are_undone(tmp_path: Path) -> None:
    collection = empty_collection(tmp_path)
    data = chunked(gzip.compress("<p>déjà vu</p>".encode("latin-1")))
    headers = (
        ("Content-Type", "text/html; charset=iso-8859-1"),
        ("Content-Encoding", "gzip"),
        ("Transfer-Encoding", "chunked"),
    )
    made = answer("http://site.example/", data, headers=headers)
    archive = writer(collection)
    place = archive.write_page(made, made.body)
    archive.close()
    assert place
    (warc,) = collection.warcs()
    reader = PageReader()
    text = reader.read(Capture("", made.visit.url, warc, place.offset))
    assert text
    assert in_words(reader, text.words) == ["déjà", "vu"]
