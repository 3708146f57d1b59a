"""The sites that the crawls of these tests visit."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anansi.archive.layout import Collection
from tests.crash.verdict import Verdict, judge, logs
from tests.web import ScriptedWeb, whole_site


def words(number: int) -> str:
    """Write a text that no other number has, without digits: pages that differ in numbers alone look like a trap."""
    return " ".join(chr(ord("a") + int(digit)) * 3 for digit in str(7919 * (number + 1)))


@dataclass(frozen=True, slots=True)
class Sites:
    """Several webs and the URLs of all that a whole crawl of them fetches."""

    webs: list[ScriptedWeb]
    urls: set[str]

    @property
    def seeds(self) -> list[str]:
        """Return where to begin."""
        return [web.url + "/" for web in self.webs]

    def moment(self) -> list[int]:
        """Return how far the webs' logs have come, for `judge`."""
        return [len(web.log) for web in self.webs]

    def requests(self) -> int:
        """Count what was asked so far."""
        return sum(self.moment())

    def judge(self, folder: Path, since: list[int] | None = None) -> Verdict:
        """Judge a collection by what was asked since a moment."""
        return judge(Collection(folder), self.urls, logs(self.webs, since or [0] * len(self.webs)))


@contextmanager
def served(count: int, pages: int) -> Iterator[Sites]:
    """Serve sites of so many pages, each on a loopback address of its own, so that several workers are busy."""
    with contextlib.ExitStack() as stack:
        webs = [stack.enter_context(ScriptedWeb(address=f"127.0.0.{number + 2}")) for number in range(count)]
        urls: set[str] = set()
        for web in webs:
            urls |= whole_site(web, pages, embeds=False)
        yield Sites(webs, urls)
