"""The links of any HTML page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from anansi.knowledge.addresses import shape_of
from anansi.model import Hop, Link, Role
from anansi.pages.link_shapes import form_of
from anansi.text.page_model import PageModel
from anansi.url import Rules, canonical, origin_of, resolve

MOST = 20_000  # references taken from one page; more is a link farm or an attack
MEMO = 20_000  # links remembered, about 400 bytes each

_KEY: Final = attrgetter("key")
_REFRESH_URL = re.compile(r"\burl\s*=\s*['\"]?\s*([^'\"\s>]+)", re.I)


class Named(Protocol):
    """What a link is read as; it has an address and a key at least."""

    @property
    def url(self) -> str:
        """Return the address."""
        ...

    @property
    def key(self) -> str:
        """Return the key; links with one key are one."""
        ...


Value = TypeVar("Value", bound=Named)
Made = Callable[[str], Value | None]


class Reader(Protocol[Value]):
    """Says what links are, as they are written. What it says once is remembered."""

    def meant(self, raw: str, base: str) -> Value | None:
        """Say what a link is; None when it leads nowhere."""
        ...

    def form(self, raw: str, base: str, value: Value) -> Made[Value]:
        """Return what says it of all links in the same place that differ from this one in numbers alone."""
        ...


class _Memo(NamedTuple):
    """What is known of links as they are written in one place: each, and those of one shape."""

    links: dict[str, Any]
    forms: dict[bytes, Made[Any] | None]
    """None for a shape that was met once."""


class _Links:
    """Reads links as no more than links."""

    def __init__(self, rules: Rules, hop: str, role: Role = Role.PAGE) -> None:
        self._rules, self._hop, self._role = rules, hop, role

    def meant(self, raw: str, base: str) -> Link | None:
        url = resolve(raw, base)
        return Link(url, canonical(url, self._rules), self._hop, self._role) if url is not None else None

    def form(self, raw: str, base: str, value: Link) -> Made[Link]:
        form = form_of(raw, value.url, value.key) if not self._rules.rewrites else None
        if form is None:
            return lambda raw: self.meant(raw, base)
        filled, hop, role = form.filled, self._hop, self._role
        return lambda raw: Link(*filled(raw), hop, role)


class References(NamedTuple):
    """What a page refers to, as it is written."""

    base: str
    raws: list[str]


class LinkFinder:
    """Finds links. A template repeats most of its links on every page, so what a link leads to is remembered.

    Mutable state: `_memos` (who read it, and its place → what is known) and `_size`, their links; all dropped when
    full. `_latest`, what is known where the latest page stands. `_left_out`, references beyond `MOST` since somebody
    asked.
    """

    def __init__(self, rules: Rules):
        self.rules = rules
        self._memos: dict[tuple[object, str], _Memo] = {}
        self._size = 0
        self._latest: tuple[str, object, _Memo, _Memo] | None = None
        self._left_out = 0
        self._links = _Links(rules, Hop.LINK.value)
        self._parts = _Links(rules, Hop.EMBED.value, Role.REQUISITE)

    def links(self, page: PageModel, url: str) -> list[Link]:
        """Return the links of a page, each once, in the order they stand in; the rarer kinds after the anchors."""
        base, raws = self.references(page, url)
        return list(self.read(raws, base, self._links).values())

    def references(self, page: PageModel, url: str) -> References:
        """Return what a page refers to, and what that is relative to."""
        return References(base_of(page, url), [*page.hrefs, *_elsewhere(page.referring)])

    def parts(self, raws: Iterable[str], base: str) -> list[Link]:
        """Return what a page needs to be complete, each once."""
        return list(self.read(raws, base, self._parts).values())

    def some(self, page: PageModel, raws: list[str], url: str) -> list[Link]:
        """Return the links that some references on a page stand for, each once."""
        return list(self.read(raws, base_of(page, url), self._links).values()) if raws else []

    def redirect(self, location: str, url: str) -> Link | None:
        """Return where a redirect leads."""
        return _Links(self.rules, Hop.REDIRECT.value).meant(location, url)

    def read(self, raws: Iterable[str], base: str, reader: Reader[Value]) -> dict[str, Value]:
        """Return what some references are, by their keys."""
        # what begins with a slash or a scheme leads to the same place from every page of the origin,
        # everything else but a bare query from every page of the folder
        rooted, relative = self._memos_of(base, reader)
        few = self._few(dict.fromkeys(_cut(list(raws))))
        # most are known, and are looked up in one go: what is rooted is never among the relative ones, nor they there
        missing = set(few).difference(rooted.links).difference(relative.links).__contains__
        new = filter(missing, few)  # in their order: a crawl takes the same way each time
        more = {raw: self._find(raw, base, reader, rooted if _is_rooted(raw) else relative) for raw in new}
        relatives = map(relative.links.get, few, map(more.get, few))
        links = list(filter(None, map(rooted.links.get, few, relatives)))
        return dict(zip(map(_KEY, links), links, strict=True))

    def left_out(self) -> int:
        """Return how many references were left out since this was asked, for their pages have too many."""
        count, self._left_out = self._left_out, 0
        return count

    def _few(self, raws: dict[str, None]) -> dict[str, None]:
        if len(raws) <= MOST:
            return raws
        self._left_out += len(raws) - MOST
        return dict.fromkeys(islice(raws, MOST))

    def resolved(self, raw: str, base: str) -> str | None:
        """Return the address that a link on a page leads to; most were met when the page's links were looked for."""
        if self._latest is None or self._latest[0] != base:
            return resolve(raw, base)
        _, _, rooted, relative = self._latest
        raw = "".join(raw.partition("#")[:2])
        link = (rooted if _is_rooted(raw) else relative).links.get(raw, _UNKNOWN)
        if link is _UNKNOWN:
            return resolve(raw, base)
        return link.url if link is not None else None

    def _memos_of(self, base: str, reader: object) -> tuple[_Memo, _Memo]:
        if self._size + len(self._memos) >= MEMO:
            self._memos.clear()
            self._latest, self._size = None, 0
        latest = self._latest
        if latest is not None and latest[0] == base and latest[1] is reader:
            return latest[2:]
        memo = self._memos.setdefault
        rooted, relative = (
            memo((reader, origin_of(base)), _Memo({}, {})),
            memo((reader, _folder(base)), _Memo({}, {})),
        )
        if reader is not self._parts:
            self._latest = base, reader, rooted, relative
        return rooted, relative

    def _find(self, raw: str, base: str, reader: Reader[Value], memo: _Memo) -> Value | None:
        if raw[:1] == "#":
            return None
        shape = shape_of(raw)
        form = memo.forms.get(shape)
        link: Value | None = reader.meant(raw, base) if form is None else form(raw)
        if raw and raw[0] != "?":
            memo.links[raw] = link
            self._size += 1
            if form is None and link is not None and b"0" in shape:
                # most shapes are met once: finding out how they are made is worth it for the second
                memo.forms[shape] = reader.form(raw, base, link) if shape in memo.forms else None
        return link


_UNKNOWN = Link("", "")


def base_of(page: PageModel, url: str) -> str:
    """Return what the links of a page are relative to."""
    raw = page.base
    return url if raw is None else resolve(raw, url) or url


def _cut(raws: list[str]) -> list[str]:
    """Cut references behind the mark of a fragment, where there is one."""
    if "#" not in "".join(raws):  # in one go, for most pages have none
        return raws
    return [raw if "#" not in raw else raw[: raw.index("#") + 1] for raw in raws]


def _is_rooted(raw: str) -> bool:
    return raw[:1] == "/" or raw[:7] == "http://" or raw[:8] == "https://"


def _folder(url: str) -> str:
    head = url.partition("?")[0]
    return head[: head.rfind("/") + 1]


def _elsewhere(rare: list[Any]) -> Iterator[str]:
    """Yield the links that do not stand in anchors."""
    for element in rare:
        if element.tag in ("frame", "iframe"):
            yield element.get("src", "#")
        elif element.tag == "area" or (element.tag == "link" and element.get("rel", "").lower() in ("next", "prev")):
            yield element.get("href", "#")
        elif element.tag == "meta" and element.get("http-equiv", "").lower() == "refresh":
            yield from _REFRESH_URL.findall(element.get("content", ""))[:1]
