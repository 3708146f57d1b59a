"""What changed between two visits of a page: its objects are compared, not its bytes.

A version is what a later visit needs to know: digests of the article's title, text, references and makers, and of
its parts (comments, posts, answers). Of many parts a sample is kept, those of the lowest digests, so that two samples
hold the same parts as long as these stay; the sum over all parts tells that something changed where the sample does
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

import msgspec

from anansi.feeds.noise import byline, is_relative, plain, reference, shown
from anansi.model import WebObject
from anansi.state import Version

SAMPLE: Final = 96
"""Parts that a version knows one by one, 8 bytes each: with all else it stays below one KB."""
FORM: Final = 1
"""Raised when versions are made in another way, so that old ones are not compared with new ones."""

_PARTS: Final = frozenset(("post", "comment", "answer"))
_LEFT_OUT: Final = frozenset(("forum", "account"))
_SIZE, _SHORT = 8, 4  # bytes of a digest


class Change(msgspec.Struct, frozen=True):
    """What became of a page since an earlier visit."""

    page: bool = False
    """Whether its bytes differ."""
    title: bool = False
    text: bool = False
    references: bool = False
    """Links, images or media."""
    makers: bool = False
    """Author, tags or date."""
    added: int = 0
    removed: int = 0
    edited: int = 0
    """Comments, posts or answers; of more than `SAMPLE` an estimate that is never 0 when something changed."""
    otherwise: bool = False
    """Whether the page was read in another way, so that nothing can be told: it counts as changed."""

    @property
    def content(self) -> bool:
        """Tell whether an object changed."""
        return bool(self.title or self.text or self.references or self.makers or self.otherwise) or self.parts > 0

    @property
    def parts(self) -> int:
        """Return how many parts were added, removed or edited."""
        return self.added + self.removed + self.edited

    @property
    def kind(self) -> str:
        """Name it: `content`, `boilerplate` (other bytes, the same objects) or `nothing`."""
        return "content" if self.content else "boilerplate" if self.page else "nothing"

    @property
    def told(self) -> tuple[str, ...]:
        """Say in words what changed."""
        flags = ("title", "text", "references", "makers", "otherwise")
        counts = ("added", "removed", "edited")
        return (
            *(name for name in flags if getattr(self, name)),
            *(f"{getattr(self, name):,} {name}" for name in counts if getattr(self, name)),
        )


def version_of(
    objects: Iterable[WebObject], *, by: str = "", page: str | bytes = b"", beside: Iterable[str] = ()
) -> Version:
    """Make the version of a page's objects; `beside` are lines between title and text, who wrote it and when."""
    every = [each for each in objects if each.kind not in _LEFT_OUT]
    kinds = Counter(each.kind for each in every)
    main = [each for each in every if each.kind not in _PARTS and kinds[each.kind] == 1]
    parts = sorted(_part(each) for each in every if each.kind in _PARTS or kinds[each.kind] > 1)
    lines = [byline(each) for each in beside]
    return Version(
        form=FORM,
        by=by[:80],
        page=_digest(page if isinstance(page, str) else page.hex()) if page else b"",
        title=_digest(*(plain(each.get("title")) for each in main)),
        text=_digest(*(_said(each) for each in main)),
        references=_digest(*sorted({found for each in main for found in _references(each)})),
        makers=_digest(*(found for each in main for found in _makers(each)), *filter(None, lines)),
        date=_date(main) or _date([each for each in every if each.kind in _PARTS][:1]),
        count=len(parts),
        parts=_sum(blake2b(b"".join(each), digest_size=_SIZE).digest() for each in parts),
        sample=b"".join(identity[:_SHORT] + content[:_SHORT] for identity, content in parts[:SAMPLE]),
    )


def current(version: Version | None) -> Version | None:
    """Return a version that new ones can be compared with; None for one that was made in another way."""
    return version if version is not None and version.form == FORM else None


