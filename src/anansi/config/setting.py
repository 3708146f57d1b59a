"""What settings are made of: a section, kinds of values with their bounds, and what a setting means in one line."""

from __future__ import annotations

from typing import Annotated, get_type_hints

import msgspec
from msgspec import Meta

Seconds = Annotated[float, Meta(ge=0, le=31_536_000)]
Count = Annotated[int, Meta(ge=1)]
Size = Annotated[int, Meta(ge=1024)]
Pattern = Annotated[str, Meta(min_length=1, max_length=2000)]
Phrase = Annotated[str, Meta(min_length=1, max_length=200)]
Share = Annotated[float, Meta(ge=0, le=1)]
Weight = Annotated[float, Meta(ge=0, le=100)]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the definition."""


def meaning(text: str) -> Meta:
    """Say what a setting means, in one line."""
    return Meta(description=text)


def about(section: type[msgspec.Struct], name: str) -> str:
    """Return what a setting means, as declared."""
    hint = get_type_hints(section, include_extras=True)[name]
    return next((meta.description for meta in getattr(hint, "__metadata__", ()) if meta.description), "")
