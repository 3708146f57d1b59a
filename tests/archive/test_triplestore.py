"""Segments → store → answers."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples, Store

from anansi.archive import triplestore
from anansi.archive.layout import Collection
from anansi.archive.loaded import waiting
from anansi.archive.objects import ObjectLog, folder, segments
from anansi.archive.settings import SETTINGS
from anansi.archive.triplestore import ask, load, opened
from anansi.errors import CollectionError, DamagedError, UserError
from tests.archive.boards import NOON, collection_in, filled, page, post, thread, thread_at, write

POSTS = "SELECT (COUNT(?post) AS ?n) { ?post a sioc:Post }"


def rows(collection: Collection, sparql: str) -> list[tuple[str, ...]]:
    with opened(collection) as found:
        answer = ask(found.store, sparql)
        assert isinstance(answer, QuerySolutions)
        return [tuple(getattr(term, "value", "") for term in row) for row in answer]


def count(collection: Collection, sparql: str = POSTS) -> int:
    return int(rows(collection, sparql)[0][0])


def test_what_a_crawl_found_can_be_asked(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=4)
    assert count(collection) == 12
    found = rows(
        collection,
        f"""SELECT ?text ?name {{
            ?post sioc:has_container <{thread_at(2)}> ; sioc:content ?text ; schema:position ?place ;
                  sioc:has_creator/foaf:accountName ?name .
        }} ORDER BY ?place""",
    )
    assert found == [("words 2.1", "ann"), ("words 2.2", "ann"), ("words 2.3", "ann")]


def test_a_running_crawl_can_be_asked_again_and_again(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0, max_bytes=20_000)
    for topic in range(6):
        write(log, topic, page(topic))
        log.flush()
        assert count(collection) == 3 * (topic + 1)
    log.close()
    assert load(collection).bytes == 0, "the final name is not news"


def test_an_object_that_was_captured_twice_is_one_object(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    first = write(log, 1, page(1))
    second = write(log, 1, page(1), at=NOON + 3600)
    log.close()
    assert count(collection) == 3
    times = "SELECT ?g ?when { GRAPH ?g { ?g prov:generatedAtTime ?when . ?p a sioc:Thread } } ORDER BY ?when"
    assert [row[0] for row in rows(collection, times)] == [first, second]


def test_time_can_be_asked(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, [thread(1, "Bees")])
    write(log, 1, [thread(1, "Wasps")], at=NOON + 3600)
    log.close()
    query = f"""SELECT ?title {{
        GRAPH ?g {{ <{thread_at(1)}> dcterms:title ?title . ?g prov:generatedAtTime ?when }}
    }} ORDER BY DESC(?when) LIMIT 1"""
    assert rows(collection, query) == [("Wasps",)]


def test_loading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    size = sum(segment.stat().st_size for segment in segments(collection))
    assert load(collection).bytes == size
    assert load(collection) == triplestore.Loaded(0, 0)
    log = ObjectLog(collection, 1)
    write(log, 7, page(7))
    log.flush()
    more = load(collection).bytes
    assert more == segments(collection)[-1].with_name(segments(collection)[-1].name + ".open").stat().st_size
    assert count(collection) == 9


@pytest.mark.parametrize("bulk", [1, 1 << 30])
def test_both_ways_of_loading_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bulk: int) -> None:
    monkeypatch.setattr(triplestore, "SETTINGS", replace(SETTINGS, bulk=bulk))
    monkeypatch.setattr(triplestore, "PIECE", 10_000)
    collection = filled(tmp_path / "c", topics=10)
    assert load(collection).pieces > 3
    assert count(collection) == 30
    assert count(collection, "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }") == 10


def test_progress_that_was_lost_costs_time_and_nothing_else(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    load(collection)
    (folder(collection) / "loaded.json").write_text("{torn")
    assert load(collection).bytes > 0
    assert count(collection) == 9


def test_a_store_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    load(collection)
    shutil.rmtree(folder(collection) / "store")
    assert count(collection) == 9


def test_a_damaged_store_is_named_with_its_cure(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    load(collection)
    for path in (folder(collection) / "store").iterdir():
        path.write_bytes(b"garbage")
    with pytest.raises(DamagedError, match="remove that folder"):
        count(collection)


LOADER = """
import sys
from pathlib import Path
from anansi.archive import triplestore
from anansi.archive.layout import Collection
triplestore.PIECE = 20_000
triplestore.load(Collection(Path(sys.argv[1])))
"""


def test_a_load_that_is_killed_is_taken_up_by_the_next(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=150)
    for wait in (0.0, 0.05, 0.1, 0.2):
        process = subprocess.Popen([sys.executable, "-c", LOADER, str(collection.root)])
        end = time.monotonic() + 120
        while not (folder(collection) / "loaded.json").exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert count(collection) == 450
    assert count(collection, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?post a sioc:Post } }") == 450


def test_garbage_in_a_segment_is_left_out(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    (segment,) = segments(collection)
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:9], b"\xff garbage\n", b"<http://a/> <http://b/> .\n", *lines[9:], b"<to"]))
    assert count(collection) == 9


def test_a_segment_of_nothing_but_garbage_is_passed_over(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    (folder(collection) / "objects-0-000-00000.nq").write_bytes(b"no statement\n" * 1000)
    assert count(collection) == 9
    assert load(collection).bytes == 0


def test_huge_texts_are_loaded(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, [post(1, place, '\\ "é\n' * 200_000) for place in range(10)])
    log.close()
    assert rows(collection, "SELECT DISTINCT (STRLEN(?t) AS ?n) { ?p sioc:content ?t }") == [("1000000",)]


# ── together ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_readers_do_not_keep_each_other_out(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    with opened(collection) as one:
        assert one.complete
        log = ObjectLog(collection, 1)
        write(log, 5, page(5))
        log.close()
        with opened(collection) as two:
            assert not two.complete, "the store is read, so it cannot be loaded"
            assert isinstance(ask(two.store, "ASK { ?s a sioc:Thread }"), QueryBoolean)
    assert count(collection) == 9


def test_who_loads_is_named_to_those_who_wait_in_vain(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    load(collection)
    with (
        triplestore._locked(collection, fcntl.LOCK_EX, 0.0),
        pytest.raises(CollectionError, match=f"being loaded \\(process {os.getpid()}\\)"),
        opened(collection, patience=0.1),
    ):
        pass


def test_a_reader_waits_for_a_load_to_end(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    load(collection)
    log = ObjectLog(collection, 1)
    write(log, 7, page(7))
    log.close()
    held, seen = threading.Event(), []

    def hold() -> None:
        with triplestore._locked(collection, fcntl.LOCK_EX, 0.0):
            held.set()
            time.sleep(0.3)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with opened(collection, patience=120) as found:
        seen.append(found.complete)
    holder.join()
    assert seen == [False]


def test_a_load_can_be_done_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triplestore, "PIECE", 10_000)
    collection = filled(tmp_path / "c", topics=10)
    size = segments(collection)[0].stat().st_size
    (left,) = waiting(collection).values()
    assert left == size
    loaded, seen = 0, []
    while (step := load(collection, most=1)).pieces:
        assert step.pieces == 1
        loaded += step.bytes
        seen.append(sum(waiting(collection).values()))
    assert (loaded, seen[-1]) == (size, 0)
    assert seen == sorted(seen, reverse=True)
    assert len(seen) > 3
    assert count(collection) == 30


def test_a_segment_being_written_waits_until_it_is_worth_a_load(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, page(1))
    log.flush()
    assert waiting(collection, least=1 << 20) == {}
    assert load(collection, least=1 << 20) == triplestore.Loaded(0, 0)
    assert not (folder(collection) / "store").exists(), "nothing is opened for nothing"
    assert len(waiting(collection, least=100)) == 1
    log.close()
    assert load(collection, least=1 << 20).pieces == 1, "a finished one is loaded whatever its size"
    assert waiting(collection) == {}
    assert count(collection) == 3


# ── queries ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_collection_without_objects_answers_with_nothing(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    assert count(collection) == 0
    assert load(collection) == triplestore.Loaded(0, 0)
    assert not (folder(collection) / "store").exists()


def test_a_folder_that_is_no_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="not a collection"), opened(Collection(tmp_path / "nowhere")):
        pass


def test_construct_gives_statements(tmp_path: Path) -> None:
    with opened(filled(tmp_path / "c")) as found:
        answer = ask(found.store, "CONSTRUCT { ?t a sioc:Thread } WHERE { ?t a sioc:Thread }")
        assert isinstance(answer, QueryTriples)
        assert len(list(answer)) == 3


def test_brackets_in_texts_and_addresses_do_not_count(tmp_path: Path) -> None:
    brackets = "(" * 500
    query = f"""ASK {{ ?s ?p "{brackets}", '\\'{brackets}', <http://x/{brackets}> }} # {brackets}"""
    with opened(filled(tmp_path / "c")) as found:
        assert not ask(found.store, query)


@pytest.mark.parametrize(
    ("sparql", "told"),
    [
        ("SELECT ?x { ?x a ", "not valid SPARQL: error at 1:18"),
        ("SELECT ?x { ?x a nope:Thing }", "a prefix that is not declared; known without declaration: sioc, schema"),
        ("", "not valid SPARQL"),
        ("INSERT DATA { <a:b> <a:b> 1 }", "only read"),
        ("# a comment\nPREFIX x: <http://x/>\n DELETE WHERE { ?s ?p ?o }", "only read"),
        ("DROP ALL", "only read"),
        ("SELECT " + "(" * 20_000, "more than 100 levels"),
        ("SELECT (" + "IF(1,1," * 1000 + "1" + ")" * 1000 + " AS ?x) {}", "more than 100 levels"),
        ("SELECT (" + "1+" * 20_000 + "1 AS ?x) {}", "operators"),
        ("SELECT (" + "!" * 20_000 + "1 AS ?x) {}", "operators"),
    ],
)
def test_what_is_wrong_with_a_query_is_said(tmp_path: Path, sparql: str, told: str) -> None:
    with opened(filled(tmp_path / "c")) as found, pytest.raises(UserError) as error:
        ask(found.store, sparql)
    assert told in str(error.value)
    assert len(str(error.value)) < 700


# ── what must not leave this machine ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1:8/> { ?a ?b ?c } }",
        "SELECT * { service silent <http://127.0.0.1:8/> { ?a ?b ?c } }",
        "SELECT * { BIND(<http://127.0.0.1:8/> AS ?s) SERVICE ?s { ?a ?b ?c } }",
        "SELECT * { SERVICE# comment\n<http://127.0.0.1:8/> { ?a ?b ?c } }",
        "SELECT * { \\u0053ERVICE <http://127.0.0.1:8/> { ?a ?b ?c } }",
        'SELECT * { ?a ?b """it"s""" SERVICE <http://127.0.0.1:8/> { ?c ?d "x" } }',
        "SELECT * { ?a ?b '''it's''' SERVICE <http://127.0.0.1:8/> { ?c ?d 'x' } }",
        "PREFIX x: <http://x/> SELECT * { ?a x:b\\#c ?d SERVICE <http://127.0.0.1:8/> { ?c ?d ?e } }",
        "PREFIX x: <http://x/> SELECT * { ?a x:b\\'c ?d SERVICE <http://127.0.0.1:8/> { ?c ?d 'e' } }",
        "SELECT * { FILTER(1<2) SERVICE <http://127.0.0.1:8/> { ?c ?d ?e } FILTER(2>1) }",
        "SELECT * { {SERVICE<http://127.0.0.1:8/>{ ?c ?d ?e }} }",
        "SELECT * { ?a ?b ?c.SERVICE<http://127.0.0.1:8/>{ ?c ?d ?e } }",
        "SELECT * { ?a ?b 1SERVICE<http://127.0.0.1:8/>{ ?c ?d ?e } }",
        "SELECT * { SERVICESILENT<http://127.0.0.1:8/>{ ?c ?d ?e } }",
        "PREFIX x: <http://127.0.0.1:8/> SELECT * { SERVICEx:y{ ?c ?d ?e } }",
        "PREFIX : <http://127.0.0.1:8/> SELECT * { SERVICE:y{ ?c ?d ?e } }",
        "SELECT * { ?a ?b ?c FILTER(?c<'>') SERVICE <http://127.0.0.1:8/> { ?c ?d '' } }",
        "SELECT * { ?a ?b ?c FILTER(?c<3#>'''\n) SERVICE <http://127.0.0.1:8/> { ?c ?d ?e } #'''\n}",
    ],
)
def test_a_query_that_asks_another_server_is_refused(query: str) -> None:
    with pytest.raises(UserError, match="asks another server"):
        ask(Store(), query)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT * { ?a ?b "customer service <x>" }',
        "SELECT ?service { ?service a <http://x/SERVICE> }",
        "PREFIX service: <http://x/> SELECT * { ?a service:of service:x . ?a ?b service:service }",
        "SELECT * { ?a ?b ?c } # SERVICE",
        'SELECT * { ?a ?b """a "SERVICE" of""" }',
        "SELECT * { ?a schema:serviceType ?c FILTER(CONTAINS(?c, 'Service \\u0022x')) }",
    ],
)
def test_the_word_may_stand_where_it_asks_nobody(query: str) -> None:
    assert list(ask(Store(), query)) == []  # type: ignore[arg-type]
