"""Sites that never end: each looks innocent page by page. Add each under its prefix with `/*`."""

from __future__ import annotations

import datetime
import itertools
import random

from tests.web.exchange import Behaviour, Connection, Reply, Request
from tests.web.replies import HTML, html

ARTICLE = " ".join(
    f"Paragraph {n} of an article that is printed again and again with hardly a word changed." for n in range(40)
)


def calendar(prefix: str = "/calendar", *, year: int = 2020) -> Behaviour:
    """Show a month (`prefix/YYYY/MM`) without events, with links to the months around it and to its days."""
    start = datetime.date(year, 1, 1)

    async def behave(request: Request, connection: Connection) -> None:
        parts = [int(part) for part in request.path.removeprefix(prefix).split("/") if part.isdecimal()]
        month = start.replace(year=min(max(parts[0], 2), 9998), month=(parts[1] - 1) % 12 + 1) if parts[1:] else start
        around = (month - datetime.timedelta(days=1), month + datetime.timedelta(days=32))
        links = [f"{prefix}/{day.year:04}/{day.month:02}" for day in around]
        links += [f"{prefix}/{month.year:04}/{month.month:02}/{day:02}" for day in range(1, 29)]
        await html(f"Events in {month:%B} {month.year}", links, "No events.")(request, connection)

    return behave


def growing_path(*, part: str = "more/") -> Behaviour:
    """Answer every path with one page whose relative links make the path longer."""
    return html("Deeper", [part, f"../{part}{part}", f"{part}index.html"], "The same page at every depth.")


def session_ids(prefix: str = "/shop", *, pages: int = 5, name: str = "sid") -> Behaviour:
    """Serve a few pages (`prefix/0` …) whose links carry a new session id in every answer."""
    answers = itertools.count()

    async def behave(request: Request, connection: Connection) -> None:
        session = f"{random.Random(next(answers)).getrandbits(128):032x}"
        number = request.path.rpartition("/")[2] or "0"
        links = [f"{prefix}/{n}?{name}={session}" for n in range(pages)]
        await html(f"Article {number}", links, f"This is article {number}.")(request, connection)

    return behave


def near_duplicates(prefix: str = "/print", *, fan: int = 2) -> Behaviour:
    """Serve one long article under every number, the number its only difference, with links to the next ones."""

    async def behave(request: Request, connection: Connection) -> None:
        last = request.path.rpartition("/")[2]
        number = int(last[:18]) if last.isdecimal() else 0
        links = [f"{prefix}/{number * fan + step}" for step in range(1, fan + 1)]
        await html("An article", links, f"{ARTICLE} Seen {number} times.")(request, connection)

    return behave


def sortings(prefix: str = "/list", *, names: tuple[str, ...] = ("sort", "order", "view", "page")) -> Behaviour:
    """Show one list under every combination of parameters, each link adding or changing one."""

    async def behave(request: Request, connection: Connection) -> None:
        query = request.target.partition("?")[2]
        links = [f"{prefix}?{query + '&' if query else ''}{name}={value}" for name in names for value in ("a", "b")]
        await html("A list", links, "One, two, three.")(request, connection)

    return behave


def fake_blog(*, fan: int = 12, words: int = 120) -> Behaviour:
    """Make up a WordPress: whatever is asked for is a post of random words, with links to posts never seen before."""
    made = itertools.count()
    letters = "abcdefghijklmnopqrstuvwxyz"

    async def behave(request: Request, connection: Connection) -> None:
        chance = random.Random(f"{request.target} {next(made)}")

        def word() -> str:
            return "".join(chance.choices(letters, k=chance.randint(3, 9)))

        def post() -> str:
            folder = chance.choice(("", f"{chance.randint(2005, 2024)}/{chance.randint(1, 12):02}/", "category/"))
            return f"/{folder}{word()}-{word()}/"

        title = f"{word()} {word()}"
        heads = (f'<h2 class="entry-title"><a href="{post()}" rel="bookmark">{word()}</a></h2>' for _ in range(fan))
        text = " ".join(word() for _ in range(words))
        body = (
            f'<html><head><title>{title}</title><meta name="generator" content="WordPress 6.4.2">'
            '<link rel="stylesheet" href="/wp-content/themes/twentytwenty/style.css"></head>'
            f'<body class="single single-post"><article class="post"><h1 class="entry-title">{title}</h1>'
            f'<div class="entry-content"><p>{text}</p></div></article>{"".join(heads)}</body></html>'
        )
        await Reply(200, (HTML,), body.encode())(request, connection)

    return behave
