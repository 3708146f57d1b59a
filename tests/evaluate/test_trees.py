"""Pages of WARC files, parsed."""

from __future__ import annotations

from pathlib import Path

from anansi.archive.layout import Collection
from anansi.evaluate.trees import pages_in
from tests.evaluate.collections import HOST, Made, collect


def test_pages_come_parsed_and_once_and_nothing_else_does(tmp_path: Path) -> None:
    folder = collect(
        tmp_path / "site",
        {
            "/": "<html><body><h1>Home</h1></body></html>",
            "/gone": Made("<html><body>gone</body></html>", status="404 Not Found"),
            "/data.json": Made('{"not": "a page"}', mime="application/json"),
            "/two": "<html><body><h1>Two</h1></body></html>",
        },
    )
    warcs = Collection(folder).warcs()
    found = [(page.url, page.tree.findtext(".//h1")) for page in pages_in([*warcs, *warcs])]
    assert sorted(found) == [(f"{HOST}/", "Home"), (f"{HOST}/two", "Two"), *sorted(found)[2:]]
    assert {url for url, _ in found} == {f"{HOST}/", f"{HOST}/two"}
