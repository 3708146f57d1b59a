"""Samples of what is left out: kinds of addresses, a few of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.knowledge.kinds import shape
from anansi.model import Corner, CornerKind, Reason, Skip
from anansi.pages import samples
from anansi.pages.samples import Samples

HOST = "a.org"


def skip(url: str, why: str = "Agora: a member", *, never: bool = False) -> Skip:
    return Skip(url, url, Reason.NO_CONTENT, why, never)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/members/ann.7/", "http://a.org/members/bob-the-builder.12/"),
        ("http://a.org/members/ann.7/about", "http://a.org/members/bob.8/about"),
        ("http://a.org/index.php?action=profile;u=7", "http://a.org/index.php?u=31&action=profile"),
        ("http://a.org/profile.php?mode=viewprofile&u=7", "http://a.org/profile.php?mode=viewprofile&u=8"),
        ("http://a.org/tags/honey/", "http://a.org/tags/wax/"),
        ("http://a.org/users/ann", "http://a.org/users/bob"),
    ],
)
def test_addresses_of_one_kind_have_one_shape(one: str, other: str) -> None:
    assert shape(one) == shape(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/members/ann.7/", "http://a.org/members/ann.7/about"),
        ("http://a.org/members/ann.7/trophies", "http://a.org/members/ann.7/about"),
        ("http://a.org/index.php?action=profile;u=7", "http://a.org/index.php?action=post;topic=7"),
        ("http://a.org/search.php?author=ann", "http://a.org/posting.php?author=ann"),
    ],
)
def test_addresses_of_different_kinds_differ(one: str, other: str) -> None:
    assert shape(one) != shape(other)


@given(st.text(max_size=200))
def test_any_address_has_a_shape(rest: str) -> None:
    assert shape("http://a.org/" + rest).startswith("/")
    assert shape(rest)


def test_a_sample_comes_after_all_else_in_the_corner_of_its_kind() -> None:
    (link,) = Samples().pick([skip("http://a.org/members/ann.7/")], HOST, sooner=False).links
    assert link.corner == Corner(CornerKind.SAMPLES, "/members/*", "Agora: a member")
    assert 0 < link.score < 0.1


def test_what_is_found_on_a_sample_comes_before_other_samples() -> None:
    urls = [skip(f"http://a.org/members/x.{number}/") for number in range(20)]
    later = max(link.score for link in Samples().pick(urls, HOST, sooner=False).links)
    assert min(link.score for link in Samples().pick(urls, HOST, sooner=True).links) > later


def test_a_kind_that_was_known_does_not_come_before_others_for_being_found_on_a_sample() -> None:
    made = Samples()
    (named,) = made.pick([skip("http://a.org/members/ann.7/")], HOST, sooner=False).links
    member, search = made.pick(
        [skip("http://a.org/members/bob.8/"), skip("http://a.org/find?by=8")], HOST, sooner=True
    ).links
    assert abs(member.score - named.score) < samples.JITTER
    assert search.score > samples.SAMPLED + samples.SOONER


def met(often: int, pages: int) -> float:
    """Return the score of an address that was met on the latest of some pages."""
    made = Samples()
    for _ in range(pages - often):
        made.pick([], HOST, sooner=False)
    (*_, last) = [
        link
        for _ in range(often)
        for link in made.pick([skip("http://a.org/members/ann.7/")], HOST, sooner=False).links
    ]
    return last.score


def test_what_is_met_often_comes_sooner() -> None:
    scores = [met(often, 1000) for often in (1, 8, 30, 60, 120, 240, 500)]
    assert scores == sorted(set(scores))
    assert max(scores) < samples.SAMPLED + samples.SOONER


def test_what_is_met_on_every_page_is_named_by_nobody() -> None:
    assert met(500, 500) == met(1, 500)
    assert met(500, 1000) > met(27, 1000)


def test_what_comes_first_is_no_matter_of_the_server_s_name() -> None:
    here, there = (
        Samples().pick([skip(f"http://{name}/members/ann.7/")], HOST, sooner=False).links
        for name in ("a.org", "b.org:8080")
    )
    assert here[0].score == there[0].score


def test_of_a_kind_only_some_are_kept_and_they_stay_the_same() -> None:
    made = Samples()
    urls = [skip(f"http://a.org/members/x.{number}/") for number in range(3 * samples.OF_A_KIND)]
    links, left = made.pick(urls, HOST, sooner=False)
    assert (len(links), len(left)) == (samples.OF_A_KIND, 2 * samples.OF_A_KIND)
    assert made.pick(urls, HOST, sooner=False) == ([], left)


def test_kinds_without_number_are_one() -> None:
    made = Samples()
    urls = [skip(f"http://a.org/{'x' * number}/") for number in range(1, 19)]
    assert len({link.corner for link in made.pick(urls, HOST, sooner=False).links}) == samples.KINDS + 1


def test_what_is_never_to_be_visited_is_no_sample() -> None:
    never = [skip("http://a.org/logout", never=True)]
    assert Samples().pick(never, HOST, sooner=True) == ([], never)
