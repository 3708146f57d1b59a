"""Crawls of a small site compared: every number is known beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.errors import CollectionError, UserError
from anansi.evaluate.compare import compare, pair_up, to_json
from anansi.evaluate.content import Basis
from anansi.evaluate.score import Share
from tests.crawl.case import crawl
from tests.evaluate.collections import Made, collect, recognised
from tests.web import Reply, ScriptedWeb

POSTS = "abcdefghi"
WIDGET = '<a href="http://widget.example/"></a>'


def post(letter: str) -> str:
    """Write a page of four 2-grams: one that all posts have, three that are its own; one own link, one of all."""
    return (
        f"<p>site menu</p><p>x{letter} y{letter} z{letter}</p>{WIDGET}"
        f'<a href="http://elsewhere.example/{letter}"></a>'
    )


def home(*paths: str) -> str:
    """Write a list: one 2-gram, in links."""
    return "".join(f'<p><a href="{path}">go</a></p>' for path in paths)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """A site crawled whole, and crawled without three of its nine posts and the copy of one."""
    folder = tmp_path_factory.mktemp("crawls")
    with ScriptedWeb() as web:
        paths = [f"/{letter}" for letter in POSTS]
        markup = {"/": home(*paths, "/copy"), "/copy": post("a"), **{f"/{letter}": post(letter) for letter in POSTS}}
        for path, text in markup.items():
            web.add(path, Reply(200, {"Content-Type": "text/html; charset=utf-8"}, text.encode()))
        blind = crawl(folder / "blind", web.url + "/", options=("--strategy", "blind"))
        some = crawl(folder / "some", web.url + "/", options=("--exclude", "/([ghi]|copy)$"))
    yield blind.collection.root, some.collection.root


def test_a_crawl_is_measured_by_what_the_blind_one_brought(folders: tuple[Path, Path]) -> None:
    site = compare(folders[0], [folders[1]])
    (score,) = site.others
    assert (site.blind.requests, score.requests) == (12, 8), "robots.txt, home, ten pages; four of them left out"
    assert score.saving == 1.5
    assert (site.blind.pages, score.pages) == (10, 7), "the copy is no page of its own"
    assert score.grams == Share(1 + 1 + 6 * 3, 1 + 1 + 9 * 3)
    assert score.own_grams == Share(1 + 6 * 3, 1 + 9 * 3), "`site menu` stands on nine pages of ten"
    assert score.links == Share(7, 10)
    assert score.own_links == Share(6, 9), "the widget is on every post"
    assert score.content == Share(6, 9), "the list is no content"
    assert (score.beyond, score.notes) == (0, ())
    assert site.content_by == Basis.LINKS.value


def test_the_blind_crawl_has_all_of_itself(folders: tuple[Path, Path]) -> None:
    blind = compare(folders[0], [folders[1]]).blind
    shares = (blind.grams, blind.own_grams, blind.links, blind.own_links, blind.content)
    assert [share.share for share in shares] == [1.0] * 5
    assert (blind.saving, blind.beyond) == (1.0, 0)


def test_the_curve_follows_the_requests_in_their_order(folders: tuple[Path, Path]) -> None:
    site = compare(folders[0], [folders[1]])
    # robots.txt is the first request, home the second; the first post brings `site menu` too
    assert site.blind.curve[:3] == ((2, 1), (3, 5), (4, 8))
    assert site.blind.curve[-1] == (12, 29)
    assert site.others[0].curve == ((2, 1), *((3 + number, 5 + 3 * number) for number in range(6)))


def test_everything_is_told_as_json_too(folders: tuple[Path, Path]) -> None:
    (told,) = to_json([compare(folders[0], [folders[1]])])["sites"]
    assert told["against"][0]["own_links"] == {"found": 6, "of": 9, "share": 6 / 9}
    assert told["blind"]["folder"] == str(folders[0])
    assert told["against"][0]["curve"][0] == (2, 1)


PAGES = {f"/{letter}": post(letter) for letter in POSTS}


def test_a_page_is_captured_when_its_own_text_was_fetched_elsewhere(tmp_path: Path) -> None:
    words = " ".join(f"w{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(101))
    pages = {**PAGES, "/long": f"<p>{words}</p>"}
    blind = collect(tmp_path / "blind", pages)
    shares = {}
    for kept in (96, 95):  # words, which make one 2-gram less
        part = " ".join(words.split()[:kept])
        other = collect(tmp_path / str(kept), {**PAGES, "/part": f"<p>{part}</p>"})
        shares[kept] = compare(blind, [other]).others[0].content
    assert shares == {96: Share(10, 10), 95: Share(9, 10)}


def test_counters_neither_hide_a_page_nor_the_likeness_of_two_crawls(tmp_path: Path) -> None:
    def counted(times: int) -> dict[str, str]:
        return {path: f"<p>seen {times + n} times</p>{text}" for n, (path, text) in enumerate(PAGES.items())}

    blind = collect(tmp_path / "blind", counted(100))
    later = collect(tmp_path / "later", counted(500), host="http://127.0.0.1:8000")
    (score,) = compare(blind, [later]).others
    assert score.content == Share(9, 9)
    assert score.beyond == 2 * 9, "`seen 500` and `500 times`, nine of each"
    assert score.grams == Share(2 + 3 * 9, 2 + 5 * 9), "of the blind crawl's counters none was met again"


def test_crawls_with_an_address_in_common_are_compared_whatever_it_says(tmp_path: Path) -> None:
    blind = collect(tmp_path / "blind", PAGES)
    (score,) = compare(blind, [collect(tmp_path / "changed", {"/a": "all has changed"})]).others
    assert (score.grams.found, score.content, score.beyond) == (0, Share(0, 9), 2)


def test_recognition_decides_what_content_is(tmp_path: Path) -> None:
    blind = collect(
        tmp_path / "blind", {"/list?f=1": home("/a"), **{f"/t?id={n}": t for n, t in enumerate(PAGES.values())}}
    )
    aware = collect(
        tmp_path / "aware",
        {
            "/list?f=1": recognised(home("/a"), terminal=False),
            "/t?id=1": recognised(post("b"), terminal=True),
            "/t?id=2": recognised(post("c"), terminal=True),
        },
        host="http://127.0.0.1:8000",
    )
    site = compare(blind, [aware])
    assert site.content_by == Basis.OTHERS.value
    assert site.type == "forum/test"
    assert site.others[0].content == Share(2, 9), "threads that were never fetched are content by their shape"


def test_a_text_at_two_addresses_is_one_page_with_the_links_of_both(tmp_path: Path) -> None:
    twice = {
        "/p": '<p>same words</p><a href="http://one.example/">',
        "/q": '<p>same words</p><a href="http://two.example/">',
    }
    blind = collect(tmp_path / "blind", twice)
    site = compare(blind, [collect(tmp_path / "other", {"/q": twice["/q"]})])
    assert (site.blind.pages, site.blind.links.of) == (1, 2)
    assert site.others[0].links == Share(1, 2)
    assert site.others[0].grams == Share(1, 1)


def test_what_the_blind_crawl_does_not_have_is_counted_apart(tmp_path: Path) -> None:
    blind = collect(tmp_path / "blind", PAGES)
    (score,) = compare(blind, [collect(tmp_path / "other", {**PAGES, "/new": "brand new words"})]).others
    assert (score.beyond, score.grams.share) == (2, 1.0)


def test_crawls_of_different_sites_are_not_compared(tmp_path: Path) -> None:
    blind = collect(tmp_path / "blind", PAGES)
    with pytest.raises(UserError, match="no page in common") as told:
        compare(blind, [collect(tmp_path / "other", {"/": "something else entirely"})])
    assert str(blind) in str(told.value)
    assert told.value.exit_code == 2


def test_a_blind_crawl_without_words_is_no_measure(tmp_path: Path) -> None:
    blind = collect(tmp_path / "blind", {"/": "<img src=x>"})
    with pytest.raises(CollectionError, match="holds no page with text"):
        compare(blind, [blind])


def test_an_answer_without_a_body_is_read_over(tmp_path: Path) -> None:
    pages: dict[str, str | Made] = {**PAGES, "/empty": Made("")}
    site = compare(collect(tmp_path / "blind", pages), [collect(tmp_path / "other", pages)])
    assert site.others[0].grams.share == 1.0
    assert site.blind.requests == 10


def test_a_site_is_named_by_its_domain_or_its_folder(tmp_path: Path) -> None:
    named = collect(tmp_path / "named", PAGES)
    local = collect(tmp_path / "local", PAGES, host="http://127.0.0.1:8000")
    assert compare(named, [local]).name == "site.example"
    assert compare(local, [named]).name == "local"


def test_each_blind_crawl_gets_as_many_others() -> None:
    a, b, c, d = map(Path, "abcd")
    assert pair_up([a], [b, c]) == [(a, (b, c))]
    assert pair_up([a, b], [c, d]) == [(a, (c,)), (b, (d,))]
    for blind, against in (([a, b], [c]), ([a, b], [c, d, d]), ([a], []), ([], [a])):
        with pytest.raises(UserError):
            pair_up(blind, against)
