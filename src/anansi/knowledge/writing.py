"""Entries as XML, as `notation` reads them."""

from __future__ import annotations

from typing import Any

from lxml import etree

from anansi.knowledge import evidence
from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import As, Extraction, Level, Navigation, Pattern, Shortcut, States, Type
from anansi.knowledge.learned import write_learned
from anansi.knowledge.notation import EITHER


def write(entry: Type) -> bytes:
    """Write an entry."""
    root = etree.Element("type", {"id": entry.id, "title": entry.title})
    etree.SubElement(root, "about").text = entry.about
    _write_detection(root, entry.detection)
    if entry.addresses:
        table = etree.SubElement(root, "addresses")
        for address in entry.addresses:
            etree.SubElement(table, "address", _address_attributes(address))
    for action in entry.navigation:
        _write_navigation(root, action)
    for level in entry.levels:
        _write_level(root, level)
    for shortcut in entry.shortcuts:
        etree.SubElement(root, "shortcut", _shortcut_attributes(shortcut))
    for learned in entry.learned:
        write_learned(root, learned)
    evidence.write(root, entry.evidence)
    etree.indent(root)
    return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"


def _given(attributes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if value}


def _write_detection(parent: Any, patterns: tuple[Pattern, ...]) -> None:
    if not patterns:
        return
    detect = etree.SubElement(parent, "detect")
    for pattern in patterns:
        seen = _given({"seen": pattern.seen})
        if len(pattern.expressions) == 1:
            etree.SubElement(detect, "pattern", seen).text = str(pattern.expressions[0])
            continue
        together = etree.SubElement(detect, "all", seen)
        for expression in pattern.expressions:
            etree.SubElement(together, "pattern").text = str(expression)


def _shortcut_attributes(shortcut: Shortcut) -> dict[str, str]:
    given = {name: getattr(shortcut, name) for name in ("kind", "address", "links", "leads", "next")}
    return _given(given | {"at": str(shortcut.at or ""), "size": str(shortcut.size or "")})


def _address_attributes(address: Address) -> dict[str, str]:
    has = " ".join(name if shape is None else f"{name}={shape.pattern}" for name, shape in address.has)
    given = {
        "leads": address.leads,
        "skip": address.skip,
        "match": address.match.pattern if address.match is not None else "",
        "has": has,
        "drop": " ".join(sorted(address.drop)),
        "default": " ".join(f"{name}={value}" for name, value in sorted(address.default)),
        "write": address.write,
        "whole": address.whole,
        "request": address.request,
        "never": "yes" if address.never else "",
        "lists": "yes" if address.lists else "",
        "part": "yes" if address.part else "",
    }
    kept = {"keep": " ".join(address.keep)} if address.keep is not None else {}
    return _given(given) | kept


def _write_navigation(parent: Any, action: Navigation) -> None:
    given = {"to": action.to, "by": "address" if action.by_address else ""}
    etree.SubElement(parent, "navigate", _given(given)).text = str(action.expression)


def _write_level(root: Any, level: Level) -> None:
    given = {"name": level.name, "kind": level.kind.value, "while": "new" if level.while_new else ""}
    element = etree.SubElement(root, "level", _given(given))
    _write_detection(element, level.detection)
    for action in level.navigation:
        _write_navigation(element, action)
    for extraction in level.extraction:
        _write_extraction(element, extraction)
    for states in level.states:
        _write_states(element, states)


def _write_states(parent: Any, states: States) -> None:
    given = {"counts": states.counts, "of": states.of, "plus": str(states.plus or "")}
    element = etree.SubElement(parent, "states", _given(given))
    for each in states.action.each:
        etree.SubElement(element, "each").text = str(each)
    for prop in states.action.properties:
        etree.SubElement(element, prop.name, _given({"match": prop.match})).text = str(prop.expression)


def _write_extraction(parent: Any, extraction: Extraction) -> None:
    given = {
        "object": extraction.object,
        "part-of": extraction.part_of,
        "needs": " ".join(extraction.needs),
        "confidence": _confidence(extraction.confidence),
    }
    element = etree.SubElement(parent, "extract", _given(given))
    for each in extraction.each:
        etree.SubElement(element, "each", {"to": "next"} if each in extraction.runs else {}).text = str(each)
    for prop in extraction.properties:
        given = {
            "name": prop.name,
            "as": prop.read_as.value if prop.read_as is not As.TEXT else "",
            "match": prop.match,
            "without": EITHER.join(map(str, prop.without)),
            "format": EITHER.join(prop.formats),
            "many": "yes" if prop.many else "",
            "confidence": _confidence(prop.confidence),
        }
        etree.SubElement(element, "property", _given(given)).text = str(prop.expression)


def _confidence(sure: float) -> str:
    return f"{sure:.2f}" if sure < 1 else ""
