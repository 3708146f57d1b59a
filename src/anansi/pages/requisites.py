"""What a page, a style sheet, a script or a drawing needs to be shown: images, styles, scripts, fonts, sounds, films.

Addresses as they are written. What a script puts together while it runs cannot be read here; what it imports, and
addresses of files that stand whole in a page's own scripts, can.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any, Final

from lxml import etree

from anansi.text.page_model import PageModel
from anansi.text.tree import parse

SCANNED: Final = 4 << 20
"""Characters of a style sheet, a script or a drawing that are looked through."""
SCRIPT: Final = 64 << 10
"""Characters of a script in the page that are looked through; most are settings of a few hundred."""
CANDIDATES: Final = 20_000
"""Characters of one `srcset` that are read."""

FAVICON: Final = "/favicon.ico"

_SOURCES: Final = {
    "img": ("src", "data-src", "data-lazy-src", "data-original"),
    "source": ("src", "data-src"),
    "script": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "bgsound": ("src",),
    **dict.fromkeys(("image", "use", "feimage"), ("href", "{http://www.w3.org/1999/xlink}href", "xlink:href")),
    **dict.fromkeys(("body", "table", "tr", "td", "th"), ("background",)),
}
"""Tag → attributes that name a file; `data-…` is where scripts that load late keep it."""
_SETS: Final = {
    **dict.fromkeys(("img", "source"), ("srcset", "data-srcset", "data-lazy-srcset")),
    "link": ("imagesrcset",),
}
_RELATIONS: Final = frozenset(
    ("stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "preload")
) | {"modulepreload", "manifest"}
_TAGS: Final = tuple({*_SOURCES, "link", "input", "style", "iframe"})
_STYLED: Any = etree.XPath(
    "/descendant::*/@style[contains(translate(., 'URL', 'url'), 'url(') or contains(., 'image-set(')]",
    smart_strings=False,
)
_LATER: Any = etree.XPath(
    " | ".join(f"/descendant::*/@data-{name}" for name in ("bg", "background", "background-image", "lazy")),
    smart_strings=False,
)
"""Where scripts that load late keep backgrounds and slides; to look at all `data-` would take five times as long."""
_PICTURE: Final = re.compile(r"[^\s<>{}\"'|]{1,1000}\.(?:png|jpe?g|gif|webp|avif|svg)(?:\?[^\s<>{}]{0,500})?", re.I)
_QUOTED: Final = r"""(?:"((?:[^"\\\n]|\\.)*+)"|'((?:[^'\\\n]|\\.)*+)')"""
_CSS_URL: Final = re.compile(
    rf"""\burl\(\s*+(?:{_QUOTED}|((?:[^'")\\\s]|\\[0-9a-f]{{1,6}}\s?|\\.)++))|@import\s*+{_QUOTED}""", re.I | re.S
)
_CHOICE: Final = re.compile(r"\bimage-set\(([^;{}]*+)", re.I)
_SHOWN: Final = re.compile(rf"(?:^|,)\s*+{_QUOTED}", re.S)
"""Pictures among which a style sheet lets browsers choose; their media types are quoted, too."""
_ESCAPED: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.I | re.S)
_CANDIDATE: Final = re.compile(r"[\s,]*+([^\s,]\S*+)((?<!,)[^,(]*+(?:\([^)]*+\)?+[^,(]*+)*+)?")
"""One of a `srcset`: an address, which may hold commas, and what it is for, up to the next comma."""
_IMPORTED: Final = re.compile(r"""\b(?:import\s*+\(?\s*+|from\s*+)["']((?:https?:/|\.{0,2})/[^"'\s\\]{1,300})["']""")
_DRAWN: Final = re.compile(
    r"""<(?:image|use|feImage|script|\?xml-stylesheet)\b[^<>]*?\bhref\s*=\s*["']([^"'<>]{1,2000})["']"""
)
_SCRIPT_URL: Final = re.compile(
    r"""["']((?:https?:)?(?:\\?/){1,2}[^"'\s<>(){}]{1,300}?"""
    r"""\.(?:m?js|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf)(?:\?[^"'\s<>]{0,200})?)["']"""
)


