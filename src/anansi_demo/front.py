"""The pages in front of forum and blog, and what is written for robots."""

from __future__ import annotations

from anansi_demo.answer import LATEST, ORIGIN, Answer, Request, respond
from anansi_demo.assets import STYLE, leaflet, picture
from anansi_demo.blog import articles
from anansi_demo.forum import forum
from anansi_demo.layout import frame, items, link, prose
from anansi_demo.prose import Writer
from anansi_demo.thread_views import thread_url
from anansi_demo.words import TOPICS

LOST = "/lost-timetable/"
"""The one address that pages link to and that does not exist."""

ABOUT = "/about/"
_PLAIN = "text/plain; charset=utf-8"
_LEAFLET = (
    "The Potting Shed Line: a leaflet",
    "",
    "1. Sow in rows, travel in lines.",
    "2. Bring your own cup.",
    "3. The last train leaves when the soup is finished.",
)

_WELCOME = (
    "The Potting Shed Line was a branch of four stations and one vegetable garden. The trains stopped long ago; the "
    "garden went on, and so did the conversations that used to take place on the platform.",
    "Today they take place here. The forum is where questions are asked, the blog is where somebody has had the time "
    "to write an answer down. Neither is in a hurry.",
)

_HISTORY = (
    "This site began as a notice board in a potting shed next to a railway. People pinned up what they had too much "
    "of: courgettes, timetables, opinions. When the shed lost its roof the notices moved here.",
    "It is looked after by three people who agree on nothing except that old pages should stay where they are. If "
    "you find one that has moved, tell us; if you find one that is wrong, tell everybody.",
    "Nothing is sold here and nobody is counted. The pages are plain on purpose: they should still open on whatever "
    "our grandchildren use for reading, and they should print well.",
)


def home_page(_: Request) -> Answer:
    """Answer the front page."""
    newest = tuple(articles().values())[:6]
    threads = sorted(forum().threads.values(), key=lambda thread: thread.posts[-1].number, reverse=True)[:6]
    body = f"""<h1>The Potting Shed Line</h1>
{prose(_WELCOME)}
{_extract("home", "garden", 3)}
<h2>From the {link("/blog/", "blog")}</h2>
{items(link(article.path, article.title) for article in newest)}
<h2>From the {link("/forum/", "forum")}</h2>
{items(link(thread_url(thread.number), thread.title) for thread in threads)}
{_extract("home, further down", "trains", 3)}
<p>Read {link(ABOUT, "about us")}, take our {link("/files/leaflet.pdf", "leaflet")} with you, or go to the
{link("/old", "old address of the blog")}.</p>"""
    return respond("home", frame("front", "The Potting Shed Line", body))


def about_page(_: Request) -> Answer:
    """Answer the page about the site."""
    body = f"""<h1>About</h1>
{prose(_HISTORY)}
<h2>The garden</h2>
{_extract("about", "garden", 3)}
<h2>The line</h2>
{_extract("about", "trains", 3)}
<h2>The kitchen</h2>
{_extract("about", "kitchen", 3)}
<h2>The visitors' book</h2>
{_extract("about", "languages", 3)}
<p>The {link(LOST, "timetable of 1987")} seems to be lost. The {link("/private/minutes", "minutes of our meetings")}
are for members. A friend keeps a {link("http://elsewhere.invalid/", "page about snow ploughs")}.</p>"""
    return respond("about", frame("front", "About the Potting Shed Line", body), shows=ABOUT)


def private_page(_: Request) -> Answer:
    """Answer what robots.txt asks to leave alone."""
    body = f"<h1>Minutes</h1>\n{_extract('minutes', 'kitchen', 4)}"
    return respond("private", frame("front", "Minutes", body))


def missing_page(_: Request) -> Answer:
    """Answer that there is no such page."""
    body = f"<h1>No such page</h1>\n<p>This train does not stop here. Try the {link('/', 'front page')}.</p>"
    return respond("missing", frame("front", "No such page", body), status=404)


def _extract(seed: str, topic: str, paragraphs: int) -> str:
    writer = Writer(f"{seed} {topic}", TOPICS[topic])
    return prose(writer.paragraph(5) for _ in range(paragraphs))


def robots(_: Request) -> Answer:
    """Answer robots.txt."""
    lines = (
        "User-agent: *",
        "Disallow: /forum/search",
        "Disallow: /private/",
        "",
        f"Sitemap: {ORIGIN}/sitemap.xml",
        "",
    )
    return respond("robots", "\n".join(lines), mime=_PLAIN)


def sitemap(_: Request) -> Answer:
    """Answer the sitemap: the front pages, the boards and the articles, but no thread."""
    dated = {
        **dict.fromkeys(("/", ABOUT, "/forum/", "/blog/"), LATEST),
        **{f"/forum/board.php?board={number}": LATEST for number in forum().boards},
        **{article.path: article.modified for article in articles().values()},
    }
    entries = "\n".join(
        f"<url><loc>{ORIGIN}{path}</loc><lastmod>{date:%Y-%m-%d}</lastmod></url>" for path, date in dated.items()
    )
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{entries}
</urlset>
"""
    return respond("sitemap", text, mime="application/xml; charset=utf-8")


def style(_: Request) -> Answer:
    """Answer the style sheet."""
    return respond("asset", STYLE, mime="text/css; charset=utf-8")


def logo(_: Request) -> Answer:
    """Answer the picture."""
    return respond("asset", picture(), mime="image/png")


def handout(_: Request) -> Answer:
    """Answer the leaflet."""
    return respond("document", leaflet(_LEAFLET), mime="application/pdf")
