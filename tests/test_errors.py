"""Errors say what happened, to what, and what to do."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from anansi import errors
from anansi.errors import (
    AnansiError,
    CollectionError,
    ConfigError,
    DamagedError,
    DiskError,
    KnowledgeError,
    UserError,
)


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "a folder you may write to"),
        (errno.EMFILE, "ulimit -n"),
        (errno.EBADF, "check the disk"),  # what no cure is known for
    ],
)
def test_what_the_disk_says_comes_with_its_cure(number: int, cure: str) -> None:
    told = str(DiskError.of(Path("/data/x"), OSError(number, "what it said")))
    assert told.startswith("/data/x: what it said; ")
    assert cure in told


def test_an_error_without_words_of_the_system_says_its_own() -> None:
    assert str(DiskError.of(Path("/x"), OSError("bare"))).startswith("/x: bare; ")


def test_who_is_at_fault_is_told_by_the_exit_code() -> None:
    codes = {each: each.exit_code for each in (UserError, ConfigError, KnowledgeError, CollectionError, DiskError)}
    assert codes == {UserError: 2, ConfigError: 2, KnowledgeError: 2, CollectionError: 3, DiskError: 5}
    assert DamagedError.exit_code == 4
    assert errors.INTERRUPTED not in {each.exit_code for each in (AnansiError, *codes)}
