"""Figures that rise freely and fall only when someone says so, pinned with a hash over what they are measured on.

A figure is two numbers: how many were right, of how many. The pages are part of what is pinned, by a hash over all of
them and what is expected of them, so a figure cannot rise because pages were taken away.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Figures = dict[str, tuple[int, int]]
"""Name → how many were right, of how many."""


def lower(now: Figures, before: Figures) -> list[str]:
    """Name the figures that fell: in the share that is right, or in how much is looked at."""
    told = []
    for name, (was_right, was_of) in before.items():
        right, of = now.get(name, (0, 0))
        if of < was_of or right * was_of < was_right * of:
            told.append(f"{name}: {right} of {of}, was {was_right} of {was_of}")
    return told


@dataclass(frozen=True, slots=True)
class Gate:
    """What is measured on some pages, and where it is pinned."""

    pages: Path
    file: Path
    reached: Callable[[], Figures]
    """Measures every page."""
    wrong: Callable[[], list[str]] = list
    """Names what is judged wrongly, for who asks."""

    def corpus(self) -> str:
        """Return the hash of all pages and of what is expected of them."""
        digest = hashlib.sha256()
        for path in sorted(each for each in self.pages.rglob("*") if each.is_file()):
            data = path.read_bytes()
            digest.update(f"{path.relative_to(self.pages).as_posix()} {len(data)}\n".encode() + data)
        return digest.hexdigest()

    def pinned(self) -> tuple[str, Figures]:
        """Read what is pinned."""
        kept = json.loads(self.file.read_text(encoding="utf-8"))
        return kept["corpus"], {name: (right, of) for name, (right, of) in kept["figures"].items()}

    def pin(self, now: Figures) -> None:
        """Write what is reached."""
        figures = ",\n".join(f'    "{name}": [{right}, {of}]' for name, (right, of) in now.items())
        written = f'{{\n  "corpus": "{self.corpus()}",\n  "figures": {{\n{figures}\n  }}\n}}\n'
        self.file.write_text(written, encoding="utf-8")

    def main(self, about: str) -> int:
        """Say what is reached, and pin it when asked to."""
        parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--pin", action="store_true", help="pin what is reached")
        parser.add_argument("--lower", action="store_true", help="pin it though something is lower than before")
        asked = parser.parse_args()
        now = self.reached()
        for name, (right, of) in now.items():
            print(f"{name:28} {right:6} of {of:6}  {right / of:.2%}")
        for each in self.wrong():
            print(each)
        fallen = lower(now, self.pinned()[1]) if self.file.exists() else []
        for each in fallen:
            print(f"lower than pinned: {each}")
        if asked.pin and fallen and not asked.lower:
            print("nothing pinned: mend what fell, or say --lower")
            return 1
        if asked.pin:
            self.pin(now)
        return 0
