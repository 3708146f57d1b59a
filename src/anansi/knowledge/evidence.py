"""Evidence of what was learned, as XML: which rule, what it mends, where it held, what it found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from lxml import etree

from anansi.knowledge.entry import Evidence

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(root: Any) -> tuple[Evidence, ...]:
    """Read the evidence of an entry."""
    return tuple(
        Evidence(
            rule=each.get("rule"),
            action=each.get("action", ""),
            how=each.get("how", ""),
            mends=each.get("mends", ""),
            when=each.get("when", ""),
            pages=tuple(page.text or "" for page in each.findall("page")),
            values=tuple(value.text or "" for value in each.findall("value")),
        )
        for each in root.findall("learned")
    )


def write(root: Any, evidence: Iterable[Evidence]) -> None:
    """Write evidence below an entry."""
    for each in evidence:
        said = {"rule": each.rule, "action": each.action, "how": each.how, "mends": each.mends, "when": each.when}
        element = etree.SubElement(root, "learned", {name: _clean(value) for name, value in said.items() if value})
        for url in each.pages:
            etree.SubElement(element, "page").text = _clean(url)
        for value in each.values:
            etree.SubElement(element, "value").text = _clean(value)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)
