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
    whole = deepcopy(template.page.tree.getroottree())  # its document type belongs to it
    tree, copies = whole.getroot(), dict(zip(template.page.tree.iter(), whole.getroot().iter(), strict=True))
    base = base_of(template.page)
    start, slots = template.leads, _slots(template)
    if _is_grid(template):
        start, slots = len(template.entries), []
    places = template.entries[:start]
    alone = [_block(unit, base, alone=True) for unit in (units if not slots else units[:start])]
    _fill_places(places, copies, alone)
    blocks: list[_Block] = []
    ranks = _ranks(template)
    for number, unit in enumerate(units[start:] if slots else (), start + 1):
        block = _block(unit, base)
        if ranks is not None:
            _set_rank(block, ranks, number)
        last = blocks[-1] if blocks else None
        if last is not None and block.heading and block.heading == last.heading:
            if last.inner is not None:
                last.inner.extend(block.entries)
                continue
            block = _Block(block.heading, (), block.nodes)
        blocks.append(block)
    if slots:
        _replace(copies[template.container], [[copies[node] for node in nodes] for nodes in slots], blocks)
    return tree


def _ranks(template: Listing) -> tuple[int, ...] | None:
    """Return where in each entry its number stands, as steps from its first element; None when there is none."""
    found: set[tuple[int, ...]] = set()
    for number, entry in enumerate(template.entries, 1):
        numbers = (each for each in entry.nodes[0].iter() if (each.text or "").strip().rstrip(".)#") == str(number))
        first = next(numbers, None)
        if first is None:
            return None
        steps: list[int] = []
        while first is not entry.nodes[0]:
            steps.insert(0, first.getparent().index(first))
            first = first.getparent()
        found.add(tuple(steps))
    return found.pop() if len(found) == 1 else None


def _set_rank(block: _Block, steps: tuple[int, ...], number: int) -> None:
    element = (block.entries or block.nodes)[0]
    for step in steps:
        if step >= len(element):
            return
        element = element[step]
    ending = (element.text or "").strip().lstrip("0123456789") or "."
    element.text = f"{number}{ending}"


def _is_grid(template: Listing) -> bool:
    """Tell whether the groups of a list are rows and no more: nothing is said in them beside the entries."""
    groups = {entry.group for entry in template.entries[template.leads :]}
    inside = {node for entry in template.entries for node in entry.nodes}
    return None not in groups and not any(_said_outside(group, inside) for group in groups)


def _said_outside(element: Any, inside: set[Any]) -> bool:
    if element in inside:
        return False
    own = (element.text or "") + "".join(child.tail or "" for child in element)
    return bool(own.strip()) or any(_said_outside(child, inside) for child in element)


def _fill_places(entries: Sequence[Entry], copies: dict[Any, Any], blocks: Sequence[_Block]) -> None:
    """Put each block in the place of one entry; places left over are emptied, blocks left over follow the last."""
    for number, entry in enumerate(entries):
        own = [copies[node] for node in entry.nodes]
        parent = own[0].getparent()
        where = parent.index(own[0])
        for node in own:
            parent.remove(node)
        more = blocks[number:] if number == len(entries) - 1 else blocks[number : number + 1]
        parent[where:where] = [node for block in more for node in block.nodes]


def _copied(root: Any) -> tuple[Any, dict[Any, Any]]:
    copy = deepcopy(root)
    return copy, dict(zip(root.iter(), copy.iter(), strict=True))


def _slots(template: Listing) -> list[list[Any]]:
    """List what the template's entries take up, in the order of the page."""
    entries = template.entries[template.leads :]
    if entries[0].group is not None:
        return [[group] for group in dict.fromkeys(entry.group for entry in entries)]
    taken: set[Any] = set()
    slots = []
    for entry in entries:
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


def _block(unit: Unit, base: str, *, alone: bool = False) -> _Block:
    block = _grouped(unit) if unit.entry.group is not None and not alone else _flat(unit)
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
    kind = tree.getroottree().docinfo.doctype
    text = etree.tostring(tree, method="html", encoding="unicode")
    return f"{kind}\n{text}".lstrip().encode("utf-8", "replace")


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
