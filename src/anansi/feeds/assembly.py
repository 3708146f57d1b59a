"""A page put together: the markup of a template, with other entries in the place of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from anansi.feeds.channel import Entry, Listing, base_of
from anansi.feeds.dating import aged
from anansi.feeds.mould import Filled, dated
from anansi.url import resolve

POLICY: Final = "script-src 'none'; object-src 'none'; frame-src 'none'; form-action 'none'"
"""What a rebuilt page may not do. Its scripts stay as they were archived, and no browser runs them."""
EVIDENCE: Final = "anansi-evidence"
_ADDRESSES: Final = ("href", "src", "poster", "cite")
_BANNER: Final = (
    "all:initial;display:block;box-sizing:border-box;width:100%;padding:.7em 1em;background:#fff3c4;color:#222;"
    "border-bottom:3px solid #b8860b;font:14px/1.4 sans-serif;position:relative;z-index:2147483647"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """An entry on its way into the template."""

    entry: Entry
    """Whose heading and group it takes: its own, or that of its mould."""
    source: Listing
    filled: Filled | None = None
    """What stands in its place when it comes out of a mould."""
    moments: tuple[float, float | None] | None = None
    """When the mould's item came, and when this one did."""
    age: tuple[float | None, float] | None = None
    """When a captured one came, and which moment its page is of."""


@dataclass(frozen=True, slots=True)
class _Block:
    """What is put into the list at one place."""

    heading: str
    header: tuple[Any, ...]
    nodes: list[Any]
    inner: Any = None
    """Where further entries of the group go, and what stands there now."""
    entries: tuple[Any, ...] = ()


def assembled(template: Listing, units: Sequence[Unit]) -> Any:
    """Return a copy of the template with some entries instead of its own."""
    tree, copies = _copied(template.page.tree)
    base = base_of(template.page)
    blocks: list[_Block] = []
    for unit in units:
        block = _block(unit, base)
        last = blocks[-1] if blocks else None
        if last is not None and block.heading and block.heading == last.heading:
            if last.inner is not None:
                last.inner.extend(block.entries)
                continue
            block = _Block(block.heading, (), block.nodes)
        blocks.append(block)
    _replace(copies[template.container], [copies_of(each, copies) for each in _slots(template)], blocks)
    return tree


def copies_of(nodes: Iterable[Any], copies: dict[Any, Any]) -> list[Any]:
    """Return the copies of some elements."""
    return [copies[each] for each in nodes]


def _copied(root: Any) -> tuple[Any, dict[Any, Any]]:
    copy = deepcopy(root)
    return copy, dict(zip(root.iter(), copy.iter(), strict=True))


def _slots(template: Listing) -> list[list[Any]]:
    """List what the template's entries take up, in the order of the page."""
    if template.entries[0].group is not None:
        return [[group] for group in dict.fromkeys(entry.group for entry in template.entries)]
    taken: set[Any] = set()
    slots = []
    for entry in template.entries:
        nodes = [each for each in (*entry.header, *entry.nodes) if each not in taken]
        taken.update(nodes)
        slots.append(nodes)
    return slots


def _replace(container: Any, slots: list[list[Any]], blocks: list[_Block]) -> None:
    """Put blocks where the slots are; what stands between slots stays where it is, what is left follows the last."""
    first = {nodes[0]: number for number, nodes in enumerate(slots)}
    owned = {each for nodes in slots for each in nodes}
    children = list(container)
    for child in children:
        container.remove(child)
    waiting = iter(blocks)
    for child in children:
        if child not in owned:
            container.append(child)
        elif child in first:
            whole = first[child] == len(slots) - 1
            for block in list(waiting) if whole else [each for each in (next(waiting, None),) if each is not None]:
                container.extend([*block.header, *block.nodes])


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _block(unit: Unit, base: str) -> _Block:
    block = _grouped(unit) if unit.entry.group is not None else _flat(unit)
    if unit.age is not None:
        _make_old(block.nodes, *unit.age)
    start = base_of(unit.source.page)
    if start != base:
        for node in (*block.header, *block.nodes):
            _make_absolute(node, start)
    return block


