"""What can go wrong with a request: problem details as RFC 9457 has them, each with its cure."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec


class Kind(NamedTuple):
    """A kind of problem."""

    status: int
    title: str
    cure: str


KINDS: Final[dict[str, Kind]] = {
    "bad-request": Kind(400, "not a valid HTTP request", "send HTTP/1.1 as RFC 9112 has it; any library does"),
    "bad-json": Kind(400, "not valid JSON", "send one JSON object in UTF-8, or name the page's own media type"),
    "no-token": Kind(401, "the token is missing or wrong", "send `Authorization: Bearer` with the service's token"),
    "foreign-page": Kind(403, "asked for by a web page of another site", "ask from a program, not from a browser"),
    "not-found": Kind(404, "nothing is there", "ask for a path that the OpenAPI description names"),
    "bad-method": Kind(405, "the method does not fit", "use a method that `Allow` names"),
    "too-slow": Kind(408, "the request did not come in time", "send the whole request at once"),
    "too-large": Kind(
        413, "the request is too large", "send less at a time; leave larger pages to your own link extractor"
    ),
    "bad-coding": Kind(415, "the request's content coding is not undone", "send JSON and HTTP messages uncompressed"),
    "bad-expectation": Kind(417, "the expectation is not known", "leave out `Expect`, or send `100-continue`"),
    "wrong-host": Kind(421, "meant for another host", "ask by the address that the service printed, or set a token"),
    "bad-page": Kind(422, "the page is not described right", "see the schema of a page in /openapi.json"),
    "bad-url": Kind(422, "not a web address", "give the page's absolute http or https address in `url`"),
    "page-too-hard": Kind(422, "the page cannot be read within the limits", "leave it to your own link extractor"),
    "head-too-large": Kind(
        431, "the request's head is too large", "send fewer headers; those of a page may stand in JSON"
    ),
    "our-fault": Kind(
        500, "something went wrong here", "treat the page as any other, and report it with its address"
    ),
    "bad-transfer": Kind(501, "the transfer coding is not known", "send `Content-Length`, or chunks"),
    "busy": Kind(503, "too many requests at a time", "ask again after the seconds in `Retry-After`"),
    "bad-version": Kind(505, "not HTTP/1.0 or HTTP/1.1", "send HTTP/1.1"),
}
"""Every kind that is ever answered; the start page explains each under its name."""

_OF_PAGES: Final = frozenset({"bad-page", "bad-url", "page-too-hard", "our-fault"})

URL_KINDS: Final[dict[str, Kind]] = {
    **{name: kind for name, kind in KINDS.items() if name not in _OF_PAGES},
    "not-json": Kind(415, "the body is not said to be JSON", "send `Content-Type: application/json`"),
    "bad-urls": Kind(
        422, "a posted URL is not described right", "mend what `errors` names and post all of them again"
    ),
    "full": Kind(429, "more is posted than the crawl takes in", "post again after the seconds in `Retry-After`"),
    "no-answer": Kind(
        503, "the crawl did not answer in time", "post again later; what was posted may have been taken all the same"
    ),
    "crawl-ended": Kind(503, "the crawl ends", "start it anew, and post again what was not answered"),
}
"""Every kind that the service of a running crawl answers."""

MEDIA_TYPE: Final = "application/problem+json"

RETRY_AFTER: Final = 1
"""Seconds: a request takes some hundredths of one."""

_EVERY: Final = KINDS | URL_KINDS
_SHOWN: Final = 500  # characters of a detail


class Mistake(msgspec.Struct, frozen=True):
    """One thing that is wrong in what was posted."""

    pointer: str
    """Where: a JSON pointer, as a fragment."""
    detail: str


class Problem(msgspec.Struct, frozen=True, tag=True):
    """A problem with one request. `detail` never repeats a token or a header's value."""

    kind: str
    detail: str
    errors: tuple[Mistake, ...] = ()

    @property
    def status(self) -> int:
        """Return the status to answer with."""
        return _EVERY[self.kind].status

    def body(self) -> bytes:
        """Write the problem as JSON."""
        kind = _EVERY[self.kind]
        told: dict[str, Any] = {
            "type": f"/#{self.kind}",
            "title": kind.title,
            "status": kind.status,
            "detail": self.detail[:_SHOWN].encode("utf-8", "replace").decode(),
            "cure": kind.cure,
        }
        if self.errors:
            told["errors"] = self.errors
        return msgspec.json.encode(told)


class Refused(Exception):  # noqa: N818 - what a client did wrong is no error of ours
    """A request is answered with a problem, wherever that is found out."""

    def __init__(self, problem: Problem):
        super().__init__(problem.kind)
        self.problem = problem
