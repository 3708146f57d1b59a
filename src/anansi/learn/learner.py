"""What a worker finds out about a page of a site that is being learned: what it says, and where its links stand."""

from __future__ import annotations

from typing import Any

from anansi.learn.items import ItemSampler
from anansi.learn.labels import Labeller


class Learner:
    """Looks at pages. Mutable state: what its parts remember of words and elements."""

    def __init__(self) -> None:
        self._labeller, self._sampler = Labeller(), ItemSampler()

    def items(self, text: str) -> bytes:
        """Return a sample of what a page says."""
        return self._sampler.of_text(text)

    def labels(self, tree: Any) -> list[tuple[str, str]]:
        """Return what the anchors of a page refer to, each with the label of its place."""
        return self._labeller.links(tree)
