"""A recorded web in memory, as online analysis reads it, and what its pages are about by somebody's judgement.

Labels are a text file, one line a label: the URL of a page, a tab, a subject. Subjects are hierarchical, their levels
parted by dots (`Science.Physics.Optics`); a page may have several lines; empty lines and those that begin with `#`
say nothing. They are the judge's: no strategy but the oracle ever sees them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, status_of
from anansi.archive.layout import Collection
from anansi.archive.reader import Record, records
from anansi.errors import CollectionError, UserError
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.focus.page import page_terms, regions
from anansi.pages.links import base_of
from anansi.state import PageTerms
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import canonical, resolve

LARGEST: Final = 32 << 20
"""Bytes of a page that are read; a crawl parses no more either."""

Subjects = dict[str, frozenset[str]]
"""Key of a page → its subjects."""


@dataclass(frozen=True)
class Web:
    """Pages by their keys; what they link to and was not recorded is not there."""

    pages: Mapping[str, PageTerms]

    @cached_property
    def holding(self) -> dict[str, int]:
        """How many pages hold each term."""
        counts: dict[str, int] = {}
        for page in self.pages.values():
            for term in page.terms:
                counts[term] = counts.get(term, 0) + 1
        return counts


def load(places: Sequence[Path]) -> Web:
    """Read WARC files, or collections with theirs."""
    found: dict[str, tuple[str, bytes, str]] = {}
    for warc in _warcs(places):
        with guarded(warc):
            for record in records(warc):
                if record.kind == "response":
                    _take(record, found)
                record.finish()
    if not found:
        raise CollectionError(f"no page stands in {', '.join(map(str, places))}: name WARC files with HTML responses")
    keys = found.keys()
    pages = (_page(key, url, data, code, keys) for key, (url, data, code) in found.items())
    return Web({page.key: page for page in pages if page is not None})


def _warcs(places: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            collection = Collection(place)
            collection.require()
            found += collection.warcs()
        elif place.is_file():
            found.append(place)
        else:
            raise UserError(f"{place} is not there; name WARC files or collections")
    return found


def _take(record: Record, found: dict[str, tuple[str, bytes, str]]) -> None:
    """Keep a response that is a page; of several captures of a URL the first."""
    url = resolve(record.url) or record.url
    key = canonical(url)
    if key in found:
        return
    block = bytearray()
    for piece in record.chunks():
        block += piece[: LARGEST - len(block)]
    head = head_of(bytes(block))
    _, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    payload, _ = decode.transfer_decode(headers, bytes(block[len(head) :]))
    data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
    declared = named.get("content-type", "")
    is_page = mime.is_html(mime.sniff(declared, data[: mime.HEAD], url.partition("?")[0]))
    if status_of(head) == "200" and is_page:
        found[key] = url, data, charset.detect(declared, data)


def _page(key: str, url: str, data: bytes, code: str, keys: Container[str]) -> PageTerms | None:
    tree = html.parse(data, code)
    if tree is None:
        return None
    base = base_of(PageModel(tree), url)

    def find(raw: str) -> str | None:
        link = resolve(raw, base) if raw[:1] != "#" else None
        target = canonical(link) if link is not None else None
        return target if target is not None and target in keys and target != key else None

    return page_terms(regions(tree), key, find)


def read_labels(path: Path) -> Subjects:
    """Read a file of labels."""
    found: dict[str, set[str]] = {}
    with guarded(path):
        if not path.is_file():
            raise UserError(f"{path} is not there; name a file with a URL, a tab and a subject a line")
        text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        url, tab, subject = line.partition("\t")
        address = resolve(url.strip())
        if not tab or not subject.strip() or address is None:
            raise UserError(f"{path}, line {number}: expected a URL, a tab and a subject, found {line[:80]!r}")
        found.setdefault(canonical(address), set()).add(subject.strip())
    return {key: frozenset(subjects) for key, subjects in found.items()}
