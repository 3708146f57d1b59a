"""The scores of a crawl: what workers read, links with their scores, corrections, another definition."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import msgspec
import pytest
from typer.testing import CliRunner

from anansi.archive.layout import Collection
from anansi.cli import app
from anansi.config import Definition, Weights, convert, dump
from anansi.crawl.findings import Findings
from anansi.crawl.journal import Journal
from anansi.crawl.scores import ScoreUpdates
from anansi.crawl.scoring import Scoring, examples_of
from anansi.crawl.stages.read import Reader
from anansi.crawl.stages.score import FocusReader
from anansi.errors import UserError
from anansi.focus import names
from anansi.focus.settings import SETTINGS
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import policy_of
from anansi.frontier.turn import Settlement
from anansi.model import Corner, CornerKind, Ended, Link, Outcome, Page, Value, Visit, WebObject
from anansi.text import tree as html
from anansi.text.page_model import PageModel

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
    found = Findings(model=PageModel(tree), links=links, objects=objects or [])
    read = FocusReader(definition, reader).read(page, found)
    return Settlement(b"token", Outcome(Ended.DONE, 200, to_score=read), 0.0, links)


def link(url: str, anchor: str = "on", **more: object) -> Link:
    return Link(url, url, anchor=anchor, **more)  # type: ignore[arg-type]


def scores(settlement: Settlement) -> dict[str, float]:
    return {each.url: each.score for each in settlement.links}


def test_links_of_relevant_pages_score_higher_and_nothing_is_sent_twice(tmp_path: Path) -> None:
    definition = about(keywords=["bee", "honey", "hive"])
    scoring = Scoring(definition, {})
    (good, bad), _ = scoring.scored(
        [
            settled(tmp_path, definition, "http://a.org/good", BEES * 5, [link("http://a.org/1")]),
            settled(tmp_path, definition, "http://a.org/bad", CARS * 5, [link("http://a.org/2")]),
        ]
    )
    assert scores(good)["http://a.org/1"] > scores(bad)["http://a.org/2"]
    assert good.outcome.to_score is None


def test_what_pages_turn_out_to_be_corrects_what_was_thought_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = about(keywords=["bee", "honey", "hive"])
    scoring = Scoring(definition, {})
    links = [link(f"http://a.org/{number}") for number in range(30)]
    scoring.scored([settled(tmp_path, definition, "http://a.org/", BEES, links)])
    monkeypatch.setattr("anansi.crawl.scoring.SETTINGS", replace(SETTINGS, revised=10))
    corrected = []
    for number in range(12):
        corrected += [scoring.scored([settled(tmp_path, definition, f"http://a.org/{number}", BEES * 3, [])])[1]]
    assert [len(each) for each in corrected] == [0] * 8 + [10, 10, 1, 0], "so many with each page, when it is due"
    assert {f"http://a.org/{number}" for number in range(12, 30)} <= {key for each in corrected for key in each}


def test_links_of_corners_keep_what_they_are_worth_there(tmp_path: Path) -> None:
    definition = about(keywords=["bee"])
    corner = Corner(CornerKind.LISTS, "tags")
    (found,), _ = Scoring(definition, {}).scored(
        [settled(tmp_path, definition, "http://a.org/", BEES, [link("http://a.org/1", corner=corner, score=0.9)])]
    )
    assert scores(found) == {"http://a.org/1": 0.9}


def test_links_that_are_too_many_to_be_scored_come_after_the_others(tmp_path: Path) -> None:
    definition = about(keywords=["bee"])
    links = [link(f"http://a.org/{number}", "x") for number in range(SETTINGS.most_links + 5)]
    part = link("http://a.org/x.png", hop="E")
    settlement = settled(tmp_path, definition, "http://a.org/", "Nothing of it. ", links)
    (found,), _ = Scoring(definition, {}).scored([msgspec.structs.replace(settlement, links=[*links, part])])
    scored = [each.score for each in found.links]
    assert max(scored[-6:-1]) == min(scored[:-1]) < 0.5
    assert scored[-1] == part.score, "what a page needs comes with it"


def test_ways_out_of_the_scope_and_patterns_of_addresses_count(tmp_path: Path) -> None:
    definition = about(keywords=["bee"], decay=0.5, addresses=[{"pattern": "/print/", "score": 0.0}])
    links = [link("http://a.org/1"), link("http://a.org/print/2"), link("http://b.org/3", outside=1)]
    (found,), _ = Scoring(definition, {}).scored([settled(tmp_path, definition, "http://a.org/", BEES, links)])
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
    reader = FocusReader(definition, Reader(definition, tmp_path))
    page = Page(Visit("http://a.org/x", "x"), 0.0, 0.0, status=200)
    assert reader.read(page, Findings(mime="image/png")) is None
    settlement = Settlement(b"t", Outcome(Ended.DONE, 200), 0.0, [link("http://a.org/1", score=0.4)])
    assert Scoring(definition, {}).scored([settlement]) == ([settlement], {})


def test_examples_are_read_from_files_and_what_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "bees.txt").write_text(BEES)
    topic = {"name": "bees", "examples": [str(tmp_path / "bees.txt")]}
    definition = about(topics=[topic])
    texts = examples_of(definition, "Anansi")
    assert BEES.strip() in texts[str(tmp_path / "bees.txt")]
    settlement = settled(tmp_path, definition, "http://a.org/", BEES * 3, [link("http://a.org/1")])
    (found,), _ = Scoring(definition, texts).scored([settlement])
    assert 0 < scores(found)["http://a.org/1"] <= 1
    gone = msgspec.structs.replace(
        definition,
        focus=about(topics=[{"name": "x", "terms": ["bee"], "examples": ["http://127.0.0.1:9/x"]}]).focus,
    )
    with pytest.raises(UserError, match="cannot be looked at"):
        examples_of(gone, "Anansi")


PAGES = {
    "in its text": "<main><p>Émile Zola wrote about honey bees in Paris, and a beekeeper read it.</p></main>",
    "in its menu": "<nav><p>Émile Zola and honey</p></nav><main><p>Something else stands here.</p></main>",
    "with links": "<p>Honey bees swarm.</p><ul><li><a href=/hive>hive</a><li><a href=/print/car>car</a></ul>",
    "stuffed": f"<p>{'honey ' * 500}</p>",
    "hidden": f"<p>Nothing at all.</p><p style='display:none'>{'honey bees ' * 40}</p>",
    "refused": "<p>Honey bees are kept by Emile Zola, but there is an advertisement for a casino here.</p>",
    "of a day": "<p>On 3 June 2013 the honey fair was held in Paris, where Zola spoke of the bees.</p>",
    "in German": "<p>Die Bienen machen Honig, und der Imker wohnt in Paris bei den anderen Leuten der Stadt.</p>",
}
SOUGHT = {
    "keywords": ["bee", "honey"],
    "exclude": ["casino"],
    "entities": [{"name": "Emile Zola", "aliases": ["Zola"], "kind": "person"}],
    "events": [{"name": "honey fair", "places": ["Paris"], "begins": "2013-06-01", "ends": "2013-06-05"}],
    "languages": ["en"],
    "addresses": ["/good/", {"pattern": "/print/", "score": 0}],
    "blacklist": ["bad.org"],
}


def crawled(folder: Path, definition: Definition, body: str, url: str) -> tuple[float, dict[str, float]]:
    """Return the relevance of a page and the scores of its links in a crawl that begins with it."""
    reader = Reader(definition, folder)
    tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
    assert tree is not None
    links = [link(urljoin(url, each.get("href"))) for each in tree.iter("a")]
    read = FocusReader(definition, reader).read(
        Page(Visit(url, url), 0.0, 0.0, status=200), Findings(model=PageModel(tree), links=links)
    )
    scoring = Scoring(definition, {})
    outcome = Outcome(Ended.DONE, 200, to_score=read)
    (found,), _ = scoring.scored([Settlement(b"token", outcome, 0.0, links)])
    return scoring.scorer.outcomes.turned[url], scores(found)


@pytest.mark.parametrize("url", ["http://a.org/x", "http://a.org/good/x", "http://bad.org/x"])
@pytest.mark.parametrize("kind", PAGES)
def test_a_crawl_scores_as_anansi_score_says(kind: str, url: str, tmp_path: Path) -> None:
    definition = about(**SOUGHT)
    relevance, links = crawled(tmp_path, definition, PAGES[kind], url)
    page = tmp_path / "page.html"
    page.write_text(f"<html><body>{PAGES[kind]}</body></html>")
    (tmp_path / "crawl.yaml").write_text(dump(definition))
    ran = CliRunner().invoke(
        app, ["score", str(page), "--url", url, "--definition", str(tmp_path / "crawl.yaml"), "--json"]
    )
    told = json.loads(ran.stdout)
    assert told["score"] == pytest.approx(relevance, abs=1e-6)
    assert {each["url"]: each["score"] for each in told["links"]} == pytest.approx(links, abs=1e-6)


def test_a_name_in_the_menu_alone_is_worth_nothing(tmp_path: Path) -> None:
    sought = about(entities=[{"name": "Emile Zola"}])
    assert crawled(tmp_path, sought, PAGES["in its text"], "http://a.org/x")[0] > 0.2
    assert crawled(tmp_path, sought, PAGES["in its menu"], "http://a.org/x")[0] == 0.0


@pytest.mark.parametrize("weight", [each.name for each in msgspec.structs.fields(Weights)])
def test_every_weight_changes_what_a_crawl_scores(
    weight: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if weight == "names" and not names.is_installed():  # what the model would find
        monkeypatch.setattr(names, "require", lambda: None)
        monkeypatch.setattr(names, "names_in", lambda text: (names.Name("Zola", "person"),) * ("Zola" in text))

    def found(**weights: float) -> list[object]:
        definition = about(**SOUGHT, weights=weights)
        return [crawled(tmp_path, definition, body, "http://a.org/good/x") for body in PAGES.values()]

    other = 3.0 if weight != "spam" else 0.5
    assert found(**{weight: other}) != found()


@contextmanager
def updates_of(folder: Path, definition: Definition) -> Iterator[tuple[ScoreUpdates, Scoring]]:
    """Open the frontier of a crawl, which knows what was learned before, and commit at the end."""
    collection, scoring = Collection(folder / "c"), Scoring(definition, {})
    collection.create()
    collection.definition.write_text(dump(definition))
    policy, journal = policy_of(definition, definition), Journal(collection)
    with closing(journal), closing(Embedded(folder / "frontier", policy, lambda _: "10.0.0.1")) as frontier:
        updates = ScoreUpdates(collection, frontier, journal, scoring)
        updates.begin()
        yield updates, scoring
        frontier.store.commit()


def story(folder: Path, definition: Definition, count: int) -> list[Settlement]:
    """Read so many pages of two subjects, whose posts by two authors lead to each other."""
    chance, settlements = random.Random(5), []
    for number in range(count):
        links = [
            link(f"http://a.org/{'ab'[n % 2]}{n}", f"{['honey', 'brake'][n % 2]} {n}")
            for n in chance.sample(range(200), 8)
        ]
        objects = [
            WebObject(
                "post",
                f"{each.url}#{number}",
                (("author", Value(each.url[13])), ("reference", Value(each.url, "link"))),
            )
            for each in links
        ]
        url, text = f"http://a.org/{'ab'[number % 2]}{number}", (BEES, CARS)[number % 2]
        settlements.append(settled(folder, definition, url, text * 3, links, objects))
    return settlements


@pytest.mark.parametrize("series", [5_000, 7], ids=["pages read again", "all that was learned written"])
def test_a_crawl_that_was_killed_scores_as_one_that_was_not(
    series: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anansi.crawl.scores.SERIES", series)
    monkeypatch.setattr("anansi.crawl.scoring.SETTINGS", replace(SETTINGS, revised=20))
    definition = about(keywords=["bee", "honey", "hive"], weights={"social": 5.0})
    pages = story(tmp_path, definition, 60)
    with updates_of(tmp_path / "whole", definition) as (updates, whole):
        links = [updates.scored([page])[0].links for page in pages]
    again = []
    for first, last in ((0, 13), (13, 14), (14, 45), (45, 60)):
        with updates_of(tmp_path / "killed", definition) as (updates, killed):
            again += [updates.scored([page])[0].links for page in pages[first:last]]
    assert again == links
    assert killed.scorer.left == whole.scorer.left
    every = killed.scorer.known.keys()
    assert {key: killed.scorer.again(key) for key in every} == {
        key: whole.scorer.again(key) for key in whole.scorer.known
    }
    assert killed.scorer.outcomes == whole.scorer.outcomes
    assert killed.scorer.outcomes.by_author.keys() == {"a", "b"}
    assert killed.scorer.again("http://a.org/a198") > killed.scorer.again("http://a.org/b199")


def test_what_was_learned_is_kept_when_the_definition_was_edited_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anansi.crawl.scores.SERIES", 7)
    before, after = about(keywords=["bee", "honey"]), about(keywords=["engine", "brake"])
    with updates_of(tmp_path, before) as (updates, _):
        for page in story(tmp_path, before, 21):
            updates.scored([page])
    with updates_of(tmp_path, after) as (_, scoring):
        assert scoring.scorer.again("http://a.org/b199") > scoring.scorer.again("http://a.org/a198")
        assert scoring.scorer.outcomes.by_word == {}, "what pages turned out to be is learned anew"
        assert len(scoring.scorer.outcomes.turned) == 21


def test_what_another_version_wrote_is_passed_over(tmp_path: Path) -> None:
    definition = about(keywords=["bee"])
    with updates_of(tmp_path, definition) as (updates, _):
        updates.scored(story(tmp_path, definition, 1))
        updates._frontier.memory.sum_up([b"\x92\xa4Head\x01"])
        updates._frontier.memory.add(0, b"\xc1")
    with updates_of(tmp_path, definition) as (updates, scoring):
        assert scoring.scorer.known == {}
        assert updates.scored(story(tmp_path, definition, 1))[0].links
