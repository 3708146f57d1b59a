"""Verdicts on links hold for all that differ from them in numbers alone, or are found out for each."""

from __future__ import annotations

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from anansi.knowledge import shelf
from anansi.knowledge.addresses import Address, Place, Tables
from anansi.knowledge.catalogue import GENERIC
from anansi.knowledge.entry import Kind, Level, Type
from anansi.pages.links import LinkFinder
from anansi.pages.navigate import Directions, Navigator, Tools
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import DEFAULT, Rules

CATALOGUE = shelf.catalogue()
TYPES = tuple(
    CATALOGUE[name] for name in ("forum/smf", "forum/xenforo", "forum/phpbb", "forum/vbulletin", "blog/wordpress")
)
HERE = "https://a.org/forum/index.php"
RAWS = st.from_regex(
    r"(/|/forum/|https://(www\.)?a\.org/|http://b\.org/|\./|)"
    r"(index\.php\?(action=(profile|reporttm|post2?);)?(topic=[0-9]{1,3}\.(msg)?[0-9]{1,3}(;msg=[0-9]{2})?|board=[0-9]\.0|u=[0-9]{2})"
    r"|threads/(a-b\.)?[0-9]{1,3}/(post-[0-9]{2}|page-[0-9]|latest)?|members/x\.[0-9]{1,2}/"
    r"|viewtopic\.php\?(f=[0-9]{1,2}&)?(t|p)=[0-9]{1,3}(&start=[0-9]{1,2})?"
    r"|showthread\.php\?t=[0-9]{1,2}(&page=[0-9]{1,2})?|(19|20)[0-9]{2}/[0-9]{2}/a[0-9]/(feed/)?|\?p=[0-9]{1,2}"
    r"|x[0-9]?\.(mp[0-9]|jpg|html?)|calendar/[0-9]{4}/[0-9]{2}|login[0-9]?)(#p[0-9])?",
    fullmatch=True,
)


def renumbered(raw: str, seed: int) -> str:
    rng = random.Random(seed)
    return re.sub("[0-9]", lambda _: rng.choice("0123456789"), raw)


def way(navigator: Navigator, raws: list[str], entries: list[Type]) -> Directions:
    body = "".join('<a href="{}">x</a>'.format(raw.replace("&", "&amp;")) for raw in raws)
    page = PageModel(html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8"))
    return navigator.way(page, HERE, entries, None)


@given(st.lists(RAWS, max_size=6), st.integers(0, 999), st.permutations(TYPES).map(lambda types: types[:2]))
def test_a_navigator_that_has_seen_much_says_what_a_new_one_says(
    raws: list[str], seed: int, entries: list[Type]
) -> None:
    noise = CATALOGUE[GENERIC].addresses
    old = Navigator(LinkFinder(DEFAULT), noise)
    for number in range(5):
        page = [renumbered(raw, seed + number) for raw in raws]
        assert way(old, page, entries) == way(Navigator(LinkFinder(DEFAULT), noise), page, entries), page


def test_links_to_the_posts_of_a_thread_are_to_the_thread_whatever_their_numbers() -> None:
    navigator = Navigator(LinkFinder(DEFAULT))
    for thread in range(100, 104):
        found = way(
            navigator, [f"/threads/slow-glaze.{thread}/post-{post}" for post in range(2000, 2005)], [TYPES[1]]
        )
        assert [(link.url, link.key) for link in found.links] == [
            (f"https://a.org/threads/slow-glaze.{thread}/", f"https://a.org/threads/{thread}/")
        ]


class Counted(Tables):
    """Tables that count how often they are asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def place(self, rows: tuple[Address, ...], url: str) -> Place | None:
        self.asked += 1
        return super().place(rows, url)


def test_of_links_of_one_shape_few_are_looked_up() -> None:
    rows = (Address(leads="thread", match=re.compile(r"^(.*/)t(\d+)/p\d+$"), write=r"\1t\2"),)
    agora = Type("forum/agora", "Agora", addresses=rows, levels=(Level("thread", Kind.TERMINAL),))
    tables = Counted()
    navigator = Navigator(LinkFinder(DEFAULT), tools=Tools(tables=tables))
    found = way(navigator, [f"/t{100 + number}/p{number + 200}" for number in range(50)], [agora])
    assert [link.key for link in found.links] == [f"https://a.org/t{100 + number}" for number in range(50)]
    assert tables.asked < 10


def test_rules_that_rewrite_may_tell_digits_apart() -> None:
    navigator = Navigator(
        LinkFinder(Rules(rewrites=((r"/p22$", "/two"),))), rules=Rules(rewrites=((r"/p22$", "/two"),))
    )
    found = way(navigator, [f"/p{number}" for number in range(20, 24)], [TYPES[0]])
    assert [link.key.rpartition("/")[2] for link in found.links] == ["p20", "p21", "two", "p23"]
