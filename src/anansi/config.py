"""The definition a crawl runs by: one frozen struct a stage, read from `crawl.yaml`, checked before anything starts.

Each setting is declared once, here, with its default, its bounds and its meaning; command-line help,
`docs/reference/settings.md` and error messages are derived from the declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import yaml
from msgspec import Meta

from anansi.errors import ConfigError

Seconds = Annotated[float, Meta(ge=0, le=31_536_000)]
Count = Annotated[int, Meta(ge=1)]
Size = Annotated[int, Meta(ge=1024)]
Pattern = Annotated[str, Meta(min_length=1, max_length=2000)]


def _about(text: str) -> Meta:
    return Meta(description=text)


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the definition."""


class Scope(_Section, frozen=True):
    """Which URLs belong to the crawl."""

    kind: Annotated[
        Literal["page", "prefix", "host", "domain", "custom"],
        _about("how far from the seeds: the pages alone, their folder, host, registered domain, or `include` only"),
    ] = "host"
    include: Annotated[
        list[Pattern], _about("regular expressions; a URL that one matches is in scope whatever the kind")
    ] = []
    exclude: Annotated[
        list[Pattern],
        _about(
            "regular expressions; a URL that one matches is never fetched, even if scheduled before; "
            "may be changed while the crawl runs"
        ),
    ] = []
    max_hops: Annotated[Annotated[int, Meta(ge=0)] | None, _about("links followed from a seed at the most")] = None
    limit: Annotated[Count | None, _about("pages fetched at the most, all sites together")] = None
    site_budget: Annotated[Count | None, _about("requests a site at the most")] = None
    requisites: Annotated[bool, _about("also fetch the images, styles and scripts that pages show")] = False


class Politeness(_Section, frozen=True):
    """How a site is treated."""

    floor: Annotated[Seconds, _about("least wait between two requests to a site, in seconds")] = 1.0
    factor: Annotated[
        Annotated[float, Meta(ge=0, le=1000)],
        _about("the wait as a multiple of the last response time, between floor and ceiling"),
    ] = 5.0
    ceiling: Annotated[Seconds, _about("longest wait that the factor can ask for, in seconds")] = 30.0
    connections: Annotated[
        Annotated[int, Meta(ge=1, le=64)], _about("requests that a worker makes to one site at a time")
    ] = 1
    robots: Annotated[Literal["obey", "ignore"], _about("what robots.txt is worth")] = "obey"
    robots_deadline: Annotated[
        Seconds,
        _about(
            "how long a host whose robots.txt cannot be had is waited for before its URLs are skipped, in seconds"
        ),
    ] = 3600.0


class Fetch(_Section, frozen=True):
    """How an exchange is made and where it is cut."""

    user_agent: Annotated[
        str | None, _about("the User-Agent header; by default Anansi's name, version and the contact")
    ] = None
    timeout: Annotated[
        Annotated[float, Meta(gt=0, le=86_400)], _about("longest time for a whole exchange, in seconds")
    ] = 120.0
    max_body: Annotated[
        Size, _about("largest body kept, in bytes; a longer one is cut and marked `WARC-Truncated`")
    ] = 1024**3
    verify_tls: Annotated[bool, _about("check certificates; recorded in the WARC when off")] = True
    http2: Annotated[
        bool, _about("offer HTTP/2; responses are then stored as HTTP/1.1 text with `WARC-Protocol: h2`")
    ] = False
    proxy: Annotated[str | None, _about("proxy URL; credentials in it are used and never written down")] = None
    resolve: Annotated[list[Pattern], _about("fixed addresses, HOST:PORT:ADDRESS as curl's --resolve")] = []
    private_addresses: Annotated[
        Literal["seeds", "allow"],
        _about("loopback and private addresses may be requested only where a seed is, or anywhere"),
    ] = "seeds"


class Frontier(_Section, frozen=True):
    """In which order URLs are taken."""

    update: Annotated[
        Literal["first", "last", "max", "sum", "avg"],
        _about("how a new score changes that of a URL that is already scheduled"),
    ] = "first"
    per_turn: Annotated[
        Annotated[int, Meta(ge=1, le=1000)],
        _about(
            "URLs taken from a site's queue in one turn (`bl`), fewer where they would last longer than 8 seconds"
        ),
    ] = 32
    batch: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)],
        _about("pages whose links are scored together before any of them is scheduled"),
    ] = 1
    revisit_after: Annotated[
        Seconds | None, _about("visit a page again after this many seconds; by default never")
    ] = None
    sort_query: Annotated[bool, _about("take URLs that differ only in the order of their parameters for one")] = True
    traps: Annotated[bool, _about("close URL patterns that lead nowhere new")] = True


class Watch(_Section, frozen=True):
    """How often to come back to feeds and pages."""

    what: Annotated[
        Literal["nothing", "feeds", "pages"],
        _about("come back to feeds and what they tell of, or to every page, when news is expected there"),
    ] = "nothing"
    shortest: Annotated[
        Annotated[float, Meta(ge=1, le=31_536_000)], _about("least time between two visits, in seconds")
    ] = 300.0
    longest: Annotated[
        Annotated[float, Meta(ge=1, le=31_536_000)],
        _about("longest time between two visits to a feed or list, in seconds"),
    ] = 604_800.0
    budget: Annotated[
        Count | None, _about("requests a day for looking again, all feeds and pages together; by default no limit")
    ] = None


