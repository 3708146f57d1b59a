"""A page's objects → statements."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from anansi import __version__
from anansi.archive.quads import END, LONGEST, Capture, nquads
from anansi.knowledge.vocabulary import OBJECTS, PREFIXES, PROPERTIES, term
from anansi.model import Recognition, Value, WebObject
from tests.archive.boards import BOARD, PHPBB, date, link, number, page, post, text, thread, thread_at

CAPTURE = Capture(thread_at(7), "2024-01-02T03:04:05.678Z", "<urn:uuid:01234567-89ab-4def-8123-456789abcdef>", PHPBB)
GRAPH = "urn:uuid:01234567-89ab-4def-8123-456789abcdef"

Said = set[tuple[str, str, str]]


def quads(*objects: WebObject, capture: Capture = CAPTURE) -> list[Quad]:
    return list(parse(nquads(capture, objects), RdfFormat.N_QUADS))


def short(value: str) -> str:
    for prefix, namespace in PREFIXES.items():
        if value.startswith(namespace):
            return f"{prefix}:{value.removeprefix(namespace)}"
    return value


def word(each: object) -> str:
    """Write a term as Turtle would."""
    if isinstance(each, Literal):
        datatype = short(each.datatype.value)
        return f'"{each.value}"' + ("" if datatype == "xsd:string" else f"^^{datatype}")
    assert isinstance(each, NamedNode)
    return short(each.value)


def said(*objects: WebObject) -> Said:
    return {(word(each.subject), word(each.predicate), word(each.object)) for each in quads(*objects)}


def about(subject: str, statements: Said) -> set[tuple[str, str]]:
    return {(predicate, value) for who, predicate, value in statements if who == subject}


# ── the capture ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_capture_is_a_graph_that_says_where_it_comes_from() -> None:
    statements = quads(thread(7))
    assert {each.graph_name for each in statements} == {NamedNode(GRAPH)}
    capture = about(GRAPH, said(thread(7)))
    (agent,) = (value for predicate, value in capture if predicate == "prov:wasAttributedTo")
    assert capture == {
        ("prov:wasDerivedFrom", thread_at(7)),
        ("prov:generatedAtTime", '"2024-01-02T03:04:05.678Z"^^xsd:dateTime'),
        ("schema:applicationCategory", '"forum/phpbb"'),
        ("dcterms:type", '"thread"'),
        ("prov:wasAttributedTo", agent),
    }
    assert about(agent, said(thread(7))) == {
        ("rdf:type", "prov:SoftwareAgent"),
        ("foaf:name", '"Anansi"'),
        ("schema:softwareVersion", f'"{__version__}"'),
    }


@pytest.mark.parametrize("identity", [f"<{GRAPH}>", GRAPH, GRAPH.removeprefix("urn:uuid:")])
def test_the_identifier_of_the_record_names_the_graph(identity: str) -> None:
    capture = Capture(thread_at(7), "2024-01-02T03:04:05Z", identity)
    assert {each.graph_name for each in quads(thread(7), capture=capture)} == {NamedNode(GRAPH)}


def test_the_time_of_the_capture_is_the_last_word() -> None:
    lines = nquads(CAPTURE, page(7)).splitlines(keepends=True)
    assert [END in line for line in lines] == [False] * (len(lines) - 1) + [True]


def test_every_term_is_of_a_vocabulary_that_others_know() -> None:
    everything = [
        WebObject(kind, f"{BOARD}/{kind}", tuple((name, text("x")) for name in PROPERTIES), BOARD) for kind in OBJECTS
    ]
    statements = quads(*everything)
    terms = {each.predicate.value for each in statements}
    terms |= {word(each.object) for each in statements if each.predicate.value == term("rdf:type")}
    assert all(short(each) != each or ":" in each for each in terms)
    assert {short(each).partition(":")[0] for each in terms} == {
        "sioc", "schema", "dcterms", "foaf", "prov", "rdf",
    }  # fmt: skip


# ── relations ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_posts_stand_in_a_thread_and_the_thread_in_a_forum() -> None:
    statements = said(thread(7), post(7, 1, "Hello"))
    assert ("rdf:type", "sioc:Post") in about(f"{thread_at(7)}#p1", statements)
    assert ("sioc:has_container", thread_at(7)) in about(f"{thread_at(7)}#p1", statements)
    assert ("sioc:has_parent", f"{BOARD}#forum-Insects") in about(thread_at(7), statements)
    assert about(f"{BOARD}#forum-Insects", statements) == {
        ("rdf:type", "sioc:Forum"),
        ("dcterms:title", '"Insects"'),
    }


def test_a_path_of_sections_is_a_chain_of_forums() -> None:
    sections = [("section", text("Home")), ("section", text("Bees")), ("section", link(f"{BOARD}/index"))]
    statements = said(WebObject("thread", thread_at(7), (*sections, ("section", link(f"{BOARD}/f2")))))
    assert ("sioc:has_parent", f"{BOARD}/f2") in about(thread_at(7), statements)
    assert ("sioc:has_parent", f"{BOARD}/index") in about(f"{BOARD}/f2", statements)
    assert ("dcterms:title", '"Home"') in about(f"{BOARD}/index", statements)


def test_a_comment_is_about_its_article_and_answers_what_the_page_says() -> None:
    article = WebObject("article", f"{BOARD}/story", (("title", text("A story")), ("section", text("News"))))
    first = WebObject("comment", f"{BOARD}/story#c1", (("text", text("Good")),), article.uri)
    second = WebObject("comment", f"{BOARD}/story#c2", (("reply-to", text("#c1")),), article.uri)
    statements = said(article, first, second)
    assert {("schema:about", article.uri), ("sioc:reply_of", article.uri)} <= about(first.uri, statements)
    assert about(second.uri, statements) == {
        ("rdf:type", "schema:Comment"),
        ("rdf:type", "sioc:Post"),
        ("schema:about", article.uri),
        ("sioc:reply_of", first.uri),
    }
    assert ("schema:articleSection", '"News"') in about(article.uri, statements)


# ── accounts ─────────────────────────────────────────────────────────────────────────────────────────────────────


def by(name: str, address: str = "", signature: str = "") -> WebObject:
    properties = [("author", text(name))]
    properties += [("author-link", link(address))] if address else []
    properties += [("signature", text(signature))] if signature else []
    return WebObject("post", f"{thread_at(7)}#{name}{address}{signature}", tuple(properties), thread_at(7))


def creators(statements: Said) -> set[str]:
    return {value for _, predicate, value in statements if predicate == "sioc:has_creator"}


def test_an_author_is_an_account_under_the_address_of_its_page() -> None:
    statements = said(by("Ann Ö", f"{BOARD}/u1", "Bees!"))
    assert about(f"{BOARD}/u1", statements) == {
        ("rdf:type", "sioc:UserAccount"),
        ("sioc:name", '"Ann Ö"'),
        ("foaf:accountName", '"Ann Ö"'),
        ("foaf:accountServiceHomepage", f"{BOARD}/"),
        ("schema:description", '"Bees!"'),
    }
    assert creators(statements) == {f"{BOARD}/u1"}


def test_a_name_without_a_page_is_one_account_of_the_site() -> None:
    assert creators(said(by("Ann Ö"), by("Ann Ö", signature="x"))) == {f"{BOARD}#account-Ann%20%C3%96"}


def test_a_name_means_the_account_that_the_page_links_it_to() -> None:
    assert creators(said(by("ann"), by("ann", f"{BOARD}/u1"))) == {f"{BOARD}/u1"}


def test_namesakes_stay_apart() -> None:
    found = creators(said(by("ann", f"{BOARD}/u1"), by("ann", f"{BOARD}/u2"), by("ann")))
    assert found == {f"{BOARD}/u1", f"{BOARD}/u2", f"{BOARD}#account-ann"}


def test_a_page_of_another_site_is_no_account_of_this_one() -> None:
    statements = said(by("ann", "https://ann.example/"), by("ben", "https://ann.example/"), by("ann"))
    assert creators(statements) == {f"{BOARD}#account-ann", f"{BOARD}#account-ben"}
    assert ("foaf:page", "https://ann.example/") in about(f"{BOARD}#account-ann", statements)


def test_several_authors_have_an_account_each() -> None:
    properties = (("author", text("ann")), ("author", text("ben")), ("author-link", link(f"{BOARD}/u1")))
    found = creators(said(WebObject("article", f"{BOARD}/story", properties)))
    assert found == {f"{BOARD}/u1", f"{BOARD}#account-ben"}


def test_a_signature_that_nobody_signed_stays_with_the_post() -> None:
    statements = said(WebObject("post", f"{BOARD}/p", (("signature", text("Bees!")),)))
    assert ("sioc:note", '"Bees!"') in about(f"{BOARD}/p", statements)


def test_a_page_about_an_account_names_it() -> None:
    statements = said(WebObject("account", f"{BOARD}/u1", (("title", text("ann")), ("date", date("2001-02-03")))))
    assert about(f"{BOARD}/u1", statements) == {
        ("rdf:type", "sioc:UserAccount"),
        ("foaf:accountName", '"ann"'),
        ("foaf:accountServiceHomepage", f"{BOARD}/"),
        ("dcterms:created", '"2001-02-03"^^xsd:date'),
    }


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def values(name: str, *each: Value) -> set[tuple[str, str]]:
    thing = WebObject("post", f"{BOARD}/p", tuple((name, value) for value in each))
    return about(f"{BOARD}/p", said(thing)) - {("rdf:type", "sioc:Post")}


@pytest.mark.parametrize(
    ("iso", "expected"),
    [
        ("2019-03-04T10:11:12", '"2019-03-04T10:11:12"^^xsd:dateTime'),
        ("2019-03-04T10:11:12.5+05:30", '"2019-03-04T10:11:12.5+05:30"^^xsd:dateTime'),
        ("2019-03-04T10:11Z", '"2019-03-04T10:11:00Z"^^xsd:dateTime'),
        ("2019-03-04", '"2019-03-04"^^xsd:date'),
        ("2019-03", '"2019-03"^^xsd:gYearMonth'),
        ("2019", '"2019"^^xsd:gYear'),
        ("2019-13-04", '"2019-13-04"'),
        ("2019-03-04T10:11:12+01:23:45", '"2019-03-04T10:11:12+01:23:45"'),
        ("long ago", '"long ago"'),
    ],
)
def test_dates_have_the_type_that_fits_them(iso: str, expected: str) -> None:
    assert values("date", date(iso)) == {("dcterms:created", expected)}


def test_the_wording_of_a_date_is_kept_beside_it() -> None:
    assert values("modified", date("2019-03-04", "last Monday")) == {
        ("dcterms:modified", '"2019-03-04"^^xsd:date'),
        ("schema:dateModified", '"last Monday"'),
    }


def test_numbers_are_numbers_where_they_are() -> None:
    assert values("likes", number("12")) == {("schema:upvoteCount", '"12"^^xsd:integer')}
    assert values("number", text("³")) == {("schema:position", '"³"')}
    assert values("number", text("about 5")) == {("schema:position", '"about 5"')}


def test_a_tag_is_a_topic_with_an_address_or_a_word() -> None:
    assert values("tag", link(f"{BOARD}/tag/bees")) == {("sioc:topic", f"{BOARD}/tag/bees")}
    assert values("tag", text("bees")) == {("schema:keywords", '"bees"')}


def test_quotes_stand_apart_from_the_text() -> None:
    assert values("quote", text("you said"), text("and he said")) == {
        ("schema:citation", '"you said"'),
        ("schema:citation", '"and he said"'),
    }


def test_an_image_needs_an_address_that_can_be_followed() -> None:
    assert values("image", text("/bee.png"), text("javascript:x")) == {("schema:image", f"{BOARD}/bee.png")}


def test_huge_texts_are_cut() -> None:
    (literal,) = (value for _, value in values("text", text("é" * (LONGEST + 5))))
    assert literal == '"' + "é" * LONGEST + '"'


ANYTHING = st.text(st.characters(exclude_categories=()))


@given(ANYTHING)
def test_any_text_comes_back_as_it_was(words: str) -> None:
    (quad,) = (
        each
        for each in quads(WebObject("post", f"{BOARD}/p", (("text", text(words)),)))
        if each.predicate.value == term("sioc:content")
    )
    assert isinstance(quad.object, Literal)
    assert quad.object.value == re.sub("[\ud800-\udfff]", "\ufffd", words)


@given(
    st.lists(
        st.builds(
            WebObject,
            st.sampled_from((*OBJECTS, "unknown")),
            ANYTHING,
            st.lists(
                st.tuples(
                    st.sampled_from((*PROPERTIES, "unknown")),
                    st.builds(Value, ANYTHING, st.sampled_from(("text", "link", "date", "number", "body")), ANYTHING),
                ),
                max_size=6,
            ).map(tuple),
            ANYTHING,
        ),
        max_size=3,
    ),
    st.tuples(ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING),
)
def test_whatever_stands_on_a_page_every_line_is_valid(objects: list[WebObject], words: tuple[str, ...]) -> None:
    url, when, identity, kind, level = words
    data = nquads(Capture(url, when, identity, Recognition(kind, level)), objects)
    assert len(list(parse(data, RdfFormat.N_QUADS))) == data.count(b"\n") == len(data.splitlines())
    assert END in data.splitlines()[-1]


def test_a_page_is_described_in_a_fraction_of_a_millisecond() -> None:
    pages = [page(topic, 15) for topic in range(40)]
    assert nquads(CAPTURE, pages[0]).count(b"\n") >= 125
    best = 1.0
    for _ in range(5):
        began = time.process_time()
        for each in pages:
            nquads(CAPTURE, each)
        best = min(best, (time.process_time() - began) / len(pages))
    assert best < 0.001  # a busy machine takes several times what an idle one does
