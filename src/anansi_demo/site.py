"""The example site: what it answers to a path, and what a perfect crawl of it would keep."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from anansi_demo import blog_views, board_views, front, thread_views
from anansi_demo.answer import ORIGIN, SESSION, Answer, Request, read, redirect
from anansi_demo.blog import articles
from anansi_demo.forum import POSTS_A_PAGE, forum

__all__ = ["ORIGIN", "SESSION", "Answer", "Contents", "answer", "contents", "kind"]

View = Callable[[Request], Answer | None]

_CACHED = 1024
"""Rendered pages kept: about 15 MB. The site has some 2,250 addresses and the traps no end."""

_PAGES: dict[str, View] = {
    "/": front.home_page,
    front.ABOUT: front.about_page,
    "/private/minutes": front.private_page,
    "/robots.txt": front.robots,
    "/sitemap.xml": front.sitemap,
    "/style.css": front.style,
    "/logo.png": front.logo,
    "/files/leaflet.pdf": front.handout,
    "/forum/": board_views.index_page,
    "/forum/index.php": board_views.index_page,
    "/forum/board.php": board_views.board_page,
    "/forum/newposts.php": board_views.new_posts_page,
    "/forum/members.php": board_views.members_page,
    "/forum/member.php": board_views.profile_page,
    "/forum/search.php": board_views.search_page,
    "/forum/login.php": board_views.login_page,
    "/forum/thread.php": thread_views.thread_page,
    "/forum/reply.php": thread_views.reply_page,
    "/forum/report.php": thread_views.report_page,
    "/blog/": blog_views.home_page,
    "/blog/calendar": blog_views.calendar_page,
    "/blog/feed.xml": blog_views.feed,
}

_FAMILIES: tuple[tuple[re.Pattern[str], View], ...] = (
    (re.compile(r"/forum/(help/)+"), board_views.help_page),
    (re.compile(r"/blog/page/[0-9]+/"), blog_views.home_page),
    (re.compile(r"/blog/category/[^/]+/"), blog_views.category_page),
    (re.compile(r"/blog/tag/[^/]+/"), blog_views.tag_page),
    (re.compile(r"/blog/[0-9]{4}/[0-9]{2}/"), blog_views.month_page),
    (re.compile(r"/blog/[0-9]{4}/[0-9]{2}/.+/"), blog_views.article_page),
)

_MOVED = {"/old": "/blog/", "/old/": "/blog/", "/forum": "/forum/", "/blog": "/blog/", "/about": "/about/"}


@dataclass(frozen=True, slots=True)
class Contents:
    """What there is to keep: every content URL once, and how much stands there."""

    urls: tuple[str, ...]
    """Paths of the thread pages, of the articles with each page of their comments, and of the page about the site."""
    threads: int
    posts: int
    articles: int
    comments: int


def answer(path_and_query: str, *, origin: str = ORIGIN, session: str = SESSION) -> Answer:
    """Answer a path with its query, as seen at `origin` in the session of that id.

    Any path gets an answer, a 404 at worst. The session id in the query makes no difference.
    """
    rendered = _render(_without_session(path_and_query))
    body = rendered.body.replace(SESSION.encode(), session.encode()).replace(ORIGIN.encode(), origin.encode())
    return replace(rendered, body=body)


def kind(path_and_query: str) -> str:
    """Tell what stands at a path: `thread`, `article`, `board`, `print`, `trap`, `missing` and so on."""
    return _render(_without_session(path_and_query)).kind


@cache
def contents() -> Contents:
    """List what there is to keep."""
    threads, stories = forum().threads.values(), articles().values()
    pages = [
        thread_views.thread_url(thread.number, page * POSTS_A_PAGE)
        for thread in threads
        for page in range(thread.pages)
    ]
    texts = [blog_views.article_url(story, page) for story in stories for page in range(1, story.pages + 1)]
    return Contents(
        urls=(*pages, *texts, front.ABOUT),
        threads=len(threads),
        posts=len(forum().posts),
        articles=len(stories),
        comments=sum(len(story.comments) for story in stories),
    )


def _without_session(path_and_query: str) -> str:
    """Drop the fragment and the session id, so that one page is rendered once."""
    path, mark, query = path_and_query.partition("#")[0].partition("?")
    fields = [part for part in query.split("&") if part and not part.startswith("sid=")]
    return path + (mark + "&".join(fields) if fields else "")


@lru_cache(maxsize=_CACHED)
def _render(path_and_query: str) -> Answer:
    request = read(path_and_query)
    if request.path in _MOVED:
        return redirect(_MOVED[request.path])
    return _view(request.path)(request) or front.missing_page(request)


def _view(path: str) -> View:
    if path in _PAGES:
        return _PAGES[path]
    return next((view for pattern, view in _FAMILIES if pattern.fullmatch(path)), front.missing_page)
