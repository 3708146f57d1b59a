"""Entries that stand apart from the list: the newest item, larger and above all others, as magazines have it.

A block that is about one item, has a heading, stands before the list and is not in it is a lead, if most captures
have one at the same place. A single capture does not tell it from a link to some item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import Any, Final

from anansi.feeds.channel import DEEPEST, Entry, Listing, in_heading, is_beside, key_of, links_of, place_of

LEAST_CAPTURES: Final = 2
"""Captures that must show a lead."""
MOST_LEADS: Final = 5
"""Leads of a page."""


def with_leads(found: Sequence[Listing], known: Collection[str]) -> list[Listing]:
    """Add to lists what stands before them at a place of its own; captures of one template vote together."""
    done: list[Listing] = []
    for _, group in groupby(sorted(found, key=lambda each: each.place), key=lambda each: each.place):
        alike = list(group)
        apart = [list(_apart(each, known)) for each in alike]
        votes = Counter(place for rows in apart for place in {entry.place for entry in rows})
        often = {place for place, count in votes.items() if count >= max(LEAST_CAPTURES, len(alike) / 2)}
        for listing, rows in zip(alike, apart, strict=True):
            leads = [entry for entry in rows if entry.place in often][:MOST_LEADS]
            done.append(replace(listing, entries=(*leads, *listing.entries), leads=len(leads)))
    return sorted(done, key=lambda each: each.page.at)


def _apart(listing: Listing, known: Collection[str]) -> Iterator[Entry]:
    """Go through the blocks before a list that are about one item which the list does not show."""
    around = {listing.container, *listing.container.iterancestors()}
    listed = set(listing.keys)
    keys = _keys(listing, known)
    seen: set[Any] = set()
    for anchor, url in links_of(listing.page):
        key = key_of(url)
        if listing.container in anchor.iterancestors():
            return  # the list begins
        if key not in known or key in listed or not in_heading(anchor):
            continue
        block = anchor
        for above in islice(anchor.iterancestors(), DEEPEST):
            if above in around or keys.get(above, {key}) != {key}:
                break
            block = above
        if block is not anchor and block not in seen and not is_beside(place_of(block)):
            seen.add(block)
            listed.add(key)
            yield Entry(key, url, (block,), place=place_of(block))


def _keys(listing: Listing, known: Collection[str]) -> dict[Any, set[str]]:
    """Say to which items each element links."""
    found: dict[Any, set[str]] = {}
    for anchor, url in links_of(listing.page):
        if (key := key_of(url)) in known:
            for above in islice(anchor.iterancestors(), DEEPEST):
                found.setdefault(above, set()).add(key)
    return found
