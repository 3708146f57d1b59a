"""Addresses from the Web → IRIs."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, parse

from anansi.archive.iri import LONGEST, iri, node

ADDRESSES = st.one_of(
    st.text(),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(("http://", "https://", "ftp:", "urn:", "mailto:", "//", "1a://", "http:")),
        st.text("ab.[]:@%é 1xvF"),
        st.text('/?#%[]{}<>|^`"\\abé \ud800\x00\ue000\U0010ffff'),
    ),
)


@given(ADDRESSES)
@example("http://[v1.x]/")
@example("http://[fe80::1%25eth0]/")
@example("http://a@b@c:1:2/")
def test_whatever_a_page_calls_an_address_becomes_a_valid_iri(address: str) -> None:
    word = node(address)
    (quad,) = parse(b" ".join((word, word, word, word)) + b" .\n", RdfFormat.N_QUADS)
    assert isinstance(quad.subject, NamedNode)
    assert quad.subject.value == iri(address) == iri(iri(address))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://example.org/a?b=c&d=%20#e", "https://example.org/a?b=c&d=%20#e"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/?q[]={1|2}", "http://example.org/?q%5B%5D=%7B1%7C2%7D"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/straße", "http://example.org/stra%C3%9Fe"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[::x]/", "http://%5B%3A%3Ax%5D/"),
        ("not an address", "data:,not%20an%20address"),
    ],
)
def test_only_what_is_forbidden_is_escaped(address: str, expected: str) -> None:
    assert iri(address) == expected


def test_long_addresses_stay_apart() -> None:
    one, two = (iri("data:image/png;base64," + "%20" * LONGEST + end) for end in "ab")
    assert one != two
    assert len(one) <= LONGEST
    list(parse(f"<{one}> <{two}> <{one}> <{two}> .", RdfFormat.N_QUADS))
