"""What a page is made of, as far as it tells whether content stands on it: texts by where they stand, forms, scripts.

Gathered in one walk, of pages that are suspected only: it takes a tenth of a millisecond for an ordinary page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from lxml import etree

_UNSEEN: Final = frozenset(("script", "style", "template", "noscript", "head", "svg", "option", "datalist"))
_FRAME: Final = frozenset(("nav", "header", "footer", "aside"))
_EMPTY: Final = frozenset(("div", "main", "section", "article", "ul", "app"))
_MEDIA: Final = frozenset(("img", "video", "audio", "object", "embed", "canvas", "picture", "applet"))
_FRAMES: Final = frozenset(("iframe", "frame"))
_TEXTUAL: Final = frozenset(("", "text", "search", "number", "date"))
_PERSONAL: Final = frozenset(("email", "tel", "file"))
_AROUND: Final = re.compile(r"(?:^|[^a-z])(?:nav|header|footer|topbar)", re.I)
_BOXES: Final = re.compile(r"(?:^|[^a-z])(?:side|quick|modal|popup|dropdown|widget|menu)", re.I)
"""Names of what stands beside the content, unless most of the page stands in it: page builders put all in widgets."""
_COOKIES: Final = re.compile(
    r"cookie|consent|gdpr|(?:^|[^a-z])cmp-?(?:wall|box|banner|wrapper|\d)|didomi|onetrust|usercentrics", re.I
)
_MAINLY: Final = frozenset(
    (
        *("app", "root", "main", "content", "results", "list", "feed", "view", "outlet", "page", "posts", "articles"),
        *("items", "products", "threads", "topics", "catalog", "gallery", "timeline", "stream", "grid", "mount"),
        *("next", "gatsby", "nuxt", "svelte", "ember", "container", "wrapper"),
    )
)
"""Words in the names of elements that scripts fill."""
_MOUNTS: Final = frozenset(("app", "root", "mount", "next", "nuxt", "gatsby", "svelte", "ember"))
"""Those of them that nothing but scripts fills."""
_BESIDE: Final = frozenset(
    (
        *("ad", "ads", "advert", "advertisement", "banner", "sponsor", "promo", "share", "modal", "map", "player"),
        *("video", "chat", "calendar", "comments", "disqus", "carousel", "slider", "lightbox", "captcha"),
    )
)
"""Words in the names of elements that scripts fill with what is no content."""
_LOADING: Final = re.compile(r"^\W*$|^.{0,40}(?:\.\.\.|…)$", re.S)
_WORD: Final = re.compile(r"[a-z]+")
_CONTENT: Final = ("a", "img", "form", "input", "h1", "h2", "table", "li", "iframe", "video", "object")
_FOOTER: Final = re.compile(r"(?:^|[^a-z])foot", re.I)
_WAITING: Final = 40  # characters that an element says, at most, which waits for scripts
_PIECES: Final = 20  # of text, of an element that may be empty
_SCRIPT: Final = 3000  # characters of a script that are looked at


@dataclass(slots=True)
class Form:
    """A form. Mutable while it is gathered."""

    around: bool = False
    """Whether it stands beside the content, as a search field or a login box in a header does."""
    passwords: int = 0
    textual: int = 0
    personal: int = 0
    choices: int = 0
    options: int = 0
    """Boxes to tick, as polls have them."""


@dataclass
class Facts:
    """What a page is made of. Mutable while it is gathered.

    Sizes are bytes of UTF-8, to be fair to all scripts; they are asked for when all is gathered.
    """

    title: str = ""
    own: list[str] = field(default_factory=list)
    """Texts of the page itself: no link, no form, nothing around the content."""
    linked: list[str] = field(default_factory=list)
    """Texts of links among these."""
    around: list[str] = field(default_factory=list)
    """Texts of navigation, headers and footers, and of forms."""
    asked: list[str] = field(default_factory=list)
    """Those of them that stand in forms of the page itself."""
    cookies: list[str] = field(default_factory=list)
    """Texts that ask for consent, by the name of their element."""
    headings: list[str] = field(default_factory=list)
    buttons: list[str] = field(default_factory=list)
    unscripted: list[str] = field(default_factory=list)
    """What is said to who runs no scripts."""
    hrefs: set[str] = field(default_factory=set)
    """Where links within the site lead."""
    ways: set[str] = field(default_factory=set)
    """Those of them that stand neither in a footer nor in a question for consent."""
    boxed: list[str] = field(default_factory=list)
    """Texts, outside links, of what is named as a box beside the content."""
    forms: list[Form] = field(default_factory=list)
    markup: list[str] = field(default_factory=list)
    """Names, sources and the beginnings of scripts."""
    pictures: list[str] = field(default_factory=list)
    scripts: int = 0
    frames: int = 0
    refreshed: bool = False
    empty: list[str] = field(default_factory=list)
    """Names of empty elements that scripts may fill."""

    @cached_property
    def passwords(self) -> int:
        """How many passwords are asked for."""
        return sum(form.passwords for form in self.forms)

    @cached_property
    def locked(self) -> bool:
        """Whether a password alone is asked for: not who reads is asked, but whether they may read this page."""
        return any(form.passwords == 1 and not form.textual + form.personal for form in self.forms)

    @cached_property
    def loose(self) -> int:
        """Size of the page's own text."""
        return size(self.own)

    @cached_property
    def main(self) -> int:
        """Size of the page's own text with its links."""
        return size(self.own) + size(self.linked)

    @cached_property
    def visible(self) -> int:
        """Size of all that a reader sees."""
        return self.main + size(self.around)

    @cached_property
    def heads(self) -> str:
        """Title and headings, in lower case."""
        return " ".join([self.title, *self.headings]).lower()

    @cached_property
    def words(self) -> str:
        """All that stands outside links, in lower case."""
        return " ".join([self.title, *self.headings, *self.own, *self.around, *self.buttons]).lower()

    @cached_property
    def source(self) -> str:
        """What stands in the markup, in lower case."""
        return " ".join(self.markup).lower()


