"""What is said about a mistake in a definition: file, line, key, and what was expected."""

from __future__ import annotations

import pytest

from anansi.config import parse
from tests.config.test_reading import complaint

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
