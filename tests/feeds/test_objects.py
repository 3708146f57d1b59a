"""What extraction and feeds say becomes objects like all others."""

from __future__ import annotations

from anansi.archive.known import objects_in
from anansi.archive.quads import Capture, nquads
from anansi.feeds.article import Article
from anansi.feeds.feed import Feed
from anansi.feeds.objects import comment_objects, moment, objects_of, objects_of_feed
from anansi.feeds.reading import read
from anansi.model import WebObject
from anansi.state import Comments, Enclosure, Item, Stamp

URL = "https://gazette.example/herons"
MAY = 1_777_624_200.0  # 2026-05-01T08:30:00Z

ARTICLE = Article(
    "The harbour master counted herons.\nNobody had seen so many.",
    references=("/birds", "https://other.example/x", "#top", "javascript:x()"),
    images=("i.jpg", "data:image/gif;base64,AA"),
    media=("https://film.example/1",),
    comments=("Ada says: I saw it.", "So did I."),
    anchors=("comment-7", "comment-9"),
)
ITEM = Item(
    "urn:1",
    URL,
    "Eleven herons",
    author="Ana Lind",
    dates=(Stamp("pubDate", "Fri, 01 May 2026 08:30:00 GMT", MAY), Stamp("updated", "2026-05-02", MAY + 86400)),
    categories=("birds", "harbour", "birds"),
    enclosures=(Enclosure("https://gazette.example/herons.mp3", "audio/mpeg"),),
)


def values(each: WebObject, name: str) -> list[str]:
    return [value.text for key, value in each.properties if key == name]


def test_an_article_has_what_the_page_and_the_feed_say() -> None:
    whole, *comments = objects_of(URL, ARTICLE, ITEM)
    assert (whole.kind, whole.uri) == ("article", URL)
    assert whole.get("title") == "Eleven herons"
    assert whole.get("text") == ARTICLE.text
    assert whole.get("author") == "Ana Lind"
    assert values(whole, "date") == ["2026-05-01T08:30:00Z"]
    assert values(whole, "modified") == ["2026-05-02T08:30:00Z"]
    assert values(whole, "tag") == ["birds", "harbour"]
    assert values(whole, "reference") == ["https://gazette.example/birds", "https://other.example/x"]
    assert values(whole, "image") == ["https://gazette.example/i.jpg"]
    assert values(whole, "media") == ["https://film.example/1", "https://gazette.example/herons.mp3"]
    assert [(each.uri, each.part_of) for each in comments] == [(f"{URL}#comment-7", URL), (f"{URL}#comment-9", URL)]


def test_the_page_has_the_last_word_on_the_title() -> None:
    assert objects_of(URL, ARTICLE, ITEM, title="Twelve herons")[0].get("title") == "Twelve herons"
    assert objects_of(URL, ARTICLE)[0].get("title") == ""


def test_objects_of_feeds_go_to_rdf_and_back() -> None:
    found = objects_of(URL, ARTICLE, ITEM)
    said = nquads(Capture(URL, "2026-05-03T10:00:00Z", "urn:uuid:1"), found)
    whole, *comments = objects_in(said)
    assert set(values(whole, "reference")) == {"https://gazette.example/birds", "https://other.example/x"}
    assert values(whole, "date") == ["2026-05-01T08:30:00Z"]
    assert values(whole, "author") == ["Ana Lind"]
    assert [each.get("text") for each in comments] == list(ARTICLE.comments)
    assert {each.part_of for each in comments} == {URL}


def test_a_feed_of_comments_gives_parts_of_the_article() -> None:
    data = f"""<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Comments</title>
    <item><title>By: Ada</title><link>{URL}#comment-7</link><guid isPermaLink="false">{URL}#comment-7</guid>
    <dc:creator>Ada</dc:creator><pubDate>Fri, 01 May 2026 08:30:00 GMT</pubDate>
    <description>&lt;p&gt;I saw &lt;a href="https://b.example/"&gt;it&lt;/a&gt;.&lt;/p&gt;</description></item>
    <item><guid>tag:x,9</guid><description>So did I.</description></item></channel></rss>"""
    feed = read(data.encode())
    assert feed is not None
    first, second = comment_objects(feed, URL)
    assert (first.kind, first.uri, first.part_of) == ("comment", f"{URL}#comment-7", URL)
    assert (first.get("text"), first.get("author"), first.get("date")) == ("I saw it.", "Ada", "2026-05-01T08:30:00Z")
    assert first.get("reference") == "https://b.example/"
    assert (second.uri, second.get("text")) == (f"{URL}#tag-x-9", "So did I.")


def test_a_feed_alone_tells_of_its_items() -> None:
    answer = Item("urn:2", URL + "2", "Re", content="<p>Yes &amp; no.</p>", comments=Comments(reply_to=URL))
    lost = Item("urn:3", "", "No link")
    found = objects_of_feed(Feed("rss", items=(ITEM, answer, lost)))
    assert [(each.kind, each.uri, each.part_of) for each in found] == [
        ("article", URL, ""),
        ("comment", URL + "2", URL),
    ]
    assert found[1].get("text") == "Yes & no."


def test_moments_are_written_in_utc() -> None:
    assert moment(MAY) == "2026-05-01T08:30:00Z"
    assert moment(-86400.0) == "1969-12-31T00:00:00Z"
