"""The token that clients show: long enough, plain, and never repeated in an error."""

from __future__ import annotations

import pytest

from anansi.crawl.tokens import SHORTEST, checked
from anansi.errors import UserError


def test_a_token_is_taken_without_the_line_end_of_its_file() -> None:
    assert checked("a" * SHORTEST + "\n") == "a" * SHORTEST


@pytest.mark.parametrize("token", ["", "short", "a" * (SHORTEST - 1), "ä" * 20, "with a space in it", "a\x00" * 20])
def test_what_could_be_guessed_or_not_be_sent_is_refused_without_being_told(token: str) -> None:
    with pytest.raises(UserError, match=f"{SHORTEST} letters or more") as caught:
        checked(token)
    assert not token or token not in str(caught.value)
