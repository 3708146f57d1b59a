"""Channel pages at times that no crawl saw, from collections."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html

from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.errors import CollectionError, UserError
from anansi.feeds.evidence import evidence
from anansi.inspection.past import page_at
from anansi.model import Value, WebObject
from tests.inspection.blogs import DAY, HOST, START, Blog, archive, times, write
from tests.inspection.truth import BLOGS, Figures, hidden, measure, rows

HOME = f"{HOST}/"

FLOORS = {  # precision, recall, order, exact list, true titles, true dates
    "wordpress": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "wordpress, sticky": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "wordpress, a post taken away": (0.99, 0.99, 1.0, 0.95, 1.0, 1.0),
    "blogger": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "by hand": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "definition list": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "by day": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "redesigned": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "magazine": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "ranked": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),  # what stands for its date is the rank
    "portal": (0.8, 0.8, 0.6, 0.2, 1.0, 0.85),  # the second part of its list stays the template's
    "notes": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "feed without dates": (0.97, 0.97, 1.0, 0.83, 1.0, 0.68),
    "no feed": (0.72, 0.72, 1.0, 0.25, 1.0, 1.0),
}


@pytest.mark.parametrize("name", BLOGS)
def test_rebuilt_lists_are_those_that_the_blog_showed(name: str, tmp_path: Path) -> None:
    found = measure(BLOGS[name], tmp_path / "c")
    reached = (found.precision, found.recall, found.order, found.exact, found.titles, found.dates)
    assert all(value >= floor for value, floor in zip(reached, FLOORS[name], strict=True)), found
    assert found.false_dates == 0, found


def test_a_figure_falls_when_a_list_is_wrong(tmp_path: Path) -> None:
    """What measures must be able to fail: a feed that nobody captured leaves holes."""
    blog = BLOGS["wordpress"]
    write(tmp_path / "c", [(HOME, at, blog.front(at), "text/html") for at in times(5, 30.0)])
    rebuilt, page, _ = page_at(tmp_path / "c", HOME, hidden()[3])
    assert [row.url for row in rows(blog, page)] != [row.url for row in rows(blog, blog.front(hidden()[3]))]
    assert any("no feed of the channel was captured" in note for note in rebuilt.notes)
    assert isinstance(measure(blog, tmp_path / "d", [START + 9 * DAY]), Figures)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return archive(BLOGS["wordpress"], tmp_path / "c")


def test_a_rebuilt_page_says_what_it_is_and_runs_nothing(folder: Path) -> None:
    at = START + 24 * DAY
    rebuilt, page, url = page_at(folder, HOME, at)
    tree = html.document_fromstring(page.decode())
    assert rebuilt.status == "reconstructed"
    assert tree.xpath("string(//meta[@name='anansi-reconstructed']/@content)") == "2020-10-07T12:26:40Z"
    assert "script-src 'none'" in str(tree.xpath("string(//meta[@http-equiv='Content-Security-Policy']/@content)"))
    (body,) = tree.iter("body")
    assert body[0].get("id") == "anansi-banner"
    assert "as it must have been at 2020-10-07T12:26:40Z" in str(body.xpath("string(div[1])"))
    assert tree.xpath("string(//base/@href)") == HOME
    assert tree.xpath("//head/script[text()='var x=1;']"), "scripts stay as they were archived"
    told = json.loads(str(tree.xpath("string(//script[@id='anansi-evidence'])")))
    assert told == evidence(rebuilt, url)
    assert told["not_rebuilt"] == {"div.sidebar": 5}
    assert {entry["certainty"] for entry in told["entries"]} <= {"certain", "likely", "possible"}
    assert all(entry["why"].startswith("came 20") for entry in told["entries"])


def test_a_page_that_was_captured_is_given_as_captured(folder: Path) -> None:
    at = times(5, 9.0)[2]
    rebuilt, page, _ = page_at(folder, HOME, at)
    assert (rebuilt.status, rebuilt.html) == ("captured", b"")
    assert page.decode() == BLOGS["wordpress"].front(at)


def test_a_page_between_two_captures_that_are_alike_is_not_rebuilt(tmp_path: Path) -> None:
    blog = BLOGS["wordpress"]
    quiet = max(zip(blog.posts, blog.posts[1:], strict=False), key=lambda pair: pair[1].at - pair[0].at)
    first, last = quiet[0].at + 60, quiet[1].at - 60
    write(tmp_path / "c", [(HOME, at, blog.front(at), "text/html") for at in (START, first, last)])
    rebuilt, page, _ = page_at(tmp_path / "c", HOME, (first + last) / 2)
    assert rebuilt.status == "unchanged"
    assert b"anansi-banner" not in page
    assert page.decode() in (blog.front(first), blog.front(last))


def test_what_scrolled_through_unseen_is_told_as_a_gap(tmp_path: Path) -> None:
    blog = BLOGS["wordpress"]
    captures = [(HOME, at, blog.front(at), "text/html") for at in (START, START + 40 * DAY)]
    write(tmp_path / "c", captures)
    rebuilt, _, _ = page_at(tmp_path / "c", HOME, START + 30 * DAY)
    assert len(rebuilt.gaps) == 1
    assert any("items may have come that no capture saw" in note for note in rebuilt.notes)


def test_after_the_last_capture_it_is_said_that_nothing_is_known(folder: Path) -> None:
    rebuilt, _, _ = page_at(folder, HOME, START + 300 * DAY)
    assert any(note.startswith("nothing was captured after") for note in rebuilt.notes)
    assert any("never captured after that time" in note for note in rebuilt.notes)


def test_before_the_first_capture_a_later_template_serves(folder: Path) -> None:
    blog = BLOGS["wordpress"]
    at = START - 3 * DAY
    rebuilt, page, _ = page_at(folder, HOME, at)
    assert any("never captured before that time" in note for note in rebuilt.notes)
    found = [row.url for row in rows(blog, page)]
    truth = [row.url for row in rows(blog, blog.front(at))]
    assert found == truth[: len(found)]
    assert found


def test_objects_in_rdf_date_what_no_feed_knows(tmp_path: Path) -> None:
    """A post that came and went between captures is known by its own page alone."""
    blog = BLOGS["no feed"]
    archive(blog, tmp_path / "c")
    collection = Collection(tmp_path / "c")
    log = ObjectLog(collection, 1)
    for post in blog.posts:
        values = (("title", Value(post.title)), ("date", Value(f"{post.when:%Y-%m-%dT%H:%M:%S+00:00}")))
        log.write(
            blog.url(post), post.at, f"urn:uuid:{post.number}", None, [WebObject("article", blog.url(post), values)]
        )
    log.close()
    wrong = [at for at in hidden() if not _is_exact(blog, tmp_path / "c", at)]
    assert wrong == []


def _is_exact(blog: Blog, folder: Path, at: float) -> bool:
    _, page, _ = page_at(folder, HOME, at)
    return [row[:3] for row in rows(blog, page)] == [row[:3] for row in rows(blog, blog.front(at))]


def test_entries_are_taken_from_older_pages_of_the_list(tmp_path: Path) -> None:
    blog = BLOGS["no feed"]
    at = START + 30 * DAY
    older = sorted((post for post in blog.posts if post.at <= at), key=lambda post: -post.at)[8:16]
    captures = [(HOME, each, blog.front(each), "text/html") for each in (START, at)]
    captures.append((f"{HOST}/page/2", at, blog.page(blog, older, at), "text/html"))
    write(tmp_path / "c", captures)
    moment = older[0].at + 60
    rebuilt, page, _ = page_at(tmp_path / "c", HOME, moment)
    assert [row.url for row in rows(blog, page)] == [row.url for row in rows(blog, blog.front(moment))]
    assert not any(entry.made for entry in rebuilt.entries)


def test_a_redirect_and_a_feed_lead_to_the_channel(folder: Path) -> None:
    _, page, url = page_at(folder, f"{HOST}/feed", START + 24 * DAY)
    assert url == HOME
    assert b"anansi-reconstructed" in page
    rebuilt, _, url = page_at(folder, "https://www.blog.example/", START + 24 * DAY)
    assert (rebuilt.status, url) == ("reconstructed", "https://www.blog.example/")
    write(folder, [(f"{HOST}/old", START, "", "text/html")], status=f"301 Moved\r\nLocation: {HOME}")
    rebuilt, _, url = page_at(folder, f"{HOST}/old", START + 24 * DAY)
    assert (rebuilt.status, url) == ("reconstructed", HOME)
    assert f"{HOST}/old leads to {HOME}" in rebuilt.notes


def broken(tmp_path: Path, text: str, mime: str = "text/html", status: str = "200 OK") -> Path:
    return write(tmp_path / "c", [(HOME, START, text, mime)], status=status)


MISTAKES: dict[str, tuple[Callable[[Path], Path], str, float, str]] = {
    "no collection": (lambda path: path / "none", HOME, 1, "is not a collection"),
    "never captured": (
        lambda path: archive(BLOGS["wordpress"], path / "c"),
        f"{HOST}/news",
        1,
        f"for example: {HOME}",
    ),
    "another site": (lambda path: archive(BLOGS["wordpress"], path / "c"), "http://no.example/", 1, "anansi crawl"),
    "too early": (
        lambda path: archive(BLOGS["wordpress"], path / "c"),
        HOME,
        START - 900 * DAY,
        "the first known item",
    ),
    "no list": (lambda path: broken(path, "<p>Hello"), HOME, START + DAY, "shows a list of items"),
    "no markup": (lambda path: broken(path, "\0\0\1", "image/png"), HOME, START + DAY, "no capture is a page"),
    "an error": (lambda path: broken(path, "gone", status="410 Gone"), HOME, START + DAY, "answered 410"),
    "empty": (lambda path: broken(path, ""), HOME, START + DAY, "no capture is a page"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_cannot_be_rebuilt_is_said_with_what_to_do(name: str, tmp_path: Path) -> None:
    make, url, at, told = MISTAKES[name]
    with pytest.raises((UserError, CollectionError), match=told):
        page_at(make(tmp_path), url, at)


def test_bad_captures_do_not_spoil_good_ones(tmp_path: Path) -> None:
    blog = BLOGS["wordpress"]
    huge = "<div>" * 3000 + blog.front(START + 9 * DAY) + "<p>x" * 1_200_000
    good = [(HOME, at, blog.front(at), "text/html") for at in times(5, 9.0)]
    bad = [
        (HOME, START + 8.5 * DAY, huge, "text/html"),
        (HOME, START + 8.6 * DAY, "<html><body><<<a href=", "text/html"),
        (f"{HOST}/feed", START + 8.6 * DAY, "<rss><channel><item><title>", "application/rss+xml"),
    ]
    feeds = [(f"{HOST}/feed", at, blog.rss(at), "application/rss+xml") for at in times(6, 3.0)]
    write(tmp_path / "c", sorted([*good, *bad, *feeds], key=lambda each: each[1]))
    rebuilt, page, _ = page_at(tmp_path / "c", HOME, START + 24 * DAY)
    assert [row.url for row in rows(blog, page)] == [row.url for row in rows(blog, blog.front(START + 24 * DAY))]
    assert any("larger than 4 MB" in note for note in rebuilt.notes)


def test_damaged_index_lines_and_files_are_passed_over(folder: Path) -> None:
    collection = Collection(folder)
    with collection.index.open("ab") as index:
        index.write(b"example,blog)/ nonsense {}\nexample,blog)/ 20200101000000 {\n")
        index.write(b'example,blog)/ 20201007000000 {"url": "http://blog.example/", "mime": "text/html", ')
        index.write(b'"status": "200", "offset": "5", "filename": "gone.warc.gz"}\n')
    rebuilt, _, _ = page_at(folder, HOME, START + 24 * DAY)
    assert rebuilt.status == "reconstructed"
    assert any("cannot be read" in note for note in rebuilt.notes)
    assert merge(collection).captures > 0
