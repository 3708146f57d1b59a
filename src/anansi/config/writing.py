"""A definition → YAML, without its secrets."""

from __future__ import annotations

import re

import msgspec
import yaml

from anansi.config.sections import Definition

LEFT_OUT = "***"
"""What stands for the credentials of a proxy in the collection's copy of a definition."""


def dump(definition: Definition) -> str:
    """Write the complete definition as YAML, without secrets."""
    plain = msgspec.to_builtins(definition)
    if plain["fetch"]["proxy"]:
        plain["fetch"]["proxy"] = re.sub(
            r"^([A-Za-z0-9+.-]+://)?.*@", rf"\1{LEFT_OUT}@", plain["fetch"]["proxy"], flags=re.DOTALL
        )
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)
