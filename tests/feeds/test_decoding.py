"""Bytes of a feed → its text, in whatever encoding it is, and its prolog apart."""

from __future__ import annotations

import pytest

from anansi.feeds.decoding import LONGEST_ENTITY, MOST_ENTITIES, decode, opened

TEXT = "<rss><title>Žluť – naïve</title></rss>"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_the_bytes_say_themselves_is_believed(encoding: str) -> None:
    declared = f'<?xml version="1.0"?>{TEXT}'
    assert decode(declared.encode(encoding)).endswith(TEXT)


def test_the_header_goes_before_the_declaration_and_a_false_one_is_passed_over() -> None:
    text = "<?xml version='1.0' encoding='iso-8859-2'?><a>Žluť</a>"
    assert decode(text.encode("iso-8859-2")).endswith("Žluť</a>")
    assert decode(text.encode("utf-8"), "text/xml; charset=utf-8").endswith("Žluť</a>")
    assert decode(b"<a>na\xefve</a>", "text/xml; charset=utf-8") == "<a>naïve</a>"
    assert decode("<a>ü</a>".encode(), "text/xml; charset=utf-16") == "<a>ü</a>"
    assert decode("<a>ü</a>".encode(), "text/xml; charset=rot13") == "<a>ü</a>"


def test_characters_that_no_document_may_hold_are_left_out() -> None:
    assert decode(b"<a>x\x00\x0by</a>") == "<a>xy</a>"


def test_a_prolog_is_cut_off_and_its_small_entities_are_kept() -> None:
    kept = "<!ENTITY dash \"&#8211;\"> <!ENTITY who 'Ada'>"
    text = f'<?xml version="1.0"?><!DOCTYPE rss [{kept}]><!-- <b> --><rss>x</rss>'
    found = opened(text)
    assert found.text == "<rss>x</rss>"
    assert found.entities == {"dash": "–", "who": "Ada"}
    assert "DOCTYPE" in found.prolog


def test_entities_that_make_much_of_little_are_left() -> None:
    bomb = f'<!DOCTYPE x [<!ENTITY a "{"x" * (LONGEST_ENTITY + 1)}"> <!ENTITY b "&a;&a;">]><rss/>'
    assert opened(bomb).entities == {}
    many = "".join(f'<!ENTITY e{number} "x">' for number in range(MOST_ENTITIES + 50))
    assert len(opened(f"<!DOCTYPE x [{many}]><rss/>").entities) == MOST_ENTITIES
