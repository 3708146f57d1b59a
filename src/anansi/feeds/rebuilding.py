"""A channel page as it must have been at a moment: which capture is its template, which items stood on it, and why.

captures around the moment ─► template, window, what is pinned
dates and sightings ─► what had come, newest first ─► entries, captured or out of a mould ─► page and evidence
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anansi.feeds.assembly import Unit, assembled, marked
from anansi.feeds.channel import Entry, Listing, Place, Shown, base_of, beside, titled
from anansi.feeds.dating import is_telling, iso
from anansi.feeds.evidence import Certainty, Placed, Rebuilt, evidence, said
from anansi.feeds.mould import Mould, common, fill
from anansi.feeds.settings import SETTINGS
from anansi.feeds.timeline import Fact, Gap, Order, Sighting, When, gaps, newest_first, order_of, timeline

MOST_POSSIBLE: Final = 50
"""Items that could have been there, in the evidence."""


@dataclass(frozen=True, slots=True)
class Case:
    """All that is known of a channel."""

    url: str
    pages: Sequence[Shown]
    """Its captures."""
    listings: Sequence[Listing]
    """Those that show a list, by time."""
    elsewhere: Sequence[Listing]
    """Other pages that show entries of it: older ones of its pagination."""
    facts: Mapping[str, Fact]
    sightings: Sequence[Sighting]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scene:
    """A case at a moment."""

    case: Case
    at: float
    when: Mapping[str, When]
    before: Listing | None
    after: Listing | None
    template: Listing
    order: Order

    @property
    def around(self) -> tuple[Shown | None, Shown | None]:
        """The captures before and after."""
        return (self.before.page if self.before else None, self.after.page if self.after else None)


def captured(case: Case, at: float) -> Rebuilt | None:
    """Return the capture of the moment itself, if there is one."""
    exact = [page for page in case.pages if abs(page.at - at) <= SETTINGS.nearest]
    nearest = min(exact, key=lambda page: abs(page.at - at), default=None)
    return Rebuilt("captured", at, nearest, around=(nearest, nearest)) if nearest is not None else None


def first_known(case: Case) -> float | None:
    """Return when the first item came that is known."""
    return min((each.at for each in timeline(case.facts, case.sightings).values()), default=None)


def rebuild(case: Case, at: float) -> Rebuilt | None:
    """Return the page at a moment; None when nothing on it is known to have come by then."""
    if (found := captured(case, at)) is not None:
        return found
    scene = _scene(case, at)
    if scene.before is not None and scene.after is not None and _is_unchanged(scene, scene.before, scene.after):
        keys = scene.before.keys
        entries = tuple(replace(_placed(scene, key, scene.template), certainty="certain") for key in keys)
        notes = (
            *case.notes,
            "the captures before and after show the same list, and nothing is known to have come between",
        )
        return Rebuilt("unchanged", at, scene.template.page, entries, notes=notes, around=scene.around)
    chosen = _chosen(scene)
    if not chosen:
        return None
    return _reconstructed(scene, chosen)


def _scene(case: Case, at: float) -> _Scene:
    when = timeline(case.facts, case.sightings)
    before = max((each for each in case.listings if each.page.at <= at), key=lambda each: each.page.at, default=None)
    after = min((each for each in case.listings if each.page.at > at), key=lambda each: each.page.at, default=None)
    near = min((each for each in (before, after) if each is not None), key=lambda each: abs(each.page.at - at))
    return _Scene(case, at, when, before, after, near, _order(near, case.listings, when))


def _order(template: Listing, others: Sequence[Listing], when: Mapping[str, When]) -> Order:
    """Read the order of a list; what other captures show to be pinned is so here, if it stands on top."""
    own = order_of(template.keys, when)
    pinned = {*own.pinned, *(key for each in others for key in order_of(each.keys, when).pinned)}
    top = next((number for number, key in enumerate(template.keys) if key not in pinned), len(pinned))
    return replace(own, pinned=template.keys[:top]) if top > len(own.pinned) else own


def _is_unchanged(scene: _Scene, before: Listing, after: Listing) -> bool:
    if before.keys != after.keys:
        return False
    since, until = before.page.at, after.page.at
    return not any(
        since < when.at <= until and key not in before.keys and _belongs(scene, key)
        for key, when in scene.when.items()
    )


# ── which items ──────────────────────────────────────────────────────────────────────────────────────────────────


def _chosen(scene: _Scene) -> list[str]:
    """Return the items of the page in its order."""
    pinned = [key for key in scene.order.pinned if _had_come(scene, key)]
    come = [key for key in scene.when if key not in pinned and _had_come(scene, key) and _belongs(scene, key)]
    shown = [each.keys for each in (scene.template, *scene.case.listings, *scene.case.elsewhere)]
    shown += [each.keys for each in scene.case.sightings if each.kind == "feed"]
    room = max(0, _window(scene) - len(pinned))
    newest = newest_first(come, scene.when, shown)[:room]
    return pinned + (newest if scene.order.descending else newest[::-1])


def _had_come(scene: _Scene, key: str) -> bool:
    return key in scene.when and scene.when[key].at <= scene.at


def _belongs(scene: _Scene, key: str) -> bool:
    """Tell whether the page shows an item at all: captures that should have it have it."""
    in_before = scene.before is not None and key in scene.before.keys
    if in_before:
        return True
    if scene.before is not None and _should_show(scene, scene.before, key):
        return False
    return scene.after is None or key in scene.after.keys or not _should_show(scene, scene.after, key)


def _should_show(scene: _Scene, listing: Listing, key: str) -> bool:
    """Tell whether an item would stand on a captured page if it were of the channel and not taken away."""
    when = scene.when[key]
    if when.last > listing.page.at:
        return False
    pinned = order_of(listing.keys, scene.when).pinned
    times = [scene.when[each].at for each in listing.keys if each in scene.when and each not in pinned]
    return bool(times) and when.at > min(times)


def _window(scene: _Scene) -> int:
    """Return how many entries the page has room for, by the nearest capture from which something scrolled off."""
    near = sorted(
        (each for each in (scene.before, scene.after) if each), key=lambda each: abs(each.page.at - scene.at)
    )
    far = sorted(scene.case.listings, key=lambda each: abs(each.page.at - scene.at))
    full = next((each for each in (*near, *far) if _is_full(scene, each)), None)
    if full is None:
        return max(len(each.entries) for each in scene.case.listings)
    theirs = order_of(full.keys, scene.when).pinned
    return len(full.entries) - len(theirs) + len(scene.order.pinned)


def _is_full(scene: _Scene, listing: Listing) -> bool:
    """Tell whether an item had come that is older than all on a page."""
    pinned = order_of(listing.keys, scene.when).pinned
    times = [scene.when[each].at for each in listing.keys if each in scene.when and each not in pinned]
    return bool(times) and any(when.at < min(times) for key, when in scene.when.items() if key not in listing.keys)


# ── entries ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _reconstructed(scene: _Scene, chosen: Sequence[str]) -> Rebuilt:
    units: list[Unit] = []
    entries: list[Placed] = []
    lost: list[str] = []
    places = [entry.place for entry in scene.template.entries]
    for key in chosen:
        made = _unit(scene, key, places[min(len(units), len(places) - 1)])
        if made is None:
            lost.append(key)
            continue
        units.append(made[0])
        entries.append(made[1])
    missing = tuple(gap for gap in gaps(scene.case.sightings, scene.when) if _matters(scene, gap, chosen))
    found = Rebuilt(
        "reconstructed",
        scene.at,
        scene.template.page,
        tuple(entries),
        tuple(_possible(scene, chosen)),
        missing,
        (*scene.case.notes, *_notes(scene, lost, missing)),
        scene.around,
        beside=beside(scene.template, {*scene.when}),
    )
    tree = assembled(scene.template, units)
    page = marked(tree, base_of(scene.template.page), said(found, scene.case.url), evidence(found, scene.case.url))
    return replace(found, html=page)


def _unit(scene: _Scene, key: str, place: Place) -> tuple[Unit, Placed] | None:
    """Take the entry of an item from the nearest capture that shows it at a place like this, else out of a mould."""
    shown = [(listing, entry) for listing, entry in _alike(scene, place) if entry.key == key]
    fact = scene.case.facts.get(key)
    if shown:
        listing, entry = shown[0]
        age = (fact.published if fact else None, scene.at)
        return Unit(entry, listing, age=age), _placed(scene, key, listing)
    mould = _mould(scene, place)
    if mould is None or fact is None:
        return None
    listing, form = mould
    filled = fill(form, fact)
    unit = Unit(form.entry, listing, filled, (form.when.at, fact.published))
    return unit, replace(_placed(scene, key, listing), made=True, missing=filled.missing)


def _alike(scene: _Scene, place: Place) -> list[tuple[Listing, Entry]]:
    """Return the captured entries that have the markup of a place, the channel's own and near ones first."""
    own = {each.page.capture for each in scene.case.listings}
    lists = sorted(
        (*scene.case.listings, *scene.case.elsewhere),
        key=lambda each: (each.page.capture not in own, abs(each.page.at - scene.at)),
    )
    return [(each, entry) for each in lists for entry in each.entries if entry.place == place]