def of_page(page: PageModel, *, icon: str = FAVICON) -> Iterator[str]:
    """Yield the addresses of what a page needs, as they are written; browsers ask for an icon where none is named."""
    return filter(None, _of_page(page, icon))


def _of_page(page: PageModel, icon: str) -> Iterator[str]:
    for element in page.tree.iter(*_TAGS):
        tag = element.tag
        if tag == "link":
            relations = element.get("rel", "").lower().split()
            icon = "" if "icon" in relations else icon
            if not _RELATIONS.isdisjoint(relations):
                yield element.get("href", "")
        elif tag == "input":
            if element.get("type", "").lower() == "image":
                yield element.get("src", "")
        elif tag == "style":
            yield from of_stylesheet(element.text or "")
        elif tag == "iframe":
            yield from _of_inner_page(element.get("srcdoc", ""))
        else:
            yield from filter(None, map(element.get, _SOURCES[tag]))
            if tag == "script" and element.text and "src" not in element.attrib:
                yield from _INLINE.get(element.get("type", "").lower(), _of_inline_script)(element.text)
        for name in _SETS.get(tag, ()):
            if candidates := element.get(name):
                yield from _of_set(candidates)
    for style in _STYLED(page.tree):
        yield from of_stylesheet(style)
    for value in _LATER(page.tree) if page.may_hold("data-") else ():
        yield from _of_later(value)
    yield icon


def of_stylesheet(text: str) -> Iterator[str]:
    """Yield the addresses of what a style sheet needs, as they are written."""
    text = text[:SCANNED]
    named = (*_CSS_URL.findall(text), *(each for choice in _CHOICE.findall(text) for each in _SHOWN.findall(choice)))
    yield from (_unescaped(found) for each in named if (found := "".join(each)))


def of_script(text: str) -> Iterator[str]:
    """Yield the addresses of the scripts that a script imports, as they are written."""
    yield from _IMPORTED.findall(text[:SCANNED])


def of_drawing(text: str) -> Iterator[str]:
    """Yield the addresses of what a drawing (SVG) needs, as they are written."""
    yield from map(unescape, _DRAWN.findall(text[:SCANNED]))
    yield from of_stylesheet(text)


def _of_inner_page(html: str) -> Iterator[str]:
    """Yield what a page within the page needs; one in that is left alone."""
    tree = parse(html[:SCRIPT].encode(), "utf-8") if html else None
    for frame in tree.iter("iframe") if tree is not None else ():
        frame.attrib.pop("srcdoc", None)
    return of_page(PageModel(tree), icon="") if tree is not None else iter(())


def _of_later(value: str) -> Iterator[str]:
    """Yield the picture that an attribute for scripts names, alone or as style sheets do."""
    if _PICTURE.fullmatch(value):
        yield value
    elif "url(" in value:
        yield from of_stylesheet(value[:SCRIPT])


def _of_import_map(text: str) -> Iterator[str]:
    """Yield the scripts that a page gives names to."""
    try:
        told = json.loads(text[:SCRIPT])
        maps = [told.get("imports", {}), *told.get("scopes", {}).values()]
        named = [each for imports in maps for each in imports.values() if isinstance(each, str)]
    except (ValueError, AttributeError, RecursionError):
        return
    yield from (each for each in named if not each.endswith("/"))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_meant, text) if "\\" in text else text


def _meant(escaped: re.Match[str]) -> str:
    """Return the character that an escape of CSS stands for."""
    return chr(min(int(escaped[1], 16), sys.maxunicode)) if escaped[1] else escaped[2]


def _of_set(candidates: str) -> Iterator[str]:
    for address, _ in _CANDIDATE.findall(candidates[:CANDIDATES]):
        yield address.rstrip(",")


def _of_inline_script(text: str) -> Iterator[str]:
    """Yield the addresses of files that stand whole in a script; JSON writes their slashes with another before."""
    for found in _SCRIPT_URL.findall(text[:SCRIPT]):
        yield found.replace("\\/", "/")
    yield from of_script(text[:SCRIPT])


_INLINE: Final = {"importmap": _of_import_map}
"""Type of a script → what reads it, where that is not the usual."""
