"""A page on which something failed, with what was found on it and what was known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from anansi.adapt.locate import Locator
from anansi.induce.page import StudiedPage
from anansi.knowledge.entry import Extraction, Level, Type
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject


@dataclass(frozen=True)
class FailedPage(StudiedPage):
    """A page of a known level."""

    entry: Type
    level: Level
    objects: Sequence[WebObject] = ()
    """What the rules found."""
    known: Sequence[WebObject] = ()
    """What an earlier crawl found at this address."""

    @cached_property
    def locator(self) -> Locator:
        """Where known values stand."""
        return Locator(self.place, self.spans)

    @cached_property
    def _there(self) -> dict[str, list[WebObject]]:
        return {}

    def present(self, kind: str, look: Callable[[FailedPage, str], list[WebObject]]) -> list[WebObject]:
        """Return the known objects of a kind that are still on the page, looked for once."""
        if kind not in self._there:
            self._there[kind] = look(self, kind)
        return self._there[kind]

    def container(self, action: Extraction) -> Expression | None:
        """Return the first of an action's expressions that finds containers."""
        return next((each for each in action.each if self.find(each)), None)

    def old(self, action: Extraction, each: Expression | None, name: str) -> list[list[Value]]:
        """Return what the old rules of a property find."""
        return self.values(action, each, *(prop for prop in action.properties if prop.name == name))
