"""robots.txt after RFC 9309: what was read of it, what it allows, and when to ask again.

1. `read` turns an answer, or the lack of one, into a `Robots`.
2. `allowed`, `delay` and `sitemaps` ask it.
3. `fresh` says whether it still holds, `renewal` when it must be asked for again, `expired` when to give up.

All of it is done here: protego lets Crawl-delay and records it does not know end a group, which section 2.2.4
forbids, takes `User-agent: ana` for `anansi`, breaks lines where RFC 9309 has none, and tries rules one by one: 0.2 s
for the first URL of a file with 40,000 of them, 20 ms for each further one. Here rules without wildcards are looked
up, however many there are, and those with wildcards are tried where the path holds letters of theirs.

So `User-agent: a`, `Crawl-delay: 9`, `User-agent: b`, `Disallow: /` is one group as the RFC says: `/` is closed to
both. The delay is asked only of the agents above it. As Google's parser does, `Allow: …/index.html` allows `…/` too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from heapq import merge
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

import msgspec

from anansi.model import Fault

SIZE: Final = 512 * 1024
"""Bytes read; RFC 9309 section 2.5 asks for 500 KiB at least."""

LIFETIME: Final = 24 * 3600.0
"""Seconds an answer holds (section 2.4)."""

LONGEST_DELAY: Final = 60.0
"""Seconds between requests, at most; a Crawl-delay above it would stretch a crawl of a site over years."""

_FIRST_WAIT: Final = 10.0
_LONGEST_WAIT: Final = 3600.0
"""Seconds before an unreachable robots.txt is asked for again: the first wait is doubled up to the longest."""

_VALUE: Final = 8192
"""Characters of the longest value kept: no URL that is requested is as long."""

_SITEMAPS: Final = 1000

WILDCARDS: Final = 2000
"""Wildcards that are tried for a URL, about 1 ms. A rule beyond that, if it forbids, is taken to match all that
begins with what stands before its first wildcard: nothing forbidden is requested because the file is long."""

_CLUE: Final = 3
"""Characters of a rule that a path must hold somewhere, for the rule to be tried at all."""

Rule = Literal["allow all", "disallow all", "rules"]

_FIELDS: Final = {
    "user-agent": "user-agent",
    "useragent": "user-agent",
    "user agent": "user-agent",
    "allow": "allow",
    "disallow": "disallow",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "crawl-delay",
    "crawl delay": "crawl-delay",
    "crawldelay": "crawl-delay",
    "sitemap": "sitemap",
    "sitemaps": "sitemap",
    "site-map": "sitemap",
}
"""Spellings met on the web, and the record each stands for."""

_LINE: Final = re.compile(r"[ \t]*([A-Za-z][A-Za-z \t-]{0,31}?)[ \t]*:[ \t]*([^#]*)")
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_STRAY_BYTE: Final = re.compile("[\udc80-\udcff]")
_TOKEN: Final = re.compile(r"[A-Za-z_-]+")
_COMPATIBLE: Final = re.compile(r"compatible;\s*([A-Za-z_-]+)")
_KEPT: Final = "/%"
"""Characters that mean something else when they are escaped, and are left as they are written."""
_KEPT_IN_RULES: Final = "/%*"
_NORMAL: Final = {kept: re.compile(rf"[A-Za-z0-9_.~={kept.replace('%', '')}-]*") for kept in (_KEPT, _KEPT_IN_RULES)}
_ESCAPE: Final = re.compile(rb"%[0-9A-Fa-f]{2}")
_WILDCARDS: Final = re.compile(r"\*+")
_ESCAPED_SLASH: Final = re.compile("%2f", re.IGNORECASE)
_ORIGIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://)?[^/?#]*")


class Robots(msgspec.Struct, frozen=True, array_like=True):
    """What is known of the robots.txt of one origin."""

    origin: str
    fetched: float
    """When `rule` became known, or when it was first asked for."""
    rule: Rule
    text: str = ""
    """The records that matter, one a line, fields in lower case."""
    failures: int = 0
    """How many times in a row it could not be reached."""
    since: float = 0.0
    """When the first of these was."""
    tried: float = 0.0
    """When the last of these was."""


class _Wild(NamedTuple):
    """A rule with wildcards."""

    priority: int
    allow: bool
    parts: tuple[str, ...]
    """What stands between the wildcards."""
    whole: bool
    """Whether it holds up to the end of the path."""

    @property
    def clue(self) -> str:
        """Return some characters that stand in every path that it matches; nothing when it has too few of its own."""
        longest = max(reversed(self.parts), key=len)  # the beginning says least: many rules share it
        return longest[-_CLUE:] if len(longest) >= _CLUE else ""

    def matches(self, path: str) -> bool:
        first, *middle, last = self.parts
        if not path.startswith(first):
            return False
        at = len(first)
        for part in middle:
            at = path.find(part, at) + len(part)
            if at < len(part):
                return False
        return path.endswith(last) and len(path) - len(last) >= at if self.whole else path.find(last, at) >= 0


class _Rules(NamedTuple):
    """What one agent finds in one file."""

    prefixes: dict[str, bool]
    """How the path begins → whether it is allowed."""
    lengths: tuple[int, ...]
    """Of these, the longest first."""
    paths: dict[str, bool]
    """The whole path → whether it is allowed."""
    wild: dict[str, list[_Wild]]
    """Clue → rules with wildcards that need not be tried on a path without it, in the order of their rank."""
    delay: float | None

    def allow(self, path: str) -> bool:
        """Go by the longest rule that matches; where two are as long, by the one that allows (section 2.2.2)."""
        priority, allowed = self._plain(path)
        left = WILDCARDS
        for rule in self._promising(path) if self.wild else ():
            if rule.priority < priority or (rule.priority == priority and allowed):
                return allowed
            left -= len(rule.parts) - 1
            if rule.matches(path) if left >= 0 else not rule.allow and path.startswith(rule.parts[0]):
                return rule.allow
        return allowed

    def _promising(self, path: str) -> Iterator[_Wild]:
        """Yield the rules that may match by what the path holds, in the order of their rank."""
        clues = {path[at : at + _CLUE] for at in range(len(path) - _CLUE + 1)} | {""}
        found = (self.wild[clue] for clue in clues if clue in self.wild)
        return merge(*(filter(lambda rule: path.startswith(rule.parts[0]), each) for each in found), key=_rank)

    def _plain(self, path: str) -> tuple[int, bool]:
        if path in self.paths:
            return len(path) + 1, self.paths[path]
        for length in self.lengths:
            if length <= len(path) and (found := self.prefixes.get(path[:length])) is not None:
                return length, found
        return -1, True


def read(origin: str, answer: int | Fault | None, body: bytes, now: float, *, before: Robots | None = None) -> Robots:
    """Read the answer to a request for robots.txt: its last status, or the fault that prevented one.

    `before` is what was known already: as long as the file cannot be reached, it goes on to hold (section 2.4).
    """
    status = answer if isinstance(answer, int) else 0
    if 200 <= status < 300:
        text = _records(body)
        return Robots(origin, now, "rules" if text else "allow all", text)
    if 300 <= status < 500 and status != 429:
        return Robots(origin, now, "allow all")
    if before is None:
        return Robots(origin, now, "disallow all", "", 1, now, now)
    since = before.since if before.failures else now
    return msgspec.structs.replace(before, failures=before.failures + 1, since=since, tried=now)


def allowed(robots: Robots, url: str, agent: str) -> bool:
    """Tell whether an agent, by its name or its whole User-Agent, may request a URL of the origin."""
    if robots.rule == "allow all":
        return True
    path = _path(url)
    if path.partition("?")[0] == "/robots.txt":
        return True
    if robots.rule == "disallow all":
        return False
    return _rules(robots.text, product(agent)).allow(_normal(path, _KEPT))


def delay(robots: Robots, agent: str) -> float | None:
    """Return the seconds between requests that the file asks of an agent, if it does."""
    return _rules(robots.text, product(agent)).delay if robots.text else None


def sitemaps(robots: Robots) -> list[str]:
    """Return the addresses of the sitemaps that the file names."""
    found: dict[str, None] = {}
    for field, value in _split(robots.text):
        if field == "sitemap" and len(found) < _SITEMAPS:
            absolute = robots.origin.rstrip("/") + value if value.startswith("/") else value
            if absolute.lower().startswith(("http://", "https://")):
                found[absolute] = None
    return list(found)


def renewal(robots: Robots) -> float:
    """Return when the file must be asked for again."""
    if not robots.failures:
        return robots.fetched + LIFETIME
    return robots.tried + min(_FIRST_WAIT * 2.0 ** min(robots.failures - 1, 16), _LONGEST_WAIT)


def fresh(robots: Robots, now: float) -> bool:
    """Tell whether what is known still holds; while it does not, the file is to be asked for first."""
    return now < renewal(robots)


def expired(robots: Robots, now: float, deadline: float) -> bool:
    """Tell whether the file has been out of reach for longer than `deadline` seconds."""
    return robots.failures > 0 and now - robots.since > deadline


def product(agent: str) -> str:
    """Return the product token of a User-Agent, in lower case (section 2.2.1)."""
    browser_like = _COMPATIBLE.search(agent[:1024]) if agent[:8].lower() == "mozilla/" else None
    token = _TOKEN.match(agent.lstrip())
    if browser_like:
        return browser_like[1].lower()
    return token[0].lower() if token else ""


def _records(body: bytes) -> str:
    """Keep the records that matter, however they are spelled, one a line."""
    if len(body) > SIZE:
        body = body[: max(body.rfind(b"\n", 0, SIZE), body.rfind(b"\r", 0, SIZE), 0)]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body.decode("utf-16", "replace").encode("utf-8", "replace")
    lines = (_record(line) for line in _LINE_END.split(body.removeprefix(b"\xef\xbb\xbf")))
    return "\n".join(filter(None, lines))


def _record(line: bytes) -> str:
    """Return one record as `field: value`, or nothing."""
    if len(line) > _VALUE:
        return ""
    # A byte that is not UTF-8 is what the URL will hold as an escape.
    text = _STRAY_BYTE.sub(lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", line.decode("utf-8", "surrogateescape"))
    record = _LINE.match(_UNPRINTABLE.sub(" ", text))
    field = _FIELDS.get(" ".join(record[1].lower().split())) if record else None
    return f"{field}: {record[2].strip()}" if record and field else ""


def _split(text: str) -> list[tuple[str, str]]:
    """Split kept records into fields and values."""
    parts = (line.partition(": ") for line in text.split("\n"))
    return [(field, value) for field, _, value in parts]


@lru_cache(maxsize=128)  # of 10 MB each at most
def _rules(text: str, token: str) -> _Rules:
    """Merge all groups of an agent, or those of `*` if it has none, into one set of rules."""
    merged = _merged(text, token) if token else None
    merged = merged if merged is not None else _merged(text, "*") or []
    delays = (_seconds(value) for field, value in merged if field == "crawl-delay")
    prefixes: dict[str, bool] = {}
    paths: dict[str, bool] = {}
    wild: dict[str, list[_Wild]] = {}
    for field, value in dict.fromkeys(record for record in merged if record[0] != "crawl-delay"):
        allow = field == "allow"
        for pattern in _patterns(_unescape_query(value), allow=allow):
            if "*" in pattern:
                rule = _wild(pattern, allow=allow)
                wild.setdefault(rule.clue, []).append(rule)
                continue
            where, key = (paths, pattern[:-1]) if pattern.endswith("$") else (prefixes, pattern)
            where[key] = allow or where.get(key, False)
    return _Rules(
        prefixes,
        tuple(sorted(set(map(len, prefixes)), reverse=True)),
        paths,
        {clue: sorted(rules, key=_rank) for clue, rules in wild.items()},
        max((seconds for seconds in delays if seconds is not None), default=None),
    )


def _patterns(value: str, *, allow: bool) -> list[str]:
    """Return what a rule may mean: `$` is the end of the path where it stands last, or a character like others."""
    if not value:
        return []
    end = "$" if value.endswith("$") else ""
    patterns = [_normal(value.removesuffix("$"), _KEPT_IN_RULES) + end]
    if "$" in value:
        patterns.append(_normal(value.replace("$", "%24"), _KEPT_IN_RULES))
    if allow and patterns[0].endswith("/index.html"):
        patterns.append(patterns[0].removesuffix("index.html") + "$")
    return [pattern for pattern in patterns if pattern]


def _rank(rule: _Wild) -> tuple[int, bool]:
    """Sort the longest first, and what allows before others."""
    return -rule.priority, not rule.allow


def _wild(pattern: str, *, allow: bool) -> _Wild:
    parts = tuple(_WILDCARDS.sub("*", pattern.removesuffix("$")).split("*"))
    return _Wild(len(pattern), allow, parts, pattern.endswith("$"))


def _normal(text: str, kept: str) -> str:
    """Write one spelling for all that mean the same: what needs no escape has none, what needs one has it."""
    if _NORMAL[kept].fullmatch(text):
        return text
    plain = _ESCAPE.sub(lambda found: _unescaped(found[0], kept), text.encode("utf-8", "replace"))
    return quote(plain, safe=kept + "=")


def _unescaped(escape: bytes, kept: str) -> bytes:
    character = bytes.fromhex(escape[1:].decode())
    return escape.upper() if character.decode("latin-1") in kept else character


def _merged(text: str, name: str) -> list[tuple[str, str]] | None:
    """Return the records of all groups that name an agent, or None when there is none."""
    merged: list[tuple[str, str]] = []
    found = inside = ruled = False
    for field, value in _split(text):
        if field == "user-agent":
            inside = (inside and not ruled) or _agent(value) == name
            found, ruled = found or inside, False
        elif field != "sitemap":
            # Only the two records that the RFC defines end the list of agents (section 2.2.4).
            ruled = ruled or field != "crawl-delay"
            if inside:
                merged.append((field, value))
    return merged if found else None


def _agent(value: str) -> str:
    """Return whom a User-agent record names: a product token, `*`, or nobody."""
    return "*" if value.split(maxsplit=1)[:1] == ["*"] else product(value)


def _seconds(value: str) -> float | None:
    """Read a Crawl-delay; what is not a number, or is below nothing, is ignored."""
    try:
        seconds = float(value[:32].replace(",", "."))
    except ValueError:
        return None
    return min(seconds, LONGEST_DELAY) if math.isfinite(seconds) and seconds >= 0 else None


def _path(url: str) -> str:
    """Return path and query of a URL, which may be malformed."""
    rest = _ORIGIN.sub("", url, count=1).partition("#")[0]
    path = _unescape_query(rest.encode("utf-8", "replace").decode())
    return path if path.startswith("/") else f"/{path}"


def _unescape_query(path: str) -> str:
    """Write `/` for `%2F` in a query, where both are the same (section 2.2.2, second example)."""
    before, mark, query = path.partition("?")
    return before + mark + _ESCAPED_SLASH.sub("/", query)
