"""Rules that a template's change broke: marked, mended, proved on further pages, added."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from anansi.adapt import recrawl
from anansi.adapt.adapter import Adapter
from anansi.adapt.failed_page import FailedPage
from anansi.adapt.rule import Rule, entry_of
from anansi.inspection.look import document_of
from anansi.knowledge import notation, shelf, writing
from anansi.knowledge.catalogue import Catalogue, inherited, slug
from anansi.knowledge.entry import Type
from anansi.model import WebObject
from anansi.pages import missing
from anansi.pages.document import Document
from anansi.pages.extract import Extractor
from tests.adapt.repairs import where

SITE = "boats.example"
TYPE = "forum/phpbb"
POST = (
    '<div id="p{n}" class="post bg1"><div class="inner"><div class="postbody">'
    '<p class="author">by <strong>'
    '<a class="username" href="/memberlist.php?mode=viewprofile&u={u}">{who}</a></strong>'
    ' » <time datetime="2020-0{m}-0{d}T10:1{d}:00+00:00">then</time></p>'
    '<div class="content">{text}</div></div></div></div>'
)
PEOPLE = ("heron", "otter", "pike", "vole")


def thread(number: int, *, posts: int = 4) -> Document:
    """Make a page of a thread in phpBB's own style."""
    said = [
        POST.format(
            n=number * 100 + each,
            u=each % 4,
            who=PEOPLE[(number + each) % 4],
            m=1 + number % 8,
            d=1 + each,
            text=f"Message {each} of thread {number}: the lock at mile {number + each} is shut until further notice.",
        )
        for each in range(posts)
    ]
    head = f"<title>Lock {number} is shut - Boats</title>"
    title = f'<h2 class="topic-title"><a href="?t={number}">Lock {number} is shut</a></h2>'
    page = f'<html><head>{head}</head><body id="phpbb">{title}{"".join(said)}</body></html>'
    url = f"https://{SITE}/viewtopic.php?f=1&t={number}"
    return document_of(page.encode(), "utf-8", url)


def dressed(document: Document, *renames: tuple[str, str]) -> Document:
    """Return the page in another dress."""
    source = document.source
    for old, new in renames:
        assert old in source
        source = source.replace(old, new)
    return document_of(source.encode(), "utf-8", document.url)


NEW_NAMES = (
    ('class="post bg1"', 'class="zz1"'),
    ('class="author"', 'class="zz2"'),
    ('class="username"', 'class="zz3"'),
    ('class="content"', 'class="zz4"'),
    ('class="postbody"', 'class="zz5"'),
    ("<time ", '<span class="zz6"><time '),
    ("</time>", "</time></span>"),
)


def objects_of(entry: Type, page: Document) -> list[WebObject]:
    level = entry.level("thread")
    assert level is not None
    return Extractor().objects(where(page, entry), level.extraction)


def scene_of(entry: Type, page: Document, known: list[WebObject] | tuple[()] = ()) -> FailedPage:
    level = entry.level("thread")
    assert level is not None
    return FailedPage(where(page, entry), entry, level, objects_of(entry, page), known)


@pytest.fixture
def phpbb() -> Type:
    return shelf.catalogue()[TYPE]


def said(objects: list[WebObject]) -> list[tuple[str, str, str, str]]:
    return [(each.kind, each.get("author"), each.get("date"), each.get("text")) for each in objects]


# ── recrawl ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_as_it_was_has_nothing_failed(phpbb: Type) -> None:
    page = thread(3)
    assert recrawl.changes(scene_of(phpbb, page, objects_of(phpbb, page))) == {}


def test_a_vanished_object_is_no_change_of_structure(phpbb: Type) -> None:
    known = objects_of(phpbb, thread(3, posts=4))
    assert recrawl.changes(scene_of(phpbb, thread(3, posts=2), known)) == {}


def test_a_text_that_was_edited_is_no_change_of_structure(phpbb: Type) -> None:
    known = objects_of(phpbb, thread(3))
    edited = dressed(thread(3), ("is shut until further notice", "was opened on Tuesday, all may pass"))
    assert "text" not in recrawl.changes(scene_of(phpbb, edited, known)).get("post", set())


def test_what_stands_there_and_is_not_found_has_failed(phpbb: Type) -> None:
    known = objects_of(phpbb, thread(3))
    failed = recrawl.changes(scene_of(phpbb, dressed(thread(3), *NEW_NAMES), known))
    assert {"author", "text"} <= failed["post"]


def test_a_new_template_is_learned_from_what_was_known(phpbb: Type) -> None:
    entry, rules = learned(phpbb, [1, 2, 3, 4], known=True)
    assert rules and all(each.evidence.how == "recrawl" for each in rules)
    held_out = thread(9)
    assert said(objects_of(entry, dressed(held_out, *NEW_NAMES))) == said(objects_of(phpbb, held_out))


def test_rules_are_added_and_none_is_replaced(phpbb: Type) -> None:
    entry, _ = learned(phpbb, [1, 2, 3, 4], known=True)
    held_out = thread(9)
    assert said(objects_of(entry, held_out)) == said(objects_of(phpbb, held_out))


def test_one_page_proves_nothing(phpbb: Type) -> None:
    _, rules = learned(phpbb, [1], known=True)
    assert rules == []


def test_a_page_that_is_seen_twice_counts_once(phpbb: Type) -> None:
    adapter = Adapter()
    page = dressed(thread(1), *NEW_NAMES)
    known = objects_of(phpbb, thread(1))
    assert [adapter.mend(scene_of(phpbb, page, known), SITE) for _ in range(5)] == [[]] * 5


