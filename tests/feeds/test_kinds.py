"""What kind of feed a document is."""

from __future__ import annotations

import pytest
from lxml import etree

from anansi.feeds.decoding import opened
from anansi.feeds.kinds import kind_of

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


@pytest.mark.parametrize(
    ("text", "kind", "version"),
    [
        ('<rss version="2.0"><channel/></rss>', "rss", "2.0"),
        ("<rss><channel/></rss>", "rss", ""),
        ('<feed xmlns="http://www.w3.org/2005/Atom"/>', "atom", "1.0"),
        ('<feed xmlns="http://purl.org/atom/ns#"/>', "atom", "0.3"),
        ('<feed version="0.3" xmlns="http://purl.org/atom/ns#"/>', "atom", "0.3"),
        (f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="http://purl.org/rss/1.0/"><channel/></rdf:RDF>', "rdf", "1.0"),
        (f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="http://my.netscape.com/rdf/simple/0.9/"/>', "rdf", "0.9"),
        (f'<rdf:RDF xmlns:rdf="{RDF}"><x:Person xmlns:x="http://xmlns.com/foaf/0.1/"/></rdf:RDF>', "", ""),
        ('<channel href="http://a/"><item/></channel>', "cdf", ""),
        ("<html><body/></html>", "", ""),
    ],
)
def test_a_document_says_what_it_is(text: str, kind: str, version: str) -> None:
    assert kind_of(etree.fromstring(text), opened(text))[:2] == (kind, version)


def test_a_doctype_of_netscape_tells_the_version_that_the_element_does_not() -> None:
    text = '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "x"><rss><channel/></rss>'
    source = opened(text)
    assert kind_of(etree.fromstring(source.text), source)[:2] == ("rss", "0.91")
