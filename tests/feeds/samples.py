"""Feeds written for the tests: good ones of every kind, and what the Web makes of them."""

from __future__ import annotations

import random
import re
from typing import Final

DATE = "Tue, 14 Nov 2023 08:30:00 GMT"

RSS2: Final = f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
 xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
 xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
<channel><title>Spiders &amp; webs</title><link>https://spider.example/</link>
<description>All about webs</description><language>en-gb</language><lastBuildDate>{DATE}</lastBuildDate><ttl>90</ttl>
<skipHours><hour>1</hour><hour>24</hour><hour>x</hour></skipHours>
<skipDays><day>Sunday</day><day>Monday</day></skipDays>
<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
<sy:updateBase>2000-01-01T12:00+00:00</sy:updateBase>
<atom:link rel="self" href="https://spider.example/feed"/><atom:link rel="hub" href="https://hub.example/"/>
<atom:link rel="next" href="/feed?page=2"/>
<cloud domain="rpc.example" port="80" path="/RPC2" registerProcedure="notify" protocol="xml-rpc"/>
<image><title>Logo</title><link>https://logo.example/</link><url>https://spider.example/logo.png</url></image>
<item><title>The first thread</title><link>https://spider.example/1</link><guid isPermaLink="false">s-1</guid>
<pubDate>{DATE}</pubDate><dc:creator>Kwaku</dc:creator><category>webs</category><category>silk</category>
<description>It begins.</description>
<content:encoded><![CDATA[<p>It begins with <b>one</b> thread.</p>]]></content:encoded>
<enclosure url="/1.mp3" length="1234" type="audio/mpeg"/><comments>https://spider.example/1#comments</comments>
<wfw:commentRss>https://spider.example/1/feed</wfw:commentRss><slash:comments>7</slash:comments></item>
<item><title>The second</title><guid>https://spider.example/2</guid><pubDate>Mon, 13 Nov 2023 08:30:00 GMT</pubDate>
<description>It goes on.</description></item>
</channel></rss>"""

RSS091: Final = """<?xml version="1.0"?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"
 "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>Old</title><link>http://old.example/</link><description>d</description>
<item><title>one</title><link>http://old.example/1</link></item></channel></rss>"""

RDF: Final = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://rdf.example/"><title>RDF</title><link>http://rdf.example/</link>
<description>d</description><dc:date>2023-11-14T08:30:00Z</dc:date><items><rdf:Seq>
<rdf:li resource="http://rdf.example/1"/></rdf:Seq></items>
</channel>
<item rdf:about="http://rdf.example/1"><title>one</title><link>http://rdf.example/1</link>
<dc:date>2023-11-14</dc:date></item>
<item rdf:about="http://rdf.example/2"><title>two</title><dc:subject>silk</dc:subject></item></rdf:RDF>"""

RDF09: Final = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">
<channel><title>Older</title><link>http://older.example/</link></channel>
<item><title>one</title><link>http://older.example/1</link></item></rdf:RDF>"""

ATOM: Final = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0" xml:lang="ak"
 xml:base="https://atom.example/blog/"><title type="html">Atom &amp;amp; all</title><id>tag:atom.example</id>
