"""A worker as the hub sees it: a process at the other end of a line, which ends when the line is closed."""

from __future__ import annotations

from anansi.crawl.member import spawned


def test_a_worker_whose_hub_is_gone_before_it_said_a_word_ends() -> None:
    process, ours = spawned()
    ours.close()
    assert process.wait(timeout=60) == 1
