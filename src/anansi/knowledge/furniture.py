"""Names that templates give to what stands inside a text without being of it: advertisements, buttons to share."""

from __future__ import annotations

import re
from typing import Any, Final

_NAMES: Final = re.compile(
    r"(?:^|[\s_-])(?:ads?|adverts?|advertisements?|advertising|adsense|adsbygoogle|ad-?(?:slot|unit|box|wrap(?:per)?"
    r"|container|banner|placeholder|block)\w*|google-auto-placed|sponsor(?:ed)?|promo(?:box)?|outbrain|taboola\w*"
    r"|sharedaddy|share-?(?:buttons?|bar|links?|counts?)|social-?(?:share|sharing|buttons?|links?)|addtoany\w*|addthis\w*"
    r"|jp-relatedposts|related-?(?:posts?|articles?|stories)|newsletter-?(?:box|signup|form)?|post-?views?|view-?counts?"
    r"|wp-polls?|likes?-?(?:box|button|count)|rating-?(?:box|widget))(?:$|[\s_-])",
    re.I,
)


def is_furniture(element: Any) -> bool:
    """Tell by its names whether an element inside a text is none of it."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return len(names) > 1 and is_named_so(names)


def is_named_so(names: str) -> bool:
    """Tell it by the names alone."""
    return _NAMES.search(names) is not None
