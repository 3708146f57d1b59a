"""Samples of what is left out: kinds of addresses, a few of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.act import samples
from anansi.act.samples import Samples, shape
from anansi.model import PROBE, Reason, Skip


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
    (link,) = Samples().pick([skip("http://a.org/members/ann.7/")], sooner=False).links
    assert link.corner == f"{PROBE}Agora: a member · /members/*"
    assert 0 < link.score < 0.1


def test_what_is_found_on_a_sample_comes_before_other_samples() -> None:
    urls = [skip(f"http://a.org/members/x.{number}/") for number in range(20)]
    later = max(link.score for link in Samples().pick(urls, sooner=False).links)
    assert min(link.score for link in Samples().pick(urls, sooner=True).links) > later


def test_what_is_met_often_comes_sooner() -> None:
    made = Samples()
    often, seldom = skip("http://a.org/members/ann.7/"), skip("http://a.org/members/bob.8/")
    (first,) = made.pick([often], sooner=False).links
    scores = [link.score for _ in range(30) for link in made.pick([often], sooner=False).links]
    assert scores == sorted(scores) and len(scores) == 3 and scores[0] > first.score
    (other,) = made.pick([seldom], sooner=False).links
    assert other.score < scores[0]


def test_of_a_kind_only_some_are_kept_and_they_stay_the_same() -> None:
    made = Samples()
    urls = [skip(f"http://a.org/members/x.{number}/") for number in range(3 * samples.OF_A_KIND)]
    links, left = made.pick(urls, sooner=False)
    assert (len(links), len(left)) == (samples.OF_A_KIND, 2 * samples.OF_A_KIND)
    assert made.pick(urls, sooner=False) == ([], left)


def test_kinds_without_number_are_one() -> None:
    made = Samples()
    urls = [skip(f"http://a.org/{'x' * number}/") for number in range(1, 19)]
    assert len({link.corner for link in made.pick(urls, sooner=False).links}) == samples.KINDS + 1


def test_what_is_never_to_be_visited_is_no_sample() -> None:
    never = [skip("http://a.org/logout", never=True)]
    assert Samples().pick(never, sooner=True) == ([], never)
