"""WACZ 1.1.1: a collection in one file, and a collection again.

What replay needs stands where every reader of WACZ expects it. Beside it stands what makes it a collection: the
definition, the objects, what was learned, the reports. They are listed like all else, with their digests.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, BinaryIO, Final, NamedTuple

from anansi import __version__
from anansi.archive.disk import guarded, replacing
from anansi.archive.index import merge, rebuild
from anansi.archive.layout import Collection
from anansi.archive.lines import PAGES_HEADER, page_key
from anansi.archive.record import squeeze
from anansi.archive.sort import lines_of, merged, write_runs
from anansi.errors import UserError

VERSION: Final = "1.1.1"
BLOCK: Final = 1024
"""Index lines in one compressed block, as other WACZ writers have it."""

_COPY: Final = 1 << 20
_GROWTH: Final = 16 << 20
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the earliest date of zip: the same collection makes the same file
_STAMP: Final = re.compile(rb" ([0-9]{14}) ")


_KEPT: Final = {
    "definition": "crawl.yaml",
    "logs": "logs/*",
    "reports": "reports/*",
    "objects": "objects/*.nq",
    "knowledge": "knowledge/*.xml",
    "learned": "knowledge/learned/*.xml",
}
"""Folder in a package → what of a collection stands there; one folder deep, for validators do not look deeper."""
_UNPACKED: Final = re.compile(
    r"archive/[^/]+\.warc(\.gz)?|definition/crawl\.yaml|(logs|reports)/[^/.][^/]*|objects/[^/]+\.nq"
    r"|(knowledge|learned)/[^/]+\.xml"
)
"""What a package may put into a collection; indexes are made anew."""
_DIGESTS: Final = ("sha256", "md5", "sha1", "sha512")
"""Digests that packages have; ours the first."""
_LISTING: Final = 64 << 20
"""Bytes of `datapackage.json` at the most: half a million files."""


class Said(NamedTuple):
    """What a page says."""

    date: str
    identity: str
    """As the list of pages has them."""
    text: str


Texts = Callable[[Collection], Iterable[Said]]
"""Reads the texts of a collection's pages, in any order."""


@dataclass(slots=True)
class _Package:
    """A zip file being written, and what it holds. Mutable state: `resources`, `newest`."""

    file: zipfile.ZipFile
    resources: list[dict[str, object]] = field(default_factory=list)
    newest: str = "19800101000000"

    def add(self, name: str, pieces: Iterable[bytes], *, squeezed: bool, most: int = 0) -> None:
        """Add a file of `most` bytes piece by piece; `squeezed` says that compressing it again is of no use."""
        info = zipfile.ZipInfo(name, _EPOCH)
        # zip64 only where the size asks for it: ReplayWeb.page takes a file whose directory entry has no extra field
        # for one without any, and would read the extra field that zip64 puts before the file as its first bytes
        info.file_size = most
        info.compress_type = zipfile.ZIP_STORED if squeezed else zipfile.ZIP_DEFLATED
        sha256, size = hashlib.sha256(), 0
        with self.file.open(info, "w") as target:
            for piece in pieces:
                target.write(piece)
                sha256.update(piece)
                size += len(piece)
        self.resources.append(
            {
                "name": name.rpartition("/")[2].lower(),
                "path": name,
                "hash": f"sha256:{sha256.hexdigest()}",
                "bytes": size,
            }
        )


def pack(
    collection: Collection,
    target: Path | None = None,
    *,
    title: str = "",
    description: str = "",
    texts: Texts | None = None,
) -> Path:
    """Merge the indexes and pack the collection, searchable with `texts`; return the path of the WACZ file."""
    collection.require()
    merge(collection)
    target = target or collection.root / f"{collection.root.resolve().name}.wacz"
    with replacing(target) as temporary, zipfile.ZipFile(temporary, "w", allowZip64=True) as file:
        package = _Package(file)
        for path in collection.warcs():
            package.add(f"archive/{path.name}", _pieces(path), squeezed=True, most=_size(path))
        _add_index(package, collection)
        _add_pages(package, collection, texts)
        for folder, pattern in _KEPT.items():
            for path in sorted(each for each in collection.root.glob(pattern) if each.is_file()):
                package.add(f"{folder}/{path.name}", _pieces(path), squeezed=False, most=_size(path))
        _describe(package, collection, title, description)
    return target


