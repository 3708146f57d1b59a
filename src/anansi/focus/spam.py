"""What is worth nothing whatever it says: the blacklist, stuffed pages, hidden words, link farms.

The score is what is left of a page's worth: 1 where nothing speaks against it, 0 for spam. The limits were set beyond
what 1,553 pages of forums, blogs and an encyclopaedia have (every fifteenth page of seven recorded sites, every sixth
of a topic web, those of a hundred terms or more): there, the most frequent term made 0.14 of all terms at the most,
0.33 of the sequences of three terms were different at the least, and no page linked to more than 16 other sites.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from lxml import etree

from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement
from anansi.url import host_of, site_of

_HIDES: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|text-indent\s*:\s*-\d{3,}|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_STYLED: Any = etree.XPath("//*[@style or @hidden][not(self::script or self::style or self::input)]")
_HOST: Final = re.compile(r"\.?(?:[^\W_]|[-.])+")


@dataclass(frozen=True, slots=True)
class Blacklist:
    """Hosts, with all that is below them, and patterns of URLs."""

    hosts: frozenset[str] = frozenset()
    patterns: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class SpamSigns:
    """What a page gives to be judged by."""

    url: str
    terms: Sequence[str] = ()
    """What is shown, in its order."""
    hidden: Sequence[str] = ()
    """Terms of the text that it does not show."""
    links: Sequence[str] = ()
    """The URLs it links to."""
    wanted: Collection[str] = ()
    """Terms of the definition."""


def blacklist_of(entries: Sequence[str]) -> Blacklist:
    """Compile a blacklist: what signs like the name of a host is one, everything else is a pattern of URLs."""
    hosts = {each for each in entries if _HOST.fullmatch(each) and "." in each.strip(".")}
    patterns = tuple(re.compile(each) for each in entries if each not in hosts)
    return Blacklist(frozenset(each.strip(".").lower() for each in hosts), patterns)


def blacklisted(url: str, blacklist: Blacklist) -> Evidence | None:
    """Return why a URL is on the blacklist; None when it is not."""
    host = host_of(url)
    while blacklist.hosts and host:
        if host in blacklist.hosts:
            return Evidence("blacklist", host, "URL")
        host = host.partition(".")[2]
    for pattern in blacklist.patterns:
        if match := pattern.search(url[:2_000]):
            return Evidence("blacklist", match[0], "URL")
    return None


def is_listed(said: Judgement) -> bool:
    """Tell whether it is the blacklist that speaks."""
    return any(each.what == "blacklist" for each in said.evidence)


def judge(signs: SpamSigns, blacklist: Blacklist) -> Judgement:
    """Say what is left of a page's worth, and what speaks against it."""
    listed = blacklisted(signs.url, blacklist)
    if listed is not None:
        return Judgement(0.0, (listed,))
    against = tuple(sorted(_against(signs), key=lambda each: each.score))
    return Judgement(against[0].score if against else 1.0, against)


def _against(signs: SpamSigns) -> Iterator[Evidence]:
    found = signs.terms[: SETTINGS.most_terms]
    if len(found) >= SETTINGS.least_terms:
        counts = Counter(found)
        (term, count), *_ = counts.most_common(1)
        yield from _suspected("stuffed with one term", term, count / len(found), SETTINGS.frequent)
        if len(counts) - 2 < SETTINGS.different[0] * len(found):  # each term begins a sequence of its own
            threes = set(zip(found, found[1:], found[2:], strict=False))
            yield from _suspected("repeats itself", "", len(threes) / (len(found) - 2), SETTINGS.different)
    wanted = frozenset(signs.wanted)
    unseen = sum(term in wanted for term in signs.hidden[: SETTINGS.most_terms])
    if unseen >= SETTINGS.hidden_terms and unseen > sum(term in wanted for term in found):
        yield Evidence("hides what is looked for", " ".join(signs.hidden[:10]), "hidden text", unseen, 0.0)
    if len(signs.links) >= SETTINGS.other_sites[0] and len(found) < SETTINGS.words_a_link * len(signs.links):
        sites = {site_of(each) for each in signs.links} - {"", site_of(signs.url)}
        yield from _suspected("link farm", "", len(sites), SETTINGS.other_sites)


def _suspected(what: str, found: str, value: float, limits: tuple[float, float]) -> Iterator[Evidence]:
    """Say what a value between its two limits leaves of a page's worth."""
    begins, certain = limits
    score = 1 - min(1.0, max(0.0, (value - begins) / (certain - begins)))
    if score < 1:
        yield Evidence(what, found, f"{value:.2f}" if value < 1 else f"{value:.0f}", score=round(score, 6))


def hidden_text(tree: Any) -> str:
    """Return the text of a page that its elements' own styles hide."""
    pieces: list[str] = []
    length, seen = 0, set[Any]()
    hiding = (each for each in _STYLED(tree) if _hides(each))
    for element in islice(hiding, SETTINGS.most_hiding):
        if length > SETTINGS.longest_hidden:
            break
        if any(above in seen for above in element.iterancestors()):
            continue
        seen.add(element)
        text = " ".join(element.itertext())[: SETTINGS.longest_hidden]
        pieces.append(text)
        length += len(text)
    return " ".join(pieces)[: SETTINGS.longest_hidden]


def _hides(element: Any) -> bool:
    return element.get("hidden") is not None or _HIDES.search(element.get("style", "")[:500]) is not None
