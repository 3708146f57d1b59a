"""What the archive is about, as a definition says it."""

from __future__ import annotations

from datetime import date

from anansi import config
from anansi.config import dump, parse

FOCUS = """
seeds: [https://example.org/]
focus:
  keywords: [flood, {term: high water, weight: 2}]
  exclude: [flood of offers]
  entities:
  - {name: European Flood Awareness System, aliases: [EFAS], kind: organisation}
  topics:
  - {name: dams, terms: [levee, {term: dike, weight: 0.5}], examples: [dams.txt, https://example.org/dams]}
  events:
  - {name: 2013 European floods, places: [Passau, Dresden], begins: 2013-05-30, ends: "2013-06-20", actors: [THW]}
  languages: [de, en]
  addresses: ["/hochwasser/", {pattern: "/sport/", score: 0}]
  blacklist: [casino.example, "/tag/.*/feed"]
  decay: 0.4
  reach: 2
  weights: {entities: 3, social: 0}
"""


def test_what_the_archive_is_about_is_read_and_written_back() -> None:
    definition = parse(FOCUS, "crawl.yaml")
    event = definition.focus.events[0]
    assert (event.begins, event.ends) == (date(2013, 5, 30), date(2013, 6, 20))
    assert definition.focus.keywords == ["flood", config.Keyword(term="high water", weight=2)]
    assert definition.focus.weights.social == 0
    assert definition.focus.is_set()
    assert parse(dump(definition), "crawl.yaml") == definition
    assert config.doubts(definition) == []


def test_a_definition_without_focus_looks_for_nothing_and_is_no_mistake() -> None:
    assert not parse("focus: {}\n", "crawl.yaml").focus.is_set()


def test_a_name_of_two_is_a_doubt_and_no_mistake() -> None:
    text = "focus:\n  entities:\n  - {name: Paris, kind: place}\n  - {name: Paris Hilton, aliases: [paris]}\n"
    (said,) = config.doubts(parse(text, "crawl.yaml"))
    assert "'paris' is a name of 'Paris' and of 'Paris Hilton'" in said
    (said,) = config.doubts(parse("focus:\n  events:\n  - name: flood\n", "crawl.yaml"))
    assert "only its name" in said
