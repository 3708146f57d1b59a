"""What several items teach about their site."""

from __future__ import annotations

from lxml import etree

from anansi.feeds.context import context_of
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import find
from anansi.feeds.wrapper import Sample, action, learn, objects, refined
from anansi.knowledge.entry import Extraction, Kind, Level, Pattern, Type
from anansi.knowledge.notation import read
from anansi.knowledge.writing import write
from anansi.knowledge.xpath import parse
from anansi.pages.document import Document
from anansi.pages.extract import Extractor, Place
from anansi.text.dates import Reader
from tests.feeds.pages import modern, page

URL = "https://gazette.example/"
SPELLED = (
    "amber birch cedar delta ember frost grove haven inlet jetty knoll ledge marsh north ocean petal quill ridge"
)
WORDS = list(SPELLED.split())


def text(number: int, size: int = 40) -> str:
    return " ".join(f"{WORDS[(number * 7 + at * at) % 18]}{WORDS[(number + at) % 18]}" for at in range(size)) + "."


def sample(lines: Lines, about: str) -> Sample:
    match = find(lines, context_of("A story", about))
    assert match is not None
    return Sample(lines, match)


def blog(number: int) -> Lines:
    return page(modern(number, body=f"<p>{text(number)}</p><p>{text(number + 50)}</p>", title=f"Story {number}"))


def test_items_teach_where_articles_stand_and_old_pages_are_read_by_it() -> None:
    wrappers = learn([sample(blog(number), text(number)) for number in range(5)])
    assert [str(each.expression) for each in wrappers] == ["div[@class='entry-content']"]
    assert [each.text for each in objects(blog(99), wrappers)] == [f"{text(99)}\n{text(149)}"]


def test_too_few_items_teach_nothing() -> None:
    assert learn([sample(blog(number), text(number)) for number in range(2)]) == ()
    assert learn([]) == ()


def thread(number: int) -> Lines:
    posts = "".join(
        f'<div class="post"><div class="by">Ben {each}</div><div class="body">{text(number * 10 + each)}</div></div>'
        for each in range(3)
    )
    return page(f"<div class=menu>Home Forum</div>{posts}<div class=foot>Imprint</div>")


def test_a_page_of_several_objects_is_read_into_several() -> None:
    wrappers = learn([sample(thread(number), text(number * 10 + 1)) for number in range(4)])
    (wrapper,) = wrappers
    assert (str(wrapper.expression), str(wrapper.around)) == ("div[@class='body']", "div[@class='post']")
    assert [each.text for each in objects(thread(9), wrappers)] == [text(90), text(91), text(92)]


def test_a_match_that_is_too_small_is_put_right() -> None:
    wrappers = learn([sample(blog(number), text(number)) for number in range(5)])
    body = f'<div class="wp-caption"><p>{text(70)}</p></div><p>{text(71)}</p>'
    lines, context = page(modern(70, body=body)), context_of("Story 70", text(70))
    match = find(lines, context)
    assert match is not None
    assert match.node.get("class") == "wp-caption"
    better, _ = refined(lines, match, context, wrappers)
    assert better.node.get("class") == "entry-content"


def test_what_stands_before_every_text_and_after_it_is_learned() -> None:
    def flat(number: int) -> Lines:
        return page(
            f'<div class="c"><h4 class="fn">Ben {number}</h4><p>{text(number)}</p>'
            '<p class="join">Join our list today</p></div>'
        )

    wrappers = learn([sample(flat(number), text(number)) for number in range(5)])
    assert [str(each) for each in wrappers[0].without] == ["h4[@class='fn']", "p[@class='join']"]
    assert [each.text for each in objects(flat(40), wrappers)] == [text(40)]


def taken(lines: Lines, extraction: Extraction) -> list[str]:
    """Act on a page as a crawl does with what it knows."""
    document = Document(lines.root, etree.tostring(lines.root, encoding="unicode"), URL)
    place = Place(document.tree, document.source, lambda: document.exchange, URL, URL, URL, Reader(0.0))
    return [each.get("text") for each in Extractor().objects(place, (extraction,))]


def test_a_wrapper_is_an_action_of_the_knowledge_base() -> None:
    (one,) = learn([sample(blog(number), text(number)) for number in range(5)])
    (several,) = learn([sample(thread(number), text(number * 10 + 1)) for number in range(4)])
    assert (action(one).object, action(several).object) == ("article", "post")
    assert taken(thread(9), action(several)) == [text(90), text(91), text(92)]
    (article,) = taken(blog(99), action(one))
    assert article.startswith(f"{text(99)}\n{text(149)}")


def test_a_wrapper_can_be_written_into_an_entry_and_read_again() -> None:
    (several,) = learn([sample(thread(number), text(number * 10 + 1)) for number in range(4)])
    level = Level("thread", Kind.TERMINAL, (Pattern((parse("div[@class='body']"),)),), (), (action(several),))
    entry = read(write(Type("forum/learned", "Learned", levels=(level,))), "learned.xml")
    assert entry.levels[0].extraction == (action(several),)