<link href="./"/><link rel="self" href="feed.atom"/><updated>2023-11-14T08:30:00+01:00</updated>
<entry xml:base="2023/"><title>One</title>
<link href="one.html"/><link rel="enclosure" href="one.ogg" type="audio/ogg"/>
<link rel="replies" type="application/atom+xml" href="one.atom" thr:count="3"/>
<link rel="replies" type="text/html" href="one.html#comments"/><id>tag:atom.example,1</id>
<published>2023-11-13T08:30:00Z</published><updated>2023-11-14T08:30:00Z</updated>
<author><name>Ntikuma</name></author>
<category term="silk" label="Silk"/><summary>short</summary>
<content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml">Long <em>text</em><br/>&lt;here&gt;</div></content></entry>
<entry><title>Re: One</title><id>tag:atom.example,2</id><thr:in-reply-to ref="tag:atom.example,1"/>
<updated>2023-11-14T09:00:00Z</updated><source><title>Elsewhere</title><id>x</id></source></entry></feed>"""

ATOM03: Final = """<?xml version="1.0"?><feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old atom</title>
<link rel="alternate" type="text/html" href="http://a03.example/"/><modified>2003-12-13T18:30:02Z</modified>
<entry><title>e</title><link rel="alternate" type="text/html" href="http://a03.example/e"/><id>i</id>
<issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-13T18:30:02Z</modified></entry></feed>"""

JSON: Final = """{"version": "https://jsonfeed.org/version/1.1", "title": "J",
"home_page_url": "https://json.example/",
"feed_url": "https://json.example/feed.json", "next_url": "feed2.json",
"hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
"items": [{"id": 1, "url": "/1", "title": "One", "content_html": "<p>x</p>", "summary": "s", "date_published":
"2023-11-14T08:30:00+01:00", "authors": [{"name": "A"}, {"name": "B"}], "tags": ["silk", 3],
"attachments": [{"url": "1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9}]},
{"id": "2", "content_text": "bare"}, 7]}"""

GOOD: Final = {
    "rss2": (RSS2, 2), "rss091": (RSS091, 1), "rdf": (RDF, 2), "rdf09": (RDF09, 1), "atom": (ATOM, 2),
    "atom03": (ATOM03, 1), "json": (JSON, 2),
}  # fmt: skip
"""Name → a feed, and how many items it has."""

_BOMB = "".join(f'<!ENTITY b{level} "{f"&b{level - 1};" * 10}">\n' for level in range(1, 12))
_NEST = "<div>" * 5000
_ITEM = "<item><title>x</title><link>http://e.example/1</link></item>"


def _declaring(entities: str, title: str) -> bytes:
    """Write a feed with entities of its own."""
    return f"<!DOCTYPE rss [{entities}]><rss><channel><title>{title}</title>{_ITEM}</channel></rss>".encode()


HOSTILE: Final[dict[str, tuple[bytes, int]]] = {
    "declared as UTF-16, is UTF-8": (RSS2.replace('"utf-8"', '"utf-16"').encode(), 2),
    "declared as UTF-8, is Latin-1": (RSS2.replace("begins", "bégins").encode("latin-1"), 2),
    "an encoding that does not exist": (RSS2.replace('"utf-8"', '"x-nobody"').encode(), 2),
    "an encoding that is none": (RSS2.replace('"utf-8"', '"rot13"').encode(), 2),
    "UTF-16 with a mark": (RSS2.replace('"utf-8"', '"utf-16"').encode("utf-16"), 2),
    "UTF-16 without a mark": (RSS2.replace('"utf-8"', '"utf-16"').encode("utf-16-be"), 2),
    "UTF-32": (RSS2.encode("utf-32"), 2),
    "a mark of UTF-8": (b"\xef\xbb\xbf" + RSS2.encode(), 2),
    "EBCDIC": (RSS2.replace('"utf-8"', '"cp037"').encode("cp037"), 2),
    "control characters": (RSS2.replace("It goes", "It\x00\x08\x1f goes").encode(), 2),
    "bytes of two encodings": (RSS2.replace("begins", "bégins").encode("latin-1") + "é".encode(), 2),
    "entities of HTML": (RSS2.replace("It goes", "It&nbsp;goes &eacute; &hellip;").encode(), 2),
    "entities of nobody": (RSS2.replace("It goes", "It &nobody; goes & on &").encode(), 2),
    "tags not closed": (re.sub("</(title|link|guid|pubDate|category|description)>", "", RSS2).encode(), 2),
    "items not closed": (RSS2.replace("</item>", "").encode(), 2),
    "nothing closed": (re.sub("</[^>]*>", "", RSS2).encode(), 2),
    "tags closed twice": (RSS2.replace("</title>", "</title></title></b></channel>").encode(), 2),
    "HTML within": (RSS2.replace("It goes on.", "<p>It <b>goes<br>on <img src=a.png><i>").encode(), 2),
    "namespaces not declared": (re.sub(r'\sxmlns:\w+="[^"]*"', "", RSS2).encode(), 2),
    "another prefix": (RSS2.replace("dc:", "x:").replace(":dc", ":x").encode(), 2),
    "capital letters": (re.sub("<(/?)(item|title|link)", lambda m: f"<{m[1]}{m[2].upper()}", RSS2).encode(), 2),
    "attributes without quotes": (RSS2.replace('version="2.0"', "version=2.0").encode(), 2),
    "brackets in attributes": (RSS2.replace("It goes", '&<img alt="a > b">').encode(), 2),
    "text before the declaration": (b"Warning: foo() in bar.php\n\n" + RSS2.encode(), 2),
    "text behind the end": (RSS2.encode() + b"<!-- served by 7 --><script>track()</script>", 2),
    "cut in the middle of an item": (RSS2[: RSS2.index("It goes")].encode(), 2),
    "cut in CDATA": (RSS2[: RSS2.index("begins with")].encode(), 1),
    "an entity bomb": (_declaring(f"<!ENTITY b0 'lol'>\n{_BOMB}", "&b11;"), 1),
    "an entity bomb in one step": (_declaring(f'<!ENTITY a "{"a" * 50_000}">', "&a;" * 50_000), 1),
    "many references": (_declaring(f'<!ENTITY a "{"a" * 150}">', "&a;" * 50_000), 1),
    "an external entity": (_declaring('<!ENTITY x SYSTEM "file:///etc/hostname">', "[&x;]"), 1),
    "an external DTD": (b'<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/x.dtd">' + _declaring("", "x"), 1),
    "nested too deep": (f"<rss><channel>{_ITEM.replace('x', _NEST)}</channel></rss>".encode(), 1),
    "malformed dates": (RSS2.replace(DATE, "Yesterday, 32 Foo 20023 99:99").encode(), 2),
    "items without links": (re.sub("<(link|guid)[^<]*</[^>]*>", "", RSS2).encode(), 2),
    "items beside the channel": (f"<rss><channel><title>c</title></channel>{_ITEM}{_ITEM}</rss>".encode(), 2),
    "items and nothing else": ((_ITEM * 3).encode(), 3),
    "a feed within HTML": (f"<html><body><pre>{RSS2.partition('?>')[2]}</pre></body></html>".encode(), 2),
    "a comment that holds a feed": (f"<!-- <rss><item> -->{RSS2.partition('?>')[2]}".encode(), 2),
    "no items": (b"<rss version='2.0'><channel><title>empty</title></channel></rss>", 0),
}  # fmt: skip
"""What is wrong → a feed, and how many items are there all the same."""

NO_FEEDS: Final[dict[str, bytes]] = {
    "nothing": b"",
    "blank": b" \n ",
    "text": b"Not found",
    "HTML": b"<!DOCTYPE html><html><head><title>x</title><link rel=alternate href=/feed></head><body><p>y</html>",
    "a sitemap": b"<urlset><url><loc>http://e.example/</loc></url></urlset>",
    "RDF about a person": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Person/></rdf:RDF>',
    "JSON": b'{"items": [1, 2]}',
    "broken JSON": b'{"version": "https://jsonfeed.org/version/1", "items": [',
    "deep JSON": b'{"items":' + b"[" * 100_000,
    "bytes": bytes(range(256)) * 20,
}


_ODD = (b"<b>", b"</p>", b"&", b"<", b">", b'"', b"\x00", b"\xe9", b"]]>", b"&x;")


def spoiled(text: str, rng: random.Random) -> bytes:
    """Do to a feed what servers, editors and networks do."""
    data = text.encode()
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data)), rng.randint(1, 12)
        change = rng.randrange(5)
        if change == 0:  # something is lost
            data = data[:at] + data[at + size :]
        elif change == 1:  # something is there twice
            data = data[: at + size] + data[at:]
        elif change == 2:  # something got between
            data = (
                data[:at]
                + rng.choice([b"<b>", b"</p>", b"&", b"<", b">", b'"', b"\x00", b"\xe9", b"]]>", b"&x;"])
                + data[at:]
            )
        elif change == 3:  # the end is missing
            data = data[: max(at, len(data) // 2)]
        else:  # a tag is missing
            tags = list(re.finditer(rb"<[^<>]*>", data))
            if tags:
                tag = rng.choice(tags)
                data = data[: tag.start()] + data[tag.end() :]
    return data
