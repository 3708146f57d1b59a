"""The time of a run: it goes on from where it was, whatever the wall clock says."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from anansi import clock


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = clock.began()
    yield
    clock.go_by(before)


def test_a_run_begins_by_the_wall_clock_and_goes_on_by_the_monotonic_one() -> None:
    clock.begin(0.0)
    assert clock.now() == pytest.approx(time.time(), abs=5)
    first = clock.now()
    assert clock.now() >= first


def test_a_wall_clock_that_was_set_back_does_not_set_back_the_run() -> None:
    ahead = time.time() + 10_000
    clock.begin(ahead)
    assert clock.now() >= ahead
    assert clock.latest() >= ahead


def test_a_worker_goes_by_the_time_of_its_hub() -> None:
    clock.begin(time.time() + 5_000)
    hub, told = clock.now(), clock.began()
    clock.begin(0.0)
    assert clock.now() < hub
    clock.go_by(told)
    assert clock.now() >= hub


def test_nothing_is_later_than_the_latest() -> None:
    clock.go_by(-time.monotonic())
    assert clock.now() < time.time() <= clock.latest() + 1
