"""The scores of a crawl: what workers read, links with their scores, corrections, another definition."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from anansi.act import tree as html
from anansi.config import Definition, convert
from anansi.crawl.findings import Findings
from anansi.crawl.read import Reader
from anansi.crawl.score import Aim
from anansi.errors import UserError
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Link, Outcome, Page, Value, Visit, WebObject
from anansi.workers.scoring import Scoring, examples_of

BEES = "Bees make honey in the hive, and the beekeeper looks after the swarm. Honey is sold by the beekeeper. "
CARS = "The engine drives the wheels by a gearbox, and the brake stops the car before the wall of the garage. "


def about(**focus: object) -> Definition:
    return convert({"focus": focus, "strategy": "blind"}, "a test")


def settled(
    folder: Path,
    definition: Definition,
    url: str,
    text: str,
    links: list[Link],
    objects: list[WebObject] | None = None,
) -> Settlement:
    """Read a page as a worker does, and settle it."""
    reader = Reader(definition, folder)
    anchors = "".join(f"<p><a href='{link.url}'>{link.anchor or 'on'}</a></p>" for link in links)
    tree = html.parse(f"<html lang=en><body><div>{text}</div>{anchors}</body></html>".encode(), "utf-8")
    page = Page(Visit(url, url), 0.0, 0.0, status=200)
    read = Aim(definition, reader).told(page, Findings(tree=tree, links=links, objects=objects or []))
    return Settlement(b"token", Outcome(Ended.DONE, 200, read=read), 0.0, links)


def link(url: str, anchor: str = "on", **more: object) -> Link:
    return Link(url, url, anchor=anchor, **more)  # type: ignore[arg-type]


def scores(settlement: Settlement) -> dict[str, float]:
    return {each.url: each.score for each in settlement.links}


def test_links_of_relevant_pages_score_higher_and_nothing_is_sent_twice(tmp_path: Path) -> None:
    definition = about(keywords=["bee", "honey", "hive"])
    scoring = Scoring(definition, {})
    good, bad = scoring.scored(
        [
            settled(tmp_path, definition, "http://a.org/good", BEES * 5, [link("http://a.org/1")]),
            settled(tmp_path, definition, "http://a.org/bad", CARS * 5, [link("http://a.org/2")]),
        ]
    )
    assert scores(good)["http://a.org/1"] > scores(bad)["http://a.org/2"]
    assert good.outcome.read is None


def test_what_pages_turn_out_to_be_corrects_what_was_thought_of_others(tmp_path: Path) -> None:
    definition = about(keywords=["bee", "honey", "hive"])
    scoring = Scoring(definition, {})
    links = [link(f"http://a.org/{number}") for number in range(30)]
    scoring.scored([settled(tmp_path, definition, "http://a.org/", BEES, links)])
    scoring.taken()
    for number in range(12):
        scoring.scored([settled(tmp_path, definition, f"http://a.org/{number}", BEES * 3, [])])
    corrected = scoring.taken()
    assert {f"http://a.org/{number}" for number in range(12, 30)} <= set(corrected)
    assert scoring.taken() == {}


def test_links_of_corners_keep_what_they_are_worth_there(tmp_path: Path) -> None:
    definition = about(keywords=["bee"])
    (found,) = Scoring(definition, {}).scored(
        [settled(tmp_path, definition, "http://a.org/", BEES, [link("http://a.org/1", corner="tags", score=0.9)])]
    )
    assert scores(found) == {"http://a.org/1": 0.9}


def test_ways_out_of_the_scope_and_patterns_of_addresses_count(tmp_path: Path) -> None:
    definition = about(keywords=["bee"], decay=0.5, addresses=[{"pattern": "/print/", "score": 0.0}])
    links = [link("http://a.org/1"), link("http://a.org/print/2"), link("http://b.org/3", outside=1)]
    (found,) = Scoring(definition, {}).scored([settled(tmp_path, definition, "http://a.org/", BEES, links)])
    plain, printed, outside = scores(found).values()
    assert printed < plain and outside < plain


def test_an_edited_definition_scores_by_its_own_words(tmp_path: Path) -> None:
    definition = about(keywords=["bee", "honey"])
    scoring = Scoring(definition, {})
    links = [link("http://a.org/honey-bee", "honey and bees"), link("http://a.org/brake-engine", "brake and engine")]
    scoring.scored([settled(tmp_path, definition, "http://a.org/", "Some text about this and that.", links)])
    name, before = scoring.follow(definition) or ("", None)
    assert before is not None
    first = {each.url: before(Visit(each.url, each.key)) or 0.0 for each in links}
    other, after = scoring.follow(about(keywords=["engine", "brake"])) or ("", None)
    assert after is not None and other != name
    then = {each.url: after(Visit(each.url, each.key)) or 0.0 for each in links}
    assert first["http://a.org/honey-bee"] > first["http://a.org/brake-engine"]
    assert then["http://a.org/honey-bee"] < then["http://a.org/brake-engine"]
    unknown = "http://a.org/the-engine-of-a-car"
    assert (after(Visit(unknown, unknown)) or 0.0) > (after(Visit("http://a.org/x", "http://a.org/x")) or 0.0)
    assert scoring.follow(Definition()) is None


def test_links_by_authors_whose_links_turned_out_relevant_score_higher(tmp_path: Path) -> None:
    definition = about(keywords=["bee", "honey", "hive"], weights={"social": 50.0})
    scoring = Scoring(definition, {})

    def post(author: str, url: str) -> WebObject:
        return WebObject("post", url + "#p", (("author", Value(author)), ("reference", Value(url, "link"))))

    told = [("ada", "a", number) for number in range(8)] + [("bob", "b", number) for number in range(8)]
    links = [link(f"http://a.org/{name}{number}") for _, name, number in told]
    objects = [post(author, f"http://a.org/{name}{number}") for author, name, number in told]
    scoring.scored([settled(tmp_path, definition, "http://a.org/", "Links of the week.", links, objects)])
    for number in range(6):
        scoring.scored([settled(tmp_path, definition, f"http://a.org/a{number}", BEES * 5, [])])
        scoring.scored([settled(tmp_path, definition, f"http://a.org/b{number}", CARS * 5, [])])
    score = (scoring.follow(definition) or ("", None))[1]
    assert score is not None
    ada, bob = (score(Visit(url, url)) or 0.0 for url in ("http://a.org/a7", "http://a.org/b7"))
    assert ada > bob + 0.1


def test_what_is_no_page_has_nothing_to_be_scored_by(tmp_path: Path) -> None:
    definition = about(keywords=["bee"])
    aim = Aim(definition, Reader(definition, tmp_path))
    assert aim.told(Page(Visit("http://a.org/x", "x"), 0.0, 0.0, status=200), Findings(mime="image/png")) is None
    settlement = Settlement(b"t", Outcome(Ended.DONE, 200), 0.0, [link("http://a.org/1", score=0.4)])
    assert Scoring(definition, {}).scored([settlement]) == [settlement]


def test_examples_are_read_from_files_and_what_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "bees.txt").write_text(BEES)
    topic = {"name": "bees", "examples": [str(tmp_path / "bees.txt")]}
    definition = about(topics=[topic])
    texts = examples_of(definition, "Anansi")
    assert BEES.strip() in texts[str(tmp_path / "bees.txt")]
    settlement = settled(tmp_path, definition, "http://a.org/", BEES * 3, [link("http://a.org/1")])
    (found,) = Scoring(definition, texts).scored([settlement])
    assert 0 < scores(found)["http://a.org/1"] <= 1
    gone = msgspec.structs.replace(
        definition,
        focus=about(topics=[{"name": "x", "terms": ["bee"], "examples": ["http://127.0.0.1:9/x"]}]).focus,
    )
    with pytest.raises(UserError, match="cannot be looked at"):
        examples_of(gone, "Anansi")
