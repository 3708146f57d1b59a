"""Advice in words: the JSON that is answered, and the source of its description."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from anansi.model import Link, Recognition, Skip, WebObject
from anansi.service.advice import Advice


def _about(text: str, *examples: object) -> Meta:
    return Meta(description=text, examples=list(examples) or None)


class Recognised(msgspec.Struct, frozen=True):
    """Which application made the page, and what kind of page it is."""

    type: Annotated[str, _about("a path in the hierarchy of the knowledge base", "forum/phpbb")]
    level: Annotated[str | None, _about("the kind of page; null when no level fits", "thread")]
    terminal: Annotated[bool, _about("whether the page is content, rather than leading to it")]
    pattern: Annotated[str, _about("the detection pattern of the type that fired", "body[@id='phpbb']")]
    level_pattern: Annotated[str | None, _about("what told the level: a pattern, or `address`")]
    adapted: Annotated[bool, _about("whether a mended rule was needed")]


class Followed(msgspec.Struct, frozen=True):
    """A link that is worth a visit."""

    url: Annotated[str, _about("what to request", "https://forum.example/viewtopic.php?t=7&sid=0a1b")]
    key: Annotated[str, _about("addresses with one key are one page", "https://forum.example/viewtopic.php?t=7")]
    hop: Annotated[str, _about("L a link, R a redirect, E something that the page shows")]
    level: Annotated[str | None, _about("the level that it is expected to lead to; null when that is not known")]
    score: Annotated[float, _about("what is visited first, 0 to 1: content before lists before the rest")]
    action: Annotated[str | None, _about("the navigation action that chose it", "forum/phpbb:thread")]


class Left(msgspec.Struct, frozen=True):
    """A link that is not worth a visit."""

    url: str
    key: str
    reason: Annotated[str, _about("why it is not followed", "phpBB: a form")]


class Typed(msgspec.Struct, frozen=True):
    """A value of a property."""

    value: str
    type: Annotated[str, _about("how it was read: text, body, date, link or number", "date")]
    original: Annotated[str | None, _about("as it stood on the page, where it was read as something else")]


class Found(msgspec.Struct, frozen=True):
    """A post, a comment, an article, a thread …"""

    kind: Annotated[str, _about("what it is", "post")]
    uri: Annotated[str, _about("its name", "https://forum.example/viewtopic.php?t=7#p21")]
    part_of: Annotated[str | None, _about("the name of what it belongs to")]
    properties: Annotated[dict[str, list[Typed]], _about("property → its values")]


class Answer(msgspec.Struct, frozen=True):
    """What a crawl would do with a page."""

    url: Annotated[str, _about("the page's address, as it is understood")]
    site: Annotated[str, _about("the registered domain, whose memory the page was read with")]
    media_type: Annotated[str, _about("what the body is, by its bytes; empty where it was not read", "text/html")]
    aware: Annotated[
        bool, _about("whether an application is known here; if not, `links` are all links of the page, unchosen")
    ]
    recognition: Recognised | None
    links: Annotated[list[Followed], _about("where to go on")]
    skips: Annotated[list[Left], _about("where not, and why")]
    objects: Annotated[list[Found], _about("what stands on the page, in its order")]


def worded(advice: Advice) -> Answer:
    """Word advice."""
    return Answer(
        url=advice.url,
        site=advice.site,
        media_type=advice.mime,
        aware=advice.aware,
        recognition=_recognised(advice.recognition) if advice.recognition is not None else None,
        links=[_followed(link) for link in advice.links],
        skips=[_left(skip) for skip in advice.skips],
        objects=[_found(each) for each in advice.objects],
    )


def _recognised(found: Recognition) -> Recognised:
    return Recognised(
        type=found.type,
        level=found.level or None,
        terminal=found.terminal,
        pattern=found.pattern,
        level_pattern=found.level_pattern or None,
        adapted=found.adapted,
    )


def _followed(link: Link) -> Followed:
    level = link.action.partition(":")[2]
    return Followed(link.url, link.key, str(link.hop), level or None, link.score, link.action or None)


def _left(skip: Skip) -> Left:
    return Left(skip.url, skip.key, skip.detail or str(skip.reason))


def _found(each: WebObject) -> Found:
    properties: dict[str, list[Typed]] = {}
    for name, value in each.properties:
        properties.setdefault(name, []).append(Typed(value.text, str(value.read_as), value.original or None))
    return Found(each.kind, each.uri, each.part_of or None, properties)
