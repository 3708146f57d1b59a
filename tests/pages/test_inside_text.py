"""Where a text leads is taken with it; what is of the template is left out."""

from __future__ import annotations

from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT
from tests.pages.test_interpreter import NOW

PAGE = """<html><head><meta name="generator" content="vBulletin 3.8.4"><title>Seeds</title></head><body>
<table id="post1" class="tborder"><tr><td class="thead"><a name="post1"></a> 25-04-2009, 15:32</td></tr>
<tr><td class="alt2"><div id="postmenu_1"><a class="bigusername" href="member.php?u=4">Ada</a></div></td>
<td class="alt1" id="td_post_1"><div id="post_message_1">{body}</div></td></tr></table></body></html>"""
URL = "https://one.example/showthread.php?t=7"


def post(body: str) -> WebObject:
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    document = document_of(PAGE.format(body=body).encode(), "utf-8", URL)
    recognition = interpreter.recognise(document, "one.example")
    return next(
        each for each in interpreter.objects(document, recognition, "one.example", NOW) if each.kind == "post"
    )


def values(each: WebObject, name: str) -> list[str]:
    return [value.text for key, value in each.properties if key == name]


def test_links_images_and_media_of_a_text() -> None:
    found = post(
        'Sown <a href="/a">here</a> and <a href="https://b.example/#x">there</a>, <a href="#post1">above</a>'
        '<img src="i.png"><img src="data:image/gif;base64,AA" data-src="late.png"><img src="dot.gif" width="1">'
        '<iframe src="https://film.example/1"></iframe><a href="mailto:ada@b.example">mail</a>'
    )
    assert values(found, "reference") == ["https://one.example/a", "https://b.example/"]
    assert values(found, "image") == ["https://one.example/i.png", "https://one.example/late.png"]
    assert values(found, "media") == ["https://film.example/1"]


def test_what_is_named_as_furniture_is_not_of_the_text() -> None:
    found = post('Sown on Monday.<div class="ad-slot"><a href="https://ads.example/7">Buy boots</a></div>')
    assert found.get("text") == "Sown on Monday."
    assert values(found, "reference") == []


def test_a_text_that_speaks_of_advertisements_stays() -> None:
    assert post('<span class="headline loaded">Ads are not sown.</span>').get("text") == "Ads are not sown."
