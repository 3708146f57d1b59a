"""What an item says of its object."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.context import context_of, plain
from anansi.feeds.settings import SETTINGS
from anansi.text.words import language_of, stem


def test_concepts_are_stems_by_frequency_without_stop_words() -> None:
    context = context_of(
        "Sailing boats", "The boat that sails past the boats &amp; the <b>sailors</b> of a boat […]", language="en"
    )
    assert context.concepts[:2] == ("boat", "sail")
    assert "the" not in context.concepts
    assert context.forms["boat"] == ("boats", "boat")


def test_sequences_are_taken_as_they_appear_and_cross_from_title_to_description_never() -> None:
    context = context_of("Old boats", "They lie in the sun")
    assert context.grams(3) == ("they lie in", "lie in the", "in the sun")
    assert context.title_grams(3) == ()
    assert context.title_grams(2) == ("old boats",)


def test_the_language_is_declared_or_told_by_stop_words() -> None:
    assert language_of(["le", "chat", "est", "sur", "la", "table"]) == "fr"
    assert language_of("der Hund und die Katze".lower().split()) == "de"
    assert language_of(["le", "chat", "est"], declared="en-GB") == "en"
    assert language_of(["xyzzy"]) == ""
    assert stem("maisons", "fr") == stem("maison", "fr")
    assert stem("maisons", "") == "maisons"


def test_a_long_description_is_read_to_a_limit() -> None:
    context = context_of("", " ".join(f"word{n}" for n in range(5000)))
    assert len(context.description) == SETTINGS.most_words
    assert len(context.concepts) == SETTINGS.most_concepts


def test_scripts_of_a_description_are_no_text() -> None:
    assert plain("<p>One</p><script>two()</script><p>three &lt;3</p>") == "One\nthree <3"


@given(st.text(), st.text())
def test_any_text_makes_a_context(title: str, about: str) -> None:
    context = context_of(title, about)
    assert set(context.told) <= set(context.concepts)
    assert all(context.forms[each] for each in context.concepts)
