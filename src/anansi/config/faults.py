"""What a schema cannot say: expressions that do not compile, settings that contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import msgspec

from anansi.config.focus import LANGUAGES, Address, Event, Focus, Keyword, Weights
from anansi.config.sections import Definition

Fault = tuple[tuple[str | int, ...], str]
"""The way to a value, and what is wrong with it."""

PROXIES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")
"""How a proxy may be spoken to; curl would open `file:///` as well."""

_RESOLVE = re.compile(r"[^:\s]+:(\d{1,5}):(\[)?([0-9A-Fa-f:.]+)(?(2)\])")


def faults(definition: Definition) -> Iterator[Fault]:
    """Go through what is wrong with a definition whose values are all of the right kind."""
    yield from _in_scope(definition)
    yield from _in_stages(definition)
    yield from _in_focus(definition.focus)
    for key in definition.__struct_fields__:
        try:
            msgspec.msgpack.encode(getattr(definition, key))
        except UnicodeEncodeError:
            yield (key,), "holds text that is not Unicode; write it in UTF-8"


def _in_scope(definition: Definition) -> Iterator[Fault]:
    scope = definition.scope
    yield from _uncompiled(("scope", "include"), scope.include)
    yield from _uncompiled(("scope", "exclude"), scope.exclude)
    if scope.kind == "custom" and not scope.include:
        yield ("scope", "kind"), "`custom` needs at least one `include` pattern (--include REGEX)"


def _in_stages(definition: Definition) -> Iterator[Fault]:
    politeness, fetch, archive = definition.politeness, definition.fetch, definition.archive
    if politeness.ceiling < politeness.floor:
        yield ("politeness", "floor"), f"must not be above `politeness.ceiling`, which is {politeness.ceiling:g}"
    if definition.watch.longest < definition.watch.shortest:
        yield ("watch", "shortest"), f"must not be above `watch.longest`, which is {definition.watch.longest:g}"
    for number, entry in enumerate(fetch.resolve):
        if not _is_fixed(entry):
            yield (
                ("fetch", "resolve", number),
                f"{entry!r} is not HOST:PORT:ADDRESS, as in example.org:443:127.0.0.1",
            )
    if fetch.proxy is not None and not _is_proxy(fetch.proxy):
        # it is not quoted: a password may stand in it
        yield ("fetch", "proxy"), f"is not SCHEME://HOST:PORT with one of the schemes {', '.join(PROXIES)}"
    told = {
        ("fetch", "user_agent"): fetch.user_agent,
        ("archive", "operator"): archive.operator,
        ("archive", "contact"): archive.contact,
    }
    for keys, words in told.items():
        if not (words or "").isprintable():  # they go into headers, which a line break would end
            yield keys, "must be one line of text, without control characters"


def _is_fixed(entry: str) -> bool:
    """Tell whether an entry is a host, a port and an address."""
    found = _RESOLVE.fullmatch(entry)
    try:
        return found is not None and int(found[1]) <= 65_535 and bool(ip_address(found[3]))
    except ValueError:
        return False


def _is_proxy(text: str) -> bool:
    """Tell whether a text is the address of a proxy; without a scheme it is one of HTTP, as curl has it."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        sound = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    rest = parts.path not in ("", "/") or parts.query or parts.fragment
    return sound and parts.scheme in PROXIES and not rest and text.isprintable() and " " not in text


def _uncompiled(keys: tuple[str, ...], patterns: Iterable[str]) -> Iterator[Fault]:
    for number, pattern in enumerate(patterns):
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            yield (*keys, number), f"{pattern!r} is not a regular expression: {error}"


# ── what the archive is about ─────────────────────────────────────────────────────────────────────────────────────


def _in_focus(focus: Focus) -> Iterator[Fault]:
    yield from _of_names(focus)
    yield from _of_topics(focus)
    for number, event in enumerate(focus.events):
        yield from _of_event(number, event)
    for number, code in enumerate(focus.languages):
        if code not in LANGUAGES:
            yield ("focus", "languages", number), f"there is no language {code!r}; write two letters, as in `en`"
    patterns = [each.pattern if isinstance(each, Address) else each for each in focus.addresses]
    yield from _uncompiled(("focus", "addresses"), patterns)
    yield from _uncompiled(("focus", "blacklist"), focus.blacklist)
    yield from _of_weights(focus)


