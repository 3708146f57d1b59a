"""A definition as it is written down: complete, read back as it was, without secrets."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from anansi import config
from anansi.config import Definition, Fetch, Override, dump, parse

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
