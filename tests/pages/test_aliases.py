"""Addresses of one page: believed for a kind of address, when contents were seen to agree."""

from __future__ import annotations

import pytest

from anansi.pages.aliases import WAITING, Address, Aliases, credible


def address(path: str) -> Address:
    return Address(f"http://a.org{path}", f"http://a.org{path}")


def text(number: int) -> str:
    return "Menu\n" + "\n".join(f"line {word} of {chr(97 + number)}" for word in ("one", "two", "three", "four")) * 3


def pair(aliases: Aliases, number: int, *, other: str = "") -> bool:
    """Visit `/item-#` that names `/article-#`, then what it names; return whether that was believed."""
    short, long = address(f"/item-{number}"), address(f"/article-{number}")
    believed = aliases.note(short, long, lambda: text(number))
    aliases.note(long, None, lambda: other or text(number))
    return believed


def test_a_kind_of_address_is_believed_after_two_pairs_agreed() -> None:
    aliases = Aliases()
    assert [pair(aliases, number) for number in range(4)] == [False, False, True, True]


def test_a_pair_that_does_not_agree_ends_belief() -> None:
    aliases = Aliases()
    assert [pair(aliases, number, other="Something else" if number == 1 else "") for number in range(5)] == [
        False
    ] * 5


def test_pages_may_come_in_the_other_order() -> None:
    aliases = Aliases()
    pair(aliases, 0)
    long, short = address("/article-1"), address("/item-1")
    aliases.note(long, None, lambda: text(1))
    aliases.note(short, long, lambda: text(1))
    assert pair(aliases, 2)


def test_another_kind_of_address_is_another_matter() -> None:
    aliases = Aliases()
    for number in range(3):
        pair(aliases, number)
    assert not aliases.note(address("/print/9"), address("/article-9"), lambda: text(9))


def test_a_page_that_names_itself_says_nothing() -> None:
    aliases = Aliases()
    assert not aliases.note(address("/a-1"), address("/a-1"), lambda: pytest.fail("was read"))


def test_digits_and_a_line_may_differ() -> None:
    aliases = Aliases()
    lines = "\n".join(f"line {chr(97 + each)}" for each in range(20))
    for number in range(2):
        aliases.note(address(f"/i-{number}"), address(f"/a-{number}"), lambda: f"{lines}\nSeen 3 times\nHi")
        aliases.note(address(f"/a-{number}"), None, lambda: f"{lines}\nSeen 4 times\nHo")
    assert aliases.note(address("/i-7"), address("/a-7"), lambda: "")


def test_what_waits_is_bounded() -> None:
    aliases = Aliases()
    for number in range(WAITING * 3):
        aliases.note(address(f"/x{number}/p"), address(f"/y{number}/q"), lambda: "one line")
    assert len(aliases._waiting) <= WAITING


@pytest.mark.parametrize(
    ("url", "named", "possible"),
    [
        ("http://a.org/?p=5", "http://a.org/2014/some-name/", True),
        ("http://a.org/t/5?highlight=x", "http://a.org/t/5", True),
        ("http://a.org/t/5/print", "http://a.org/t/5", True),
        ("http://a.org/t/5?page=2", "http://a.org/t/5", False),
        ("http://a.org/t/5?start=20&x=y", "http://a.org/t/5?x=y", False),
        ("http://a.org/t/5/page-2", "http://a.org/t/5", False),
        ("http://a.org/t/5/page/2/", "http://a.org/t/5/", False),
        ("http://a.org/t/5", "http://a.org/", False),
        ("http://a.org/t/5", "http://b.org/t/5", False),
    ],
)
def test_some_addresses_cannot_be_the_same_page(url: str, named: str, *, possible: bool) -> None:
    assert credible(url, named) is possible
