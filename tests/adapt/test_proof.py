"""What stands on a new site: a value that can be nothing but the property, and no other."""

from __future__ import annotations

import pytest
from lxml import html

from anansi.act.dates import Reader
from anansi.act.extract import Place
from anansi.adapt import proof
from anansi.adapt.scene import Scene
from anansi.inspection.story import NOW
from anansi.knowledge.entry import As, Extraction, Kind, Level, Property, Type
from anansi.knowledge.xpath import parse

PAGE = """<html><head><title>Kilns - Clay</title></head><body><h1>Kilns</h1><h2>Other threads</h2>
<div class="row" id="p1"><a class="who" href="/members/1">Ada</a> <i class="when">2020-03-01 10:20</i>
  <p class="said">A text that is quite long and plain, with <b>no</b> quote in it at all, by nobody else.</p>
  <span class="rank">Potter, of <b>Clay</b></span></div>
<div class="row" id="p2"><a class="who" href="/members/2">Bo</a> <i class="when">2020-03-02 11:30</i>
  <p class="said">Another answer, which is quite as long as that one, and as plain as it can be.</p>
  <span class="rank">Potter, of <b>Clay</b></span></div>
</body></html>"""
QUOTED = PAGE.replace("with <b>no</b> quote", '<span class="box">Bo said: clay</span> with a quote')
AGAIN = PAGE.replace('<span class="rank">', '<i class="when">2020-04-01 09:00</i><span class="rank">')

OLD = (
    Property("author", parse("b[@class='name']")),
    Property("date", parse("i[@class='date']"), As.DATE),
    Property("text", parse("div[@class='body']"), As.BODY),
    Property("likes", parse("div[@class='likes']/b")),
)
ACTION = Extraction("post", (parse("div[@class='post']"),), properties=OLD)
ROWS = parse("div[@class='row']")


def scene(page: str) -> Scene:
    tree = html.document_fromstring(page)
    url = "http://clay.example/kilns"
    place = Place(tree=tree, source=page, exchange=lambda: None, url=url, base=url, whole=url, dates=Reader(NOW))
    level = Level("thread", Kind.TERMINAL, extraction=(ACTION,))
    return Scene(place, Type("forum/clay", "Clay", levels=(level,)), level)


@pytest.mark.parametrize(
    ("page", "name", "expression", "read_as", "stands"),
    [
        (PAGE, "author", "a[@class='who']", As.TEXT, True),
        (PAGE, "author", "span[@class='rank']", As.TEXT, False),  # more than a name is written there
        (PAGE, "author", "b", As.TEXT, False),  # nobody's
        (PAGE, "date", "i[@class='when']", As.DATE, True),
        (AGAIN, "date", "i[@class='when']", As.DATE, False),  # which of two?
        (PAGE, "text", "p[@class='said']", As.BODY, True),
        (PAGE, "text", "p", As.BODY, False),  # a paragraph may be one of several elsewhere
        (QUOTED, "text", "p[@class='said']", As.BODY, False),  # somebody else's words in it
        (PAGE, "likes", "span[@class='rank']/b", As.TEXT, False),  # nothing of the old rule is left
    ],
)
def test_what_stands(page: str, name: str, expression: str, read_as: As, *, stands: bool) -> None:
    rule = Property(name, parse(expression), read_as)
    assert proof.stands(scene(page), ACTION, ROWS, (rule,)) is stands


@pytest.mark.parametrize(("expression", "stands"), [("h1", True), ("h2", False)])
def test_a_title_is_what_the_head_says(expression: str, *, stands: bool) -> None:
    thread = Extraction("thread", properties=(Property("title", parse("div[@class='title']")),))
    assert proof.stands(scene(PAGE), thread, None, (Property("title", parse(expression)),)) is stands


def test_containers_have_numbers_of_their_own() -> None:
    there = scene(PAGE)
    assert proof.numbered(there.find(ROWS))
    assert not proof.numbered(there.find(parse("p[@class='said']")))
