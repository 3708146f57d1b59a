"""The object that is taken out of its node."""

from __future__ import annotations

from tests.feeds.pages import BODY, TEXT, extract, modern, page


def test_references_images_and_media_are_those_of_the_article() -> None:
    body = f"""{BODY}<p><a href=/ferry>Ferry</a> <a href=/ferry>again</a> <img src=h.jpg alt="A heron">
    <img src=smile.png alt="😉"></p><iframe src="//films.example/1"></iframe><video src=v.mp4>old browser</video>"""
    found = extract(page(modern(body=body)))
    assert found is not None
    assert found.references == ("/ferry",)
    assert found.images == ("h.jpg", "smile.png")
    assert found.media == ("//films.example/1", "v.mp4")
    assert found.text == f"{TEXT}\nFerry again 😉"


def test_comments_are_apart() -> None:
    found = extract(page(modern()))
    assert found is not None
    assert found.comments == ("Eleven herons at the harbour, I saw eleven herons too!",)
    assert "too!" not in found.text


def test_an_answer_to_a_comment_is_a_comment_of_its_own() -> None:
    nested = """<ol><li id=comment-1><p>First.</p><ol><li id=comment-2><p>Second.</p></li></ol></li></ol>"""
    found = extract(page(f"<div class=text>{BODY}</div><div class=talk>{nested}</div>"))
    assert found is not None
    assert found.comments == ("First.", "Second.")


def test_an_item_can_be_a_comment_itself() -> None:
    found = extract(page(modern()), "By: Ben", "Eleven herons at the harbour, I saw eleven herons too!")
    assert found is not None
    assert found.text == "Eleven herons at the harbour, I saw eleven herons too!"
    assert found.comments == ()


def test_comments_inside_the_node_of_the_article_are_left_out_of_it() -> None:
    talk = "<section id=comments class=comment-list><div id=comment-3>I agree.</div></section>"
    found = extract(page(f"<div class=story>{BODY}{talk}</div>"))
    assert found is not None
    assert (found.text, found.comments) == (TEXT, ("I agree.",))
