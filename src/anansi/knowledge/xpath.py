"""The XPath fragment of the AAH paper (figure 2): parsed, printed, compiled.

    expr      ::= step | step "/" expr | step "//" expr
    step      ::= nodetest | step "[" predicate "]"
    nodetest  ::= tag | "@" tag | "*" | "@*" | "text()"
    predicate ::= "contains(" value "," string ")" | value "=" string | integer | "last()"
    value     ::= tag | "@" tag

A leading `//` is implicit. Only downward axes and the simplest predicates: small enough to be mended by relaxation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lxml import etree

from anansi.errors import KnowledgeError

LONGEST: Final = 2000
"""Characters of an expression; real ones have a hundred."""

LAST: Final = 0
"""The number of a `Position` that means `last()`."""

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _check_string(string: str) -> None:
    """Refuse a string that the fragment cannot write: XPath 1.0 knows no escapes."""
    if "'" in string and '"' in string:
        raise KnowledgeError(
            f"`{string[:80]}` holds both kinds of quotes; an expression can compare with one kind only"
        )


@dataclass(frozen=True, slots=True)
class Contains:
    """`contains(value, 'string')`."""

    value: str
    string: str

    def __post_init__(self) -> None:
        _check_string(self.string)

    def __str__(self) -> str:
        return f"contains({self.value},{quoted(self.string)})"


@dataclass(frozen=True, slots=True)
class Equals:
    """`value='string'`."""

    value: str
    string: str

    def __post_init__(self) -> None:
        _check_string(self.string)

    def __str__(self) -> str:
        return f"{self.value}={quoted(self.string)}"


@dataclass(frozen=True, slots=True)
class Position:
    """`3`, or `last()` when the number is `LAST`."""

    number: int

    def __str__(self) -> str:
        return str(self.number) if self.number != LAST else "last()"


Predicate = Contains | Equals | Position


@dataclass(frozen=True, slots=True)
class Step:
    """A node test with its predicates, and the axis that leads to it."""

    axis: str
    """`/` or `//`; that of the first step is always `//`."""
    test: str
    """`div`, `@href`, `*`, `@*` or `text()`."""
    predicates: tuple[Predicate, ...] = ()

    def __str__(self) -> str:
        return self.test + "".join(f"[{each}]" for each in self.predicates)


@dataclass(frozen=True, slots=True)
class Expression:
    """A path of steps."""

    steps: tuple[Step, ...]
    _hash: int = field(init=False, repr=False, compare=False)
    """Kept, for expressions are looked up by the dozen on every page."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.steps))

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        first, *rest = self.steps
        return str(first) + "".join(f"{step.axis}{step}" for step in rest)

    def __truediv__(self, below: Expression) -> Expression:
        """Return the expression that finds another one's nodes below this one's."""
        return Expression(self.steps + below.steps)

    def strings(self) -> Iterator[str]:
        """Go through the strings that the predicates compare with."""
        for step in self.steps:
            for predicate in step.predicates:
                if not isinstance(predicate, Position):
                    yield predicate.string


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

_NAME: Final = r"[\w.:\u00b7-]+"  # NMTOKEN
_TOKEN: Final = re.compile(
    rf"""\s*(?:(?P<slash>//?)|(?P<text>text\(\s*\))|(?P<last>last\(\s*\))|(?P<contains>contains\s*\()
    |(?P<string>"[^"]*"|'[^']*')|(?P<name>{_NAME})|(?P<mark>[@*\[\]=,)]))""",
    re.X,
)