def _mould(scene: _Scene, place: Place) -> tuple[Listing, Mould] | None:
    """Choose the entry in the markup of a place of which the most is known, from the nearest capture."""
    facts, alike = scene.case.facts, _alike(scene, place)
    known = [(each, entry) for each, entry in alike if entry.key in facts and entry.key in scene.when]
    usual = [(each, entry) for each, entry in known if entry.key not in scene.order.pinned] or known
    if not usual:
        return None

    def worth(entry: Entry) -> tuple[bool, ...]:
        fact = facts[entry.key]
        telling = is_telling(scene.when[entry.key].at)
        return fact.published is not None, bool(fact.title), bool(fact.summary), bool(fact.author), telling

    listing, best = max(usual, key=lambda each: worth(each[1]))
    shared = common([entry for each, entry in alike if each.page.url == listing.page.url])
    form = Mould(best, facts[best.key], scene.when[best.key], base_of(listing.page), shared)
    return listing, form


def _placed(scene: _Scene, key: str, listing: Listing) -> Placed:
    fact = scene.case.facts.get(key)
    entry = next((each for each in listing.entries if each.key == key), None)
    title = (fact.title if fact else "") or (titled(entry) if entry else "")
    link = entry.link if entry else fact.link if fact else key
    when = scene.when.get(key)
    return (
        Placed(
            key,
            link,
            title,
            _why(scene, key),
            _certainty(scene, key),
            key in scene.order.pinned,
            listing.page.capture,
            iso(listing.page.at),
        )
        if when is not None
        else Placed(key, link, title, "captured", "certain", source=listing.page.capture)
    )


