"""The places of one kind of object on a page: which are objects, and which are kept though they lack something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from anansi.knowledge.entry import Extraction
from anansi.model import Value

MOST_VALUES: Final = 500
"""Values of one property of an object."""

Found = dict[str, list[Value]]
"""What was found for an object: values by the name of their property."""


class Containers:
    """The places of one kind of object on a page.

    Mutable state: `found`, element → what it holds; `_lacking`, name → elements that no expression has found it for.
    """

    def __init__(self, elements: list[Any], nearest: Callable[[Any], Any]):
        self.found: dict[Any, Found] = {element: {} for element in elements}
        self.nearest = nearest
        """Returns the container that an element stands in, or is; None for none."""
        self._lacking: dict[str, set[Any]] = {}

    def lacking(self, name: str) -> set[Any]:
        """Return the containers that a property has not been found for; whoever finds it takes them out."""
        known = self._lacking.get(name)
        if known is None:
            known = self._lacking[name] = set(self.found)
        return known

    def complete(self, action: Extraction) -> dict[Any, Found]:
        """Return the containers that are objects; what the others hold goes to the next one around them."""
        found = self.found
        own = {element: frozenset(held) for element, held in found.items()}
        many = {prop.name for prop in action.properties if prop.many}
        for element, held in reversed(list(found.items())):  # the inner ones, and the last ones, first
            if is_complete(held, action):
                continue
            del found[element]
            outer = next((each for each in element.iterancestors() if each in found), None)
            for name, values in held.items() if outer is not None else ():
                if name in many:
                    found[outer][name] = (values + found[outer].get(name, []))[:MOST_VALUES]
                elif name not in own[outer]:
                    found[outer][name] = values
        return found


def is_complete(held: Found, action: Extraction) -> bool:
    """Tell whether a container has all that its object needs."""
    return bool(held) and held.keys() >= set(action.needs)


def with_numbered(complete: dict[Any, Found], own: dict[Any, Found]) -> dict[Any, Found]:
    """Add containers that have a number of their own, beside those that are complete and hold none of them."""
    around = {above for element in complete for above in element.iterancestors()}
    return {
        element: complete.get(element, held)
        for element, held in own.items()
        if element in complete
        or ("id" in held and element not in around and not any(up in complete for up in element.iterancestors()))
    }


def likely(own: dict[Any, Found]) -> dict[Any, Found]:
    """Return the containers that have a number of their own; where none has, the outermost that have a text."""
    numbered = {element: held for element, held in own.items() if "id" in held}
    if numbered:
        return numbered
    texts = {element: held for element, held in own.items() if "text" in held}
    return {
        element: held for element, held in texts.items() if not any(up in texts for up in element.iterancestors())
    }
