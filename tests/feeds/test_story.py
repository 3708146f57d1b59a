"""A page whose type nobody knows has a headline, a byline, a text and readers."""

from __future__ import annotations

from anansi.feeds.context import context_of
from anansi.feeds.story import story_of
from tests.feeds.pages import ABOUT, BODY, FLAT, PARAGRAPHS, TABLES, TEXT, TITLE, page


def test_headline_byline_and_text_are_told_apart() -> None:
    story = story_of(page(FLAT), context_of(TITLE, ABOUT))
    assert (story.headline, story.article.text) == (TITLE, TEXT)
    assert story.byline == ("By Ana Lind", "12 May 2020")
    assert story.rest == ()


def test_the_head_of_a_page_says_what_its_article_is() -> None:
    story = story_of(
        page(f"<main><h1>{TITLE}</h1><div class=text>{BODY}</div></main><footer>Imprint of it all</footer>")
    )
    assert story.headline == TITLE
    assert story.article.text == TEXT


def test_a_title_inside_of_the_text_is_the_headline() -> None:
    story = story_of(page(f"<article><h1>{TITLE}</h1><p class=meta>By Ana, 12 May 2020</p>{BODY}</article>"))
    assert (story.headline, story.byline, story.article.text) == (TITLE, ("By Ana, 12 May 2020",), TEXT)


def test_what_readers_say_is_found_without_a_name_for_it() -> None:
    said = "<li><b>Bo Keel</b><div class=_w>I have seen eleven of them as well.</div></li>"
    body = f"<div class=story><h1>{TITLE}</h1><div class=t>{BODY}</div></div><ul class=_x>{said}</ul>"
    assert story_of(page(body), context_of(TITLE, ABOUT)).rest == ("Bo Keel\nI have seen eleven of them as well.",)


def test_boxes_menus_and_links_are_not_told() -> None:
    boxes = (
        "<div class='sidebar widget'>There are 14 guests and 2 members reading now.</div>"
        "<nav>All of the pages of the gazette</nav><aside>Nobody reads what stands in here</aside>"
        "<p><a href=/9>Nine geese at the harbour of the islands</a></p>"
    )
    body = f"<div class=story><h1>{TITLE}</h1><div class=t>{BODY}</div></div>{boxes}"
    assert story_of(page(body), context_of(TITLE, ABOUT)).rest == ()


def test_a_page_that_says_nothing_of_itself_is_read_whole() -> None:
    story = story_of(page(TABLES), context_of("Quite another title", "of some other article elsewhere"))
    assert story.article.text == ""
    assert any(PARAGRAPHS[0] in each for each in story.rest)


def test_an_empty_page_is_an_empty_story() -> None:
    story = story_of(page(""))
    assert (story.headline, story.article.text, story.rest) == ("", "", ())
