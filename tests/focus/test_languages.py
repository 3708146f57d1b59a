"""Is a text in a language of the archive."""

from __future__ import annotations

from anansi.focus.languages import judge
from anansi.focus.settings import SETTINGS
from anansi.text.language import Spoken


def test_a_language_of_the_archive_is_worth_all_and_another_nothing() -> None:
    right, wrong = judge(Spoken("de", 0.5), {"de", "en"}), judge(Spoken("fr", 0.5), {"de", "en"})
    assert right is not None
    assert wrong is not None
    assert (right.score, wrong.score) == (1, 0)
    assert wrong.evidence[0].found == "fr"
    assert wrong.evidence[0].where == "expected de, en"


def test_what_is_not_sure_is_worth_something() -> None:
    unknown, declared = judge(Spoken(), {"de"}), judge(Spoken("fr", 0.1), {"de"})
    assert unknown is not None
    assert declared is not None
    assert (unknown.score, declared.score) == (SETTINGS.language_unknown, SETTINGS.language_doubtful)


def test_without_languages_there_is_no_opinion() -> None:
    assert judge(Spoken("de", 1.0), frozenset()) is None
