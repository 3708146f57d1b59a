"""What the markup of any page says of a text: which of its parts are none of it, and where its images are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

NAMES: Final = 20_000
"""Names that are remembered with what they say; a site has some hundreds, and a search takes ten times as long."""

BLOCKS: Final = frozenset(
    """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li main menu nav ol p pre search section summary
    table tbody td tfoot th thead tr ul video audio""".split()  # noqa: SIM905 - a word list
)
"""Elements that stand on lines of their own: text ends before them and begins anew behind."""

LAZY: Final = ("data-src", "data-lazy-src", "data-original", "data-orig-file", "src")
"""Where the address of an image stands; pages that load images late put a blank one into `src`."""

_STAYS: Final = re.compile(r"[A-Za-z_-]+")
_VOLATILE: Final = 2  # letters; a value whose longest run of letters has no more (`a1b2c3`) says nothing
_DOT: Final = ("0", "1")
_NAMES: Final = re.compile(
    r"(?:^|[\s_-])(?:ads?|adverts?|advertisements?|advertising|adsense|adsbygoogle|ad-?(?:slot|unit|box|wrap(?:per)?"
    r"|container|banner|placeholder|block)\w*|google-auto-placed|sponsor(?:ed)?|promo(?:box)?|outbrain|taboola\w*"
    r"|sharedaddy|share-?(?:buttons?|bar|links?|counts?)|social-?(?:share|sharing|buttons?|links?)|addtoany\w*|addthis\w*"
    r"|jp-relatedposts|related-?(?:posts?|articles?|stories)|newsletter-?(?:box|signup|form)?|post-?views?|view-?counts?"
    r"|wp-polls?|likes?-?(?:box|button|count)|rating-?(?:box|widget))(?:$|[\s_-])",
    re.I,
)
"""Names of advertisements, buttons to share, counters and lists of other texts."""


def names_of(element: Any) -> str:
    """Return the names that a template gave an element: its classes and its id."""
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def is_furniture(element: Any) -> bool:
    """Tell by its names whether an element inside a text is none of it."""
    names = names_of(element)
    return len(names) > 1 and is_named_so(names)


@lru_cache(NAMES)
def is_named_so(names: str) -> bool:
    """Tell it by the names alone."""
    return _NAMES.search(names) is not None


def image_address(element: Any) -> str:
    """Return where an image is; nothing for a dot that counts readers."""
    if element.get("width") in _DOT or element.get("height") in _DOT:
        return ""
    found = (element.get(name, "").strip() for name in LAZY)
    return next((each for each in found if each and not each.startswith("data:")), "")


def stays(value: str) -> str:
    """Return what stays of an id or class from page to page: `post-1234` → `post-`, `a1b2c3` → nothing."""
    runs = _STAYS.findall(value[:200])
    longest = max(runs, key=len, default="")
    return "" if longest != value and len(longest.strip("-_")) <= _VOLATILE else longest
