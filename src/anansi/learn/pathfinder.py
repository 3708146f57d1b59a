"""The guide of one site, for the frontier: a chooser with its chance, which can be written down and gone on with."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from anansi.learn.arms import SEEN, Arm, Temper
from anansi.learn.chance import Chance
from anansi.learn.chooser import Chooser
from anansi.learn.titles import name_of
from anansi.model import Link, Outcome, Visit

VERSION: Final = 2
"""Of what `pack` writes; what another version wrote is not read, and the site is learned anew."""


class _Arm(msgspec.Struct, array_like=True, frozen=True):
    """An arm as it is written down; other arms by their number, cells by the numbers of both."""

    name: str
    by_address: bool
    pages: int
    visits: int
    brought: float
    gain: float
    own: float
    weight: float
    closed: bool
    again: bool
    via: int
    leads: list[tuple[int, int, float]]


class _Packed(msgspec.Struct, array_like=True, frozen=True):
    """A chooser as it is written down, without the links that wait: the frontier has them."""

    version: int
    pages: int
    gained: float
    first: tuple[tuple[float, int], tuple[float, int]]
    mask: int
    met: bytes
    arms: list[_Arm]


class Pathfinder:
    """Leads through one site. Mutable state: the chooser's."""

    enough = False

    def __init__(
        self,
        rng: Chance,
        *,
        packed: bytes | None = None,
        prior: Mapping[str, float] | None = None,
        temper: Temper | None = None,
    ):
        """Begin, or go on with what another one wrote down."""
        self._rng = rng
        self.chooser = Chooser(prior, temper)
        if packed is not None:
            _unpack(packed, self.chooser)

    @property
    def pages(self) -> int:
        """Count the visits that it was told of."""
        return self.chooser.pages

    def offer(self, key: str, label: str) -> None:
        """Take notice of a URL that may be visited."""
        self.chooser.discover(key, label)

    def next(self) -> str | None:
        """Return the key of the URL to visit now."""
        return self.chooser.next(self._rng)

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        """Take in what a visit brought."""
        titles = self.chooser.titles
        titles.see(_numbers(outcome.names))
        for link, _ in links:
            titles.call(link.key, name_of(link.anchor))
        found = [(link.key, label) for link, label in links]
        self.chooser.learn(visit.key, _numbers(outcome.items or b""), found, label=visit.label or None)

    def drop(self, key: str) -> None:
        """Forget that a URL was to be visited."""
        self.chooser.drop(key)

    def why(self, key: str, label: str) -> str:
        """Say why a URL is not worth a visit."""
        arm = self.chooser.barren(key, label)
        if arm is None:
            return "such links are not expected to lead to anything new"
        what = f"addresses like {arm.name or '/'}" if arm.by_address else f"links at {arm.name or 'the seeds'}"
        return f"{what} led to little that is new, {arm.pages} times"

    def pack(self) -> bytes:
        """Write what is known."""
        chooser = self.chooser
        numbers = {arm: number for number, arm in enumerate(chooser.arms)}
        arms = [
            _Arm(
                arm.name,
                arm.by_address,
                arm.pages,
                arm.visits,
                arm.brought,
                arm.gain,
                arm.own,
                arm.weight,
                arm.closed,
                arm.again,
                numbers[arm.via] if arm.via is not None else -1,
                [(numbers[cell.label], numbers[cell.address], count) for cell, count in arm.leads.items()],
            )
            for arm in numbers
        ]
        met = array("I", chooser.met).tobytes()
        first = chooser.first[False], chooser.first[True]
        packed = _Packed(VERSION, chooser.pages, chooser.gained, first, chooser.mask, met, arms)
        return msgspec.msgpack.encode(packed)


def _numbers(packed: bytes) -> array[int]:
    return array("I", packed[: len(packed) // 4 * 4])


def _unpack(data: bytes, chooser: Chooser) -> None:
    try:
        packed = msgspec.msgpack.decode(data, type=_Packed)
    except msgspec.DecodeError:
        return
    if packed.version != VERSION:
        return
    arms = [chooser.arm(each.name, by_address=each.by_address) for each in packed.arms]
    for arm, each in zip(arms, packed.arms, strict=True):
        _restore(arm, each, arms)
        arm.repeated = sum(count for label, _, count in each.leads if arms[label] is arm)
        arm.leads = {chooser.cell(arms[label], arms[address]): count for label, address, count in each.leads}
    chooser.pages, chooser.gained = packed.pages, packed.gained
    chooser.first = {False: packed.first[0], True: packed.first[1]}
    chooser.untried = {False: packed.first[0][0], True: packed.first[1][0]}
    chooser.mask, chooser.met = packed.mask, set(array("I", packed.met))


def _restore(arm: Arm, each: _Arm, arms: Sequence[Arm]) -> None:
    arm.pages, arm.gain, arm.own, arm.weight, arm.closed = each.pages, each.gain, each.own, each.weight, each.closed
    arm.visits, arm.brought, arm.again = each.visits, each.brought, each.again
    arm.seen = each.by_address and each.name.startswith(SEEN)
    arm.via = arms[each.via] if each.via >= 0 else None
