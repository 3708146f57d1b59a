"""What recognition and extraction reach on the pages of `pages`, pinned in `figures.json`.

    python -m tests.knowledge.gate            says what is reached, and what is pinned
    python -m tests.knowledge.gate --pin      pins what is reached, if nothing is lower than before
    python -m tests.knowledge.gate --pin --lower    pins it though something is lower; say why in the commit

A figure is two numbers: how many were right, of how many. The pages are part of what is pinned, by a hash over all of
them and what is expected of them, so a figure cannot rise because pages were taken away.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree

from anansi.act.links import base_of
from anansi.inspection import story
from anansi.inspection.look import Inspector, Look
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.recognise.document import Document
from anansi.url import resolve

PAGES = Path(__file__).parent / "pages"
PINNED = Path(__file__).parent / "figures.json"
POSTS = ("post", "comment", "answer", "question", "status")
NOWHERE = "https://{}.nowhere.example/x"
"""An address that no table knows, one a page: what is known of a site counts for its other pages."""

HEADLESS = "https://{}.headless.example/x"

Figures = dict[str, tuple[int, int]]
"""Name → how many were right, of how many."""


def corpus() -> str:
    """Return the hash of all pages and of what is expected of them."""
    digest = hashlib.sha256()
    for path in sorted(each for each in PAGES.rglob("*") if each.is_file()):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(PAGES).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()


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
    base = told.url if look.document.tree is None else base_of(look.document.tree.iter("base"), told.url)
    return (led.get(resolve(raw, base) or "") == expected for raw, expected in told.links.items())


def _objects(told: story.Story, look: Look) -> Iterator[bool]:
    """Judge the values that are expected, object by object; one that is not found has none right."""
    for number, wanted in enumerate(told.objects):
        found = look.objects[number] if number < len(look.objects) else None
        same = found is not None and found.kind == wanted.get("kind")
        for name, value in wanted.items():
            yield same and (name == "kind" or _values(found, name) == _texts(value))


def _values(found: WebObject | None, name: str) -> list[str]:
    return [value.text for key, value in found.properties if key == name] if found is not None else []


def _texts(value: Any) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value])]


def pinned() -> tuple[str, Figures]:
    """Read what is pinned."""
    kept = json.loads(PINNED.read_text(encoding="utf-8"))
    return kept["corpus"], {name: (right, of) for name, (right, of) in kept["figures"].items()}


def lower(now: Figures, before: Figures) -> list[str]:
    """Name the figures that fell: in the share that is right, or in how much is looked at."""
    told = []
    for name, (was_right, was_of) in before.items():
        right, of = now.get(name, (0, 0))
        if of < was_of or right * was_of < was_right * of:
            told.append(f"{name}: {right} of {of}, was {was_right} of {was_of}")
    return told


def pin(now: Figures) -> None:
    """Write what is reached."""
    figures = ",\n".join(f'    "{name}": [{right}, {of}]' for name, (right, of) in now.items())
    PINNED.write_text(f'{{\n  "corpus": "{corpus()}",\n  "figures": {{\n{figures}\n  }}\n}}\n', encoding="utf-8")


def main() -> int:
    """Say what is reached, and pin it when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pin", action="store_true", help="pin what is reached")
    parser.add_argument("--lower", action="store_true", help="pin it though something is lower than before")
    asked = parser.parse_args()
    now = reached()
    for name, (right, of) in now.items():
        print(f"{name:28} {right:6} of {of:6}  {right / of:.2%}")
    fallen = lower(now, pinned()[1]) if PINNED.exists() else []
    for each in fallen:
        print(f"lower than pinned: {each}")
    if asked.pin and fallen and not asked.lower:
        print("nothing pinned: mend what fell, or say --lower")
        return 1
    if asked.pin:
        pin(now)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