def _add_pages(package: _Package, collection: Collection, texts: Texts | None) -> None:
    """Add the list of pages, with what they say; both are sorted alike, so that one look at each line is enough."""
    name = "pages/pages.jsonl"
    if texts is None:
        package.add(name, _pieces(collection.pages), squeezed=False, most=_size(collection.pages))
        return
    with TemporaryDirectory(prefix=".pack-", dir=collection.pages.parent) as folder:
        said = (json.dumps({"ts": each.date, "id": each.identity, "text": each.text}) for each in texts(collection))
        runs = write_runs((f"{line}\n".encode() for line in said), Path(folder), page_key)
        size = sum(map(_size, [*runs, collection.pages]))
        lines = _with_texts(lines_of(collection.pages), merged(runs, Path(folder), page_key))
        package.add(name, lines, squeezed=False, most=size)


def _with_texts(pages: Iterator[bytes], texts: Iterator[bytes]) -> Iterator[bytes]:
    yield PAGES_HEADER.replace(b"}", b', "hasText": true}')
    text = next(texts, b"")
    for line in pages:
        key = page_key(line)
        while text and page_key(text) < key:
            text = next(texts, b"")
        if text and page_key(text) == key:
            page = {**json.loads(line), "text": json.loads(text)["text"]}
            yield json.dumps(page, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        elif b'"ts"' in line:
            yield line


def _size(path: Path) -> int:
    """Return the bytes that a file may have by the time it is read; a log still grows."""
    return path.stat().st_size + _GROWTH if path.exists() else 0


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_COPY):
            yield piece


def _add_index(package: _Package, collection: Collection) -> None:
    """Add the index in compressed blocks, and the list of the blocks: readers fetch only those they need."""
    blocks: list[str] = [f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': 'index.cdx.gz'})}\n"]
    size = _size(collection.index)
    package.add("indexes/index.cdx.gz", _blocks(package, collection, blocks), squeezed=True, most=size)
    package.add("indexes/index.idx", ["".join(blocks).encode()], squeezed=False, most=size)


def _blocks(package: _Package, collection: Collection, blocks: list[str]) -> Iterator[bytes]:
    offset = 0
    lines = lines_of(collection.index)
    while batch := list(islice(lines, BLOCK)):
        block = squeeze(b"".join(batch))
        prefix = batch[0].partition(b" {")[0].decode("utf-8", "replace")
        place = {"offset": offset, "length": len(block), "digest": f"sha256:{hashlib.sha256(block).hexdigest()}"}
        blocks.append(f"{prefix} {json.dumps(place)}\n")
        offset += len(block)
        stamps = (match[1].decode() for line in batch if (match := _STAMP.search(line)))
        package.newest = max(package.newest, *stamps)
        yield block


def _describe(package: _Package, collection: Collection, title: str, description: str) -> None:
    """Add the list of what the package holds, and the digest of that list."""
    stamp = package.newest
    created = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}Z"
    contents: dict[str, object] = {
        "profile": "data-package",
        "wacz_version": VERSION,
        "software": f"anansi {__version__}",
        # The time of the newest capture, so that packing twice gives the same bytes.
        "created": created,
        "title": title or collection.root.resolve().name,
        **({"description": description} if description else {}),
        **_main_page(collection),
        "resources": list(package.resources),
    }
    listing = json.dumps(contents, indent=2).encode()
    package.add("datapackage.json", [listing], squeezed=False)
    digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(listing).hexdigest()}"}
    package.add("datapackage-digest.json", [json.dumps(digest, indent=2).encode()], squeezed=False)


def _main_page(collection: Collection) -> dict[str, object]:
    """Name the page that readers should see first: the first seed."""
    for line in lines_of(collection.pages):
        if b'"seed":true' in line:
            page = json.loads(line)
            return {"mainPageURL": page["url"], "mainPageDate": page["ts"]}
    return {}


