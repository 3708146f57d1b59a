"""What a person expects of a page, written down beside it, and what comes out instead.

`TYPE/NAME.html` is a page (slashes of the type's id as dots), `NAME.yaml` beside it says what is expected:

    url        the page's address
    headers    {name: value}, lower case                                                    (may be missing)
    level      the level, or nothing
    links      {address as it stands on the page: level, `skip` or `unknown`}
    objects    a list of {kind: …, property: value …} in the order of the page; values are exact
    stated     {address of what holds them: {kind: number}}, all that the page states       (may be missing)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import yaml

from anansi.errors import UserError
from anansi.inspection.look import Look, document_of
from anansi.model import WebObject
from anansi.pages.document import Document
from anansi.pages.links import base_of
from anansi.url import resolve

MOST_PAGES: Final = 100_000
"""Pages of a folder."""

NOW: Final = 1_790_000_000.0
"""When pages are read, so that "yesterday" has a date: 21 September 2026, 14:13 UTC."""

LARGEST: Final = 8 << 20
"""Bytes of a page or of what is expected of it."""


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is expected of a page."""

    url: Annotated[str, msgspec.Meta(min_length=8)]
    level: str | None
    headers: dict[str, str] = {}
    links: dict[str, str] = {}
    objects: list[dict[str, Any]] = []
    stated: dict[str, dict[str, int]] | None = None


def pages(folder: Path) -> list[Path]:
    """List the pages of a folder that is laid out by type."""
    found = sorted(folder.glob("*/*.html"))
    if len(found) > MOST_PAGES:
        raise UserError(f"{folder} holds more than {MOST_PAGES:,} pages; name a smaller folder")
    return found


def type_of(page: Path) -> str:
    """Return the type that a page is said to be of."""
    return page.parent.name.replace(".", "/")


def read(page: Path) -> tuple[Story, Document]:
    """Read a page and what is expected of it."""
    beside = page.with_suffix(".yaml")
    try:
        told = yaml.safe_load(_bytes(beside))
        story = msgspec.convert({} if told is None else told, Story)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise UserError(
            f"{beside}{line}: not valid YAML: {getattr(error, 'problem', error)}; mend it there"
        ) from None
    except msgspec.ValidationError as error:
        known = ", ".join(Story.__struct_fields__)
        raise UserError(f"{beside}: {error}; a page's story has {known}") from None
    return story, document_of(_bytes(page), "utf-8", story.url, headers=tuple(story.headers.items()))


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}; every page needs its .yaml beside it") from None
    if len(data) > LARGEST:
        raise UserError(f"{path} is larger than {LARGEST:,} bytes; take a smaller page")
    return data


def differences(type_id: str, story: Story, look: Look) -> list[str]:
    """Say in what a page differs from what is expected of it; the type's name may hold dots of its own."""
    found = look.recognition
    if found is None or found.type.replace(".", "/") != type_id:
        return [f"type: expected {type_id}, found {found.type if found else 'none'}"]
    told = []
    if found.level != (story.level or ""):
        told.append(f"level: expected {story.level or 'none'}, found {found.level or 'none'}")
    told += _links(story, look)
    told += _objects(story, look)
    told += _stated(story, look)
    return told


def stated_on(look: Look) -> dict[str, dict[str, int]]:
    """Return the numbers that a page states, by what holds what is counted."""
    found: dict[str, dict[str, int]] = {}
    for each in look.stated:
        if each.kind:
            found.setdefault(each.of, {})[each.kind] = each.count
    return found


def _stated(story: Story, look: Look) -> Iterator[str]:
    found = stated_on(look)
    if story.stated is not None and story.stated != found:
        yield f"stated: expected {story.stated}, found {found}"


def _links(story: Story, look: Look) -> Iterator[str]:
    led = {link.url: link.action.partition(":")[2] or "unknown" for link in look.way.links}
    led |= {skip.url: "skip" for skip in look.way.skips}
    base = story.url if look.document.tree is None else base_of(look.document.page, story.url)
    for raw, expected in story.links.items():
        # addresses with one key are one link: the first on the page stands for the others
        leads = led.get(resolve(raw, base) or "", "not on the page")
        if leads != expected:
            yield f"link {raw}: expected {expected}, found {leads}"


def _objects(story: Story, look: Look) -> Iterator[str]:
    kinds = [each.kind for each in look.objects]
    expected = [each.get("kind") for each in story.objects]
    if kinds != expected:
        yield f"objects: expected {_listed(expected)}, found {_listed(kinds)}"
        return
    for number, (found, wanted) in enumerate(zip(look.objects, story.objects, strict=True), start=1):
        for name, value in wanted.items():
            values = [str(each) for each in (value if isinstance(value, list) else [value])]
            if name != "kind" and _values(found, name) != values:
                yield f"object {number} ({found.kind}), {name}: expected {values}, found {_values(found, name)}"


def _listed(kinds: list[Any]) -> str:
    return ", ".join(map(str, kinds)) or "none"


def _values(found: WebObject, name: str) -> list[str]:
    return [value.text for key, value in found.properties if key == name]
