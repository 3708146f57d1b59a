"""Pages that were made to keep their reader busy: one shape each, of any size."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

Shape = Callable[[int], bytes]

FORUM = b'<head><meta name="copyright" content="phpBB"></head><body id="phpbb" class="section-viewtopic">'
BLOG = b'<meta name="generator" content="WordPress 6.4"><link href="/wp-content/x.css"></head><body class="single">'
BOARD = b'<html><head><meta name="generator" content="vBulletin 4.2.2"></head><body>'


def _filled(before: bytes, piece: bytes, after: bytes = b"") -> Shape:
    return lambda size: before + piece * (size // len(piece) + 1) + after


def _counted(before: bytes, piece: Callable[[int], str], after: bytes = b"") -> Shape:
    """Repeat a piece that tells its number."""

    def made(size: int) -> bytes:
        return before + "".join(_upto(size, map(piece, range(size)))).encode() + after

    return made


def _upto(size: int, pieces: Iterable[str]) -> Iterator[str]:
    for piece in pieces:
        yield piece
        size -= len(piece)
        if size < 0:
            return


_chance = random.Random(1)


def _word(letters: int = 8) -> str:
    return "".join(_chance.choices("abcdefghijklmnopqrstuvwxyz", k=letters))


def _post(number: int) -> str:
    return (
        f"<div class=post id=p{number}><a class=author href=u{number}>{_word()}</a>"
        f"<time>2020-01-0{number % 9 + 1} 10:00</time><div class=content>{_word()} {_word()}</div></div>"
    )


def _long(number: int) -> str:
    return f"<a href=/{'a/' * 900}{number}>x</a>"


SHAPES: dict[str, Shape] = {
    "attributes": _counted(b"<body><p ", lambda number: f"a{number}=1 ", b">x"),
    "attributes without values": _counted(b"<body><p ", lambda number: f"a{number} ", b">x"),
    "attributes with > in them": _counted(b"<body><p ", lambda number: f'a{number}="><b c=" ', b">x"),
    "attributes of many tags": _counted(b"<body>", lambda _: f"<p {' '.join(f'a{n}=1' for n in range(250))}>"),
    "attributes after a script": _counted(b"<script>x<a b='</script><p ", lambda number: f"a{number}=1 ", b">x"),
    "namespaces": _counted(b"<body><p ", lambda number: f"xmlns:a{number}=1 ", b">x"),
    "attributes of html": _counted(b"", lambda number: f"<html a{number}=1>"),
    "nested elements": _filled(b"", b"<div>"),
    "nested lists": _filled(b"", b"<ul><li>x"),
    "nested tables": _filled(b"", b"<table><tr><td>x"),
    "nested names": _counted(b"", lambda number: f"<x{number}>"),
    "stray end tags": _filled(b"<div>" * 2000, b"</p>"),
    "stray end tags of others": _filled(b"<b><i><u><em>" * 500, b"</span></q>"),
    "text 2000 deep": _filled(b"<div>" * 2000, b"x<br>"),
    "links 2000 deep": _counted(b"<div class=a>" * 2000, lambda number: f"<a href=/{number}>x</a>"),
    "deep branches": _counted(b"<body>", lambda number: "<div>" * 200 + f"<a href=/{number}>x</a>" + "</div>" * 200),
    "unclosed formatting": _filled(b"", b"<b><i><font><p>"),
    "paragraphs": _filled(b"", b"<p>x"),
    "breaks": _filled(b"", b"x<br>"),
    "drawings": _filled(b"", b"<svg><title>a</title></svg>"),
    "less than": _filled(b"", b"<"),
    "open comments": _filled(b"<p>", b"<!--"),
    "comments": _filled(b"", b"<!---->"),
    "document types": _filled(b"", b"<!DOCTYPE html>"),
    "entities": _filled(b"<p>", b"&amp;"),
    "entities unknown": _filled(b"<p>", b"&nosuchthing"),
    "one text": _filled(b"<p>", b"x"),
    "words": _counted(b"<p>", lambda _: _word() + " "),
    "one paragraph of words a line": _counted(b"", lambda _: f"<p>{_word()} {_word()}\n"),
    "spaces": _filled(b"<p>", b" "),
    "lines": _filled(b"<p>", b"\n"),
    "quotes": _filled(b"<p>", b"\"'"),
    "long class": _filled(b'<p class="', b"x ", b'">x'),
    "classes": _counted(b"", lambda _: f'<p class="{" ".join(_word(3) for _ in range(50))}">x'),
    "long address": _filled(b'<a href="', b"/a", b'">x'),
    "long name": _filled(b"<", b"x", b">"),
    "script": _filled(b"<script>", b"</scrip"),
    "scripts": _filled(b"", b"<script>x</script>"),
    "script in script": _filled(b"<script>", b"<!--<script>"),
    "styles": _filled(b"", b"<style>a{b:url(c)}</style>"),
    "bases": _filled(b"", b"<base href=a>"),
    "refreshes": _filled(b"", b"<meta http-equiv=refresh content='0;url=x'>"),
    "refresh": _filled(b"<meta http-equiv=refresh content='", b"url url=", b"'>"),
    "links": _counted(b"", lambda number: f"<a href=/{number}>"),
    "links of words": _counted(b"", lambda _: f"<p>{_word()} <a href=/{_word()}/{_word(5)}>{_word()}</a></p>"),
    "links with queries": _counted(b"", lambda number: f"<a href=?a={number}&b={_word(4)}>x</a>"),
    "long links": _counted(b"", _long),
    "links to hosts": _counted(b"", lambda _: f"<a href=//{_word()}.example/>x</a>"),
    "frames": _counted(b"", lambda number: f"<iframe src=/{number}></iframe>"),
    "candidates of a picture": _filled(b"<img srcset='", b"a 1x,", b"'>"),
    "linked data, nested": _filled(b"<script type='application/ld+json'>", b"["),
    "linked data": _filled(b"<script type='application/ld+json'>[", b'{"@type":"Article"},', b"{}]</script>"),
    "feeds": _counted(b"", lambda number: f"<link rel=alternate type=application/rss+xml href=/{number}>"),
    "numbers": _filled(b"<p>", b"1 2 3 4 5 6 7 8 9 "),
    "digits": _filled(b"<p>", b"1"),
    "dates": _filled(b"<p>", b"1 January 2020, "),
    "half dates": _filled(b"<p>", b"January January 1 1 "),
    "times": _counted(b"", lambda number: f"<time datetime=2020-01-01>{number}</time>"),
    "equal blocks": _filled(b"", b"<div class=post>x</div>"),
    "posts": _counted(b"", _post),
    "posts of a forum": _counted(FORUM, _post),
    "posts of a board": _counted(
        BOARD,
        lambda number: (
            f"<li class=postbitlegacy id=post_{number}><a class=username href=member.php?{number}>{_word()}</a>"
            f"<span class=date>01-0{number % 9 + 1}-2020</span>"
            f"<blockquote class=postcontent>{_word()}</blockquote></li>"
        ),
    ),
    "comments of a blog": _counted(
        BLOG,
        lambda number: (
            f"<li class=comment id=comment-{number}><cite class=fn>{_word()}</cite><time>2020-01-01</time>"
            f"<div class=comment-content><p>{_word()}</p></div>"
        ),
    ),
    "links of a forum": _counted(
        FORUM, lambda number: f"<a class=topictitle href=viewtopic.php?t={number}>{number}</a>"
    ),
    "links of a blog": _counted(
        BLOG, lambda number: f"<h2><a href=/2020/01/{_word()}/ rel=bookmark>{number}</a></h2>"
    ),
    "nested in a forum": _filled(FORUM, b"<div class=post><div class=content><blockquote>x"),
    "one text of a blog": _filled(BLOG + b"<article><div class=entry-content>", b"x y "),
    "null bytes": _filled(b"<p>", b"\0"),
    "bytes above": _filled(b"<p>", b"\xff"),
    "characters of three bytes": _filled(b"<meta charset=utf-8><p>", "漢字".encode()),
    "wide characters": lambda size: (
        b"\xff\xfe" + ("<p " + " ".join(f"a{n}" for n in range(size // 16)) + ">").encode("utf-16le")
    ),
}
"""Each made for a number of bytes."""
