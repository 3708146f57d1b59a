"""Any file of a collection is cut, removed or changed by one bit: nothing sound is lost, what is gone comes back.

Each round damages one file of a copy. Two collections: one whose crawl ended (a forum and a blog, with objects and
rules), one whose crawl was killed. `--long` runs all of them.
"""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from anansi.archive.layout import Collection
from anansi.archive.reader import records
from anansi.crawl.restore import soundness
from anansi.crawl.restore.restore import restore
from anansi.errors import AnansiError
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.url import canonical
from anansi_demo.server import DemoServer
from tests.crash.crawling import Crawling, anansi, crawl, wait_until

ROUNDS = 100
USUAL = 5
OPTIONS = ("--delay", "0", "--strategy", "auto", "--workers", "2", "--exclude", "/forum")

NO_MATTER = ("LOCK", "LOG", "IDENTITY", "OPTIONS", "lock", "store.lock", "LOG.old")
"""Files of which nothing depends: locks, and what RocksDB writes for people."""


@dataclass(frozen=True)
class Member:
    """A record of the undamaged collection."""

    file: str
    offset: int
    data: bytes
    identity: str
    kind: str
    url: str


@dataclass(frozen=True)
class Base:
    """A collection that is damaged in copies."""

    folder: Path
    seeds: list[str]
    members: list[Member]
    urls: frozenset[str]
    """What the archive holds, robots.txt aside."""
    known: dict[str, State]
    """What the frontier knows."""


def members(collection: Collection) -> list[Member]:
    """List the whole records of a collection, finished files or not, read by warcio."""
    found = []
    for path in (*collection.warcs(), *collection.unfinished()):
        data = path.read_bytes()
        places = [(record.offset, record.finish()) for record in _whole(path)]
        for offset, length in places:
            piece = data[offset : offset + length]
            if (told := read(piece)) is not None:
                found.append(Member(path.name.removesuffix(".open"), offset, piece, *told))
    return found


def _whole(path: Path) -> Iterator:  # type: ignore[type-arg]
    try:
        yield from records(path)
    except AnansiError:
        return


def read(piece: bytes) -> tuple[str, str, str] | None:
    """Read one record with warcio, digests checked; None when it cannot."""
    try:
        for record in ArchiveIterator(io.BytesIO(piece), check_digests="raise"):
            record.content_stream().read()
            head = record.rec_headers
            return head.get_header("WARC-Record-ID"), record.rec_type, head.get_header("WARC-Target-URI") or ""
    except Exception:
        return None
    return None


def states(folder: Path) -> dict[str, State]:
    """Read what a frontier knows about every URL."""
    with closing(Store(folder / "state" / "frontier", UPDATES["first"])) as store:
        return dict(store.urls())


def based(folder: Path, seeds: list[str], copy: Path) -> Base:
    """Describe a collection."""
    collection = Collection(folder)
    found = members(collection)
    captured = {each.url for each in found if each.kind in ("response", "revisit")}
    shutil.copytree(folder, copy)  # opening a frontier changes its files
    urls = frozenset(canonical(url) for url in captured if not url.endswith("/robots.txt"))
    return Base(folder, seeds, found, urls, states(copy))


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    """Serve the example site."""
    with DemoServer() as server:
        yield server


