"""Errors, split by who is at fault.

    AnansiError
    ├── UserError          the command line, a definition, an address: fix the input
    │   ├── ConfigError    a key of crawl.yaml: the message names file, key and what was expected
    │   └── KnowledgeError an entry of the knowledge base: the message names file, line and cure
    ├── CollectionError    the folder: locked, not a collection, written by something else
    │   └── DamagedError   a file of the folder cannot be read; the message says how to mend it
    └── DiskError          the disk: full, read-only, failing

What the web does wrong is never an exception: it is a `Fault` on the `Page`.
Each class carries the exit code that the command line ends with (see `docs/reference/exit-codes.md`).
"""

from __future__ import annotations


class AnansiError(Exception):
    """What a person can do something about; printed without a traceback."""

    exit_code = 1


class UserError(AnansiError):
    """What was asked for cannot be done as asked."""

    exit_code = 2


class ConfigError(UserError):
    """A definition holds an unknown, missing or mistyped key."""


class KnowledgeError(UserError):
    """An entry of the knowledge base, or an expression in it, is not valid."""


class CollectionError(AnansiError):
    """The collection's folder cannot be used."""

    exit_code = 3


class DamagedError(CollectionError):
    """A file of the collection cannot be read."""

    exit_code = 4


class DiskError(AnansiError):
    """The disk refused to write."""

    exit_code = 5