@dataclass(slots=True)
class _Tokens:
    """What is left of an expression. Mutable: `at`."""

    text: str
    at: int = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match[0].strip() if match else ""

    def next(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            raise self.wrong("a step" if self.at == 0 else "`/`, `//`, `[` or the end")
        self.at = match.end()
        return match[0].strip()

    def follows(self, token: str) -> bool:
        """Tell whether a token stands behind the next one."""
        match = _TOKEN.match(self.text, self.at)
        return match is not None and _Tokens(self.text, match.end()).peek() == token

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise self.wrong(f"`{token}`")
        self.next()

    def done(self) -> bool:
        return not self.text[self.at :].strip()

    def wrong(self, expected: str) -> KnowledgeError:
        rest = self.text[self.at :].lstrip()
        place = len(self.text) - len(rest) + 1
        found = f"`{rest[:30]}`" if rest else "the end"
        return KnowledgeError(
            f"`{self.text[:200]}` is not an expression: character {place} should be {expected}, not {found}"
        )


def parse(text: str) -> Expression:
    """Read an expression; whatever is not of the fragment is refused with the place and what was expected."""
    if len(text) > LONGEST:
        raise KnowledgeError(f"an expression of {len(text)} characters is too long; the longest may have {LONGEST}")
    tokens = _Tokens(text.strip())
    if unwritable := _NOT_XML.search(tokens.text):
        tokens.at = unwritable.start()
        raise tokens.wrong("a character that XML has")
    if tokens.peek() == "//":  # written out though it is implicit
        tokens.next()
    steps = [_step(tokens, "//")]
    while not tokens.done():
        axis = tokens.peek()
        if axis not in ("/", "//"):
            raise tokens.wrong("`/`, `//`, `[` or the end")
        if steps[-1].test == "text()" or steps[-1].test.startswith("@"):
            raise tokens.wrong("the end: nothing stands below an attribute or a text")
        tokens.next()
        steps.append(_step(tokens, axis))
    return Expression(tuple(steps))


def _step(tokens: _Tokens, axis: str) -> Step:
    test = _test(tokens)
    predicates = []
    while tokens.peek() == "[":
        tokens.next()
        predicates.append(_predicate(tokens))
        tokens.expect("]")
    return Step(axis, test, tuple(predicates))


def _test(tokens: _Tokens) -> str:
    found = tokens.peek()
    if found == "@":
        tokens.next()
        name = tokens.peek()
        if name != "*" and not _is_name(name):
            raise tokens.wrong("the name of an attribute or `*`")
        return "@" + tokens.next()
    if found == "*" or found.startswith("text(") or _is_name(found):
        return "".join(tokens.next().split())
    raise tokens.wrong("a tag, `@attribute`, `*`, `@*` or `text()`")


def _is_name(token: str) -> bool:
    """Tell whether a token is a name: `..` and `parent::a` are NMTOKENs, too, but mean other axes."""
    return re.fullmatch(_NAME, token) is not None and "::" not in token and re.search(r"\w", token) is not None


def _predicate(tokens: _Tokens) -> Predicate:
    token = tokens.peek()
    if token.startswith("last("):
        tokens.next()
        return Position(LAST)
    if token.startswith("contains") and token.endswith("("):
        return _contains(tokens)
    if token.isdecimal() and token.isascii() and not tokens.follows("="):
        if int(token) < 1 or len(token) > 6:
            raise tokens.wrong("a position from 1 to 999999")
        return Position(int(tokens.next()))
    value = _value(tokens)
    tokens.expect("=")
    return Equals(value, _string(tokens))


def _contains(tokens: _Tokens) -> Predicate:
    tokens.next()
    value = _value(tokens)
    tokens.expect(",")
    string = _string(tokens)
    tokens.expect(")")
    return Contains(value, string)


def _value(tokens: _Tokens) -> str:
    found = tokens.peek()
    if (found != "@" or tokens.follows("*")) and not _is_name(found):
        raise tokens.wrong("the name of a tag or an `@attribute`")
    return _test(tokens)


def _string(tokens: _Tokens) -> str:
    token = tokens.peek()
    if token[:1] not in ("'", '"'):
        raise tokens.wrong("a string in quotes")
    return tokens.next()[1:-1]


def quoted(string: str) -> str:
    """Write a string as XPath does, which knows no escapes."""
    return f"'{string}'" if "'" not in string else f'"{string}"'


# ── use ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_XPATH_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")  # names that XPath takes as they are


_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{3,}")


def telling(expression: Expression) -> str:
    """Return a string without which an expression finds nothing in a page's source; empty when there is none.

    To look for it takes a tenth of what evaluating the expression takes.
    """
    strings = (
        piece
        for step in expression.steps
        for predicate in step.predicates
        if not isinstance(predicate, Position) and predicate.value.startswith("@")
        for piece in _PLAIN.findall(predicate.string)
    )
    return max(strings, key=len, default="")


def compiled(expression: Expression) -> Any:
    """Return an expression as a function of a tree.

    Where elements nest without end, libxml2 takes time by the cube of their number for all `b` below all `a`
    of `a//b` (1,500 deep: 36 s). So one `//` is written as a condition, `b[ancestor::a]`, and more of them, for which
    that is no better, are searched one after another.
    """
    above, rest = _cut(expression.steps)
    if not above:
        return _xpath(_path(rest))
    if not _cut(above)[0] and not any(isinstance(each, Position) for step in above for each in step.predicates):
        first, *more = rest
        return _xpath(_path((replace(first, axis="//"),), f"[ancestor::{_upwards(above)}]") + _path(more))
    last = etree.XPath(_path((replace(rest[0], axis="//"), *rest[1:])))
    return _Below(compiled(Expression(above)), last, len(rest))


def _xpath(text: str) -> Any:
    return etree.XPath(text, smart_strings=False)


def _path(steps: Iterable[Step], condition: str = "") -> str:
    return "".join(_axis(step) + _full_step(step) for step in steps) + condition


def _axis(step: Step) -> str:
    """Write the way to a step; `//x[…]` makes libxml2 list every node first, `/descendant::x[…]` does not."""
    counted = any(isinstance(each, Position) for each in step.predicates)  # from one among brothers, not among all
    return step.axis if step.axis == "/" or counted or step.test.startswith("@") else "/descendant::"


def _cut(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Cut a path before its last `//`."""
    last = max(number for number, step in enumerate(steps) if step.axis == "//" or number == 0)
    return steps[:last], steps[last:]


def _upwards(steps: tuple[Step, ...]) -> str:
    """Write a path from its end to its beginning, as a condition of what stands below it."""
    *above, last = steps
    return _full_step(last) + (f"[parent::{_upwards(tuple(above))}]" if above else "")


@dataclass(frozen=True, slots=True)
class _Below:
    """Finds what a path finds below what another one finds."""

    above: Any
    last: Any
    steps: int
    """How many the last path has."""

    def __call__(self, tree: Any) -> list[Any]:
        """Search a tree; every element is asked once whether it stands there."""
        there = dict.fromkeys(self.above(tree), True)
        if not there:
            return []
        found = (node for node in self.last(tree) if _stands(_climbed(node, self.steps), there))
        return [str(node) if isinstance(node, str) else node for node in found]


def _climbed(node: Any, steps: int) -> Any:
    """Return the element so many steps above a node; an attribute and a text stand in their element."""
    if isinstance(node, str):
        tail, node = node.is_tail, node.getparent()  # type: ignore[attr-defined]
        steps -= 0 if tail else 1
    for _ in range(steps):
        node = node.getparent()
    return node


def _stands(element: Any, there: dict[Any, bool]) -> bool:
    """Tell whether an element or one around it is there, and remember it for all that were passed."""
    passed = []
    while element is not None and element not in there:
        passed.append(element)
        element = element.getparent()
    known = element is not None and there[element]
    there.update(dict.fromkeys(passed, known))
    return known


def _full_step(step: Step) -> str:
    return _full_test(step.test) + "".join(f"[{_full_predicate(each)}]" for each in step.predicates)


def _full_test(test: str) -> str:
    name = test.removeprefix("@")
    if name in ("*", "text()") or _XPATH_NAME.fullmatch(name):
        return test
    return f"{'@' if test.startswith('@') else ''}*[name()='{name}']"


def _full_predicate(predicate: Predicate) -> str:
    if isinstance(predicate, Position):
        return str(predicate)
    return str(replace(predicate, value=_full_test(predicate.value)))