# ── a collection again ───────────────────────────────────────────────────────────────────────────────────────────


class _Resource(NamedTuple):
    """A file of a package, as it is listed."""

    path: str
    digest: str
    """With the name of its algorithm; without, MD5, as data packages have it."""
    size: int


def unpack(source: Path, collection: Collection) -> int:
    """Make a collection of a WACZ file, of ours or another's; return how many files it holds.

    Every file is held against its size and digest; nothing is written outside the folder, and what does not belong to
    a collection is left out. Indexes are made anew from the WARC files.
    """
    if collection.exists():
        raise UserError(f"{collection.root} is a collection already; name a new folder: -o DIR")
    try:
        with guarded(source), _opened(source) as opened, zipfile.ZipFile(opened) as file:
            wanted = [each for each in _listed(file) if _UNPACKED.fullmatch(each.path)]
            if not any(each.path.startswith("archive/") for each in wanted):
                raise UserError(f"{source} holds no WARC files; a WACZ file has them in its folder `archive`")
            _fill(collection, file, wanted, source)
    # RuntimeError: it is encrypted
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise UserError(f"{source} is not a whole WACZ file ({error}); ask for another copy") from None
    return len(wanted)


def _opened(source: Path) -> BinaryIO:
    try:
        return source.open("rb")
    except OSError as error:
        raise UserError(f"{source} cannot be read: {error.strerror}; check the name") from None


def _fill(collection: Collection, file: zipfile.ZipFile, wanted: Iterable[_Resource], source: Path) -> None:
    """Put files of a package into a new collection, all of them or none: half a collection would pass for a whole."""
    collection.create()
    try:
        for each in wanted:
            _extract(file, each, _place(collection, each.path), source)
        if not rebuild(collection).captures:
            raise UserError(f"{source}: its WARC files hold nothing that can be read; ask for another copy")
    except BaseException:
        shutil.rmtree(collection.root, ignore_errors=True)
        raise


def _place(collection: Collection, path: str) -> Path:
    """Say where a file of a package belongs."""
    folder, _, name = path.partition("/")
    return collection.root / Path(_KEPT.get(folder, f"{folder}/*")).parent / name


def _listed(file: zipfile.ZipFile) -> list[_Resource]:
    """Read what a package says that it holds."""
    try:
        if file.getinfo("datapackage.json").file_size > _LISTING:
            raise UserError("the package's list of files is larger than any real one")
        found = json.loads(file.read("datapackage.json"))["resources"]
        return [_Resource(str(each["path"]), str(each.get("hash", "")), int(each["bytes"])) for each in found]
    except (KeyError, ValueError, TypeError, OverflowError, RecursionError) as error:
        words = f"the file is no WACZ package: its datapackage.json is missing or wrong ({error!r})"
        raise UserError(words) from None


def _extract(file: zipfile.ZipFile, each: _Resource, target: Path, source: Path) -> None:
    try:
        packed = file.open(each.path)
    except KeyError:
        raise UserError(f"{source} lists {each.path} and does not hold it; ask for another copy") from None
    name, _, digest = each.digest.rpartition(":")
    if (name or "md5") not in _DIGESTS:
        raise UserError(
            f"{source} has a digest of {each.path} that is not known: {name[:40]!r}; ask for another copy"
        )
    with packed, replacing(target) as temporary, temporary.open("wb") as unpacked:
        found = _copy(packed, unpacked, each, hashlib.new(name or "md5", usedforsecurity=False))
    if digest and digest != found:
        raise UserError(f"{each.path} in {source} is not what its digest says; ask for another copy")


def _copy(packed: IO[bytes], unpacked: BinaryIO, each: _Resource, digest: hashlib._Hash) -> str:
    """Copy no more bytes than a file is said to have; return their digest."""
    left = each.size
    while piece := packed.read(min(_COPY, left + 1)):
        left -= len(piece)
        if left < 0:
            raise UserError(f"{each.path} holds more bytes than the package says; it was not unpacked")
        unpacked.write(piece)
        digest.update(piece)
    return digest.hexdigest()
