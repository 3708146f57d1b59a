"""The settings that focused crawls are tried with, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from anansi.errors import UserError
from anansi.focus.modules import MODULES, Module
from anansi.focus.scorer import Scorer
from anansi.focus.topic import Topic
from anansi.frontier.priority import UPDATES
from anansi.state import PageTerms
from anansi_lab.rivals import BreadthFirst, Oracle, Paper, PaperWithIdf
from anansi_lab.simulation import Pace, Scored, Strategy
from anansi_lab.webs import Web

BATCH: Final = 10
"""Pages of a batch where links are scheduled in batches; the paper does not say how many it took."""
MANY: Final = 5
"""URLs that a site gives a turn in the paper's Table 2."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one crawl is tried on. A strategy may look at the pages of its seeds; the rest is the judge's."""

    web: Web
    topic: str
    relevant: frozenset[str]
    seeds: tuple[str, ...]
    subjects: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """A strategy with its pace."""

    name: str
    make: Callable[[Scene], Strategy]
    pace: Pace
    group: str
    """Table that it stands in."""


def _paper(_: Scene) -> Strategy:
    return Paper()


def _with_idf(scene: Scene) -> Strategy:
    return PaperWithIdf(scene.web.holding, len(scene.web.pages))


class Focused:
    """Our crawler. Mutable: its scorer, made of the first pages that it is given, which are the seeds."""

    def __init__(self, modules: Sequence[Module] = MODULES) -> None:
        self._modules = modules
        self._scorer: Scorer | None = None

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        """Score what pages link to, and whatever else is to be scored anew."""
        if self._scorer is None:
            self._scorer = Scorer(Topic(examples=tuple(pages)), self._modules)
            return self._scorer.begin(pages)
        return [scored for page in pages for scored in self._read(self._scorer, page)]

    @staticmethod
    def _read(scorer: Scorer, page: PageTerms) -> Iterable[Scored]:
        taken = scorer.read(page)
        if not scorer.due:
            return taken.links
        scorer.settle()
        return scorer.revised()


_TEXT: Final = ("source", "likeness", "words", "word", "rare", "paragraph", "around")


def _focus(_: Scene) -> Strategy:
    return Focused()


def _unlearned(_: Scene) -> Strategy:
    return Focused([module for module in MODULES if not module.learned])


def _text(_: Scene) -> Strategy:
    return Focused([module for module in MODULES if module.name in _TEXT])


_EVERY: Final = (
    Setting("breadth-first", lambda _: BreadthFirst(), Pace("first"), "bounds"),
    *(Setting(f"paper-{name}", _paper, Pace(name), "Table 1") for name in UPDATES),
    Setting("paper-first-bl5", _paper, Pace("first", per_turn=MANY), "Table 2"),
    Setting("paper-avg-bl5", _paper, Pace("avg", per_turn=MANY), "Table 2"),
    Setting("paper-avg-batch", _paper, Pace("avg", batch=BATCH), "Table 2"),
    Setting("paper-avg-batch-bl5", _paper, Pace("avg", batch=BATCH, per_turn=MANY), "Table 2"),
    *(Setting(f"tfidf-{name}", _with_idf, Pace(name), "tf-idf") for name in UPDATES),
    Setting("focus", _focus, Pace("last"), "ours"),
    Setting("focus-bl5", _focus, Pace("last", per_turn=MANY), "ours"),
    Setting("focus-batch-bl5", _focus, Pace("last", batch=BATCH, per_turn=MANY), "ours"),
    Setting("focus-unlearned", _unlearned, Pace("last"), "parts of ours"),
    Setting("focus-text", _text, Pace("last"), "parts of ours"),
    Setting("oracle", lambda scene: Oracle(scene.relevant), Pace("sum"), "bounds"),
)
SETTINGS: Final = {setting.name: setting for setting in _EVERY}


def chosen(names: list[str]) -> list[Setting]:
    """Return settings by their names; all when none is named."""
    unknown = [name for name in names if name not in SETTINGS]
    if unknown:
        raise UserError(f"no setting is called {unknown[0]!r}; there are {', '.join(SETTINGS)}")
    return [SETTINGS[name] for name in names] if names else list(SETTINGS.values())
