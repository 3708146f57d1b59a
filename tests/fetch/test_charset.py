"""A text and the encodings it is said to have."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from anansi.fetch import charset
from anansi.fetch.charset import decode_text, detect, label

SAMPLES = {
    "windows-1251": "Паук рассказывает истории о лесе и о людях, которые в нём живут. ",
    "koi8-r": "Паук рассказывает истории о лесе и о людях, которые в нём живут. ",
    "cp932": "これは蜘蛛の物語です。森の中に住んでいる人々の話。",
    "euc-jp": "これは蜘蛛の物語です。森の中に住んでいる人々の話。",
    "iso-2022-jp": "これは蜘蛛の物語です。森の中に住んでいる人々の話。",
    "gb18030": "这是一个关于蜘蛛和森林里的人们的故事，讲给孩子听。",
    "big5hkscs": "這是一個關於蜘蛛和森林裡的人們的故事，講給孩子聽。",
    "cp949": "대한민국의 헌법은 국민의 자유와 권리를 보장한다. ",
    "windows-1253": "Η αράχνη λέει ιστορίες για το δάσος και τους ανθρώπους. ",
    "windows-1252": "L'araignée est déçue à Noël, où les forêts sont gelées. ",
    "utf-8": "Die Spinne erzählt größere Märchen. ",
}


def test_the_header_is_believed() -> None:
    page = b'<meta charset="koi8-r">'
    assert detect('text/html; Charset="windows-1251"', page) == "windows-1251"
    assert detect("text/html;charset=utf-8;x=y", page) == "utf-8"


def test_a_byte_order_mark_overrides_a_wrong_header() -> None:
    assert detect("text/html; charset=iso-8859-1", b"\xef\xbb\xbfhello") == "utf-8"
    assert detect("text/html; charset=utf-8", b"\xff\xfeh\0i\0") == "utf-16le"
    assert detect("", b"\xfe\xff\0h\0i") == "utf-16be"


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (b"<html><head><meta charset=koi8-r>", "koi8-r"),
        (b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Shift_JIS'>", "cp932"),
        (b'<?xml version="1.0" encoding="ISO-8859-2"?><html>', "iso-8859-2"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=euc-kr>", "cp949"),
        (b"<meta charset=bogus><meta charset=gb2312>", "gb18030"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<" + b" " * 3000 + b"><meta charset=big5>", "big5hkscs"),
        ('<?xml version="1.0"?>'.encode("utf-16-le"), "utf-16le"),
        (b'@charset "koi8-r"; p { color: red }', "koi8-r"),
        (b"<metadata charset=koi8-r>", "utf-8"),
        (b"<p>" + b" " * 9000 + b"<meta charset=koi8-r>", "utf-8"),
    ],
)
def test_the_page_itself_is_asked_next(page: bytes, name: str) -> None:
    assert detect("text/html", page) == name
    assert detect("text/html; charset=none", page) == name


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_an_undeclared_text_is_read_aright(name: str) -> None:
    text = SAMPLES[name] * 30
    page = b"<html><script>" + b"var a = 1;\n" * 9000 + b"</script>" + text.encode(name)
    assert decode_text(page, detect("text/html", page)).endswith(text)


def test_one_broken_character_does_not_change_the_encoding() -> None:
    assert detect("", (SAMPLES["utf-8"] * 30).encode() + b"\xff" + SAMPLES["utf-8"].encode()) == "utf-8"


def test_a_character_cut_at_the_end_of_the_checked_part_is_forgiven() -> None:
    assert detect("", ("é" * 40000).encode()) == "utf-8"
    assert detect("", b"x" + ("é" * 40000).encode()) == "utf-8"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ISO-8859-1", "windows-1252"),
        ("latin1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("ks_c_5601-1987", "cp949"),
        ("x-sjis", "cp932"),
        ("iso-8859-9", "windows-1254"),
        ("tis-620", "cp874"),
        ("iso-8859-8", "iso-8859-8"),
        ("utf8", "utf-8"),
        ("x-mac-cyrillic", "maccyrillic"),
        ("utf-7", ""),
        ("utf-7-imap", ""),
        ("hex", ""),
        ("rot13", ""),
        ("iso-2022-kr", ""),
        ("", ""),
        ("ütf-8", ""),
    ],
)
def test_a_label_stands_for_what_browsers_take_it_for(name: str, meant: str) -> None:
    assert label(name) == meant


def test_every_name_is_known_to_python_and_to_libxml2() -> None:
    for name in charset._CODECS:
        assert codecs.lookup(name)
        tree = etree.fromstring("<p>x</p>".encode(name), etree.HTMLParser(encoding=name))
        assert tree.findtext(".//p") == "x", name


def test_decoding_drops_the_mark_and_replaces_what_it_cannot_read() -> None:
    assert decode_text(b"\xef\xbb\xbfhello", "utf-8") == "hello"
    assert decode_text(b"a\xffb", "utf-8") == "a�b"
    assert decode_text(b"\xff\xfeh\0i\0", "utf-16le") == "hi"
    assert decode_text("é".encode(), "no such thing") == "é"
    assert decode_text(b"6869", "hex") == "6869"


@given(st.text(max_size=60), st.binary(max_size=300))
def test_any_bytes_have_an_encoding_and_a_text(content_type: str, data: bytes) -> None:
    name = detect(content_type, data)
    assert name in charset._CODECS
    assert len(decode_text(data, name)) <= len(data)


@given(
    st.binary(max_size=100), st.text(max_size=20) | st.sampled_from(["idna", "punycode", "utf-7", "unicode_escape"])
)
def test_decoding_never_raises(data: bytes, name: str) -> None:
    assert isinstance(decode_text(data, name), str)