class Archive(_Section, frozen=True):
    """What is written about the crawl."""

    prefix: Annotated[
        Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.]{1,60}$")], _about("first part of WARC file names")
    ] = "anansi"
    warc_size: Annotated[Size, _about("bytes after which a WARC file is closed and the next begun")] = 10**9
    store: Annotated[
        bool,
        _about("load objects into the store for queries while the crawl runs; if not, the next query does"),
    ] = True
    operator: Annotated[str | None, _about("who crawls; written to warcinfo")] = None
    contact: Annotated[str | None, _about("e-mail address or URL where webmasters reach the operator")] = None


class Override(_Section, frozen=True):
    """What holds for one site instead; may be changed in the collection's `crawl.yaml` while the crawl runs."""

    delay: Annotated[Seconds | None, _about("fixed wait between requests, in seconds")] = None
    budget: Annotated[Count | None, _about("requests at the most")] = None
    paused: Annotated[bool, _about("leave the site alone for now")] = False


LED = ("learn", "patterns", "sample")
"""Strategies by which all sites are led through by what was or is being learned, whatever is known about them."""


class Definition(_Section, frozen=True):
    """What to crawl and how: the whole of `crawl.yaml`."""

    seeds: Annotated[list[Pattern], _about("where to begin")] = []
    strategy: Annotated[
        Literal["auto", "learn", "patterns", "sample", "blind"],
        _about(
            "follow what leads to content (by knowledge and learning, learning alone, learned patterns), "
            "a random sample, or all links"
        ),
    ] = "auto"
    chance: Annotated[
        Annotated[int, Meta(ge=0, le=1 << 62)], _about("where chance begins when sites are learned")
    ] = 0
    workers: Annotated[
        Annotated[int, Meta(ge=1, le=256)] | None, _about("worker processes; by default one a core")
    ] = None
    scope: Scope = Scope()
    politeness: Politeness = Politeness()
    fetch: Fetch = Fetch()
    frontier: Frontier = Frontier()
    archive: Archive = Archive()
    watch: Watch = Watch()
    sites: Annotated[dict[str, Override], _about("site → what holds for it instead")] = {}


def parse(text: str, source: str) -> Definition:
    """Read a definition from YAML; a mistake stops with the file, the line and what was expected."""
    try:
        _check_keys(yaml.compose(text, Loader=yaml.SafeLoader), source)
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark, position = getattr(error, "problem_mark", None), getattr(error, "position", 0)
        line = mark.line + 1 if mark else text.count("\n", 0, position) + 1
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise ConfigError(f"{source}, line {line}: not YAML: {what}") from None
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"{source}: not YAML that a definition can hold: {error}") from None
    return convert(raw if raw is not None else {}, source, text)


def _check_keys(root: Any, source: str) -> None:
    """Stop on what YAML lets through and nobody means: a key that stands twice, a key that is no text."""
    ahead, seen = [root], {None}
    while ahead:
        node = ahead.pop()
        if node in seen:  # aliases may lead in a circle
            continue
        seen.add(node)
        if isinstance(node, yaml.MappingNode):
            _check_mapping(node, source)
            ahead += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            ahead += node.value


def _check_mapping(node: yaml.MappingNode, source: str) -> None:
    known: set[str] = set()
    for key, _ in node.value:
        where = f"{source}, line {key.start_mark.line + 1}"
        if not key.tag.endswith((":str", ":merge")):
            raise ConfigError(f"{where}: a key must be text; write it in quotes")
        if key.value in known:
            raise ConfigError(f"{where}: `{key.value}` stands here for the second time; keep one of them")
        known.add(key.value)


def convert(raw: object, source: str, text: str = "") -> Definition:
    """Check plain values and make the definition of them; `text` is where their lines are looked for."""
    if not isinstance(raw, dict):
        raise ConfigError(f"{source}: a definition is a mapping of settings, such as `seeds: [https://example.org/]`")
    try:
        definition = msgspec.convert(raw, Definition)
    except msgspec.ValidationError as error:
        raise ConfigError(_located(*_explain(str(error), raw), text, source)) from None
    for key, fault in _faults(definition):
        raise ConfigError(_located(key.split("."), f"`{key}`: {fault}", text, source))
    return definition


def _located(keys: list[str], what: str, text: str, source: str) -> str:
    """Put file and line before what is wrong with a key."""
    line = _line_of(keys, text)
    return f"{source}{f', line {line}' if line else ''}: {what}"


