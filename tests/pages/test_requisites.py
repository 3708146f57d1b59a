"""What a page needs to be shown."""

from __future__ import annotations

import time

import pytest

from anansi.model import Hop
from anansi.pages import requisites
from anansi.pages.links import LinkFinder
from anansi.text.page_model import PageModel
from anansi.text.tree import parse
from anansi.url import Rules

PAGE = "http://example.org/a/page.html"


def needed(html: str) -> set[str]:
    tree = parse(html.encode(), "utf-8")
    found = LinkFinder(Rules()).parts(requisites.of_page(PageModel(tree)), PAGE)
    assert all(link.hop == Hop.EMBED for link in found)
    return {link.url.removeprefix("http://example.org/") for link in found}


@pytest.mark.parametrize(
    ("html", "named"),
    [
        ('<img src="i.png" srcset="s1.png 1x, /s2.png 2x">', {"a/i.png", "a/s1.png", "s2.png"}),
        ('<img src="data:image/gif;base64,AA" data-src="late.jpg" data-srcset="l2.jpg 2x">',
         {"a/late.jpg", "a/l2.jpg"}),
        ('<picture><source srcset="w.webp"><img src="j.jpg"></picture>', {"a/w.webp", "a/j.jpg"}),
        ('<script src="s.js"></script>', {"a/s.js"}),
        ('<video src="v.mp4" poster="p.jpg"><source src="v.webm"><track src="t.vtt"></video>',
         {"a/v.mp4", "a/p.jpg", "a/v.webm", "a/t.vtt"}),
        ('<link rel="stylesheet" href="c.css"><link rel="shortcut icon" href="f.ico">', {"a/c.css", "a/f.ico"}),
        ('<link rel="preload" as="font" href="f.woff2"><link rel="manifest" href="m.json">',
         {"a/f.woff2", "a/m.json"}),
        ('<link rel="canonical" href="/c"><link rel="prefetch" href="/n"><link rel="dns-prefetch" href="//x.org">',
         set()),
        ('<object data="o.swf"></object><embed src="e.swf"><input type="image" src="b.gif"><audio src="a.ogg">',
         {"a/o.swf", "a/e.swf", "a/b.gif", "a/a.ogg"}),
        ("<style>@import \"i.css\"; body { background: URL('bg.png') }</style>", {"a/i.css", "a/bg.png"}),
        ('<p style="background: URL(&quot;/in line (2).png&quot;)">x</p><p style="mask: url(#m)">y</p>',
         {"in%20line%20(2).png"}),
        ('<img srcset="/w_100,h_80/i.png 100w, /j.png 2x,, /k.png calc(1px, 2px),/l,m.png">',
         {"w_100,h_80/i.png", "j.png", "k.png", "l,m.png"}),
        ('<link rel="preload" as="image" imagesrcset="/p,1.png 1x, /p,2.png 2x">', {"p,1.png", "p,2.png"}),
        ("<script type=module>import './m.js'; import x from '../n.js'; import('//cdn.org/o.js')</script>",
         {"a/m.js", "n.js", "http://cdn.org/o.js"}),
        ('<p style="background-image:url(/in.png)">x</p>', {"in.png"}),
        ('<body background="wall.gif"><table><tr><td background="cell.gif">x', {"a/wall.gif", "a/cell.gif"}),
        ('<svg><image href="v.svg"/><use xlink:href="icons.svg#home"/></svg>', {"a/v.svg", "a/icons.svg"}),
        ('<script>var s = {"source":"http:\\/\\/cdn.org\\/emoji.min.js?ver=6.1"};</script>',
         {"http://cdn.org/emoji.min.js?ver=6.1"}),
        ("<script>load('/static/late.css'); go('/next/page'); say('see a.js')</script>", {"static/late.css"}),
        ('<p style="background-image: image-set(\'/1.png\' 1x, \'/2.png\' 2x)">x</p>', {"1.png", "2.png"}),
        ('<div data-bg="/b.jpg?w=3"></div><div data-background="url(/c.png)"></div><img data-lazy="d.webp">',
         {"b.jpg?w=3", "c.png", "a/d.webp"}),
        ('<div data-bg="dark"></div><div data-background="{big}.png"></div>', set()),
        ('<svg><filter><feImage href="/f.png"/></filter></svg><bgsound src="/g.mid">', {"f.png", "g.mid"}),
        ("<iframe srcdoc='<link rel=stylesheet href=&quot;i.css&quot;><iframe srcdoc=&quot;<img src=x.png>&quot;>'>",
         {"a/i.css"}),
        ('<script type="importmap">{"imports": {"lib": "./lib.js", "all/": "./all/"},'
         ' "scopes": {"/s/": {"x": "/x.js"}}}</script>'
         '<script type="importmap">["not", "a map"]</script>', {"a/lib.js", "x.js"}),
        ('<style>@import"/tight.css";@import\'/also.css\'screen;</style>', {"tight.css", "also.css"}),
        ('<a href="l.html">l</a><iframe src="f.html"></iframe><input type="text" src="x.png">', set()),
    ],
)  # fmt: skip
def test_what_a_page_needs_is_named(html: str, named: set[str]) -> None:
    assert needed(html) - {"favicon.ico"} == named