def _of_names(focus: Focus) -> Iterator[Fault]:
    """Find what has nothing to be looked for, and what is looked for and refused at once."""
    said = [
        *((("focus", "keywords", number), term_of(each)) for number, each in enumerate(focus.keywords)),
        *((("focus", "exclude", number), each) for number, each in enumerate(focus.exclude)),
        *_phrases("entities", focus.entities, ("name", "aliases")),
        *_phrases("topics", focus.topics, ("name", "terms")),
        *_phrases("events", focus.events, ("name", "aliases", "places", "actors")),
    ]
    for keys, phrase in said:
        if not any(map(str.isalnum, phrase)):
            yield keys, f"{phrase!r} has neither letters nor digits; write a word or a name"
    refused = {_same(each) for each in focus.exclude}
    for keys, phrase in said:
        if keys[1] != "exclude" and keys[-1] != "name" and _same(phrase) in refused:
            yield keys, f"{phrase!r} stands in `focus.exclude`, too; keep one of them"


def _phrases(
    group: str, entries: Iterable[Any], fields: tuple[str, ...]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for number, entry in enumerate(entries):
        for field in fields:
            value = getattr(entry, field)
            if isinstance(value, str):
                yield ("focus", group, number, field), value
            else:
                for place, each in enumerate(value):
                    yield ("focus", group, number, field, place), term_of(each)


def _of_topics(focus: Focus) -> Iterator[Fault]:
    for number, topic in enumerate(focus.topics):
        if not topic.terms and not topic.examples:
            yield ("focus", "topics", number), f"topic {topic.name!r} says nothing; give it `terms` or `examples`"
    for group in ("entities", "topics", "events"):
        known: set[str] = set()
        for number, name in enumerate(each.name for each in getattr(focus, group)):
            if _same(name) in known:
                yield ("focus", group, number, "name"), f"{name!r} stands here for the second time; join them"
            known.add(_same(name))


def _of_event(number: int, event: Event) -> Iterator[Fault]:
    keys = ("focus", "events", number)
    if event.ends is not None and event.begins is None:
        yield (*keys, "ends"), "needs `begins`, the first day"
    elif event.ends is not None and event.begins is not None and event.ends < event.begins:
        yield (*keys, "ends"), f"{event.ends} is before `begins`, which is {event.begins}"


def _of_weights(focus: Focus) -> Iterator[Fault]:
    if focus != Focus() and not focus.is_set():
        yield ("focus",), "says nothing to look for; give it keywords, entities, topics or events, or leave it out"
    weights = focus.weights
    if not any(getattr(weights, name) for name in Weights.__struct_fields__ if name != "spam"):
        yield ("focus", "weights"), "all weights are 0, so that every page would score 0; raise one of them"
    counted = [*focus.entities, *focus.topics, *focus.events, *focus.keywords]
    if counted and not any(isinstance(each, str) or each.weight for each in counted):
        yield ("focus",), "everything that is looked for has weight 0; raise one of them"


def term_of(keyword: str | Keyword) -> str:
    """Return the words of a keyword."""
    return keyword if isinstance(keyword, str) else keyword.term


def _same(phrase: str) -> str:
    return " ".join(phrase.casefold().split())


# ── what may be meant, and may be not ─────────────────────────────────────────────────────────────────────────────


def doubts(definition: Definition) -> list[str]:
    """Return what is not wrong, but what few people mean."""
    focus = definition.focus
    owners: dict[str, list[str]] = {}
    for entity in focus.entities:
        for phrase in dict.fromkeys(map(_same, chain((entity.name,), entity.aliases))):
            owners.setdefault(phrase, []).append(entity.name)
    said = [
        f"`focus.entities`: {phrase!r} is a name of {' and of '.join(map(repr, names))}; it counts for each of them"
        for phrase, names in owners.items()
        if len(names) > 1
    ]
    said += [
        f"`focus.events`: {event.name!r} has neither places nor actors nor a time; only its name is looked for"
        for event in focus.events
        if not (event.places or event.actors or event.begins)
    ]
    return said
