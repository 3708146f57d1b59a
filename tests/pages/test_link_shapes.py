"""Links that differ in their numbers alone are put together alike."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anansi.knowledge.addresses import shape_of
from anansi.pages.link_shapes import Form, copies, form_of
from anansi.pages.links import LinkFinder
from anansi.text.page_model import PageModel
from anansi.text.tree import parse
from anansi.url import DEFAULT, Rules, canonical, resolve

PAGE = "http://a.org/forum/board.php?f=1"
RAWS = st.from_regex(
    r"(\./|\.\./|/|https?://[a-z0-9.]{1,9}/|)[a-z0-9;,.-]{0,8}(\.php)?"
    r"(\?((s|t|sid|f2|page|utm_id)=?[a-f0-9.]{0,4}[&;]?){0,4})?(#p?[0-9]{0,3})?",
    fullmatch=True,
)


def renumbered(raw: str, seed: int) -> str:
    rng = random.Random(seed)
    return "".join(rng.choice("0123456789") if each.isdigit() and each.isascii() else each for each in raw)


def meant(raw: str) -> tuple[str, str] | None:
    url = resolve(raw, PAGE)
    return (url, canonical(url)) if url is not None else None


@given(RAWS, st.integers(0, 999))
@example("http://127.0.0.1/x", 3)
@example("./viewtopic.php?t=12&f=3#p77", 5)
def test_a_form_makes_of_other_numbers_what_they_mean(raw: str, seed: int) -> None:
    known = meant(raw)
    form = form_of(raw, *known) if known is not None else None
    if form is not None:
        assert form.filled(raw) == known
        other = renumbered(raw, seed)
        assert shape_of(other) == shape_of(raw)
        assert form.filled(other) == meant(other), other


def test_address_and_key_are_parts_of_the_link() -> None:
    raw = "./viewtopic.php?t=12&f=3#p77"
    assert form_of(raw, *(meant(raw) or ("", ""))) == Form("http://a.org/forum/", 2, 24, (1, 0))
    raw = "/posting.php?sid=0cc175b9c0f1b6a831c399e269772661"
    form = form_of(raw, *(meant(raw) or ("", "")))
    assert form is not None
    assert form.filled(raw)[1] == "http://a.org/posting.php"


@pytest.mark.parametrize(
    "raw", ["http://10.0.0.1/x", "//h2.org/", "?p=1", "/a%20b1", "/x?f2=1&a=2", "/x?a=1&a=1&b=2"]
)
def test_where_digits_may_tell_there_is_no_form(raw: str) -> None:
    known = meant(raw)
    assert known is not None
    assert form_of(raw, *known) is None or known[0] == known[1]
    assert raw == "/x?a=1&a=1&b=2" or form_of(raw, *known) is None


@given(st.lists(RAWS, max_size=5), st.integers(0, 999))
def test_a_finder_that_has_seen_much_finds_what_a_new_one_finds(raws: list[str], seed: int) -> None:
    finder = LinkFinder(DEFAULT)
    for number in range(3):
        body = "".join(f'<a href="{renumbered(raw, seed + number)}">x</a>' for raw in raws).replace("&", "&amp;")
        tree = parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
        assert finder.links(PageModel(tree), PAGE) == LinkFinder(DEFAULT).links(PageModel(tree), PAGE)


def test_rules_that_rewrite_may_tell_digits_apart() -> None:
    finder = LinkFinder(Rules(rewrites=((r"/p2$", "/two"),)))
    tree = parse(b'<a href="/p1">1</a><a href="/p2">2</a>', "utf-8")
    assert [link.key for link in finder.links(PageModel(tree), PAGE)] == ["http://a.org/p1", "http://a.org/two"]


# ── what a table writes ──────────────────────────────────────────────────────────────────────────────────────────

WRITTEN = st.sampled_from(
    (
        (r"threads/(?:[^/?]*\.)?(\d+)/.*", r"threads/\1/"),
        (r"\?f=(\d+)&t=(\d+)", r"?t=\2&start=10"),
        (r"(\d+)([^\d]+)(\d)", r"\3\2\1\1"),
        (r"nothing", "something"),
    )
)
ADDRESSES = st.from_regex(
    r"http://a1\.org(:80)?/(f2/)?(threads/(a[0-9]-b\.)?[0-9]{1,4}/(post-[0-9]{1,4})?|x\?f=[0-9]{1,2}&t=[0-9]{1,4})",
    fullmatch=True,
)


@given(ADDRESSES, WRITTEN, st.integers(0, 999))
@example("http://a1.org/x?f=1&t=1", (r"\?f=(\d+)&t=(\d+)", r"?t=\2&start=10"), 7)
def test_what_is_made_of_one_address_tells_what_is_made_of_all_like_it(
    url: str, rule: tuple[str, str], seed: int
) -> None:
    def made(url: str) -> tuple[str, str]:
        return url, re.sub(*rule, url)

    found = copies(url, made)
    assert found is not None
    other = "http://a1.org" + renumbered(url.removeprefix("http://a1.org").replace(":80", ""), seed)
    url = "http://a1.org" + url.removeprefix("http://a1.org").replace(":80", "")
    found = copies(url, made)
    assert found is not None
    assert tuple(each.of(other) for each in found) == made(other)


def test_what_digits_decide_is_not_taken_for_copied() -> None:
    assert copies("http://a.org/x12", lambda url: (url, "http://a.org/" + str(len(url) * int(url[-1])))) is None
    assert copies("http://a.org/x12", lambda url: (url, url + "0" * int(url[-1]))) is None
    assert copies("http://a.org/x%201", lambda url: (url, url)) is None, "an escape is no number"
    assert copies("http://a.org/" + "1" * 101, lambda url: (url, url)) is None