def test_browsers_ask_for_an_icon_where_none_is_named() -> None:
    assert needed("<p>plain</p>") == {"favicon.ico"}
    assert needed('<link rel="shortcut icon" href="/i.png"><p>plain</p>') == {"i.png"}


def test_a_style_sheet_needs_what_it_imports_and_shows() -> None:
    css = """@import url("a.css"); @import 'b.css' print; .x { background: URL(c.png) }
    .y { src: url( "d.woff?#ie" ) }
    .z { background: url(data:image/png;base64,AAAA) }"""
    found = LinkFinder(Rules()).parts(requisites.of_stylesheet(css), "http://example.org/css/main.css")
    assert [link.url.rpartition("/")[2] for link in found] == ["a.css", "b.css", "c.png", "d.woff?"]


@pytest.mark.parametrize(
    ("css", "named"),
    [
        (".a { background: url('two words (1).png') }", {"two%20words%20(1).png"}),
        (r".a { background: url(two\ words\28 1\29 .png) }", {"two%20words(1).png"}),
        (r""".a { background: url("a\"b.png") }""", {"a%22b.png"}),
        ("""a { background: -webkit-image-set("1.png" 1x, '2.png' 2x, url(3.avif) type("image/avif")) }""",
         {"1.png", "2.png", "3.avif"}),
        ("@import 'it\\'s.css' layer(x) supports(display: grid);", {"it's.css"}),
    ],
)  # fmt: skip
def test_a_style_sheet_names_files_as_css_writes_them(css: str, named: set[str]) -> None:
    found = LinkFinder(Rules()).parts(requisites.of_stylesheet(css), "http://example.org/main.css")
    assert {link.url.removeprefix("http://example.org/") for link in found} == named


def test_a_script_needs_what_it_imports() -> None:
    js = """import{a}from"./a.js";import*as b from '../b.mjs';export * from "/c.js"
    import "https://cdn.org/d.js"; const e = await import( './e.js' )
    import bare from 'bare'; Array.from("/no.js"); load(`./${name}.js`)"""
    assert list(requisites.of_script(js)) == ["./a.js", "../b.mjs", "/c.js", "https://cdn.org/d.js", "./e.js"]


def test_a_drawing_needs_what_it_shows() -> None:
    svg = """<?xml-stylesheet type="text/css" href="s.css?a&amp;b"?><svg><style>@import url(t.css);</style>
    <image width="3" xlink:href="i.png"/><use href="#own"/><a href="/page">x</a></svg>"""
    assert list(requisites.of_drawing(svg)) == ["s.css?a&b", "i.png", "#own", "t.css"]


def test_hostile_pages_take_no_longer_than_their_size() -> None:
    started = time.process_time()
    needed('<img srcset="' + "a, " * 300_000 + '">')
    needed("<style>" + "url(" * 100_000 + "</style>")
    needed("<script>" + "'/" * 100_000 + "</script>")
    needed("<script>'/" + "a.j" * 100_000 + "</script>")
    for begins in (
        "import" + " " * 50,
        "from",
        "import(",
        "<image ",
        "<image href=",
        "url('",
        'url("',
        "image-set(",
        "\\",
    ):
        for find in (requisites.of_stylesheet, requisites.of_script, requisites.of_drawing):
            list(find(begins * 50_000))
    assert time.process_time() - started < 5
