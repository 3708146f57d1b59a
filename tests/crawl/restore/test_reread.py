"""Pages read again from the archive: what was learned later counts for what was captured before."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anansi.archive import lessons
from anansi.archive.export import objects
from anansi.archive.layout import Collection
from anansi.archive.objects import segments
from anansi.config import Definition, Politeness
from anansi.crawl.restore.reread import Again, read_again
from anansi.crawl.run import crawl
from tests.cli.conftest import anansi
from tests.web import Reply, ScriptedWeb
from tests.web.replies import HTML

THREADS = 30
MENDED = """<type id="forum/phpbb/127.0.0.1" title="phpBB at 127.0.0.1"><about>Written by hand.</about>
<detect><all><pattern>body[@id='phpbb']</pattern><pattern>url[contains(host,'127.0.0.1')]</pattern></all></detect>
<level name="thread" kind="terminal"><extract object="post"><property name="author">em[@class='who-wrote']</property>
</extract></level></type>"""


def page(number: int) -> bytes:
    """Return a thread in a theme whose authors stand where no rule looks."""
    posts = "".join(
        f'<div id="p{number * 10 + each}" class="post bg1"><em class="who-wrote">Ada</em>'
        f'<div class="postbody"><div class="content">Words {number}.{each}</div></div></div>'
        for each in range(3)
    )
    return (
        f'<html><head><title>T{number}</title></head><body id="phpbb" class="section-viewtopic">'
        f'<h2 class="topic-title">T{number}</h2>{posts}</body></html>'
    ).encode()


@pytest.fixture
def site() -> Iterator[str]:
    with ScriptedWeb() as web:
        links = "".join(f'<a class="topictitle" href="/viewtopic.php?t={each}">x</a>' for each in range(THREADS))
        web.add("/", Reply(200, (HTML,), f'<html><body id="phpbb">{links}</body></html>'.encode()))
        for each in range(THREADS):
            web.add(f"/viewtopic.php?t={each}", Reply(200, (HTML,), page(each)))
        yield web.url + "/"


def crawled(site: str, folder: Path, strategy: str) -> Collection:
    definition = Definition(
        seeds=[site],
        strategy=strategy,  # type: ignore[arg-type]
        politeness=Politeness(floor=0.0, ceiling=0.0, robots="ignore"),
        workers=1,
    )
    collection = Collection(folder)
    crawl(definition, collection, quiet=True)
    return collection


def posts(collection: Collection) -> list[dict[str, Any]]:
    return [each.row() for each in objects(collection, ["post"])]


def events(collection: Collection) -> list[dict[str, Any]]:
    return [json.loads(line) for line in collection.events.read_text().splitlines()]


def mend(collection: Collection) -> None:
    collection.knowledge.mkdir(parents=True, exist_ok=True)
    (collection.knowledge / "mended.xml").write_text(MENDED)


def test_objects_of_a_blind_crawl(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "blind")
    assert posts(collection) == []
    done = read_again(collection)
    assert (done.pages, done.changed, done.files, done.of) == (THREADS + 1, THREADS, 1, 1)
    assert len(posts(collection)) == 3 * THREADS


def test_a_crawl_says_what_it_reads_wrongly_and_keeps_it(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "auto")
    found = posts(collection)
    assert len(found) == 3 * THREADS
    assert all(each["incomplete"] for each in found)
    told = [each["what"] for each in events(collection) if each["event"] == "doubt"]
    assert len(told) == 1
    assert "thread pages of forum/phpbb give no complete post: 5 of 5" in told[0]


def test_what_is_known_later_replaces_what_was_read(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "auto")
    before = posts(collection)
    assert read_again(collection).changed == 0
    mend(collection)
    assert read_again(collection).changed == THREADS
    after = posts(collection)
    assert [each["uri"] for each in after] == [each["uri"] for each in before]
    assert [each["capture"] for each in after] == [each["capture"] for each in before]
    assert {tuple(each["author"]) for each in after} == {("Ada",)}
    assert not any("incomplete" in each for each in after)


def test_reading_again_twice_changes_nothing(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "blind")
    read_again(collection)
    kept = [path.read_bytes() for path in segments(collection)]
    assert read_again(collection) == Again()
    (collection.root / "objects" / "again.json").unlink()
    assert read_again(collection).changed == 0
    assert [path.read_bytes() for path in segments(collection)] == kept


def test_whoever_is_stopped_goes_on(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = crawled(site, tmp_path / "c", "blind")
    monkeypatch.setattr("anansi.crawl.restore.reread.time.monotonic", iter(range(0, 1000, 5)).__next__)

    def stop(done: Again) -> None:
        if done.pages == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_again(collection, stop)
    assert 0 < len(posts(collection)) < 3 * THREADS
    read_again(collection)
    assert len(posts(collection)) == 3 * THREADS


def test_pages_before_a_rule_are_read_again_when_the_crawl_has_ended(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "auto")
    mend(collection)
    lessons.note(collection, "127.0.0.1", "forum/phpbb/127.0.0.1", time.time() + 1)
    crawled(site, tmp_path / "c", "auto")
    assert not any("incomplete" in each for each in posts(collection))
    (told,) = [each for each in events(collection) if each["event"] == "pages read again"]
    assert (told["pages"], told["changed"], told["objects"]) == (THREADS + 1, THREADS, 4 * THREADS)
    assert lessons.noted(collection) == {}


def test_pages_behind_a_rule_are_not(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "auto")
    mend(collection)
    lessons.note(collection, "127.0.0.1", "forum/phpbb", time.time() - 1000)
    crawled(site, tmp_path / "c", "auto")
    assert all(each["incomplete"] for each in posts(collection))


def test_the_command(site: str, tmp_path: Path) -> None:
    collection = crawled(site, tmp_path / "c", "blind")
    said = anansi("objects", collection.root, "--again", "--type", "post")
    assert said.code == 0, said.errors
    assert len(said.output.splitlines()) == 3 * THREADS
    assert f"read again: {THREADS + 1} pages, {THREADS} with other objects" in said.errors
    again = anansi("objects", collection.root, "--again", "--type", "thread")
    assert len(again.output.splitlines()) == THREADS
    assert "nothing to do" in again.errors
    with collection.lock():
        busy = anansi("objects", collection.root, "--again")
    assert busy.code == 3
