"""Batches: what several pages say about a URL, before it is scheduled."""

from __future__ import annotations

import msgspec

from anansi.crawl import wire
from anansi.model import Link


def merged(batch: list[tuple[int, wire.Report]]) -> list[tuple[int, wire.Report]]:
    """Give a URL that several pages of a batch link to the mean of its scores, so that all of them have a say."""
    scores: dict[str, list[float]] = {}
    for _, report in batch:
        for each in report.settlements:
            for link in each.links:
                scores.setdefault(link.identity, []).append(link.score)
    told: set[str] = set()

    def once(link: Link) -> bool:
        new = link.identity not in told
        told.add(link.identity)
        return new

    merged = []
    for number, report in batch:
        settlements = [
            msgspec.structs.replace(
                each,
                links=[
                    msgspec.structs.replace(link, score=sum(scores[link.identity]) / len(scores[link.identity]))
                    for link in each.links
                    if once(link)
                ],
            )
            for each in report.settlements
        ]
        merged.append((number, msgspec.structs.replace(report, settlements=settlements)))
    return merged
