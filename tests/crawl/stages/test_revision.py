"""What a visit hands to the next: the objects of a page, and their version."""

from __future__ import annotations

from anansi.crawl.stages.revision import Look, seen
from anansi.feeds.change import compare
from anansi.model import Recognition, Value, WebObject
from anansi.state import Item
from anansi.text import tree
from tests.feeds.pages import ABOUT, PARAGRAPHS, TEXT, TITLE, modern

URL = "https://gazette.example/herons"
ITEM = Item("urn:1", URL, TITLE, ABOUT, author="Ana")
KNOWN = Recognition("blog/wordpress", "post", terminal=True)


def look(body: str, **more: object) -> Look:
    page = f"<html lang=en><head><title>{TITLE}</title></head><body>{body}</body></html>"
    return Look(URL, tree.parse(page.encode(), "utf-8"), digest=str(hash(page)), **more)  # type: ignore[arg-type]


def test_a_page_of_a_known_type_is_its_objects() -> None:
    found = [WebObject("article", URL, (("text", Value("Words.", "body")),))]
    one = seen(look("<p>This</p>", objects=found, recognition=KNOWN))
    other = seen(look("<p>That</p>", objects=found, recognition=KNOWN))
    assert one.objects == found
    assert one.version.by == "blog/wordpress"
    assert compare(one.version, other.version).kind == "boilerplate"


def test_a_page_that_a_feed_tells_of_is_the_object_of_its_item() -> None:
    one = seen(look(modern(), item=ITEM))
    article, comment = one.objects
    assert (article.get("title"), article.get("text"), article.get("author")) == (TITLE, TEXT, "Ana")
    assert (comment.kind, comment.uri) == ("comment", f"{URL}#comment-7")
    edited = seen(look(modern().replace("eleven small marks", "twelve small marks"), item=ITEM))
    assert compare(one.version, edited.version).told == ("text",)


def test_a_page_that_nobody_knows_has_a_version_and_nothing_to_keep() -> None:
    one = seen(look(modern()))
    assert (list(one.objects), one.version.by) == ([], "page")
    assert compare(one.version, seen(look(modern(title="Twelve herons"))).version).content
    assert compare(one.version, seen(look(modern().replace("Recent", "Latest"))).version).kind == "boilerplate"


def test_rules_that_found_no_text_leave_the_page_to_its_words() -> None:
    bare = [WebObject("article", URL, (("title", Value(TITLE)),))]
    one = seen(look(modern(), objects=bare, recognition=KNOWN))
    assert one.objects == bare
    assert one.version.by == "page"
    without = modern().replace(PARAGRAPHS[1], "")
    assert compare(one.version, seen(look(without, objects=bare, recognition=KNOWN)).version).text


def test_what_is_no_page_has_a_version_all_the_same() -> None:
    empty = seen(Look(URL, None, digest="one"))
    assert compare(empty.version, seen(Look(URL, None, digest="two")).version).kind == "boilerplate"


def test_a_list_is_what_it_leads_to() -> None:
    forum = Recognition("forum/phpbb", "board")
    links = [f"https://board.example/viewtopic.php?t={number}" for number in range(30)]
    one = seen(look("<p>1,204 views</p>", recognition=forum, links=links[:25]))
    moved = seen(
        look("<p>1,377 views</p>", recognition=forum, links=[f"{each}&sid={'0f' * 16}" for each in links[24::-1]])
    )
    assert compare(one.version, moved.version).kind == "boilerplate"
    later = seen(look("", recognition=forum, links=links[5:]))
    assert compare(one.version, later.version).told == ("5 added", "5 removed")