def _flat(unit: Unit) -> _Block:
    header = tuple(deepcopy(each) for each in unit.entry.header)
    if unit.moments is not None:
        dated(header, *unit.moments)
    nodes = [*unit.filled.nodes] if unit.filled is not None else [deepcopy(each) for each in unit.entry.nodes]
    return _Block(_said(header), header, nodes)


def _grouped(unit: Unit) -> _Block:
    """Take the group of an entry with that entry alone in it."""
    group, copies = _copied(unit.entry.group)
    group.tail = unit.entry.group.tail
    own = [copies[each] for each in unit.entry.nodes]
    inner = own[0].getparent()
    others = [
        copies[node]
        for entry in unit.source.entries
        if entry.group is unit.entry.group and entry.key != unit.entry.key
        for node in entry.nodes
    ]
    for node in others:
        node.getparent().remove(node)
    where = inner.index(own[0])
    for node in own:
        inner.remove(node)
    if unit.moments is not None:
        dated([group], *unit.moments)
    heading = _said([group])
    nodes = [*unit.filled.nodes] if unit.filled is not None else own
    inner[where:where] = nodes
    return _Block(heading, (), [group], inner, tuple(nodes))


def _said(nodes: Iterable[Any]) -> str:
    return " ".join(" ".join(text for node in nodes for text in node.itertext()).split())


def _make_old(nodes: Iterable[Any], published: float | None, at: float) -> None:
    """Say how old an item was at the moment of the page, not at that of its capture."""
    for element in (each for node in nodes for each in node.iter()):
        if (text := aged(element.text or "", published, at)) is not None:
            element.text = text
        if (text := aged(element.tail or "", published, at)) is not None:
            element.tail = text


def _make_absolute(node: Any, base: str) -> None:
    for element in node.iter():
        if not isinstance(element.tag, str):
            continue
        for name in _ADDRESSES:
            raw = element.get(name)
            url = resolve(raw, base) if raw and not raw.startswith("#") else None
            if url is not None:
                element.set(name, url + (f"#{raw.partition('#')[2]}" if "#" in (raw or "") else ""))


# ── the mark ─────────────────────────────────────────────────────────────────────────────────────────────────────


def marked(tree: Any, base: str, said: Sequence[str], evidence: dict[str, Any]) -> bytes:
    """Write a rebuilt page: what it is stands on it, in its head and above all else in its body."""
    head, body = _part(tree, "head", 0), _part(tree, "body", len(tree))
    for meta in list(tree.iter("meta")):
        named = (meta.get("http-equiv") or "").strip().lower()
        if meta.get("charset") or named in ("content-type", "refresh", "content-security-policy"):
            meta.getparent().remove(meta)
    for number, attributes in enumerate(_metas(evidence)):
        head.insert(number, etree.Element("meta", attributes))
    if next(tree.iter("base"), None) is None:
        head.insert(len(_metas(evidence)), etree.Element("base", {"href": base}))
    data = etree.SubElement(head, "script", {"type": "application/json", "id": EVIDENCE})
    data.text = json.dumps(evidence, ensure_ascii=False).replace("<", "\\u003c")
    body.insert(0, _banner(said))
    kind = tree.getroottree().docinfo.doctype or "<!DOCTYPE html>"
    text = etree.tostring(tree, method="html", encoding="unicode", doctype=kind)
    return str(text).encode("utf-8", "replace")


def _metas(evidence: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"charset": "utf-8"},
        {"http-equiv": "Content-Security-Policy", "content": POLICY},
        {"name": "anansi-reconstructed", "content": str(evidence["at"])},
        {"name": "anansi-template", "content": str(evidence["template"]["captured"])},
        {"name": "robots", "content": "noindex"},
    ]


def _part(tree: Any, name: str, where: int) -> Any:
    found = tree.find(name)
    if found is None:
        found = etree.Element(name)
        tree.insert(where, found)
    return found


def _banner(said: Sequence[str]) -> Any:
    banner = etree.Element("div", {"id": "anansi-banner", "role": "note", "style": _BANNER})
    etree.SubElement(banner, "strong").text = said[0]
    for line in said[1:]:
        etree.SubElement(banner, "div").text = line
    return banner
