"""Expressions in use: compiled when first needed, and evaluated only where they can find something."""

from __future__ import annotations

from typing import Any

from anansi.knowledge.xpath import Expression, compiled, telling

ABOUT_EXCHANGE = ("url", "http")
"""How expressions begin that are about the exchange, not about the page."""
ABOUT_LINKED = "ld"
"""How expressions begin that are about what a page says of itself in JSON-LD."""


def about_exchange(expression: Expression) -> bool:
    """Tell whether an expression is about the exchange."""
    return expression.steps[0].test in ABOUT_EXCHANGE


def about_linked(expression: Expression) -> bool:
    """Tell whether an expression is about what a page says of itself in JSON-LD."""
    return expression.steps[0].test == ABOUT_LINKED


class Search:
    """Finds what expressions point to. Mutable: `_known`, expressions in lxml's form and what tells of them."""

    def __init__(self) -> None:
        self._known: dict[tuple[Expression, ...], tuple[Any, str]] = {}

    def find(self, tree: Any, source: str | None, *path: Expression) -> list[Any]:
        """Return what an expression finds below those before it; `source` may tell that there is nothing."""
        known = self._known.get(path)
        if known is None:
            joined = path[0]
            for below in path[1:]:
                joined = joined / below
            known = self._known[path] = compiled(joined), telling(joined)
        call, string = known
        found: list[Any] = call(tree) if not source or string in source else []
        return found
