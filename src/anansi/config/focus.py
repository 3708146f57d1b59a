"""What the archive is about: the part of a definition that says content, and not how to crawl."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from anansi.config.setting import Pattern, Phrase, Section, Share, Weight, meaning

LANGUAGES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv
    ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st
    su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()  # noqa: SIM905 - a word list
)
"""ISO 639-1."""


class Keyword(Section, frozen=True):
    """A word, or several in sequence, that pages of the archive have."""

    term: Annotated[Phrase, meaning("the word or words, in any form of theirs")]
    weight: Annotated[Weight, meaning("how much it counts")] = 1.0


class Entity(Section, frozen=True):
    """Somebody or something with a name."""

    name: Annotated[Phrase, meaning("its name")]
    aliases: Annotated[list[Phrase], meaning("its other names and spellings; case and accents do not matter")] = []
    kind: Annotated[Literal["person", "organisation", "place", "work", "product", "other"], meaning("what it is")] = (
        "other"
    )
    weight: Annotated[Weight, meaning("how much it counts")] = 1.0


class Topic(Section, frozen=True):
    """A subject, by terms or by documents that are about it."""

    name: Annotated[Phrase, meaning("what it is called in reports")]
    terms: Annotated[list[Phrase | Keyword], meaning("words that texts about it have")] = []
    examples: Annotated[list[Pattern], meaning("files or URLs of texts about it, whose words are learned")] = []
    weight: Annotated[Weight, meaning("how much it counts")] = 1.0


class Event(Section, frozen=True):
    """Something that happened somewhere, at some time, with somebody."""

    name: Annotated[Phrase, meaning("what it is called; a page that has the name is about it")]
    aliases: Annotated[list[Phrase], meaning("its other names")] = []
    places: Annotated[list[Phrase], meaning("where it happened")] = []
    begins: Annotated[date | None, meaning("its first day, YYYY-MM-DD")] = None
    ends: Annotated[date | None, meaning("its last day; by default the first")] = None
    actors: Annotated[list[Phrase], meaning("who had a part in it")] = []
    weight: Annotated[Weight, meaning("how much it counts")] = 1.0


class Address(Section, frozen=True):
    """URLs that are known to be worth something, or little."""

    pattern: Annotated[Pattern, meaning("regular expression; what it matches is scored so")]
    score: Annotated[Share, meaning("from 0, worth nothing, to 1")] = 1.0


class Weights(Section, frozen=True):
    """How much each analysis module counts; 0 switches it off."""

    terms: Annotated[Weight, meaning("words of the page, the region, the paragraph and the anchor")] = 4.0
    entities: Annotated[Weight, meaning("names of entities")] = 2.0
    events: Annotated[Weight, meaning("names, places, actors and times of events")] = 2.0
    addresses: Annotated[Weight, meaning("patterns of URLs")] = 1.0
    languages: Annotated[Weight, meaning("the language of a page")] = 1.0
    linking: Annotated[Weight, meaning("how relevant the pages that link to it turned out")] = 1.0
    places: Annotated[Weight, meaning("how relevant its site, and links that stand where it stands, turned out")] = (
        1.0
    )
    social: Annotated[Weight, meaning("links by users whose earlier links turned out relevant")] = 1.0
    spam: Annotated[
        Share, meaning("how much of a score stuffed pages and link farms lose; the blacklist loses all")
    ] = 1.0
    names: Annotated[Weight, meaning("names that a model finds in English texts; slow, needs `anansi[names]`")] = 0.0


class Focus(Section, frozen=True):
    """What the archive is about, and how far it reaches."""

    keywords: Annotated[
        list[Phrase | Keyword], meaning("words of what the archive is about, alone or with a weight")
    ] = []
    exclude: Annotated[list[Phrase], meaning("words of what it is not about")] = []
    entities: Annotated[list[Entity], meaning("somebodies and somethings with names")] = []
    topics: Annotated[list[Topic], meaning("subjects, by terms or by examples")] = []
    events: Annotated[list[Event], meaning("what happened, where, when, with whom")] = []
    languages: Annotated[
        list[Annotated[str, Meta(pattern="^[a-z]{2}$")]], meaning("languages of the archive, two letters each")
    ] = []
    addresses: Annotated[list[Pattern | Address], meaning("patterns of URLs, alone or with a score")] = []
    blacklist: Annotated[
        list[Pattern], meaning("hosts, with what is below them, or patterns of URLs that are worth nothing")
    ] = []
    decay: Annotated[Share, meaning("what is left of a score a hop away from relevant pages")] = 0.5
    reach: Annotated[
        Annotated[int, Meta(ge=0, le=100)],
        meaning("hops that links may lead out of the scope, at a lower score each"),
    ] = 0
    weights: Weights = Weights()

    def is_set(self) -> bool:
        """Tell whether anything is looked for."""
        return bool(self.keywords or self.entities or self.topics or self.events)
