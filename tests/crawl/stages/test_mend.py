"""Adaptation in a crawl: what the pages of a site teach is written down, applied at once, and told to others."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive import learned
from anansi.archive.known import KnownObjects
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.crawl.findings import Captured, Findings
from anansi.crawl.stages.mend import Mender
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.model import Page, Recognition, Visit
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT
from tests.adapt.test_adapter import NEW_NAMES, SITE, dressed, said, thread


class Crawl:
    """A worker's stages, without its network."""

    def __init__(self, collection: Collection, catalogue: Catalogue | None = None):
        self.collection = collection
        self.log = ObjectLog(collection, 0)
        self.interpreter = Interpreter(catalogue or shelf.catalogue(), LinkFinder(DEFAULT))
        self.mender = Mender(self.interpreter, collection, self.log)
        self.count = 0

    def page(self, document: Document) -> Recognition | None:
        self.count += 1
        identity = f"urn:uuid:{id(self)}-{self.count}"
        found = self.interpreter.recognise(document, SITE)
        done = self.interpreter.act(document, found, SITE, 0.0)
        self.log.write(document.url, 0.0, identity, found, done.objects)
        page = Page(Visit(document.url, document.url), 0.0, 0.0)
        self.mender.look(page, Findings(document=document, done=done, captured=Captured(identity)))
        return found

    def objects(self, document: Document) -> list[tuple[str, str, str, str]]:
        found = self.interpreter.recognise(document, SITE)
        return said(self.interpreter.act(document, found, SITE, 0.0).objects)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    made = Collection(tmp_path / "c")
    made.create()
    return made


@pytest.fixture
def recrawled(collection: Collection) -> Crawl:
    """Crawl threads, then again in their new dress."""
    first = Crawl(collection)
    for number in range(1, 7):
        first.page(thread(number))
    first.log.close()
    again = Crawl(collection)
    for number in range(1, 7):
        again.page(dressed(thread(number), *NEW_NAMES))
    again.log.close()
    return again


def test_a_changed_template_is_learned_and_held_against_new_pages(recrawled: Crawl) -> None:
    new = thread(20)
    assert recrawled.objects(dressed(new, *NEW_NAMES)) == Crawl(recrawled.collection).objects(new)
    found = recrawled.interpreter.recognise(dressed(new, *NEW_NAMES), SITE)
    assert found is not None
    assert found.adapted
    assert found.type == f"forum/phpbb/{SITE}"


def test_pages_that_came_before_the_proof_are_described_after_it(recrawled: Crawl) -> None:
    known = KnownObjects(recrawled.collection)
    for number in range(1, 7):
        texts = [each.get("text") for each in known(thread(number).url) if each.kind == "post"]
        assert len(texts) == 4
        assert all(texts)


def test_what_was_learned_is_in_the_collection_with_its_evidence(recrawled: Crawl) -> None:
    found = learned.rules(recrawled.collection)
    assert found
    assert all(len(each.evidence.pages) >= 2 and each.evidence.mends for each in found)


def test_what_was_learned_holds_after_a_restart(recrawled: Crawl) -> None:
    catalogue = Catalogue([*shelf.built_in(), *shelf.in_folder(recrawled.collection.knowledge)])
    later = Crawl(recrawled.collection, catalogue)
    new = thread(21)
    assert later.objects(dressed(new, *NEW_NAMES)) == recrawled.objects(new)


def test_other_workers_are_told(recrawled: Crawl, tmp_path: Path) -> None:
    lessons = recrawled.mender.lessons.take(SITE)
    assert lessons
    assert recrawled.mender.lessons.take(SITE) == []
    elsewhere = Collection(tmp_path / "other")
    elsewhere.create()
    other = Crawl(elsewhere)
    for _, lesson in lessons:
        other.mender.study(lesson)
    new = thread(22)
    assert other.objects(dressed(new, *NEW_NAMES)) == recrawled.objects(new)


def test_a_lesson_that_cannot_be_read_changes_nothing(collection: Collection) -> None:
    crawl = Crawl(collection)
    before = crawl.objects(thread(3))
    for lesson in (b"", b"<type/>", b"<type id='no/parent/here' title='x'><about>x</about></type>", b"\xff" * 50):
        crawl.mender.study(lesson)
    assert crawl.objects(thread(3)) == before


def test_a_healthy_crawl_learns_nothing(collection: Collection) -> None:
    crawl = Crawl(collection)
    for number in range(1, 9):
        crawl.page(thread(number))
    assert learned.rules(collection) == []
    assert not crawl.mender.lessons


def test_a_rule_that_is_forgotten_is_not_gone_by(recrawled: Crawl) -> None:
    for each in learned.rules(recrawled.collection):
        learned.forget(recrawled.collection, learned.find(recrawled.collection, each.evidence.rule))
    assert learned.rules(recrawled.collection) == []
    later = Crawl(
        recrawled.collection, Catalogue([*shelf.built_in(), *shelf.in_folder(recrawled.collection.knowledge)])
    )
    found = later.interpreter.recognise(dressed(thread(23), *NEW_NAMES), SITE)
    assert found is not None
    assert not found.adapted


def test_a_page_that_claims_to_be_another_type_teaches_nothing(collection: Collection) -> None:
    crawl = Crawl(collection)
    for number in range(8):
        text = (
            f'<html><head><title>Shop {number}</title></head><body id="phpbb"><h1>Tea {number}</h1>'
            '<ul><li><a href="/buy">Buy</a></li><li><a href="/cart">Cart</a></li></ul></body></html>'
        )
        crawl.page(document_of(text.encode(), "utf-8", f"https://{SITE}/viewtopic.php?f=1&t={number}"))
    assert learned.rules(collection) == []


# ── levels and navigation ────────────────────────────────────────────────────────────────────────────────────────


def unnamed(number: int) -> Document:
    """Make a thread whose address and body do not tell that it is one."""
    text = thread(number).source.replace('class="postbody"', 'class="wordy"')
    return document_of(text.encode(), "utf-8", f"https://{SITE}/some/talk/{number}/")


def test_a_level_that_no_pattern_fires_for_is_told_by_its_objects(collection: Collection) -> None:
    crawl = Crawl(collection)
    first = crawl.page(unnamed(1))
    assert first is not None
    assert not first.level
    for number in range(2, 9):
        crawl.page(unnamed(number))
    found = crawl.page(unnamed(30))
    assert found is not None
    assert found.level == "thread"
    assert any(" detect: " in f" {each.evidence.action}" for each in learned.rules(collection))


def board(number: int, links: range) -> Document:
    """Make a list of threads at addresses of its own, with classes that no rule knows."""
    rows = "".join(
        f'<li class="row"><a class="talk-link" href="/some/talk/{each}/">Talk {each}</a></li>' for each in links
    )
    text = f'<html><head><title>Board</title></head><body id="phpbb"><ul class="rows">{rows}</ul></body></html>'
    return document_of(text.encode(), "utf-8", f"https://{SITE}/viewforum.php?f={number}")


def test_links_that_no_rule_knows_are_followed_once_some_led_to_content(collection: Collection) -> None:
    crawl = Crawl(collection)
    crawl.page(board(1, range(1, 9)))
    for number in range(1, 9):
        page = thread(number)
        crawl.page(document_of(page.source.encode(), "utf-8", f"https://{SITE}/some/talk/{number}/"))
    document = board(2, range(50, 56))
    found = crawl.interpreter.recognise(document, SITE)
    way = crawl.interpreter.act(document, found, SITE, 0.0).way
    assert way is not None
    assert [link.action.rpartition(":")[2] for link in way.links if "/some/talk/" in link.url] == ["thread"] * 6
