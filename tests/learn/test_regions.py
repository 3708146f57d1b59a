"""Regions: objects on pages of software that nobody knows."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from lxml import etree

from anansi.knowledge import notation, shelf, writing
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Type
from anansi.knowledge.xpath import compiled
from anansi.learn.drafts import draft_of
from anansi.learn.kinds import Kind
from anansi.learn.regions import Proposal, SitePage, propose
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.text.dates import Reader
from anansi.url import DEFAULT
from tests.learn.unknown import HOST, Unknown, blog, forum, shop

NOW = 1_700_000_000.0


def read(text: str) -> str:
    return Reader(NOW).read(text)


def proposed(pages: Iterable[SitePage]) -> Proposal:
    return propose(pages, read)


def entry_of(site: Unknown) -> Type:
    """Propose an entry, write it and read it again."""
    made = draft_of(proposed(site.parsed()), HOST)
    return notation.read(writing.write(made), "draft.xml")


def objects(entry: Type, site: Unknown, path: str) -> list[WebObject]:
    root = [each for each in shelf.built_in() if each.id == "learned"]
    aware = Interpreter(Catalogue([*root, entry]), LinkFinder(DEFAULT))
    text = site.pages[path]
    document = Document(etree.HTML(text), text, HOST + path)
    recognition = aware.recognise(document, "unknown.example")
    return aware.objects(document, recognition, "unknown.example", NOW)


def kinds(site: Unknown) -> dict[str, set[Kind]]:
    """Say of each folder of addresses which kinds its templates are of."""
    found: dict[str, set[Kind]] = {}
    for draft in proposed(site.parsed()).drafts:
        for page in draft.template.pages:
            found.setdefault(page.url.removeprefix(HOST).split("/")[1], set()).add(draft.kind)
    return found


# ── what pages are ───────────────────────────────────────────────────────────────────────────────────────────────


def test_threads_are_content_and_boards_are_lists() -> None:
    assert kinds(forum()) == {"talk": {Kind.DETAIL}, "board": {Kind.LIST}}


def test_posts_of_a_blog_are_content_and_teasers_a_view_of_them() -> None:
    assert kinds(blog()) == {"walks": {Kind.DETAIL}, "page": {Kind.VIEW}}


def test_things_of_a_shop_are_content_and_shelves_are_lists() -> None:
    assert kinds(shop()) == {"thing": {Kind.DETAIL}, "shelf": {Kind.LIST}}


def test_what_says_again_what_others_say_is_a_view() -> None:
    site = forum()
    for path, posts in site.said.items():
        text = "".join(f"<p>{each.author} {each.date}<br>{each.text}</p>" for each in posts)
        site.pages[path.replace("talk", "print")] = f"<html><body><main>{text}</main></body></html>"
    assert kinds(site)["print"] == {Kind.VIEW}
    assert kinds(site)["talk"] == {Kind.DETAIL}


# ── what stands on them ──────────────────────────────────────────────────────────────────────────────────────────


def test_every_post_of_a_forum_is_found_with_author_date_and_text() -> None:
    site = forum()
    entry = entry_of(site)
    for path, said in site.said.items():
        thread, *posts = objects(entry, site, path)
        assert (thread.kind, thread.get("title")) == ("thread", site.titles[path])
        assert [(each.kind, each.get("text"), each.get("author")) for each in posts] == [
            ("post", each.text, each.author) for each in said
        ]
        assert [each.get("date") for each in posts] == [read(each.date) for each in said]
        assert {each.part_of for each in posts} == {thread.uri}


def test_every_post_of_a_blog_is_found_with_its_comments() -> None:
    site = blog()
    entry = entry_of(site)
    for path, (story, *comments) in site.said.items():
        article, *notes = objects(entry, site, path)
        assert article.kind == "article"
        assert article.get("title") == site.titles[path]
        assert article.get("author") == "Wanda"
        assert article.get("text").replace("\n", " ") == story.text
        assert article.get("date").startswith("20")
        assert [(each.kind, each.get("author"), each.get("text")) for each in notes] == [
            ("comment", each.author, each.text) for each in comments
        ]


def test_things_of_a_shop_are_documents_without_author_or_date() -> None:
    site = shop()
    entry = entry_of(site)
    for path, (thing,) in site.said.items():
        (found,) = objects(entry, site, path)
        assert found.kind == "document"
        assert (found.get("title"), found.get("text")) == (site.titles[path], thing.text)
        assert not found.get("author")


def test_lists_yield_nothing_and_lead_to_content() -> None:
    site = forum()
    entry = entry_of(site)
    assert objects(entry, site, "/board/0") == []
    (listing,) = [level for level in entry.levels if level.name == "list"]
    (action,) = listing.navigation
    assert action.to == "thread"
    tree = etree.HTML(site.pages["/board/0"])
    assert {each.get("href") for each in compiled(action.expression)(tree)} == {f"/talk/{n}" for n in range(0, 30, 3)}


def test_confidence_grows_with_pages_and_is_a_share() -> None:
    few, many = (entry_of(forum(threads)) for threads in (6, 30))
    sure = [
        {each.object: each.confidence for level in entry.levels for each in level.extraction} for entry in (few, many)
    ]
    assert 0.4 <= sure[0]["post"] < sure[1]["post"] <= 1.0


def test_the_order_of_pages_changes_nothing_that_is_found() -> None:
    site = forum()
    pages = site.parsed()
    there, back = (
        {level.name: {each.object for each in level.extraction} for level in draft_of(proposed(each), HOST).levels}
        for each in (pages, pages[::-1])
    )
    assert there == back


# ── what teaches nothing ─────────────────────────────────────────────────────────────────────────────────────────


def page(path: str, body: str) -> SitePage:
    return SitePage(HOST + path, etree.HTML(f"<html><body>{body}</body></html>"))


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [page("/", "<p>one page alone says little")],
        [
            page(f"/{number}", "<div class='post'><p>the same on every page, always the same</p></div>")
            for number in range(30)
        ],
        [SitePage(f"{HOST}/{number}", None) for number in range(5)],
        [SitePage(f"{HOST}/{number}", {"not": "a tree"}) for number in range(5)],
        [
            page(f"/{'abcdefghij'[number]}", f"<{tag}>{tag * 9}</{tag}>")
            for number, tag in enumerate(("p", "h1", "i", "ul"))
        ],
    ],
    ids=["nothing", "one page", "all the same", "no trees", "no HTML", "no repetition"],
)
def test_pages_that_teach_nothing_propose_nothing(pages: list[SitePage]) -> None:
    proposal = proposed(pages)
    assert proposal.details == ()
    entry = draft_of(proposal, HOST)
    assert not any(level.extraction for level in entry.levels)
    assert notation.read(writing.write(entry), "draft.xml").id == "learned/unknown.example"


def test_a_page_of_ten_megabytes_costs_little() -> None:
    row = "<tr><td>" + "</td><td>".join(f"cell {number}" for number in range(20)) + "</td></tr>"
    huge = etree.HTML("<html><body><table>" + row * 40_000 + "</table></body></html>")
    began = time.process_time()
    proposal = proposed(SitePage(f"{HOST}/huge/{number}", huge) for number in range(3))
    assert time.process_time() - began < 20
    assert sum(len(each.elements) for draft in proposal.drafts for each in draft.template.pages) <= 60_000


def test_nesting_without_end_costs_little() -> None:
    deep = "<div class='deep'><a href='/x'>x</a>" * 1500
    parser = etree.HTMLParser(huge_tree=True)
    trees = [etree.fromstring(f"<html><body>{deep}{number}</body></html>", parser) for number in range(4)]
    began = time.process_time()
    proposed(SitePage(f"{HOST}/deep/{number}", tree) for number, tree in enumerate(trees))
    assert time.process_time() - began < 10


def test_names_and_titles_of_any_length_and_kind_make_an_entry_that_can_be_read() -> None:
    site = forum(12, prefix="long-" * 90)
    site.pages = {
        path: text.replace("The Quiet Board", "Board ✓ 'and' \x7f" + "x" * 400) for path, text in site.pages.items()
    }
    entry = entry_of(site)
    assert {"thread", "post"} <= {each.object for level in entry.levels for each in level.extraction}
    odd = [page(f"/odd/{n}", f"<müll class='ü'>{'wort ' * n}</müll><x-y id=\"a'b\">{n}</x-y>" * 9) for n in range(8)]
    assert notation.read(writing.write(draft_of(proposed(odd), HOST)), "draft.xml")
