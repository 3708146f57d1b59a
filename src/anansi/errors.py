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

import errno
from pathlib import Path
from typing import Final

_CURES: Final = {
    errno.ENOSPC: "free some space on the disk, then continue the crawl",
    errno.EDQUOT: "raise the quota or free some space, then continue the crawl",
    errno.EFBIG: "the file system or `ulimit -f` limits the size of files: raise the limit or lower the WARC size",
    errno.EROFS: "the file system is read-only: choose another folder or mount it for writing",
    errno.EACCES: "choose a folder you may write to, or change its permissions",
    errno.EPERM: "choose a folder you may write to, or change its permissions",
    errno.EIO: "the disk may be failing: copy the collection to another disk before going on",
    errno.EMFILE: "raise the limit of open files (`ulimit -n`)",
    errno.ENOENT: "the folder went away: bring it back, then continue the crawl",
}
_CURE: Final = "check the disk, then continue the crawl"

INTERRUPTED: Final = 11
"""The exit code of what somebody interrupted, a crawl or another command."""
INTERRUPTION: Final = "interrupted; run the same command again"


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

    @classmethod
    def of(cls, path: Path, error: OSError) -> DiskError:
        """Say what the operating system said about `path`, and its cure."""
        return cls(f"{path}: {error.strerror or error}; {_CURES.get(error.errno or 0, _CURE)}")
