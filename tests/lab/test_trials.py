"""Trials: topics and seeds are drawn, every setting is measured on the same draws, labels stay the judge's."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.errors import CollectionError, UserError
from anansi_lab.settings import SETTINGS, Scene, chosen
from anansi_lab.simulation import crawl
from anansi_lab.trials import Draws, Trials, run, topics_of
from anansi_lab.trials_page import page
from anansi_lab.webs import Subjects, Web, load, read_labels
from tests.evaluate.collections import HOST, collect
from tests.lab.labelled import web as made

DRAWS = Draws(seeds=4, samples=2, least=10, most=100)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Web, Subjects]:
    collection, labels = made(tmp_path_factory.mktemp("labelled"))
    return load([collection]), read_labels(labels)


@pytest.fixture(scope="module")
def trials(labelled: tuple[Web, Subjects]) -> Trials:
    return run(*labelled, list(SETTINGS.values()), DRAWS, lambda _: None)


def test_a_web_is_read_with_the_links_that_lead_inside(labelled: tuple[Web, Subjects]) -> None:
    web, subjects = labelled
    assert len(web.pages) == 90
    assert len(subjects) == 60
    assert all(link.key in web.pages for each in web.pages.values() for link in each.references)
    assert web.holding["locomot"] > 10


def test_topics_are_subjects_of_a_level_with_enough_pages(labelled: tuple[Web, Subjects]) -> None:
    web, subjects = labelled
    assert {name: len(keys) for name, keys in topics_of(subjects, web, DRAWS).items()} == {
        "Things.Rail": 30,
        "Things.Fruit": 30,
    }
    deep = Draws(least=10, most=15, level=3)
    assert len(topics_of(subjects, web, deep)) == 4
    halves = [set(topics_of(subjects, web, Draws(least=10, most=15, level=3, half=half))) for half in (0, 1)]
    assert [len(half) for half in halves] == [2, 2]
    assert not halves[0] & halves[1]


def test_every_setting_is_measured_and_none_beats_the_oracle(trials: Trials) -> None:
    shares = {row.setting.name: row.mean("share") for row in trials.rows}
    assert shares.keys() == SETTINGS.keys()
    assert shares["oracle"] > 0.9
    assert max(shares.values()) == shares["oracle"]
    assert shares["paper-max"] > shares["breadth-first"]
    for row in trials.rows:
        assert len(row.runs) == 4
        for name in ("share", "harvest", "similarity", "subtopics", "area"):
            assert 0 <= row.mean(name) <= 1
        assert all(each.requests == 26 for each in row.runs)
        assert row.curve()[-1] == pytest.approx(row.mean("share"))


def test_the_same_chance_gives_the_same_figures(labelled: tuple[Web, Subjects]) -> None:
    settings = chosen(["paper-max", "breadth-first"])
    once, twice = (run(*labelled, settings, DRAWS, lambda _: None).to_json() for _ in range(2))
    assert once == twice
    other = run(*labelled, settings, Draws(seeds=4, samples=2, least=10, most=100, chance=1), lambda _: None)
    assert other.to_json() != once


def test_labels_move_no_strategy_but_the_oracle(labelled: tuple[Web, Subjects]) -> None:
    web, subjects = labelled
    blind = [name for name in SETTINGS if name != "oracle"]
    rail = sorted(topics_of(subjects, web, DRAWS)["Things.Rail"])
    # the same seeds under labels that say the rest of the web is the topic: what is fetched must not change
    for name in blind:
        setting = SETTINGS[name]
        fetched = [
            crawl(web.pages, rail[:4], setting.make(scene), budget=12, pace=setting.pace)
            for relevant in (frozenset(rail), frozenset(web.pages) - frozenset(rail))
            for scene in [Scene(web, "x", relevant, tuple(rail[:4]), subjects)]
        ]
        assert fetched[0] == fetched[1], name


def test_the_page_has_both_tables_and_the_curves(trials: Trials) -> None:
    text = page(trials)
    assert "Table 1" in text
    assert "Table 2" in text
    assert text.count("<svg") == 2
    assert "paper-avg-batch-bl5" in text
    assert "Things.Rail" in text


def test_mistakes_are_told(labelled: tuple[Web, Subjects], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there are breadth-first, paper-first"):
        chosen(["best"])
    with pytest.raises(UserError, match="no subject of level 2 has 80 to 400 pages"):
        run(*labelled, chosen(["oracle"]), Draws(), lambda _: None)
    with pytest.raises(UserError, match="fewer --seeds"):
        run(*labelled, chosen(["oracle"]), Draws(seeds=30, least=10), lambda _: None)
    with pytest.raises(UserError, match="is not there"):
        load([tmp_path / "none.warc"])
    with pytest.raises(CollectionError, match="no page stands in"):
        load([collect(tmp_path / "empty", {})])
    with pytest.raises(UserError, match="is not there"):
        read_labels(tmp_path / "none.tsv")
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text(f"{HOST}/a\tThings\n{HOST}/b Things\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 2: expected a URL, a tab and a subject"):
        read_labels(wrong)
