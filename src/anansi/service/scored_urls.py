"""Scored URLs as they are posted to a running crawl → entries, or every mistake with its place.

    {"urls": [{"url": …, "score": …, "blacklist": …, "via": …}, …]}

All of a request is good, or none of it is taken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, NamedTuple, NoReturn

import msgspec
from msgspec import UNSET, Meta, UnsetType

from anansi.model import Became, Posted, PostedFate
from anansi.service.problem import Mistake, Problem
from anansi.url import LIMIT, Rules, canonical, has_credentials, resolve

MOST_URLS: Final = 1000
"""URLs of a request: the hub takes them in one go, in some hundredths of a second."""

LARGEST: Final = 4 << 20
"""Bytes of a request; a thousand of the longest URLs fit in."""

SHOWN: Final = 20
"""Mistakes that are told; the others are counted."""

_NAMED: Final = 60  # characters of a key that is repeated


class ScoredUrl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A URL, and how much it is worth a visit."""

    url: Annotated[
        str,
        Meta(description="an absolute http or https address", max_length=LIMIT, examples=["https://example.org/"]),
    ]
    score: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | UnsetType,
        Meta(description="what is visited first; may be left out of what is blacklisted"),
    ] = UNSET
    blacklist: Annotated[bool, Meta(description="whether the URL is never to be fetched, or never again")] = False
    via: Annotated[
        Annotated[str, Meta(max_length=LIMIT)] | UnsetType,
        Meta(description="the page where it was found, for the records"),
    ] = UNSET


class ScoredUrls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is posted: URLs with their scores."""

    urls: Annotated[list[ScoredUrl], Meta(min_length=1, max_length=MOST_URLS)]


class Fate(msgspec.Struct, frozen=True):
    """What became of one of them."""

    url: Annotated[str, Meta(description="the address as it is understood")]
    state: Became
    score: Annotated[float | None, Meta(description="the score that it has now; null where it is not scheduled")]
    detail: Annotated[str | None, Meta(description="why, or since when")]


class Taken(msgspec.Struct, frozen=True):
    """What became of what was posted, in its order."""

    urls: list[Fate]
    counts: Annotated[dict[str, int], Meta(description="state → how many")]


class _Twice(NamedTuple):
    """An object in which a key stands twice."""

    key: str


def read(data: bytes, rules: Rules) -> list[Posted] | Problem:
    """Read what was posted."""
    try:
        found = _DECODER.decode(data.decode())
    except (ValueError, RecursionError, MemoryError) as error:
        return Problem("bad-json", _why(error))
    urls = found.get("urls") if isinstance(found, dict) else None
    if not isinstance(urls, list) or found.keys() != {"urls"}:
        return _mistaken([Mistake("#", f'expected {{"urls": […]}}, got {_kind(found)}')])
    if not 1 <= len(urls) <= MOST_URLS:
        return _mistaken(
            [Mistake("#/urls", f"expected 1 to {MOST_URLS:,} URLs, got {len(urls):,}; post others apart")]
        )
    mistakes = [
        Mistake(f"#/urls/{number}{where}", what)
        for number, each in enumerate(urls)
        for where, what in _mistakes(each)
    ]
    return _mistaken(mistakes) if mistakes else [_posted(each, rules) for each in urls]


def told(posted: list[Posted], verdicts: list[PostedFate]) -> bytes:
    """Word what became of posted URLs."""
    pairs = zip(posted, verdicts, strict=True)
    fates = [Fate(each.url, Became(end.state), end.score, end.detail or None) for each, end in pairs]
    counts = {word: sum(each.state == word for each in fates) for word in {each.state for each in fates}}
    return msgspec.json.encode(Taken(fates, {str(word): count for word, count in sorted(counts.items())}))


def _posted(entry: dict[str, Any], rules: Rules) -> Posted:
    url, via = resolve(entry["url"]), resolve(entry["via"]) if "via" in entry else ""
    assert url is not None
    score = float(entry.get("score", 0.0))
    return Posted(url, canonical(url, rules), score, entry.get("blacklist", False), via or "")


# ── mistakes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _mistakes(entry: object) -> Iterator[tuple[str, str]]:
    """Find all that is wrong with an entry: where in it, and what."""
    if isinstance(entry, _Twice):
        yield f"/{_shown(entry.key)}", "stands twice; keep one of them"
        return
    if not isinstance(entry, dict):
        yield "", f'expected an object such as {{"url": "https://example.org/", "score": 0.8}}, got {_kind(entry)}'
        return
    for key in entry.keys() - _CHECKS.keys():
        yield f"/{_shown(key)}", f"unknown key; known: {', '.join(_CHECKS)}"
    for key, check in _CHECKS.items():
        if key in entry and (what := check(entry[key])):
            yield f"/{key}", what
    if "url" not in entry:
        yield "/url", "missing; expected an absolute http or https address"
    if "score" not in entry and entry.get("blacklist") is not True:
        yield "/score", "missing; expected a number from 0 to 1 (only what is blacklisted needs none)"


def _wrong_url(value: object) -> str:
    if not isinstance(value, str):
        return f"expected an absolute http or https address, got {_kind(value)}"
    if len(value) > LIMIT:
        return f"expected at most {LIMIT:,} characters, got {len(value):,}"
    if any("\ud800" <= character <= "\udfff" for character in value):
        return "expected Unicode text, got half of a pair of surrogates"
    if has_credentials(value):
        return "holds a user name or password, which would be archived; leave them out"
    return "" if resolve(value) is not None else "expected an absolute http or https address, got something else"


def _wrong_score(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number from 0 to 1, got {_kind(value)}"
    return "" if 0 <= value <= 1 else "expected a number from 0 to 1, got one outside of that"


def _wrong_flag(value: object) -> str:
    return "" if isinstance(value, bool) else f"expected true or false, got {_kind(value)}"


_CHECKS: Final[dict[str, Callable[[object], str]]] = {
    "url": _wrong_url,
    "score": _wrong_score,
    "blacklist": _wrong_flag,
    "via": _wrong_url,
}
_KINDS: Final[dict[type, str]] = {
    dict: "another object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
    _Twice: "an object in which a key stands twice",
}


def _kind(value: object) -> str:
    return _KINDS[type(value)]


def _shown(key: str) -> str:
    """Show a key in a pointer (RFC 6901)."""
    short = key if len(key) <= _NAMED else key[:_NAMED] + "…"
    return short.replace("~", "~0").replace("/", "~1").encode("utf-8", "replace").decode()


def _mistaken(mistakes: list[Mistake]) -> Problem:
    count = "one mistake" if len(mistakes) == 1 else f"{len(mistakes):,} mistakes"
    first = f"{mistakes[0].pointer}: {mistakes[0].detail}"
    return Problem("bad-urls", f"{count}, nothing was taken; {first}", tuple(mistakes[:SHOWN]))


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "objects and lists stand too deep in each other"
    return "it needs more memory than there is for a request" if isinstance(error, MemoryError) else str(error)


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Twice:
    """Make an object, or say which key could be understood in two ways."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    return _Twice(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