def _explain(message: str, raw: dict[str, Any]) -> tuple[list[str], str]:
    """Turn msgspec's words into the key at fault and what is wrong with it."""
    what, _, path = message.partition(" - at `")
    found: list[str] = re.findall(r"[A-Za-z_]\w*|\.{3}(?=\])", path)
    keys = [key if key != "..." else _site_at_fault(raw["sites"]) for key in found]
    if unknown := re.search(r"unknown field `([^`]*)`", what):
        known = ", ".join(sorted(_settings_at(keys)))
        keys.append(unknown[1])
        return keys, f"unknown key `{'.'.join(keys)}`; known here: {known}"
    for word, words in {"`object`": "a mapping of settings", "`array`": "a list"}.items():
        what = what.replace(word, words)
    return keys, f"`{'.'.join(keys)}`: {what[:1].lower()}{what[1:]}{_choices(keys)}"


def _site_at_fault(sites: dict[str, Any]) -> str:
    """Find the site whose settings are not right: msgspec does not say."""
    for name, settings in sites.items():
        try:
            msgspec.convert(settings, Override)
        except msgspec.ValidationError:
            return name
    return "…"


def _choices(keys: list[str]) -> str:
    """List what a key with fixed choices takes."""
    hint = _settings_at(keys[:-1]).get(keys[-1])
    return f"; expected one of: {', '.join(map(str, get_args(hint)))}" if get_origin(hint) is Literal else ""


def _settings_at(path: list[str]) -> dict[str, Any]:
    """Return the settings that stand under a path of keys, with their types."""
    settings = get_type_hints(Definition)
    for key in path:
        hint = settings.get(key)
        section = get_args(hint)[1] if get_origin(hint) is dict else hint
        if isinstance(section, type) and issubclass(section, _Section):  # a site's name leads nowhere else
            settings = get_type_hints(section)
    return settings


def _line_of(keys: list[str], text: str) -> int | None:
    """Find the line of a key by walking YAML's own nodes, so that the number is right in any style of YAML."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    line = None
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        found = next(((name, value) for name, value in pairs if name.value == key), None)
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line


def _faults(definition: Definition) -> Iterator[tuple[str, str]]:
    """Find what a schema cannot say: expressions that do not compile, settings that contradict each other."""
    scope, politeness, fetch, archive = definition.scope, definition.politeness, definition.fetch, definition.archive
    for key, patterns in (("scope.include", scope.include), ("scope.exclude", scope.exclude)):
        for pattern in patterns:
            try:
                re.compile(pattern)
            except (re.error, RecursionError, OverflowError) as error:
                yield key, f"{pattern!r} is not a regular expression: {error}"
    if scope.kind == "custom" and not scope.include:
        yield "scope.kind", "`custom` needs at least one `include` pattern (--include REGEX)"
    if politeness.ceiling < politeness.floor:
        yield "politeness.floor", f"must not be above `politeness.ceiling`, which is {politeness.ceiling:g}"
    if definition.watch.longest < definition.watch.shortest:
        yield "watch.shortest", f"must not be above `watch.longest`, which is {definition.watch.longest:g}"
    for entry in fetch.resolve:
        match = _RESOLVE.fullmatch(entry)
        if match is None or int(match[1]) > 65_535:
            yield "fetch.resolve", f"{entry!r} is not HOST:PORT:ADDRESS, as in example.org:443:127.0.0.1"
    told = {
        "fetch.user_agent": fetch.user_agent,
        "archive.operator": archive.operator,
        "archive.contact": archive.contact,
    }
    for key, words in told.items():
        if not (words or "").isprintable():  # they go into headers, which a line break would end
            yield key, "must be one line of text, without control characters"
    for key in definition.__struct_fields__:
        try:
            msgspec.msgpack.encode(getattr(definition, key))
        except UnicodeEncodeError:
            yield key, "holds text that is not Unicode; write it in UTF-8"


_RESOLVE = re.compile(r"[^:\s]+:(\d{1,5}):\[?[0-9A-Fa-f:.]+\]?")


def load(path: Path) -> Definition:
    """Read a definition from a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; write one or leave out --config") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    return parse(text, str(path))


LEFT_OUT = "***"
"""What stands for the credentials of a proxy in the collection's copy of a definition."""


def dump(definition: Definition) -> str:
    """Write the complete definition as YAML, without secrets."""
    plain = msgspec.to_builtins(definition)
    if plain["fetch"]["proxy"]:
        plain["fetch"]["proxy"] = re.sub(
            r"^([A-Za-z0-9+.-]+://)?.*@", rf"\1{LEFT_OUT}@", plain["fetch"]["proxy"], flags=re.DOTALL
        )
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)


def sections() -> list[tuple[str, type[msgspec.Struct]]]:
    """List the sections with their names in the file, in order, for the generated reference."""
    return [
        ("", Definition),
        ("scope", Scope),
        ("politeness", Politeness),
        ("fetch", Fetch),
        ("frontier", Frontier),
        ("archive", Archive),
        ("watch", Watch),
        ("sites.<site>", Override),
    ]


def about(section: type[msgspec.Struct], name: str) -> str:
    """Return what a setting means, as declared."""
    hint = get_type_hints(section, include_extras=True)[name]
    return next((meta.description for meta in getattr(hint, "__metadata__", ()) if meta.description), "")
