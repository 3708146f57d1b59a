"""What recognition and extraction reach on the pages of `pages`, pinned in `figures.json`.

python -m tests.knowledge.gate            says what is reached, and what is pinned
python -m tests.knowledge.gate --pin      pins what is reached, if nothing is lower than before
python -m tests.knowledge.gate --pin --lower    pins it though something is lower; say why in the commit
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree

from anansi.inspection import story
from anansi.inspection.look import Inspector, Look
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.links import base_of
from anansi.url import resolve
from tests.pinning import Figures, Gate

PAGES = Path(__file__).parent / "pages"
PINNED = Path(__file__).parent / "figures.json"
POSTS = ("post", "comment", "answer", "question", "status")
NOWHERE = "https://{}.nowhere.example/x"
"""An address that no table knows, one a page: what is known of a site counts for its other pages."""

HEADLESS = "https://{}.headless.example/x"


def reached() -> Figures:
    """Measure every page."""
    inspector = Inspector(shelf.catalogue())
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for number, path in enumerate(story.pages(PAGES)):
        told, document = story.read(path)
        for name, good in _judged(inspector, number, story.type_of(path), told, document):
            total[name] += 1
            right[name] += good
    return {name: (right[name], total[name]) for name in sorted(total)}


def _judged(
    inspector: Inspector, number: int, type_id: str, told: story.Story, document: Document
) -> Iterator[tuple[str, bool]]:
    look = inspector.look(document, story.NOW)
    yield "type", _type(look) == type_id
    yield "level", look.recognition is not None and look.recognition.level == (told.level or "")
    headless = inspector.look(replace(_without_head(document), url=HEADLESS.format(number)), story.NOW)
    if not type_id.startswith("generic/"):  # standards of the head
        yield "type, no head", _type(headless) == type_id
    nowhere = inspector.look(replace(document, url=NOWHERE.format(number)), story.NOW)
    yield "level, no address", nowhere.recognition is not None and nowhere.recognition.level == (told.level or "")
    yield from (("links", good) for good in _links(told, look))
    yield from (("objects", good) for good in _objects(told, look))
    yield from (("stated", good) for good in _stated(told, look))
    for each in look.objects:
        if each.kind in POSTS:
            yield "posts with author and text", bool(each.get("author") and each.get("text"))
            yield "posts with date", bool(each.get("date"))


def _type(look: Look) -> str:
    return look.recognition.type.replace(".", "/") if look.recognition is not None else ""


def _without_head(document: Document) -> Document:
    """Return a page as themes may leave it: nothing in the head, no header of the answer."""
    if document.tree is None:
        return document
    tree = etree.fromstring(etree.tostring(document.tree, method="html", encoding="utf-8"), etree.HTMLParser())
    for head in list(tree.iter("head")):
        head.clear()
    source = etree.tostring(tree, method="html", encoding="unicode")
    return replace(document, tree=tree, source=source, headers=())


def _links(told: story.Story, look: Look) -> Iterator[bool]:
    led = {link.url: link.action.partition(":")[2] or "unknown" for link in look.way.links}
    led |= {skip.url: "skip" for skip in look.way.skips}
    base = told.url if look.document.tree is None else base_of(look.document.page, told.url)
    return (led.get(resolve(raw, base) or "") == expected for raw, expected in told.links.items())


def _objects(told: story.Story, look: Look) -> Iterator[bool]:
    """Judge the values that are expected, object by object; one that is not found has none right."""
    for number, wanted in enumerate(told.objects):
        found = look.objects[number] if number < len(look.objects) else None
        same = found is not None and found.kind == wanted.get("kind")
        for name, value in wanted.items():
            yield same and (name == "kind" or _values(found, name) == _texts(value))


def _stated(told: story.Story, look: Look) -> Iterator[bool]:
    """Judge the numbers that are expected, and those that were found and are not."""
    found = story.stated_on(look)
    wanted = told.stated or {}
    pairs = {(of, kind) for numbers in (found, wanted) for of, each in numbers.items() for kind in each}
    return (wanted.get(of, {}).get(kind) == found.get(of, {}).get(kind) for of, kind in sorted(pairs))


def _values(found: WebObject | None, name: str) -> list[str]:
    return [value.text for key, value in found.properties if key == name] if found is not None else []


def _texts(value: Any) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value])]


GATE = Gate(PAGES, PINNED, reached)

if __name__ == "__main__":
    raise SystemExit(GATE.main(__doc__ or ""))
