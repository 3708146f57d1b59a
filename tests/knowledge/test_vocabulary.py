"""The words of the knowledge base, each with a term of a vocabulary that others know."""

from __future__ import annotations

import pytest

from anansi.knowledge import vocabulary
from anansi.knowledge.vocabulary import OBJECTS, PREFIXES, PROPERTIES, STATED, WHOLES, term


def test_every_term_has_a_prefix_that_is_declared() -> None:
    told = [*PROPERTIES.values(), *STATED.values(), *vocabulary.CAPTURE.values(), *vocabulary.ACCOUNT.values()]
    told += [each for terms in (*OBJECTS.values(), *WHOLES.values()) for each in terms]
    assert {name.partition(":")[0] for name in told if name} <= PREFIXES.keys()


def test_every_kind_of_object_can_be_part_of_something_and_properties_that_count_or_date_are_properties() -> None:
    assert WHOLES.keys() == OBJECTS.keys()
    assert vocabulary.NUMBERS | vocabulary.DATES.keys() <= PROPERTIES.keys()


def test_a_name_is_written_in_full_and_an_unknown_prefix_is_a_mistake() -> None:
    assert term("sioc:Post") == "http://rdfs.org/sioc/ns#Post"
    with pytest.raises(KeyError):
        term("mine:Post")
