"""From a definition to what scoring goes by."""

from __future__ import annotations

from anansi.config import Weights, convert
from anansi.focus.definition import subject_of
from anansi.focus.modules import MODULES
from anansi.focus.subject import GROUPS, topic_of, weighed


def words(**focus: object) -> dict[str, float]:
    return dict(topic_of(subject_of(convert({"focus": focus}, "a test").focus)).words)


def test_words_are_stemmed_as_the_languages_of_the_archive_do() -> None:
    assert "elect" in words(keywords=["elections"], languages=["en"])
    german = words(keywords=["Wahlen"], languages=["de"])
    assert "wahl" in german and "wahlen" in german


def test_without_a_language_the_words_themselves_tell_it() -> None:
    assert "wahl" in words(keywords=["die Wahlen und die Kandidaten der Stadt, und was sie für die Leute tun wollen"])


def test_weights_keep_their_proportions() -> None:
    found = words(keywords=["bee", {"term": "honey", "weight": 0.5}], languages=["en"])
    assert found["bee"] == 1.0
    assert found["honey"] == 0.5


def test_every_module_belongs_to_a_weight_of_the_definition() -> None:
    grouped = [name for those in GROUPS.values() for name in those]
    assert sorted(grouped) == sorted(each.name for each in MODULES)


def test_weights_of_a_definition_are_proportions_of_the_default() -> None:
    assert weighed(Weights()) == MODULES
    doubled = {each.name: each.weight for each in weighed(Weights(places=2.0, social=0.0))}
    usual = {each.name: each.weight for each in MODULES}
    assert doubled["label"] == 2 * usual["label"]
    assert doubled["social"] == 0.0
    assert doubled["words"] == usual["words"]
