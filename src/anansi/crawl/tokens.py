"""The token that clients show."""

from __future__ import annotations

from typing import Final

from anansi.errors import UserError

SHORTEST: Final = 16
"""Characters of a token."""


def checked(token: str) -> str:
    """Refuse what is no token; it is never repeated."""
    token = token.strip()
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        words = f"the token must be {SHORTEST} letters or more, without spaces; `openssl rand -hex 32` writes one"
        raise UserError(words)
    return token
