"""Does a text speak of an event: of its name, or of its place, its actors and its time together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from anansi.focus.entities import Mention
from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement
from anansi.text.prose_dates import Span


@dataclass(frozen=True, slots=True)
class Happening:
    """An event with the numbers of the names to look for."""

    name: str
    named: int
    places: frozenset[int]
    actors: frozenset[int]
    begins: date | None
    ends: date | None
    weight: float = 1.0


def judge(happenings: Iterable[Happening], found: Mapping[int, Mention], times: Sequence[Span]) -> Judgement:
    """Score a text by the event that it speaks of most: `times` are those it names, and that of the page itself."""
    best = Judgement(0.0)
    for event in happenings:
        judgement = judge_one(event, found, times)
        if judgement.score > best.score:
            best = judgement
    return best


def judge_one(event: Happening, found: Mapping[int, Mention], times: Sequence[Span]) -> Judgement:
    """Score a text by one event."""
    parts = list(_parts(event, found, times))
    share = sum(each.score for each in parts) / len(parts) if parts else 0.0
    together = share**SETTINGS.event_together
    evidence = [each for each in parts if each.score]
    if event.named in found:
        named = found[event.named]
        evidence.insert(0, Evidence(event.name, named.found, named.around, named.count, SETTINGS.event_named))
        together = SETTINGS.event_named + (1 - SETTINGS.event_named) * together
    return Judgement(round(event.weight * together, 6), tuple(evidence))


def _parts(event: Happening, found: Mapping[int, Mention], times: Sequence[Span]) -> Iterator[Evidence]:
    """Score place, actors and time, each where the definition has it."""
    if event.places:
        yield _met(f"{event.name}: place", event.places, found, 1)
    if event.actors:
        yield _met(f"{event.name}: actors", event.actors, found, min(SETTINGS.event_actors, len(event.actors)))
    if event.begins is not None:
        yield _timed(event, event.begins, event.ends or event.begins, times)


def _met(what: str, wanted: frozenset[int], found: Mapping[int, Mention], enough: int) -> Evidence:
    met = [found[number] for number in sorted(wanted & found.keys())]
    if not met:
        return Evidence(what, count=0)
    score = min(1.0, len(met) / enough)
    return Evidence(
        what, ", ".join(each.found for each in met), met[0].around, sum(each.count for each in met), score
    )


def _timed(event: Happening, begins: date, ends: date, times: Sequence[Span]) -> Evidence:
    """Score the time that fits best: within the event, or a month that it falls in, or the year."""
    met = [each for each in times if each.first <= ends and each.last >= begins]
    if not met:
        return Evidence(f"{event.name}: time", count=0)
    shortest = min(met, key=lambda each: each.days)
    whole = shortest.days <= 31 or shortest.days <= (ends - begins).days + 1
    return Evidence(
        f"{event.name}: time",
        shortest.said or shortest.first.isoformat(),
        "",
        len(met),
        1.0 if whole else SETTINGS.event_year,
    )