def compare(before: Version, after: Version) -> Change:
    """Say what changed from one version to another."""
    page = before.page != after.page or not before.page
    if before.by != after.by and before.text != after.text:
        return Change(page=page, otherwise=True)
    dated = before.date != after.date and bool(before.date) and bool(after.date)
    added, removed, edited = _parts(before, after)
    return Change(
        page=page,
        title=before.title != after.title,
        text=before.text != after.text,
        references=before.references != after.references,
        makers=before.makers != after.makers or dated,
        added=added,
        removed=removed,
        edited=edited,
    )


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _part(each: WebObject) -> tuple[bytes, bytes]:
    """Return who a part is and what it says; what has no name of its own is known by its words."""
    content = _digest(
        plain(each.get("title")),
        _said(each),
        *sorted(_references(each)),
        *(plain(who) for who in _every(each, "author")),
    )
    named = bool(each.get("id") or each.get("link"))
    return (_digest(reference(each.uri) + "#" + each.uri.partition("#")[2]) if named else content), content


def _parts(before: Version, after: Version) -> tuple[int, int, int]:
    """Count the parts that came, went and were edited."""
    if before.count == after.count and before.parts == after.parts:
        return 0, 0, 0
    old, new = _sampled(before), _sampled(after)
    reach = min(_reach(before), _reach(after))
    gone = sum(count for each, count in (_names(old, reach) - _names(new, reach)).items())
    came = sum(count for each, count in (_names(new, reach) - _names(old, reach)).items())
    held = sum(each[0] <= reach for each in new) or 1
    both = _names(old, reach) & _names(new, reach)
    same = sum(1 for each in (Counter(old) & Counter(new)).elements() if each[0] <= reach)
    scale = max(1.0, after.count / held) if len(new) < after.count or len(old) < before.count else 1.0
    edited = round((sum(both.values()) - same) * scale)
    removed = round(gone * scale)
    added = removed + after.count - before.count
    if added < 0:
        added, removed = 0, before.count - after.count
    elif scale > 1.0 and came and not gone and added == 0:
        added = removed = round(came * scale)
    return (added, removed, edited) if added or removed or edited else (0, 0, 1)


def _sampled(version: Version) -> list[tuple[bytes, bytes]]:
    data, step = version.sample, 2 * _SHORT
    return [(data[at : at + _SHORT], data[at + _SHORT : at + step]) for at in range(0, len(data), step)]


def _reach(version: Version) -> bytes:
    """Return the last name up to which a sample holds every part."""
    held = _sampled(version)
    return held[-1][0] if len(held) < version.count else b"\xff" * _SHORT


def _names(sample: Sequence[tuple[bytes, bytes]], reach: bytes) -> Counter[bytes]:
    return Counter(name for name, _ in sample if name <= reach)


def _sum(digests: Iterable[bytes]) -> bytes:
    total = sum(int.from_bytes(each, "big") for each in digests) % (1 << 8 * _SIZE)
    return total.to_bytes(_SIZE, "big")


# ── what counts ──────────────────────────────────────────────────────────────────────────────────────────────────


def _said(each: WebObject) -> str:
    return "\n".join(plain(text) for name in ("text", "quote", "summary") for text in _every(each, name))


def _references(each: WebObject) -> set[str]:
    links = {reference(url) for url in _every(each, "reference")}
    return links | {shown(url) for name in ("image", "media") for url in _every(each, name)}


def _makers(each: WebObject) -> list[str]:
    return [plain(who) for who in _every(each, "author")] + sorted(map(plain, _every(each, "tag")))


def _date(main: Sequence[WebObject]) -> bytes:
    """Return the digest of when the objects were made; the words of today's page for it may be others tomorrow."""
    dates = [value for each in main for name, value in each.properties if name == "date"]
    if not dates or any(is_relative(value.original or value.text) for value in dates):
        return b""
    return _digest(*(value.text for value in dates))


def _every(each: WebObject, name: str) -> list[str]:
    return [value.text for key, value in each.properties if key == name]


def _digest(*texts: str) -> bytes:
    return blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=_SIZE).digest()
