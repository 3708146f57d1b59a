"""The one application that answers over HTTP: its parts, and all of their routes.

A process offers the parts that it has: `anansi helper` reads pages, a crawl that listens takes URLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route, Router

from anansi.service import scored_urls
from anansi.service.admission import Admission, TokenAsked
from anansi.service.answering import HANDLERS
from anansi.service.bodies import Bodies
from anansi.service.page_reading import PageReading
from anansi.service.posted_page import LARGEST_BODY
from anansi.service.url_posting import UrlPosting


@dataclass(frozen=True, slots=True)
class Parts:
    """What a process offers."""

    pages: PageReading | None = None
    urls: UrlPosting | None = None


def application(parts: Parts) -> Starlette:
    """Put the parts together; one that is not offered is not there."""
    routes: list[BaseRoute] = []
    if parts.urls is not None:
        routes.append(Mount("/v1", url_posting(parts.urls)))
    if parts.pages is not None:
        routes.append(Mount("/", page_reading(parts.pages)))
    return _part(routes, [])


def page_reading(pages: PageReading) -> Starlette:
    """Read pages that other crawlers post."""
    token = Middleware(TokenAsked, pages.token, "this service asks for a token")
    routes = [
        Route("/", pages.start_page),
        Route("/health", pages.tell_health),
        Route("/openapi.json", pages.describe),
        Route("/pages", pages.read_page, methods=["POST"], middleware=[token]),
    ]
    bodies = Middleware(Bodies, LARGEST_BODY, pages.room)
    admission = Middleware(Admission, guarded=bool(pages.token))
    return _part(routes, [Middleware(pages.counted), bodies, admission])


def url_posting(urls: UrlPosting) -> Starlette:
    """Take URLs for a running crawl; who has no token does not learn which crawl it is."""
    words = "a running crawl asks for its token; the collection holds it in state/token"
    crawl = [
        Route(f"/{urls.crawl.id}", urls.tell_status),
        Route(f"/{urls.crawl.id}/urls", urls.post, methods=["POST"]),
    ]
    routes = [
        Route("/openapi.json", urls.describe),
        Mount(
            "/crawls", Router(crawl, redirect_slashes=False), middleware=[Middleware(TokenAsked, urls.token, words)]
        ),
    ]
    return _part(routes, [Middleware(Bodies, scored_urls.LARGEST, urls.room), Middleware(Admission, guarded=True)])


def _part(routes: Sequence[BaseRoute], middleware: Sequence[Middleware]) -> Starlette:
    part = Starlette(routes=routes, middleware=middleware, exception_handlers=HANDLERS)
    part.router.redirect_slashes = False  # a path has one spelling
    return part
