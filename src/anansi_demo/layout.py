"""The frame around every page, and the pieces of markup that pages share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from html import escape

from anansi_demo.answer import SESSION

_FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{generator}">
<title>{title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" type="image/png" href="/logo.png">
{head}</head>
<body class="{section}">
<header class="masthead">
<a class="brand" href="/"><img src="/logo.png" alt="" width="64" height="64"> The Potting Shed Line</a>
<nav class="main-menu"><a href="/">Home</a> <a href="/forum/">Forum</a> <a href="/blog/">Blog</a>
<a href="/about/">About</a></nav>
</header>
<div class="content">
{body}
</div>
<footer class="colophon"><p>{credit}</p>
<p>Everything here was made up as an example: people, trains, vegetables and all.</p></footer>
</body>
</html>
"""

_CREDITS = {
    "front": ("Hand-made pages", "A small site about slow things: gardens, railways, kitchens and languages."),
    "forum": ("Loomboard 2.1", "This forum runs on Loomboard 2.1. All times are UTC."),
    "blog": ("Inkwheel 1.3", "This blog is printed by Inkwheel 1.3."),
}


def frame(section: str, title: str, body: str, *, head: str = "") -> str:
    """Put a body into the frame of its section (`front`, `forum` or `blog`)."""
    generator, credit = _CREDITS[section]
    return _FRAME.format(
        generator=generator, credit=credit, section=section, title=escape(title), head=head, body=body
    )


def link(href: str, text: str, *, css: str = "") -> str:
    """Write a link; the text is escaped, the address too."""
    style = f' class="{css}"' if css else ""
    return f'<a href="{escape(href)}"{style}>{escape(text)}</a>'


def with_session(href: str) -> str:
    """Add the session id to a forum address, before its fragment."""
    address, mark, fragment = href.partition("#")
    return f"{address}{'&' if '?' in address else '?'}sid={SESSION}{mark}{fragment}"


def board_link(href: str, text: str, *, css: str = "") -> str:
    """Write a link of the forum, which drags its session id along."""
    return link(with_session(href), text, css=css)


def moment(when: datetime) -> str:
    """Write a point in time, for people and in ISO form."""
    return f'<time datetime="{when.isoformat()}">{when:%d %b %Y, %H:%M}</time>'


def prose(paragraphs: Iterable[str]) -> str:
    """Write paragraphs."""
    return "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs)


def items(entries: Iterable[str], *, css: str = "plain") -> str:
    """Write a list of markup."""
    return f'<ul class="{css}">\n' + "\n".join(f"<li>{entry}</li>" for entry in entries) + "\n</ul>"