def learned(phpbb: Type, numbers: list[int], *, known: bool) -> tuple[Type, list[Rule]]:
    """Crawl threads in their new dress."""
    adapter = Adapter()
    entry, own, rules = phpbb, None, []
    for number in numbers:
        page = dressed(thread(number), *NEW_NAMES)
        proved = adapter.mend(scene_of(entry, page, objects_of(phpbb, thread(number)) if known else ()), SITE)
        if proved:
            rules += proved
            own = entry_of(phpbb, SITE, proved, own)
            entry = inherited(own, phpbb)
    return entry, rules


# ── new site ─────────────────────────────────────────────────────────────────────────────────────────────────────

SWAPPED = (
    ('<div class="content">', '<section class="content">'),
    ("</div></div></div></div>", "</section></div></div></div>"),
    ('<p class="author">', '<div class="author">'),
    ("</time></p>", "</time></div>"),
)


def test_a_healthy_page_has_no_failures(phpbb: Type) -> None:
    page = thread(3)
    level = phpbb.level("thread")
    assert level is not None
    objects = objects_of(phpbb, page)
    assert missing.failures(level.extraction, objects) == {}
    assert not missing.wanting(level.extraction, objects)


def test_missing_texts_are_a_failure(phpbb: Type) -> None:
    level = phpbb.level("thread")
    assert level is not None
    objects = [
        replace(each, properties=tuple(pair for pair in each.properties if pair[0] != "text"))
        for each in objects_of(phpbb, thread(3))
    ]
    assert missing.failures(level.extraction, objects) == {"post": {"text"}}
    assert missing.wanting(level.extraction, objects)


def test_a_new_site_with_other_tags_is_learned(phpbb: Type) -> None:
    adapter = Adapter()
    slim = without_fallbacks(phpbb)
    entry, own = slim, None
    for number in range(1, 8):
        proved = adapter.mend(scene_of(entry, dressed(thread(number), *SWAPPED)), SITE)
        if proved:
            own = entry_of(slim, SITE, proved, own)
            entry = inherited(own, slim)
    assert own is not None
    held_out = thread(9)
    found = objects_of(entry, dressed(held_out, *SWAPPED))
    assert [each.get("text") for each in found] == [each.get("text") for each in objects_of(phpbb, held_out)]


def without_fallbacks(entry: Type) -> Type:
    """Leave the rules for texts out that would find them under any tag."""
    level = entry.level("thread")
    assert level is not None
    actions = tuple(
        replace(
            action,
            properties=tuple(
                prop
                for prop in action.properties
                if prop.name != "text" or str(prop.expression).startswith("div[@class='content']")
            ),
        )
        for action in level.extraction
    )
    levels = tuple(replace(each, extraction=actions) if each is level else each for each in entry.levels)
    return replace(entry, levels=levels)


# ── what is written ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_learned_is_an_entry_that_can_be_read_again(phpbb: Type) -> None:
    _, rules = learned(phpbb, [1, 2, 3, 4], known=True)
    entry = entry_of(phpbb, SITE, rules)
    again = notation.read(writing.write(entry), "learned.xml")
    assert again == entry
    assert again.id == f"{TYPE}/{slug(SITE)}"
    assert all(each.pages and each.rule and each.action for each in again.evidence)
    known = shelf.catalogue().with_entry(again)
    assert isinstance(known, Catalogue)
    assert known[again.id].level("thread") is not None


def test_a_rule_is_learned_once(phpbb: Type) -> None:
    _, rules = learned(phpbb, [1, 2, 3, 4], known=True)
    entry = entry_of(phpbb, SITE, rules)
    assert entry_of(phpbb, SITE, rules, entry) == entry


@pytest.mark.parametrize("site", ["example.org", "127.0.0.1", "[::1]", "Straße.example", "a'b"])
def test_every_site_makes_an_id(phpbb: Type, site: str) -> None:
    _, rules = learned(phpbb, [1, 2, 3, 4], known=True)
    entry = entry_of(phpbb, site, rules)
    assert notation.read(writing.write(entry), "x").id == entry.id


# ── hostile pages ────────────────────────────────────────────────────────────────────────────────────────────────


def hostile(kind: str) -> str:
    many = {
        "classes": "".join(f'<div id="p{n}" class="a{n} b{n} c{n}"><p>text {n}</p></div>' for n in range(8000)),
        "deep": "<div class='post'>" * 1500 + "text" + "</div>" * 1500,
        "huge": "<p>" + "word " * 400_000 + "</p>",
        "one name": '<div class="post">x</div>' * 20_000,
    }
    return f"<html><head><title>t</title></head><body>{many[kind]}</body></html>"


@pytest.mark.parametrize("kind", ["classes", "deep", "huge", "one name"])
def test_a_hostile_page_takes_a_bounded_time_and_teaches_nothing(phpbb: Type, kind: str) -> None:
    page = document_of(hostile(kind).encode(), "utf-8", f"https://{SITE}/viewtopic.php?t=1")
    adapter = Adapter()
    begun = time.process_time()
    assert adapter.mend(scene_of(phpbb, page), SITE) == []
    assert adapter.mend(scene_of(phpbb, page, objects_of(phpbb, thread(1))), SITE) == []
    assert time.process_time() - begun < 20


def test_pages_without_end_are_not_looked_at_without_end(phpbb: Type) -> None:
    adapter = Adapter()
    for number in range(60):
        page = document_of(b"<html><body>nothing</body></html>", "utf-8", f"https://{SITE}/viewtopic.php?t={number}")
        assert adapter.mend(scene_of(phpbb, page), SITE) == []
    assert adapter.hopeless(SITE, TYPE, "thread", {"post", "thread"})
