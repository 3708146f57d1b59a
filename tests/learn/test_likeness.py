"""Which learned sites are alike."""

from __future__ import annotations

import time

import pytest

from anansi.knowledge.entry import Type
from anansi.learn.likeness import ALIKE, clusters, features, likeness, likenesses


def test_sites_of_one_software_are_alike_and_others_are_not(entries: list[Type]) -> None:
    alike = likenesses({entry.title: features(entry) for entry in entries})
    same = {("a.example", "b.example"), ("d.example", "e.example")}
    assert all(alike[pair] > 2 * ALIKE for pair in same)
    assert all(value < ALIKE / 2 for pair, value in alike.items() if pair not in same)


def test_likeness_is_a_share() -> None:
    one, two = frozenset("abcd"), frozenset("abxy")
    assert likeness(one, one) == 1.0
    assert likeness(one, frozenset()) == likeness(one, frozenset("pq")) == 0.0
    assert likeness(one, two) == likeness(two, one) == pytest.approx((2 / 6 * 2 / 4) ** 0.5)
    assert likeness(one, two, {"a": 0.1, "b": 0.1}) < likeness(one, two)


def test_groups_are_of_what_is_alike_in_the_mean() -> None:
    alike = {("a", "b"): 0.9, ("b", "c"): 0.3, ("a", "c"): 0.0, ("c", "d"): 0.6}
    assert clusters("abcd", alike) == [["a", "b"], ["c", "d"]]
    assert clusters("ab", {("a", "b"): 0.1}) == []
    assert clusters("", {}) == []


def test_many_sites_are_put_together_soon() -> None:
    sites = {
        f"{kind}{number}": frozenset(f"{kind}{each}" for each in range(20))
        for kind in "abcdef"
        for number in range(50)
    }
    began = time.process_time()
    groups = clusters(list(sites), likenesses(sites))
    assert [len(group) for group in groups] == [50] * 6
    assert time.process_time() - began < 60
