"""What a worker finds out about a page of a site that is being learned: what it says, and where its links stand."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Any

from anansi.learn.items import ItemSampler
from anansi.learn.labels import Labeller
from anansi.learn.titles import names_in


class Learner:
    """Looks at pages. Mutable state: what its parts remember of words and elements."""

    def __init__(self) -> None:
        self._labeller, self._sampler = Labeller(), ItemSampler()

    def items(self, text: str) -> bytes:
        """Return a sample of what a page says."""
        return self._sampler.of_text(text)

    def places(self, tree: Any) -> Iterator[tuple[str, Callable[[], tuple[str, str]]]]:
        """Go through the anchors of a page: what each refers to, and what gives its label and its text."""
        return self._labeller.places(tree)

    def names(self, title: str) -> bytes:
        """Return the names that a page has by its title, four bytes each."""
        return array("I", names_in(title)).tobytes()