def _why(scene: _Scene, key: str) -> str:
    when = scene.when[key]
    sides = [name for name, each in (("before", scene.before), ("after", scene.after)) if each and key in each.keys]
    seen = f"on the page {' and '.join(sides)}" if sides else "not on the page before or after"
    moment = iso(when.at) if when.first is not None else f"before {iso(when.last)}"
    return f"came {moment} ({when.why}); {seen}" + ("; pinned" if key in scene.order.pinned else "")


def _certainty(scene: _Scene, key: str) -> Certainty:
    before = scene.before is not None and key in scene.before.keys
    after = scene.after is not None and key in scene.after.keys
    if before and after:
        return "certain"
    if scene.when[key].chance(scene.at) < 1.0:
        return "possible"
    removed = before and scene.after is not None and _should_show(scene, scene.after, key)
    return "possible" if removed else "likely"


def _possible(scene: _Scene, chosen: Sequence[str]) -> list[Placed]:
    """List the items that may have stood there and were not taken: their time is not sure."""
    found = [
        key
        for key, when in scene.when.items()
        if key not in chosen and 0.0 < when.chance(scene.at) < 1.0 and _belongs(scene, key)
    ]
    return [replace(_placed(scene, key, scene.template), certainty="possible") for key in found[:MOST_POSSIBLE]]


# ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _matters(scene: _Scene, gap: Gap, chosen: Sequence[str]) -> bool:
    """Tell whether what came unseen in a gap would stand among the entries."""
    oldest = min(scene.when[key].at for key in chosen if key not in scene.order.pinned or len(chosen) == 1)
    return gap.first < scene.at and gap.last > oldest


def _notes(scene: _Scene, lost: Sequence[str], missing: Sequence[Gap]) -> list[str]:
    notes = ["everything beside the list (menus, sidebars, counts) is as the template's capture shows it"]
    last = max(each.at for each in scene.case.sightings)
    if scene.at > last:
        notes.append(f"nothing was captured after {iso(last)}: what came since is not known")
    if scene.before is None:
        notes.append("the page was never captured before that time; a later template is used")
    elif scene.after is None:
        notes.append("the page was never captured after that time; an earlier template is used")
    elif scene.before.place != scene.after.place:
        notes.append("the template changed between the captures around that time; the nearer one is used")
    if not scene.order.sure:
        notes.append("the captured list is not in the order of dates; the order of the entries is not sure")
    notes += [
        f"between {iso(gap.first)} and {iso(gap.last)} items may have come that no capture saw" for gap in missing
    ]
    notes += [f"{key} was there, but nothing is known to show of it" for key in lost]
    return notes
