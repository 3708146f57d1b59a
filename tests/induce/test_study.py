"""Several pages of a new site, looked at together: what they vouch for is told from what one page suggests."""

from __future__ import annotations

import pytest
from lxml import html

from anansi.adapt.failed_page import FailedPage
from anansi.induce.evidence import SURE, ValueEvidence
from anansi.induce.foreign_text import own_text
from anansi.induce.numbered import regions
from anansi.induce.study import Study, studies
from anansi.inspection.story import NOW
from anansi.knowledge.entry import As, Extraction, Kind, Level, Property, Type
from anansi.knowledge.xpath import parse
from anansi.pages.extract import Place
from anansi.text.dates import Reader

OLD = (
    Property("id", parse("@id"), match=r"^post-\d+$"),
    Property("author", parse("b[@class='name']")),
    Property("date", parse("i[@class='date']"), As.DATE),
    Property("text", parse("div[@class='body']"), As.BODY),
)
ACTION = Extraction("post", (parse("div[@class='post']"),), properties=OLD, needs=("id", "author"))
NAMES = ("Ada", "Bo", "Cem", "Dot", "Eve", "Fay")
WORDS = ("amber", "basin", "cedar", "delta", "ember", "fjord")


def post(page: int, number: int, quote: str = "") -> str:
    name = NAMES[(page + 2 * number) % 6]
    said = " ".join(WORDS[(page * 7 + number * 5 + n * n) % 6] for n in range(12 + page))
    return f"""<section class="row" id="post-{page}0{number}"><a class="who" href="/members/{name}">{name}</a>
      <em class="since">joined 2001-02-03</em> <em class="when">2020-03-{page + 1:02d} 1{number}:20</em>
      <p class="said">{quote}Thing {page}.{number}: {said}.</p><span class="rank">Potter, of Clay</span></section>"""


def failed_pages(count: int = 5, quote: str = "") -> list[FailedPage]:
    level = Level("thread", Kind.TERMINAL, extraction=(ACTION,))
    entry = Type("forum/clay", "Clay", levels=(level,))
    made = []
    for page in range(1, count + 1):
        posts = post(page, 1) + post(page, 2, quote)
        source = f"<html><head><title>Kiln {page}</title></head><body><h1>Kiln {page}</h1>{posts}</body></html>"
        url = f"http://clay.example/kilns/{page}"
        tree = html.document_fromstring(source)
        place = Place(
            tree=tree, source=source, exchange=lambda: None, url=url, base=url, whole=url, dates=Reader(NOW)
        )
        made.append(FailedPage(place, entry, level))
    return made


def study(quote: str = "") -> Study:
    return next(studies(failed_pages(quote=quote), ACTION))


def test_objects_are_told_by_their_numbers() -> None:
    found = regions(failed_pages(), ACTION)
    assert [[one.id for one in page] for page in found[:2]] == [["post-101", "post-102"], ["post-201", "post-202"]]
    assert {one.top.tag for page in found for one in page} == {"section"}


@pytest.mark.parametrize(
    ("name", "expression", "read_as", "right"),
    [
        ("author", "a[@class='who']", As.TEXT, True),
        ("author", "span[@class='rank']", As.TEXT, False),  # on every page
        ("author", "em[@class='when']", As.TEXT, False),
        ("date", "em[@class='when']", As.DATE, True),
        ("date", "em[@class='since']", As.DATE, False),  # the same in every post
        ("text", "p[@class='said']", As.BODY, True),
        ("text", "span[@class='rank']", As.BODY, False),
    ],
)
def test_pages_vouch_for_values(name: str, expression: str, read_as: As, *, right: bool) -> None:
    there = study()
    sure = ValueEvidence(there).judge(name, there.values(Property(name, parse(expression), read_as)))
    assert (sure >= SURE[name]) is right


@pytest.mark.parametrize(
    ("quote", "without"),
    [
        ("", []),
        ("<blockquote>Bo said so</blockquote>", ["blockquote"]),
        ("<span class='box'>Bo wrote: <b>clay</b> 10:20</span>", ["span[contains(@class,'box')]"]),
        ("<pre class='x'>Code: <b>1</b></pre>", []),
    ],
)
def test_what_is_not_of_a_text_is_left_out(quote: str, without: list[str]) -> None:
    rule = Property("text", parse("p[@class='said']"), As.BODY)
    found = own_text(study(quote.replace("blockquote", "aside")), rule, frozenset(NAMES))
    assert found is not None
    assert [str(each) for each in found.without] == [each.replace("blockquote", "aside") for each in without]
