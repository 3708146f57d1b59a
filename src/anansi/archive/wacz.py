"""WACZ 1.1.1: a collection in one file."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from anansi import __version__
from anansi.archive.disk import replacing
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.record import squeeze
from anansi.archive.sort import lines_of

VERSION: Final = "1.1.1"
BLOCK: Final = 1024
"""Index lines in one compressed block, as other WACZ writers have it."""

_COPY: Final = 1 << 20
_GROWTH: Final = 16 << 20
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the earliest date of zip: the same collection makes the same file
_STAMP: Final = re.compile(rb" ([0-9]{14}) ")


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


def pack(collection: Collection, target: Path | None = None, *, title: str = "", description: str = "") -> Path:
    """Merge the indexes and pack the finished WARC files with them; return the path of the WACZ file."""
    collection.require()
    merge(collection)
    target = target or collection.root / f"{collection.root.resolve().name}.wacz"
    with replacing(target) as temporary, zipfile.ZipFile(temporary, "w", allowZip64=True) as file:
        package = _Package(file)
        for path in collection.warcs():
            package.add(f"archive/{path.name}", _pieces(path), squeezed=True, most=_size(path))
        _add_index(package, collection)
        package.add("pages/pages.jsonl", _pieces(collection.pages), squeezed=False, most=_size(collection.pages))
        for path in (collection.crawl_log, collection.events):
            if path.exists():
                package.add(f"logs/{path.name}", _pieces(path), squeezed=False, most=_size(path))
        _describe(package, collection, title, description)
    return target


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