def size(texts: list[str]) -> int:
    """Return how much is said."""
    return sum(len(each.encode("utf-8", "surrogatepass")) for each in texts)


def gather(tree: Any, title: str, host: str) -> Facts:
    """Look at every element once, or twice when what is named as boxes beside the content holds most of it."""
    facts = _gathered(tree, Facts(title), host, boxes=True)
    if size(facts.boxed) <= facts.loose + size(facts.headings):
        return facts
    return _gathered(tree, Facts(title), host, boxes=False)


def _gathered(tree: Any, facts: Facts, host: str, *, boxes: bool) -> Facts:
    gatherer = _Gatherer(facts, host, boxes=boxes)
    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        if event == "end":
            gatherer.leave(element)
        elif not gatherer.enter(element):
            walker.skip_subtree()
    return facts


class _Place(NamedTuple):
    """How many elements around the walk are frames, boxes, questions for consent, footers."""

    frames: int = 0
    boxes: int = 0
    cookies: int = 0
    footers: int = 0

    @property
    def around(self) -> bool:
        """Whether this is beside the content."""
        return self.frames > 0 or self.boxes > 0


class _Gatherer:
    """Mutable: the facts; in how many links, frames, forms and questions for consent the walk stands; names met."""

    def __init__(self, facts: Facts, host: str, *, boxes: bool):
        self._facts, self._host, self._believed = facts, host, boxes
        self._links = self._buttons = self._headings = 0
        self._in = _Place()
        self._forms: list[Form] = []
        self._bare: Form | None = None  # of what stands in no form: scripts send it
        self._marked: dict[Any, _Place] = {}
        self._names: dict[str, _Place] = {}

    def enter(self, element: Any) -> bool:
        """Take in the beginning of an element; return whether to look inside."""
        tag = element.tag
        if tag in _UNSEEN or not isinstance(tag, str):
            self._hidden(element, tag)
            return False
        name = f"{element.get('id', '')} {element.get('class', '')}"
        self._mark(element, tag, name)
        if tag == "a":
            self._links += 1
            self._link(element.get("href", ""))
        elif tag == "form":
            self._forms.append(Form(around=self._in.around))
            self._facts.forms.append(self._forms[-1])
            self._facts.markup.append(element.get("action", ""))
        elif tag in ("input", "textarea", "select"):
            self._control(element, tag)
        elif tag == "button":
            self._buttons += 1
        elif tag in ("h1", "h2"):
            self._headings += 1
        elif tag in _MEDIA or tag in _FRAMES:
            self._facts.frames += tag in _FRAMES
            self._facts.markup.append(element.get("src", ""))
            self._facts.pictures.append(element.get("src", ""))
        if tag in _EMPTY or "-" in tag:
            self._container(element, tag, name)
        self._say(element.text)
        return True

    def leave(self, element: Any) -> None:
        """Take in the end of an element, and what follows it."""
        tag = element.tag
        if tag == "a":
            self._links -= 1
        elif tag == "form":
            self._forms.pop()
        elif tag == "button":
            self._buttons -= 1
        elif tag in ("h1", "h2"):
            self._headings -= 1
        if (place := self._marked.pop(element, None)) is not None:
            self._in = place
        self._say(element.tail)

    def _mark(self, element: Any, tag: str, name: str) -> None:
        """Note where an element stands, by its tag or its name."""
        if tag in ("body", "html"):
            self._facts.scripts += "onload" in element.attrib
            return
        if name not in self._names:
            self._names[name] = self._named(name)
            self._facts.markup.append(name)
        frames, boxes, cookies, footers = self._names[name]
        place = _Place(frames or tag in _FRAME, boxes, cookies, footers or tag == "footer")
        if any(place):
            self._marked[element] = self._in
            self._in = _Place(*map(sum, zip(self._in, place, strict=True)))

    def _named(self, name: str) -> _Place:
        boxes = self._believed and _BOXES.search(name) is not None
        found = (each.search(name) is not None for each in (_COOKIES, _FOOTER))
        return _Place(_AROUND.search(name) is not None, boxes, *found)

    def _say(self, text: str | None) -> None:
        if not text or text.isspace():
            return
        said, facts = " ".join(text.split()), self._facts
        if self._buttons:
            facts.buttons.append(said)
        elif self._in.cookies:
            facts.cookies.append(said)
        elif self._headings and not self._in.around:
            facts.headings.append(said)
        elif self._in.around or self._forms:
            facts.around.append(said)
            if not self._in.around:
                facts.asked.append(said)
            if self._in.boxes and not self._in.frames and not self._links:
                facts.boxed.append(said)
        else:
            (facts.linked if self._links else facts.own).append(said)

    def _link(self, href: str) -> None:
        href = href.strip()
        if not href or href[0] == "#" or href.lower().startswith(("javascript:", "mailto:", "tel:")):
            return
        inside = "//" not in href[:8] or self._host in href.partition("//")[2].partition("/")[0]
        if inside:
            self._facts.hrefs.add(href.partition("#")[0])
            if not self._in.footers and not self._in.cookies:
                self._facts.ways.add(href.partition("#")[0])
        else:
            self._facts.markup.append(href)

    def _control(self, element: Any, tag: str) -> None:
        kind = element.get("type", "").lower() if tag == "input" else tag
        if kind in ("submit", "button", "image"):
            self._facts.buttons.append(element.get("value", ""))
        if not self._forms and self._bare is None:
            self._bare = Form(around=self._in.around)
            self._facts.forms.append(self._bare)
        form = self._forms[-1] if self._forms else self._bare
        assert form is not None
        form.passwords += kind == "password"
        form.textual += kind in _TEXTUAL
        form.personal += kind in _PERSONAL or kind == "textarea"
        form.choices += kind == "select"
        form.options += kind in ("radio", "checkbox")

    def _hidden(self, element: Any, tag: str) -> None:
        facts = self._facts
        if tag == "script":
            if "json" not in element.get("type", ""):
                facts.scripts += 1
                facts.markup += [element.get("src", ""), (element.text or "")[:_SCRIPT]]
        elif tag == "noscript":
            facts.unscripted += [each for each in _texts(element) if each]
        elif tag == "head":
            refresh = (each.get("http-equiv", "") for each in element.iter("meta"))
            facts.refreshed = any(each.lower() == "refresh" for each in refresh)
            for each in element.iter("script", "noscript"):
                self._hidden(each, each.tag)

    def _container(self, element: Any, tag: str, name: str) -> None:
        """Note an element that holds nothing, or says that it waits, and is named as what scripts fill."""
        names = _WORD.findall(f"{name} {tag}".lower())
        if self._in.around or ("-" in tag and _AROUND.search(tag)):
            return
        named = "-" in tag or tag == "main" or not _MAINLY.isdisjoint(names)
        if not named or not _BESIDE.isdisjoint(names) or next(element.iter(*_CONTENT), None) is not None:
            return
        said = "".join(islice(element.itertext(), _PIECES)).strip()
        mounted = "-" in tag or not _MOUNTS.isdisjoint(names)
        if _LOADING.match(said) or (mounted and len(said) <= _WAITING):
            self._facts.empty.append(name.strip() or tag)


def _texts(element: Any) -> Iterator[str]:
    for each in element.iter():
        if each.tag not in ("script", "style", "iframe", "img"):
            yield " ".join((each.text or "").split())
        yield " ".join((each.tail or "").split()) if each is not element else ""
