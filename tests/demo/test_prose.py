import pytest

from anansi_demo.prose import Writer
from anansi_demo.words import EVERYDAY, TALK, TOPICS


def test_the_same_seed_writes_the_same_text_and_another_seed_another() -> None:
    first, again, other = (Writer(seed, TOPICS["garden"]).paragraph(30) for seed in ("a", "a", "b"))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", TOPICS)
def test_every_pattern_of_a_topic_can_be_filled(name: str) -> None:
    topic = TOPICS[name]
    writer = Writer("every pattern once", topic)
    sentences = [writer.sentence() for _ in topic.sentences]
    titles = [writer.title() for _ in topic.titles]
    remarks = [writer.remark() for _ in TALK]
    assert not [text for text in sentences + titles + remarks if "{" in text or "  " in text]
    assert len(set(sentences)) == len(topic.sentences)
    assert all(text[0].isupper() for text in sentences + titles)


def test_a_slot_used_twice_in_a_sentence_gets_two_words() -> None:
    writer = Writer("two stations", TOPICS["trains"])
    journeys = [text for text in (writer.sentence() for _ in range(500)) if text.startswith("Between ")]
    stations = [[name for name in TOPICS["trains"].slots["station"] if name in text] for text in journeys]
    assert journeys
    assert all(len(pair) == 2 for pair in stations)


def test_no_slot_of_a_topic_hides_an_everyday_one() -> None:
    assert not [slot for topic in TOPICS.values() for slot in topic.slots if slot in EVERYDAY]
