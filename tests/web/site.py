"""An ordinary small site: a home page, a tree of linked pages, a style sheet and a picture."""

from __future__ import annotations

import html as escaping
import random
from collections.abc import Sequence

from tests.web.documents import PNG
from tests.web.exchange import Reply
from tests.web.replies import HTML
from tests.web.web import ScriptedWeb

STYLE = "/style.css"
LOGO = "/logo.png"
EMBEDS: dict[str, Reply] = {
    STYLE: Reply(200, {"Content-Type": "text/css"}, b"body { color: black }\n"),
    LOGO: Reply(200, {"Content-Type": "image/png"}, PNG),
}
EMBEDDING = f'<link rel="stylesheet" href="{STYLE}"><img src="{LOGO}" alt="logo">'
WORDS = (
    "archive",
    "bridge",
    "copper",
    "dawn",
    "ember",
    "forest",
    "garden",
    "harbour",
    "island",
    "journey",
    "lantern",
)
WORDS_A_PAGE = 120


def page_path(number: int) -> str:
    """Return where the nth page stands; page 0 is the home page."""
    return "/" if number == 0 else f"/page/{number}.html"


def _text(number: int) -> str:
    """Write a text that is this page's alone, the same at every run."""
    chance = random.Random(number)
    return f"Page {number}. " + " ".join(chance.choice(WORDS) for _ in range(WORDS_A_PAGE))


def _links(number: int, pages: int, fan: int, external: Sequence[str]) -> list[str]:
    """List a page's links: its children in the tree, the next page, home, itself in part, and elsewhere."""
    children = [child for child in range(number * fan + 1, number * fan + fan + 1) if child < pages]
    onward = [page_path(child) for child in children] + [page_path((number + 1) % pages)]
    # The home page twice and a fragment of the page itself: a crawler fetches neither again.
    return [*onward, "/", "/#top", f"{page_path(number)}#comments", *external]


def whole_site(
    web: ScriptedWeb,
    pages: int = 30,
    *,
    fan: int = 4,
    embeds: bool = True,
    external: Sequence[str] = (),
) -> set[str]:
    """Fill a web with `pages` linked pages and return the URLs of all that a whole crawl fetches.

    Every page is reached from `web.url + "/"`; with `embeds` the set holds a style sheet and a picture too.
    `external` links stand on every page and are not in the set. There is no robots.txt (404).
    """
    inside = EMBEDDING if embeds else ""
    for number in range(pages):
        anchors = "\n".join(
            f'<li><a href="{escaping.escape(link)}">{escaping.escape(link)}</a></li>'
            for link in _links(number, pages, fan, external)
        )
        body = (
            f"<!DOCTYPE html>\n<html lang='en'><head><title>Page {number}</title></head><body>{inside}\n"
            f"<h1>Page {number}</h1><p>{_text(number)}</p>\n<ul>{anchors}</ul></body></html>\n"
        )
        web.add(page_path(number), Reply(200, (HTML,), body.encode()))
    for path, reply in EMBEDS.items() if embeds else ():
        web.add(path, reply)
    return {web.url + page_path(number) for number in range(pages)} | (
        {web.url + path for path in EMBEDS} if embeds else set()
    )
