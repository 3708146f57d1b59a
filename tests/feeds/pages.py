"""Hand-made pages of several templates, and the texts that stand on them."""

from __future__ import annotations

from typing import Any

from anansi.feeds.article import Article, article_of
from anansi.feeds.context import context_of
from anansi.feeds.lines import Lines, lines_of
from anansi.feeds.nodes import find
from anansi.text import tree

PARAGRAPHS = (
    "The harbour master counted eleven herons on the breakwater before the morning ferry left for the islands.",
    "Nobody in the village had seen so many of them at once, and the fishermen took it for a sign of hard winter.",
    "By noon the tide had turned, the birds were gone, and only a notebook page with eleven small marks remained.",
)
TITLE = "Eleven herons at the harbour"
ABOUT = " ".join(" ".join(PARAGRAPHS).split()[:25])
TEXT = "\n".join(PARAGRAPHS)
BODY = "".join(f"<p>{each}</p>" for each in PARAGRAPHS)
MENU = (
    '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/herons">Eleven herons at the harbour</a></li></ul>'
)


def page(body: str, *, language: str = "en") -> Lines:
    head = f"<head><meta charset=utf-8><title>{TITLE} - Gazette</title></head>"
    source = f"<html lang={language}>{head}<body>{body}</body></html>"
    return lines_of(tree.parse(source.encode(), "utf-8"))


def extract(lines: Lines, title: str = TITLE, about: str = ABOUT, **asked: Any) -> Article | None:
    context = context_of(title, about, **asked)
    match = find(lines, context)
    return None if match is None else article_of(lines, match, context)


def modern(number: int = 1, body: str = BODY, title: str = TITLE) -> str:
    """A theme as blogs have them."""
    return f"""<header id=masthead><h1>The Gazette</h1>{MENU}</header><main>
    <article id="post-{number}" class="post post-{number} hentry"><header class="entry-header"><h1>{title}</h1>
    <div class="entry-meta">Posted on May {number}, 2020 by Ana</div></header>
    <div class="entry-content">{body}<div class="sharedaddy"><h3>Share this:</h3><ul><li>Post</li></ul></div></div>
    <footer class="entry-footer">Tagged birds</footer></article>
    <div id="comments" class="comments-area"><ol><li id="comment-7" class="comment"><div class="comment-content">
    <p>Eleven herons at the harbour, I saw eleven herons too!</p></div></li></ol></div></main>
    <aside class="widget"><h2>Recent</h2>{MENU}</aside>"""


TABLES = f"""<table width=100%><tr><td><a href=/>Home</a><br><a href=/h>Eleven herons at the harbour</a></td>
<td><font size=4><b>{TITLE}</b></font><br><font size=2>{"<br><br>".join(PARAGRAPHS)}</font></td>
<td>Advertisement: buy the harbour calendar</td></tr></table>"""
FLAT = f"""<div id=page>{MENU}<div class=story><h2>{TITLE}</h2><p class=byline>By Ana Lind</p>
<p><em>12 May 2020</em></p>{BODY}<div class="share-buttons">Tweet this Mail this</div>
<div class="related-posts"><a href=/2>Nine geese</a></div></div>
<div class=foot>Imprint</div></div>"""
SHAPED = f"""<div class=site><div class=top>{MENU}</div><div class="message-body"><div style="text-align:center">
{PARAGRAPHS[0]}</div><br><div style="text-align:left">{PARAGRAPHS[1]}</div>
<blockquote>{PARAGRAPHS[2]}</blockquote></div>
<div class=signature>Sent from my boat</div></div>"""
SECTIONS = f"""<div class=wrap><div class=head><h1>{TITLE}</h1></div><div class=parts>
<div class=part>{PARAGRAPHS[0]}</div>
<div class=part>{PARAGRAPHS[1]}</div><div class=part>{PARAGRAPHS[2]}</div></div>
<div class=foot>Imprint and terms</div></div>"""
