"""The words of the knowledge base for objects and their properties, and the terms of SIOC, schema.org and Dublin Core
that stand for them. An entry can use these and no others, so that any site can be asked in one way.
"""

from __future__ import annotations

from typing import Final

PREFIXES: Final[dict[str, str]] = {
    "sioc": "http://rdfs.org/sioc/ns#",
    "schema": "https://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

OBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "thread": ("sioc:Thread",),
    "post": ("sioc:Post",),
    "article": ("schema:Article", "sioc:Post"),
    "comment": ("schema:Comment", "sioc:Post"),
    "question": ("schema:Question", "sioc:Post"),
    "answer": ("schema:Answer", "sioc:Post"),
    "status": ("schema:SocialMediaPosting", "sioc:Post"),
    "document": ("schema:Article",),
    "forum": ("sioc:Forum",),
    "account": ("sioc:UserAccount",),
}
"""Kinds of objects; `document` is a page of a wiki or of a site made by hand."""

PROPERTIES: Final[dict[str, str]] = {
    "id": "sioc:id",
    "title": "dcterms:title",
    "author": "sioc:has_creator",
    "author-link": "",
    "date": "dcterms:created",
    "modified": "dcterms:modified",
    "text": "sioc:content",
    "quote": "schema:citation",
    "signature": "",
    "summary": "dcterms:abstract",
    "number": "schema:position",
    "link": "sioc:link",
    "reply-to": "sioc:reply_of",
    "tag": "sioc:topic",
    "section": "schema:articleSection",
    "image": "schema:image",
    "reference": "sioc:links_to",
    "media": "schema:associatedMedia",
    "replies": "sioc:num_replies",
    "views": "sioc:num_views",
    "likes": "schema:upvoteCount",
}
"""Names of properties. What has no term of its own is said of another object: the account's page, its signature."""

WHOLES: Final[dict[str, tuple[str, ...]]] = {
    "thread": ("sioc:has_parent",),
    "forum": ("sioc:has_parent",),
    "post": ("sioc:has_container",),
    "article": ("sioc:has_container",),
    "question": ("sioc:has_container",),
    "status": ("sioc:has_container",),
    "comment": ("schema:about", "sioc:reply_of"),
    "answer": ("schema:about", "sioc:reply_of"),
    "document": ("dcterms:isPartOf",),
    "account": ("dcterms:isPartOf",),
}
"""How an object is related to what it is part of; `sioc:reply_of` gives way to the one that a page names."""

DATES: Final[dict[str, str]] = {"date": "schema:dateCreated", "modified": "schema:dateModified"}
"""Properties that are dates, and the terms under which their wording on the page is kept."""

NUMBERS: Final = frozenset(("number", "replies", "views", "likes"))
"""Properties that count."""

STATED: Final[dict[str, str]] = {
    "post": "sioc:num_items",
    "thread": "sioc:num_threads",
    "comment": "schema:commentCount",
    "answer": "schema:answerCount",
    "article": "schema:numberOfItems",
    "document": "schema:numberOfItems",
    "question": "schema:numberOfItems",
    "status": "schema:numberOfItems",
    "page": "schema:numberOfPages",
}
"""Kinds that sites state numbers of, and the terms of such numbers, said of what holds them."""

ACCOUNT: Final[dict[str, str]] = {
    "title": "foaf:accountName",
    "author": "foaf:accountName",
    "text": "schema:description",
    "signature": "schema:description",
}
"""Properties that mean something else where the object is an account."""

KEYWORD: Final = "schema:keywords"
"""A tag that leads nowhere: `sioc:topic` needs an address."""

CAPTURE: Final[dict[str, str]] = {
    "page": "prov:wasDerivedFrom",
    "type": "schema:applicationCategory",
    "level": "dcterms:type",
    "agent": "prov:wasAttributedTo",
    "read": "schema:sdDatePublished",
    "date": "prov:generatedAtTime",
}
"""What is said of a capture, whose identifier is that of its WARC record and of its named graph."""


STATUS: Final = "schema:creativeWorkStatus"
INCOMPLETE: Final = "Incomplete"
"""What is said of an object that lacks something without which no such object is; schema.org's own word."""


def term(name: str) -> str:
    """Write a prefixed name in full."""
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local