@pytest.fixture(scope="module")
def ended(server: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Base:
    """Crawl the example site in two runs, so that there are several files."""
    folder, seeds = tmp_path_factory.mktemp("ended"), [server.url + "/"]
    assert crawl(folder / "c", seeds, (*OPTIONS, "--limit", "60")).wait() == 10
    assert crawl(folder / "c", seeds, (*OPTIONS, "--limit", "1000")).wait() == 0
    assert anansi("check", folder / "c").returncode == 0
    return based(folder / "c", seeds, folder / "copy")


@pytest.fixture(scope="module")
def killed(server: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Base:
    """Kill a second run in its middle."""
    folder, seeds = tmp_path_factory.mktemp("killed"), [server.url + "/"]
    assert crawl(folder / "c", seeds, (*OPTIONS, "--limit", "40")).wait() == 10
    before = server.requests
    with Crawling(folder / "c", seeds, (*OPTIONS, "--limit", "1000")) as crawling:
        assert wait_until(lambda: server.requests > before + 50)
        crawling.kill_hub()
    return based(folder / "c", seeds, folder / "copy")


def damage(path: Path, rng: random.Random) -> str:
    """Damage a file in one of three ways, and say how."""
    data = path.read_bytes()
    how = rng.choice(("cut", "removed", "flipped")) if data else "removed"
    if how == "removed":
        path.unlink()
    elif how == "cut":
        path.write_bytes(data[: rng.randrange(len(data))])
    else:
        place = rng.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
        how += f" at {place}"
    return how


def chosen(folder: Path, rng: random.Random) -> Path:
    """Choose a file, of each folder of a collection as often as of another."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in NO_MATTER]
    kinds = sorted({path.relative_to(folder).parts[:2][0] for path in files})
    kind = rng.choice([*kinds, "archive", "archive", "state"])
    return rng.choice([path for path in files if path.relative_to(folder).parts[0] == kind])


def still_readable(folder: Path, base: Base) -> set[str]:
    """Return the records that warcio can read at the places where they stood."""
    found = set()
    archive = Collection(folder).archive
    for name in {each.file for each in base.members}:
        path = next((each for each in (archive / name, archive / f"{name}.open") if each.exists()), None)
        data = path.read_bytes() if path is not None else b""
        for each in base.members:
            if each.file == name and data[each.offset : each.offset + len(each.data)] == each.data:
                found.add(each.identity)
    return found


def kept_whole(folder: Path) -> tuple[set[str], set[str]]:
    """Read all files from their beginnings to their ends with warcio: identifiers, and URLs of captures."""
    identities, urls = set(), set()
    for path in Collection(folder).warcs():
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
                identities.add(record.rec_headers.get_header("WARC-Record-ID"))
                if record.rec_type in ("response", "revisit"):
                    urls.add(canonical(record.rec_headers.get_header("WARC-Target-URI")))
    return identities, urls


def indexed(folder: Path) -> list[tuple[str, int]]:
    """Return the places that the index names."""
    lines = Collection(folder).index.read_bytes().splitlines()
    told = [json.loads(line.split(b" ", 2)[2]) for line in lines]
    return sorted((each["filename"], int(each["offset"])) for each in told)


def captured(folder: Path) -> list[tuple[str, int]]:
    """Return the places where captures stand."""
    return sorted(
        (each.file, each.offset) for each in members(Collection(folder)) if each.kind in ("response", "revisit")
    )


def is_unhurt(folder: Path, base: Base, path: Path) -> bool:
    """Tell whether a collection that is called sound holds all that it held."""
    collection, before = Collection(folder), Collection(base.folder)
    logs = ((collection.crawl_log, before.crawl_log), (collection.skipped, before.skipped))
    events = ((collection.events, before.events), (collection.summary, before.summary))
    same = all(one.read_bytes() == other.read_bytes() for one, other in (*logs, *events))
    whole = {each.identity for each in base.members} == still_readable(folder, base)
    if not (same and (whole or path.parent.name == "archive") and indexed(folder) == captured(folder)):
        return False
    return len(members(collection)) == len(base.members) and states(folder) == base.known


def check(folder: Path) -> bool:
    """Check a collection; return whether it is called sound."""
    return soundness.check(Collection(folder)).ok


def repair(folder: Path) -> None:
    """Repair a collection as the command does."""
    with Collection(folder).lock():
        restore(Collection(folder))


def go_on(folder: Path, base: Base) -> None:
    """Crawl to the end, with the repair that the crawl may ask for."""
    again = crawl(folder, base.seeds, (*OPTIONS, "--limit", "1000"))
    if again.wait() == 4:
        assert "--repair" in again.errors
        repair(folder)
        again = crawl(folder, base.seeds, (*OPTIONS, "--limit", "1000"))
    assert "Traceback" not in again.errors, again.errors
    assert again.wait() == 0, (again.output, again.errors)


rounds = pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=() if number < USUAL else pytest.mark.long) for number in range(ROUNDS)],
)


@rounds
def test_repair_keeps_what_is_sound_and_has_the_rest_fetched_again(
    number: int, ended: Base, killed: Base, tmp_path: Path
) -> None:
    rng = random.Random(number)
    base = killed if number % 3 == 2 else ended
    folder = tmp_path / "c"
    shutil.copytree(base.folder, folder)
    path = chosen(folder, rng)
    how = f"{path.relative_to(folder)} {damage(path, rng)}"
    print(how)
    readable = still_readable(folder, base)
    if base is ended:
        _check_and_repair(folder, base, path, how)
        assert readable <= kept_whole(folder)[0], how
        assert indexed(folder) == captured(folder), how
    go_on(folder, base)
    if not check(folder):  # a finished file of a crawl that was killed: only a check reads it
        repair(folder)
        go_on(folder, base)
    identities, urls = kept_whole(folder)
    assert readable - {each.identity for each in base.members if each.kind == "warcinfo"} <= identities, how
    assert base.urls <= urls, (how, sorted(base.urls - urls)[:5])
    assert indexed(folder) == captured(folder), how
    assert soundness.check(Collection(folder)).ok, how
    shutil.rmtree(tmp_path)


def _check_and_repair(folder: Path, base: Base, path: Path, how: str) -> None:
    """Check, repair, and see that what is called sound is, and that a second repair finds nothing to do."""
    told = anansi("check", folder)
    assert "Traceback" not in told.stderr, told.stderr
    assert ("sound" in told.stdout) == (told.returncode == 0), told.stdout
    if told.returncode == 0:
        looked = folder.parent / "looked"
        shutil.copytree(folder, looked)
        assert is_unhurt(looked, base, path), how
    repair(folder)
    report = soundness.check(Collection(folder))
    assert report.problem_count == 0, (how, report.problems)
    repair(folder)
    assert soundness.check(Collection(folder)) == report, how
