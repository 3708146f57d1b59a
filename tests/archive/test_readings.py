"""A capture that was read again: the latest reading counts, wherever objects are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from anansi.archive import triplestore
from anansi.archive.endpoint import send
from anansi.archive.export import objects
from anansi.archive.history import history
from anansi.archive.known import KnownObjects
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog, segments
from anansi.archive.readings import Former, latest_in, replaced
from anansi.knowledge.vocabulary import term
from anansi.model import WebObject
from tests.archive.boards import NOON, PHPBB, collection_in, page, post, thread, thread_at
from tests.archive.sparql_server import Endpoint, serving

CAPTURE = "urn:uuid:00000000-0000-4000-8000-000000000001"
OTHER = "urn:uuid:00000000-0000-4000-8000-000000000002"


def write(
    collection: Collection, capture: str, found: list[WebObject], *, topic: int = 1, again: bool = False
) -> None:
    log = ObjectLog(collection, 0)
    log.write(thread_at(topic), NOON, capture, PHPBB, found, again=again)
    log.close()


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    """A page that was read wrongly at first, beside another."""
    collection = collection_in(tmp_path / "c")
    wrong = WebObject("post", f"{thread_at(1)}#post-1", post(1, 1, "The template's words").properties, thread_at(1))
    write(collection, CAPTURE, [thread(1), wrong])
    write(collection, OTHER, page(2), topic=2)
    write(collection, CAPTURE, page(1), again=True)
    return collection


def texts(collection: Collection) -> list[str]:
    return [str(each.row()["text"]) for each in objects(collection, ["post"])]


RIGHT = [f"words {topic}.{place}" for topic in (1, 2) for place in (1, 2, 3)]


def test_exports_have_the_latest_reading_alone(collection: Collection) -> None:
    assert texts(collection) == RIGHT
    rows = [each.row() for each in objects(collection, ["post"])]
    assert {row["capture"] for row in rows} == {CAPTURE, OTHER}


def test_a_third_reading_replaces_the_second(collection: Collection) -> None:
    write(collection, CAPTURE, [thread(1), post(1, 9, "third")], again=True)
    assert sorted(texts(collection)) == ["third", *RIGHT[3:]]
    assert sum(map(len, replaced(collection).values())) == 2


def test_nothing_is_replaced_where_nothing_was_read_twice(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    write(collection, CAPTURE, page(1))
    assert replaced(collection) == {}


def test_what_is_known_of_a_page_is_its_latest_reading(collection: Collection) -> None:
    found = [each.get("text") for each in KnownObjects(collection)(thread_at(1)) if each.kind == "post"]
    assert found == RIGHT[:3]


def test_a_reading_is_no_version_of_its_own(collection: Collection) -> None:
    found = history(collection, f"{thread_at(1)}#p1")
    assert len(found.versions) == 1


@pytest.mark.parametrize("early", [True, False])
def test_the_store_forgets_what_was_read_before(tmp_path: Path, *, early: bool) -> None:
    collection = collection_in(tmp_path / "c")
    write(collection, CAPTURE, [thread(1), post(1, 7, "The template's words")])
    write(collection, OTHER, page(2), topic=2)
    if early:
        triplestore.load(collection)
    write(collection, CAPTURE, page(1), again=True)
    query = "SELECT ?words { ?post a sioc:Post ; sioc:content ?words } ORDER BY ?words"
    with triplestore.opened(collection) as found:
        rows = [each["words"].value for each in triplestore.ask(found.store, query)]  # type: ignore[union-attr]
        graphs = set(found.store.named_graphs())
    assert rows == RIGHT
    assert graphs == {NamedNode(CAPTURE), NamedNode(OTHER)}


def test_an_endpoint_forgets_what_was_read_before(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    write(collection, CAPTURE, [thread(1), post(1, 7, "The template's words")])
    with serving(Endpoint()) as endpoint:
        send(collection, endpoint.url)
        write(collection, OTHER, page(2), topic=2)
        write(collection, CAPTURE, page(1), again=True)
        send(collection, endpoint.url)
        found = endpoint.store.quads_for_pattern(None, NamedNode(term("sioc:content")), None)
        assert sorted(str(getattr(each.object, "value", "")) for each in found) == RIGHT


def test_the_same_reading_is_known(collection: Collection) -> None:
    former = Former(collection)
    log = ObjectLog(collection, 1)
    assert not log.write(thread_at(1), NOON, CAPTURE, PHPBB, page(1), again=True, unless=former.same)
    assert log.write(thread_at(1), NOON, CAPTURE, PHPBB, page(1)[:2], again=True, unless=former.same)
    assert not log.write(thread_at(1), NOON, CAPTURE, PHPBB, page(1)[:2], again=True, unless=former.knows)
    assert log.write(thread_at(3), NOON, CAPTURE[:-1] + "9", PHPBB, page(3), again=True, unless=former.knows)
    log.abandon()


def test_in_one_piece_the_last_reading_is_kept(collection: Collection) -> None:
    data = b"".join(path.read_bytes() for path in segments(collection))
    lines, again = latest_in(data)
    assert again == [f"<{CAPTURE}>".encode()]
    assert b"template's words" in data
    assert b"template's words" not in lines


def test_incomplete_objects_are_told_from_others(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    first, second = post(1, 1, "whole"), post(1, 2, "half")
    write(collection, CAPTURE, [thread(1), first, replace(second, incomplete=True)])
    rows = {
        row["text"]: row.get("incomplete", False) for row in (each.row() for each in objects(collection, ["post"]))
    }
    assert rows == {"whole": False, "half": True}
    assert [each.get("text") for each in KnownObjects(collection)(thread_at(1)) if each.kind == "post"] == ["whole"]
    write(collection, CAPTURE, [thread(1), first, second], again=True)
    assert not any(each.row().get("incomplete") for each in objects(collection, ["post"]))
