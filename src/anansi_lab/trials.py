"""Focused crawls of a labelled web: topics and seeds drawn at random, every setting tried on the same draws.

A topic is a subject of a given level with a number of pages in given bounds. A crawl starts from some of its pages
and fetches as many pages as the topic has, the seeds among them. All figures leave the seeds out.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from anansi.errors import UserError
from anansi.focus.vectors import cosine, norm, total
from anansi_lab.settings import Scene, Setting
from anansi_lab.simulation import crawl
from anansi_lab.webs import Subjects, Web

HARVESTED: Final = 0.333
"""Cosine with the topic vector from which on a page counts for the harvest ratio (ARCOMEM, section 5.1)."""
POINTS: Final = 20
"""Points of a curve."""
MEASURES: Final = ("share", "harvest", "similarity", "subtopics", "area")


@dataclass(frozen=True, slots=True)
class Draws:
    """What topics and seeds are drawn."""

    seeds: int = 20
    samples: int = 3
    least: int = 80
    most: int = 400
    level: int = 2
    half: int | None = None
    """Every other topic only, in the order of the hashes of their names: 0 for the first, third …; 1 for the rest."""
    chance: int = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What one crawl brought; all are shares from 0 to 1."""

    topic: str
    requests: int
    share: float
    """Of its pages, those that carry the topic's label."""
    harvest: float
    """Of its pages, those whose cosine with the topic vector is above 0.333."""
    similarity: float
    """The mean of those cosines."""
    subtopics: float
    """Of the subjects that the topic's pages carry, those that a page carries which was fetched."""
    area: float
    """Area under the curve of relevant pages over requests; 1 when every request brings one."""
    curve: tuple[float, ...]
    """Relevant pages after each part of the budget, as a share of the budget."""


@dataclass(frozen=True, slots=True)
class Row:
    """A setting's figures over all runs."""

    setting: Setting
    runs: tuple[Measured, ...]

    def mean(self, measure: str) -> float:
        """Return the mean of a figure over all runs."""
        return statistics.fmean(getattr(run, measure) for run in self.runs)

    def error(self, measure: str) -> float:
        """Return the standard error of that mean."""
        values = [getattr(run, measure) for run in self.runs]
        return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0

    def curve(self) -> list[float]:
        """Return the mean curve."""
        return [statistics.fmean(column) for column in zip(*(run.curve for run in self.runs), strict=True)]


@dataclass(frozen=True, slots=True)
class Trials:
    """All figures."""

    topics: dict[str, int]
    """With how many pages each has."""
    draws: Draws
    rows: tuple[Row, ...]

    def of_oracle(self, row: Row) -> float | None:
        """Return which part of the oracle's share a setting reaches, where the oracle was among them."""
        best = next((each.mean("share") for each in self.rows if each.setting.name == "oracle"), 0.0)
        return row.mean("share") / best if best else None

    def to_json(self) -> dict[str, Any]:
        """Give all figures as JSON has them."""
        return {
            "topics": self.topics,
            "runs": len(self.rows[0].runs) if self.rows else 0,
            "settings": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        figures = {name: {"mean": row.mean(name), "error": row.error(name)} for name in MEASURES}
        by_topic: dict[str, list[float]] = {}
        for run in row.runs:
            by_topic.setdefault(run.topic, []).append(run.share)
        pace = row.setting.pace
        return {
            "name": row.setting.name,
            "update": pace.update,
            "batch": pace.batch,
            "per_turn": pace.per_turn,
            **figures,
            "of_oracle": self.of_oracle(row),
            "curve": row.curve(),
            "topics": by_topic,
        }


def topics_of(subjects: Subjects, web: Web, draws: Draws) -> dict[str, frozenset[str]]:
    """Return the topics that may be drawn, each with the keys of its pages."""
    found: dict[str, set[str]] = {}
    for key, labels in subjects.items():
        for label in labels if key in web.pages else ():
            levels = label.split(".")
            if len(levels) >= draws.level:
                found.setdefault(".".join(levels[: draws.level]), set()).add(key)
    bounded = {name: frozenset(keys) for name, keys in found.items() if draws.least <= len(keys) <= draws.most}
    ordered = sorted(bounded, key=lambda name: hashlib.sha256(name.encode()).digest())
    chosen = ordered if draws.half is None else ordered[draws.half :: 2]
    return {name: bounded[name] for name in sorted(chosen)}


def run(
    web: Web, subjects: Subjects, settings: Sequence[Setting], draws: Draws, tell: Callable[[str], None]
) -> Trials:
    """Try every setting on every draw."""
    topics = topics_of(subjects, web, draws)
    if not topics:
        raise UserError(
            f"no subject of level {draws.level} has {draws.least} to {draws.most} pages in this web; "
            "check that the labels name URLs of it, or change --least, --most and --level"
        )
    if any(len(keys) <= draws.seeds for keys in topics.values()):
        raise UserError(f"a topic has no more than {draws.seeds} pages; ask for fewer --seeds or a larger --least")
    scenes = list(_scenes(web, subjects, topics, draws))
    rows = []
    for setting in settings:
        rows.append(Row(setting, tuple(_measured(scene, setting) for scene in scenes)))
        tell(f"{setting.name}: {rows[-1].mean('share'):.3f}")
    return Trials({name: len(keys) for name, keys in topics.items()}, draws, tuple(rows))


def _scenes(web: Web, subjects: Subjects, topics: Mapping[str, frozenset[str]], draws: Draws) -> Iterator[Scene]:
    for topic, relevant in topics.items():
        inside = {key: subjects[key] for key in relevant}
        for sample in range(draws.samples):
            rng = Random(f"{draws.chance} {topic} {sample}")
            yield Scene(web, topic, relevant, tuple(rng.sample(sorted(relevant), draws.seeds)), inside)


def _measured(scene: Scene, setting: Setting) -> Measured:
    """Crawl once and measure."""
    budget = len(scene.relevant) - len(scene.seeds)
    pages = scene.web.pages
    fetched = crawl(pages, scene.seeds, setting.make(scene), budget=budget, pace=setting.pace)
    topic = total(pages[key].terms for key in scene.seeds)
    length = norm(topic)
    cosines = [cosine(pages[key].terms, topic, length=length) for key in fetched] or [0.0]
    hits = [key in scene.relevant for key in fetched]
    found = [sum(hits[: count + 1]) for count in range(budget)]
    subtopics = {subject for labels in scene.subjects.values() for subject in labels}
    reached = {subject for key in fetched for subject in scene.subjects.get(key, ())}
    return Measured(
        scene.topic,
        len(fetched),
        sum(hits) / max(1, len(fetched)),
        sum(each > HARVESTED for each in cosines) / len(cosines),
        statistics.fmean(cosines),
        len(reached) / len(subtopics),
        sum(found) / (budget * (budget + 1) / 2),
        tuple(found[max(0, budget * point // POINTS - 1)] / budget for point in range(1, POINTS + 1)),
    )
