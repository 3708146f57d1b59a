"""The posts that a page shows, found without the knowledge base, the parser or the reader of dates.

Every software prints, once a post, an anchor or an id with the post's number. `WAYS` says which, as a regular
expression over the page's source; what follows, up to the next one, is that post's source. In it the author and the
date are looked for, again by regular expressions: the author where the software always prints one, the date as the
first thing that looks like a year with a time behind it, or as a machine's time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

ARTICLE = "postid"
"""What stands for the number of the article that a blog's page shows."""

_TAG = re.compile(r"<[^>]*>")
_SCRIPT = re.compile(r"(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->")
_MACHINE = re.compile(r"""(?:datetime|data-time)=["']((?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d|\d{9,10}["'])""")
_YEAR_TIME = re.compile(r"((?:19|20)\d\d)\b[^\d<>]{1,12}?(\d{1,2}):(\d\d)(?::\d\d)?(?:\s*([AaPp])\.?[Mm]\b)?")


@dataclass(frozen=True, slots=True)
class Way:
    """How the posts of one software are counted."""

    name: str
    sign: re.Pattern[str]
    """What the source of every page of that software holds."""
    address: re.Pattern[str]
    """The addresses of its terminal pages; searches and members' pages also repeat posts."""
    post: re.Pattern[str]
    """What stands there once a post; its first group that is found is the number."""
    author: re.Pattern[str]
    """Where the author's name begins and ends, in the source of a post."""


@dataclass(frozen=True, slots=True)
class Visible:
    """A post as it was counted."""

    number: str
    """Its number, or `ARTICLE`."""
    source: str
    author: str
    """Nothing where the way found none."""
    moment: str
    """`2009-01 15:32`-like parts of the date that can be told apart without knowing its form, or nothing."""


def _way(name: str, sign: str, address: str, post: str, author: str) -> Way:
    return Way(name, re.compile(sign), re.compile(address), re.compile(post), re.compile(author, re.DOTALL))


WAYS = (
    _way(
        "vBulletin",
        r"vBulletin|vb_login_username|clientscript/vbulletin",
        r"/showthread\.php|/threads/\d|\d-[^/]+\.html",
        r"""<(?:table|li)[^>]*\bid=["']post_?(\d+)["']""",
        r"""(?:class="bigusername[^>]*>|<(?:a|span)[^>]*class="username[^>]*>|id="postmenu_\d+"[^>]*>)(.*?)</(?:a|span|div)>""",
    ),
    _way(
        "phpBB 3",
        r"phpBB",
        r"/viewtopic\.php|-t\d+",
        r"""<div[^>]*\bid="p(\d+)\"""",
        r"""class="[^"]*username(?:-coloured)?"[^>]*>(.*?)</""",
    ),
    _way("phpBB 2", r"phpBB", r"/viewtopic\.php|-t\d+", r"""<a name="(\d+)"></a>""", r"""<b>(.*?)</b>"""),
    _way(
        "SMF",
        r"Simple Machines|SMF",
        r"topic[=,]\d",
        r"""<a (?:id|name)="msg(\d+)"></a>""",
        r"""(?:class="poster">.*?<h4[^>]*>|<b>)(.*?)</(?:h4|b)>""",
    ),
    _way(
        "XenForo",
        r"XenForo|XF\.",
        r"/threads/",
        r"""data-content="post-(\d+)"|<li id="post-(\d+)" class="[^"]*message""",
        r"""class="message-name">(.*?)</h4>|class="username[^>]*>(.*?)</a>""",
    ),
    _way(
        "Discourse",
        r"[Dd]iscourse",
        r"/t/",
        r"""(?s)<div[^>]*\bcrawler-post['"].{0,6000}?['"]position['"][^>]*?(?:>#?|content=['"])(\d+)""",
        r"""itemprop=['"]name['"]>(.*?)</""",
    ),
    _way(
        "MyBB",
        r"MyBB|my_post_key",
        r"/showthread\.php|/thread-\d|/Thread-",
        r"""<(?:div|table)[^>]*\bid="post_(\d+)\"""",
        r"""class="largetext">(.*?)</span>\s*</strong>""",
    ),
    _way(
        "Invision",
        r"[Ii]nvision|ipsApp|ipboard",
        r"[/?]topic/\d|showtopic=",
        r"""<article[^>]*\bid=['"]elComment_(\d+)|\bid=['"]post_id_(\d+)|<a name=['"]entry(\d+)['"]""",
        r"""(?:class=['"][^'"]*(?:cAuthorPane_author|normalname|\bauthor vcard)[^>]*>)(.*?)</(?:h3|span)>""",
    ),
    _way(
        "FluxBB",
        r"FluxBB|PunBB",
        r"/viewtopic\.php|/topic",
        r"""<div id="p(\d+)" class="blockpost""",
        r"""<dt><strong>(.*?)</strong></dt>""",
    ),
    _way(
        "WordPress",
        r"wp-content|wp-includes|WordPress",
        r"",
        r"""<\w[^>]*\bid=["'](?:li-)?comment-(\d+)["']|<body[^>]*\b(postid)-\d""",
        r"""(?:class="[^"]*\bfn\b[^"]*"|rel="author")[^>]*>(.*?)</(?:cite|b|h\d|span|strong|a)>""",
    ),
)


def way_of(url: str, source: str) -> Way | None:
    """Return the way in which the posts of a page are counted; None when it is no terminal page, or shows none."""
    ways = (way for way in WAYS if way.address.search(url) and way.sign.search(source) and way.post.search(source))
    return next(ways, None)


def posts(source: str, way: Way) -> Iterator[Visible]:
    """Find the posts of a page."""
    found = list(way.post.finditer(source))
    ends = [*(each.start() for each in found[1:]), len(source)]
    seen = set()
    for each, end in zip(found, ends, strict=True):
        number = next(group for group in each.groups() if group)
        if number not in seen:
            seen.add(number)
            yield _visible(number, source[each.start() : end], way)


def _visible(number: str, source: str, way: Way) -> Visible:
    plain = _SCRIPT.sub(" ", source)
    author = way.author.search(plain)
    name = shown(next(group for group in author.groups() if group is not None)) if author else ""
    return Visible(number, source, name, _moment(plain))


def shown(source: str) -> str:
    """Return the text of a piece of source in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", _SCRIPT.sub(" ", source))).split())


def _moment(source: str) -> str:
    """Return the year and the time of the first date."""
    machine = _MACHINE.search(source)
    if machine is not None:
        return machine[1].strip("\"'").replace("T", " ")
    told = _YEAR_TIME.search(html.unescape(_TAG.sub("", source)))
    if told is None:
        return ""
    hour = int(told[2]) if told[4] is None else int(told[2]) % 12 + 12 * (told[4] in "Pp")
    return f"{told[1]} {hour:02}:{told[3]}"
