"""A definition: what it says, and what is said about a mistake in it."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from anansi import config
from anansi.config import Definition, Fetch, Override, about, dump, load, parse, sections
from anansi.errors import ConfigError


def complaint(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(text, "crawl.yaml")
    assert caught.value.exit_code == 2
    return str(caught.value)


MISTAKES = [
    # a definition, the line and the key at fault, what is expected there
    ("seeds: [https://a.org/]\nscope:\n  kindd: host\n", 3, "scope.kindd", "known here: exclude, include, kind"),
    ("seds: []\n", 1, "seds", "known here: archive, chance, fetch"),
    ("scope:\n  kind: hots\n", 2, "scope.kind", "expected one of: page, prefix, host, domain, custom"),
    ("workers: many\n", 1, "workers", "expected `int | null`, got `str`"),
    ("workers: 0\n", 1, "workers", ">= 1"),
    ("workers: 257\n", 1, "workers", "<= 256"),
    ("scope: 5\n", 1, "scope", "expected a mapping of settings, got `int`"),
    ("\n\nfetch:\n", 3, "fetch", "expected a mapping of settings, got `null`"),
    ("seeds: https://a.org/\n", 1, "seeds", "expected a list, got `str`"),
    ("seeds:\n  - 5\n", 2, "seeds", "expected `str`, got `int`"),
    ("seeds: ['']\n", 1, "seeds", "length >= 1"),
    ("politeness:\n  floor: .nan\n", 2, "politeness.floor", ">= 0"),
    ("politeness:\n  floor: -1\n", 2, "politeness.floor", ">= 0"),
    ("politeness:\n  ceiling: 5\n  floor: 10\n", 3, "politeness.floor", "not be above `politeness.ceiling`"),
    ("fetch: {timeout: 0}\n", 1, "fetch.timeout", "> 0"),
    ("fetch:\n  max_body: 1GB\n", 2, "fetch.max_body", "expected `int`, got `str`"),
    ("fetch:\n  http2: maybe\n", 2, "fetch.http2", "expected `bool`, got `str`"),
    ("scope:\n  limit: 1.5\n", 2, "scope.limit", "expected `int | null`, got `float`"),
    ("archive:\n  prefix: my crawl\n", 2, "archive.prefix", "matching"),
    ("archive:\n  operator: 2020-01-01\n", 2, "archive.operator", "got `date`"),
    ('archive:\n  contact: "a\\r\\nX-Evil: 1"\n', 2, "archive.contact", "one line"),
    ('fetch:\n  user_agent: "a\\0"\n', 2, "fetch.user_agent", "one line"),
    ("sites:\n  a.org:\n    delay: 1\n  b.org:\n    delay: fast\n", 5, "sites.b.org.delay", "got `str`"),
    ("sites:\n  a.org: {}\n  b.org:\n    paus: true\n", 4, "sites.b.org.paus", "known here: budget, delay, paused"),
    ("sites:\n  b.org: 5\n", 2, "sites.b.org", "expected a mapping of settings"),
    ("scope:\n  include:\n    - fine\n    - (\n", 4, "scope.include", "not a regular expression"),
    ("scope: {exclude: ['a{5,1}']}\n", 1, "scope.exclude", "not a regular expression"),
    ("scope:\n  kind: custom\n", 2, "scope.kind", "needs at least one `include`"),
    ("fetch:\n  resolve: [a.org]\n", 2, "fetch.resolve", "HOST:PORT:ADDRESS"),
    ("fetch:\n  resolve: [a.org:99999:127.0.0.1]\n", 2, "fetch.resolve", "HOST:PORT:ADDRESS"),
    ("fetch:\n  resolve: ['a.org:80:999.1.1.1']\n", 2, "fetch.resolve", "HOST:PORT:ADDRESS"),
    ("fetch:\n  resolve: ['a.org:80:b']\n", 2, "fetch.resolve", "HOST:PORT:ADDRESS"),
    ("fetch:\n  resolve: ['a.org:80:[::1']\n", 2, "fetch.resolve", "HOST:PORT:ADDRESS"),
    ("fetch:\n  proxy: file:///\n", 2, "fetch.proxy", "socks5h"),
    ("fetch:\n  proxy: file:///etc/passwd\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: ftp://proxy.org\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: 'http://'\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: http://proxy.org:99999\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: http://[::1\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: http://proxy.org/path\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("fetch:\n  proxy: ''\n", 2, "fetch.proxy", "SCHEME://HOST:PORT"),
    ("scope:\n  kind: host\nscope:\n  kind: page\n", 3, "scope", "second time"),
    ('seeds: ["\\ud800"]\n', 1, "seeds", "UTF-8"),
    ("focus:\n", 1, "focus", "expected a mapping of settings, got `null`"),
    ("focus:\n  decay: 0.5\n  reach: 2\n", 1, "focus", "says nothing to look for"),
    ("focus:\n  keyword: [a]\n", 2, "focus.keyword", "known here: addresses, blacklist, decay"),
    ("focus:\n  keywords: flood\n", 2, "focus.keywords", "expected a list, got `str`"),
    ("focus:\n  keywords:\n  - flood\n  - 5\n", 4, "focus.keywords", "expected text or a mapping of settings"),
    ("focus:\n  keywords:\n  - {term: a, wieght: 2}\n", 3, "focus.keywords.wieght", "known here: term, weight"),
    ("focus:\n  keywords:\n  - {weight: 2}\n", 3, "focus.keywords", "needs `term`"),
    ("focus:\n  keywords:\n  - {term: a, weight: -1}\n", 3, "focus.keywords.weight", ">= 0"),
    ("focus:\n  keywords: [flood, '...']\n", 2, "focus.keywords", "neither letters nor digits"),
    ("focus:\n  keywords:\n  - flood\n  - Levee\n  exclude: [levee]\n", 4, "focus.keywords", "`focus.exclude`, too"),
    ("focus:\n  entities:\n  - name: A b\n  - aliases: [c]\n", 4, "focus.entities", "needs `name`"),
    ("focus:\n  entities:\n  - name: ''\n", 3, "focus.entities.name", "length >= 1"),
    ("focus:\n  entities:\n  - name: '  '\n", 3, "focus.entities.name", "neither letters nor digits"),
    ("focus:\n  entities:\n  - name: A\n    kind: dog\n", 4, "focus.entities.kind", "person, organisation, place"),
    ("focus:\n  entities:\n  - name: A\n  - name: a\n", 4, "focus.entities.name", "second time"),
    ("focus:\n  entities:\n  - name: A\n    aliases: [b]\n  exclude: [B]\n", 4, "focus.entities.aliases", "keep one"),
    ("focus:\n  topics:\n  - name: water\n", 3, "focus.topics", "give it `terms` or `examples`"),
    (
        "focus:\n  events:\n  - name: flood\n    begins: soon\n",
        4,
        "focus.events.begins",
        "expected a day, YYYY-MM-DD",
    ),
    ("focus:\n  events:\n  - name: f\n    ends: 2013-06-01\n", 4, "focus.events.ends", "needs `begins`"),
    (
        "focus:\n  events:\n  - name: f\n    begins: 2013-06-09\n    ends: 2013-06-01\n",
        5,
        "focus.events.ends",
        "2013-06-01 is before `begins`, which is 2013-06-09",
    ),
    ("focus:\n  keywords: [a]\n  languages: [en, xx]\n", 3, "focus.languages", "there is no language 'xx'"),
    ("focus:\n  keywords: [a]\n  languages: [english]\n", 3, "focus.languages", "matching"),
    ("focus:\n  keywords: [a]\n  addresses:\n  - (\n", 4, "focus.addresses", "not a regular expression"),
    ("focus:\n  keywords: [a]\n  blacklist: ['*.spam']\n", 3, "focus.blacklist", "not a regular expression"),
    ("focus:\n  keywords: [a]\n  weights: {term: 2}\n", 3, "focus.weights.term", "known here: addresses, entities"),
    (
        "focus:\n  keywords: [a]\n  weights: {terms: 0, entities: 0, events: 0, addresses: 0, languages: 0, "
        "linking: 0, places: 0, social: 0}\n",
        3,
        "focus.weights",
        "all weights are 0",
    ),
    ("focus:\n  keywords: [{term: a, weight: 0}]\n", 1, "focus", "everything that is looked for has weight 0"),
    ("strategy: clever\n", 1, "strategy", "auto, learn, patterns, sample, blind"),
]


@pytest.mark.parametrize(("text", "line", "key", "expected"), MISTAKES, ids=[key for _, _, key, _ in MISTAKES])
def test_a_mistake_is_told_with_file_line_key_and_what_was_expected(
    text: str, line: int, key: str, expected: str
) -> None:
    said = complaint(text)
    assert said.startswith(f"crawl.yaml, line {line}: ")
    assert f"`{key}`" in said
    assert expected in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "proxy",
    [
        *("http://proxy.org:3128", "https://proxy.org", "socks4://proxy.org:1080", "socks4a://proxy.org"),
        *("socks5://10.0.0.1:9050", "socks5h://user:se@cret@[::1]:9050/", "proxy.org:3128", "user:secret@proxy.org"),
    ],
)
def test_a_proxy_is_an_address_of_one(proxy: str) -> None:
    assert parse(f"fetch:\n  proxy: {proxy!r}\n", "crawl.yaml").fetch.proxy == proxy


def test_what_is_wrong_with_a_proxy_is_said_without_its_password() -> None:
    assert "secret" not in complaint("fetch:\n  proxy: ftp://user:secret@proxy.org\n")


NOT_A_DEFINITION = [
    ("seeds: [\n", "line 2: not YAML"),
    ("\tseeds: []\n", "line 1: not YAML"),
    ("a: !!python/object:os.system {}\n", "line 1: not YAML"),
    ("\n\nb: '\x01'\n", "line 3: not YAML"),
    ("1: 2\n", "line 1: a key must be text"),
    ("sites:\n  127: {}\n", "line 2: a key must be text"),
    ("? [a]\n: b\n", "line 1: a key must be text"),
    ("- a\n- b\n", "a definition is a mapping"),
    ("just words\n", "a definition is a mapping"),
    ("[" * 5000, "not YAML that a definition can hold"),
    ("archive: {operator: 2020-99-99}\n", "not YAML that a definition can hold"),
    ("a: &a [*a]\n", "unknown key `a`"),
    ("seeds: &a [*a]\n", "expected `str`, got a list"),
]


@pytest.mark.parametrize(("text", "expected"), NOT_A_DEFINITION)
def test_what_is_no_definition_is_told_in_one_line(text: str, expected: str) -> None:
    said = complaint(text)
    assert said.startswith("crawl.yaml")
    assert expected in said
    assert "\n" not in said


@given(st.text(max_size=200))
def test_no_text_ends_in_anything_but_a_definition_or_a_complaint(text: str) -> None:
    try:
        assert isinstance(parse(text, "crawl.yaml"), Definition)
    except ConfigError as error:
        assert str(error).startswith("crawl.yaml")


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner)
)
BOMBS = [
    "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "seeds: *j\n",
    "a: &a {x: 1}\n"
    + "".join(
        f"{b}: &{b} {{<<: [{', '.join([f'*{a}'] * 20)}]}}\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "focus:\n  entities:\n  - &e {name: a, aliases: &l [" + "b, " * 1000 + "]}\n" + "  - *e\n" * 1000,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=["lists", "merges", "entities"])
def test_a_few_lines_that_stand_for_millions_are_refused(bomb: str) -> None:
    assert "more than 200,000 values" in complaint(bomb)


def test_what_is_too_long_is_refused() -> None:
    assert "longer than a definition can be" in complaint("#" * (config.reading.LONGEST + 1))


FOCUS = """
seeds: [https://example.org/]
focus:
  keywords: [flood, {term: high water, weight: 2}]
  exclude: [flood of offers]
  entities:
  - {name: European Flood Awareness System, aliases: [EFAS], kind: organisation}
  topics:
  - {name: dams, terms: [levee, {term: dike, weight: 0.5}], examples: [dams.txt, https://example.org/dams]}
  events:
  - {name: 2013 European floods, places: [Passau, Dresden], begins: 2013-05-30, ends: "2013-06-20", actors: [THW]}
  languages: [de, en]
  addresses: ["/hochwasser/", {pattern: "/sport/", score: 0}]
  blacklist: [casino.example, "/tag/.*/feed"]
  decay: 0.4
  reach: 2
  weights: {entities: 3, social: 0}
"""


def test_what_the_archive_is_about_is_read_and_written_back() -> None:
    definition = parse(FOCUS, "crawl.yaml")
    event = definition.focus.events[0]
    assert (event.begins, event.ends) == (date(2013, 5, 30), date(2013, 6, 20))
    assert definition.focus.keywords == ["flood", config.Keyword(term="high water", weight=2)]
    assert definition.focus.weights.social == 0
    assert definition.focus.is_set()
    assert parse(dump(definition), "crawl.yaml") == definition
    assert config.doubts(definition) == []


def test_a_definition_without_focus_looks_for_nothing_and_is_no_mistake() -> None:
    assert not parse("focus: {}\n", "crawl.yaml").focus.is_set()


def test_a_name_of_two_is_a_doubt_and_no_mistake() -> None:
    text = "focus:\n  entities:\n  - {name: Paris, kind: place}\n  - {name: Paris Hilton, aliases: [paris]}\n"
    (said,) = config.doubts(parse(text, "crawl.yaml"))
    assert "'paris' is a name of 'Paris' and of 'Paris Hilton'" in said
    (said,) = config.doubts(parse("focus:\n  events:\n  - name: flood\n", "crawl.yaml"))
    assert "only its name" in said


TOPIC = "focus:\n  topics:\n  - {name: dams, examples: [dams.txt, dams.html, https://example.org/dams]}\n"


def test_examples_of_topics_stand_beside_the_definition_and_are_found_from_its_copy(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(TOPIC)
    (tmp_path / "dams.txt").write_text("A dam < a lake")
    (tmp_path / "dams.html").write_text("<!DOCTYPE html><title>Dams</title><script>no()</script><p>A <b>levee</b>")
    definition = load(tmp_path / "mine.yaml")
    copy = parse(dump(definition), "collection/crawl.yaml")
    assert config.urls_of(copy.focus.topics) == ["https://example.org/dams"]
    texts = config.texts_of(copy.focus.topics)
    assert texts[str(tmp_path / "dams.txt")] == "A dam < a lake"
    assert texts[str(tmp_path / "dams.html")].split() == ["Dams", "A", "levee"]


@pytest.mark.parametrize("example", ["none.txt", ".", "a\0b"])
def test_an_example_that_cannot_be_read_is_told(example: str, tmp_path: Path) -> None:
    topic = config.Topic(name="dams", examples=[f"{tmp_path}/{example}"])
    with pytest.raises(ConfigError, match=r"cannot be read: .*; name a text file or a URL"):
        config.texts_of([topic])


names = st.sampled_from([name for _, section in sections() for name in section.__struct_fields__])


@given(st.dictionaries(names, st.dictionaries(names, values, max_size=3) | values, max_size=4))
def test_any_value_anywhere_is_taken_or_complained_about(raw: dict[str, Any]) -> None:
    text = yaml.safe_dump(raw)
    try:
        parse(text, "crawl.yaml")
    except ConfigError as error:
        assert str(error).startswith("crawl.yaml")


def test_an_empty_file_means_the_defaults() -> None:
    assert parse("", "crawl.yaml") == parse("# nothing\n", "crawl.yaml") == Definition()


def test_aliases_and_merges_may_be_used() -> None:
    text = "sites:\n  a.org: &slow {delay: 5}\n  b.org: *slow\n  c.org: {<<: *slow, paused: true}\n"
    sites = parse(text, "crawl.yaml").sites
    assert sites["b.org"] == Override(delay=5)
    assert sites["c.org"] == Override(delay=5, paused=True)


lines = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=30).filter(
    str.isprintable
)
definitions = st.builds(
    Definition,
    seeds=st.lists(lines, max_size=3),
    workers=st.none() | st.integers(1, 256),
    scope=st.builds(
        config.Scope,
        kind=st.sampled_from(["page", "prefix", "host", "domain"]),
        include=st.lists(st.sampled_from([r"\.pdf$", "^http", "(?i)a: b # c", "ü|漢"]), max_size=2),
        limit=st.none() | st.integers(1, 10**9),
        requisites=st.booleans(),
    ),
    politeness=st.builds(config.Politeness, floor=st.floats(0, 10), ceiling=st.floats(10, 1000)),
    fetch=st.builds(Fetch, user_agent=st.none() | lines, timeout=st.floats(1, 86_400), verify_tls=st.booleans()),
    archive=st.builds(config.Archive, operator=st.none() | lines, contact=st.none() | lines),
    sites=st.dictionaries(lines, st.builds(Override, delay=st.none() | st.floats(0, 100), paused=st.booleans())),
)


@given(definitions)
def test_what_is_written_is_read_back_as_it_was(definition: Definition) -> None:
    assert parse(dump(definition), "crawl.yaml") == definition


def test_the_written_definition_is_complete() -> None:
    plain = yaml.safe_load(dump(Definition()))
    assert set(plain) == set(Definition.__struct_fields__)
    assert set(plain["fetch"]) == set(Fetch.__struct_fields__)


PROXIES = [
    ("http://user:secret@proxy.org:3128", "http://***@proxy.org:3128"),
    ("http://user:p@ss:secret@proxy.org", "http://***@proxy.org"),
    ("user:secret@proxy.org:3128", "***@proxy.org:3128"),
    ("socks5h://secret@proxy.org", "socks5h://***@proxy.org"),
    ("http://proxy.org:3128/", "http://proxy.org:3128/"),
]


@pytest.mark.parametrize(("given_as", "written"), PROXIES)
def test_the_credentials_of_a_proxy_are_never_written_down(given_as: str, written: str) -> None:
    text = dump(Definition(fetch=Fetch(proxy=given_as)))
    assert "secret" not in text
    assert yaml.safe_load(text)["fetch"]["proxy"] == written


def test_a_definition_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Definition().workers = 5  # type: ignore[misc]


def settings() -> list[tuple[type[msgspec.Struct], str]]:
    """List what a person can set, sections aside."""
    groups = {name.partition(".")[0] for name, _ in sections()} | {"weights"}
    return [(section, name) for _, section in sections() for name in section.__struct_fields__ if name not in groups]


def test_there_are_fewer_than_40_settings() -> None:
    """What is crawled (seeds, focus) and what holds for one site instead are no knobs of their own."""
    apart = {section for name, section in sections() if name.startswith(("focus", "sites"))}
    knobs = [name for section, name in settings() if section not in apart and name != "seeds"]
    assert 20 < len(knobs) < 40


def test_every_setting_says_what_it_means_in_one_line() -> None:
    for section, name in settings():
        words = about(section, name)
        assert words, f"{section.__name__}.{name}"
        assert len(words) < 140
        assert not re.search(r"[.\n]$", words)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"archive: {operator: M\xfcller}\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "latin.yaml")
    (tmp_path / "good.yaml").write_text("archive: {operator: Müller}\n", encoding="utf-8")
    assert load(tmp_path / "good.yaml").archive.operator == "Müller"
