"""Templates and changes that were written last, when the others were right: what they gave at first is in the docs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from tests.change.content import Around, Comment, Content, Real, Setting, in_comment, in_paragraph, paragraph
from tests.change.templates import Template, spoken


def _xenforo(c: Content, s: Setting) -> str:
    """A thread of XenForo 2."""

    def post(number: int, author: str, body: str, at: int, when: str) -> str:
        edited = (
            f"""<div class="message-lastEdit">Last edited: <time datetime="2026-11-1{s.edited}T10:00:00+0000">{s.hours} minutes ago
</time></div>"""
            if s.edited
            else ""
        )
        return f"""<article class="message message--post js-post" data-author="{author}" data-content="post-{number}"
id="js-post-{number}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><h4
class="message-name"><a href="/members/{at}/" class="username">{author}</a></h4><dl class="pairs"><dt>Messages</dt><dd>{s.views + at}</dd>
</dl></section></div><div class="message-cell message-cell--main"><header class="message-attribution"><ul><li class="u-concealed"><a
href="/threads/t.7/post-{number}"><time class="u-dt" datetime="{when}T08:00:00+0000" title="{when}">{when}</time></a></li></ul><ul
class="message-attribution-opposite"><li><a href="/threads/t.7/post-{number}">#{at + 1}</a></li></ul></header><div
class="message-content js-messageContent"><div class="message-userContent"><article class="message-body js-selectToQuote"><div
class="bbWrapper">{body}</div></article></div>{edited}</div><footer class="message-footer"><div class="reactionsBar">Ida, Gus and
{s.shares} others</div></footer></div></div></article>{s.advert() if at == 1 else ""}"""

    first = post(c.comments[0].number - 1, c.author, c.body(lambda text: f"{text}<br>"), 0, c.date)
    rest = "".join(
        post(each.number, each.author, each.text, at, f"2026-10-{at % 28 + 1:02}")
        for at, each in enumerate(c.comments, 1)
    )
    return f"""<!DOCTYPE html><html id="XF" lang="en-US" data-app="public" data-template="thread_view" data-csrf="{s.token}"
class="has-no-js template-thread_view"><head><meta charset="utf-8"><title>{c.title} | Rope makers</title></head><body
data-template="thread_view"><div class="p-pageWrapper"><header class="p-header">{s.today}<ul>{s.items(s.menu)}</ul></header><div
class="p-body"><div class="p-body-inner">{s.banner}<div class="p-body-header"><h1 class="p-title-value">{c.title}</h1></div><div
class="p-body-main"><div class="block block--messages"><div class="block-body js-replyNewMessageContainer">{first}{rest}</div></div>
<div class="block"><h3>Similar threads</h3><ul>{s.items(s.related)}</ul></div></div><div class="p-body-sidebar">{s.boxes()}</div></div></div>
<footer class="p-footer">Community platform by XenForo © {s.year} {s.built}</footer></div></body></html>"""


def _hashed(c: Content, s: Setting) -> str:
    """A magazine whose names of classes are made by a machine, with readers' letters under names of their own."""
    letters = "".join(
        f"""<li class="_k{at}x"><span class="_who">{each.author}</span><span class="_when">{s.hours} hours ago</span><div
class="_what">{each.text}</div><span>{s.shares + at} likes</span></li>"""
        for at, each in enumerate(c.comments)
    )
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{c.title} · Slow Magazine</title><meta
property="og:title" content="{c.title}"></head><body><div id="app"><div class="css-{s.suffix}1 topnav">{s.today}<ul>{s.items(s.menu)}
</ul></div><div class="css-9k2 banner">{s.banner}</div><div class="css-77q"><div class="css-1ab"><h1 class="css-2cd">{c.title}</h1><div
class="css-3ef"><span>{c.author}</span><span> · {spoken(c.date)} · {s.hours} min read</span></div><div class="css-4gh">
{c.body(ad=s.advert())}</div><div class="css-5ij newsletter-box"><p>Get our letter every week: {s.views} readers have it already</p></div>
<h2>Letters from readers</h2><ul class="css-6kl">{letters}</ul></div><div class="css-7mn sidebar">{s.boxes()}<h3>Read next</h3><ul>
{s.items(s.related)}</ul></div></div><div class="css-8op footer">© {s.year} {s.built} {s.token}</div></div></body></html>"""


def _linked_data(c: Content, s: Setting) -> str:
    """A site of its own making that says what it is in JSON-LD, with comments by a service's markup."""
    said = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": c.title,
        "author": {"@type": "Person", "name": c.author},
        "datePublished": f"{c.date}T08:00:00Z",
        "dateModified": f"2026-11-1{s.hours % 9}T08:00:00Z",
        "interactionStatistic": s.views,
    }
    comments = "".join(
        f"""<article class="comment" id="comment-{each.number}"><header><strong>{each.author}</strong> <time>{s.hours} days ago</time>
</header><p>{each.text}</p><button>Reply</button></article>"""
        for each in c.comments
    )
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{c.title} — Canal Times</title><script
type="application/ld+json">{json.dumps(said)}</script></head><body><header><a href="/">Canal Times</a><time>{s.today}</time><nav>
{s.items(s.menu)}</nav></header><main><article><h1>{c.title}</h1><p class="meta">{c.author} — {spoken(c.date)}</p><div class="text">
{c.body(ad=s.advert())}</div><div class="social-share">{s.shares} shares</div></article><section class="comments" id="comments"><h2>
{len(c.comments)} comments</h2>{comments}</section><section class="related"><h2>More</h2><ul>{s.items(s.related)}</ul></section></main>
<aside>{s.boxes()}{s.banner}</aside><footer>© {s.year} Canal Times. {s.built}</footer></body></html>"""


def _drupal(c: Content, s: Setting) -> str:
    """A blog of Drupal 8."""
    comments = "".join(
        f"""<article role="article" class="comment js-comment" id="comment-{each.number}" data-comment-user-id="0"><footer
class="comment__meta"><p class="comment__submitted">Submitted by <span class="username">{each.author}</span> on Sun, 11/0{at}/2026 -
10:00</p></footer><div class="content comment__content"><div class="clearfix text-formatted field field--name-comment-body
field__item"><p>{each.text}</p></div><ul class="links inline"><li><a href="/comment/reply/node/5/comment/{each.number}?token={s.token}">
Reply</a></li></ul></div></article>"""
        for at, each in enumerate(c.comments, 1)
    )
    return f"""<!DOCTYPE html><html lang="en" dir="ltr"><head><meta charset="utf-8"/><meta name="Generator"
content="Drupal 8 (https://www.drupal.org)"/><title>{c.title} | Mill house</title><link rel="stylesheet"
href="/sites/default/files/css/css_{s.suffix}.css"/></head><body class="layout-one-sidebar path-node page-node-type-article"><div
id="page-wrapper"><header id="header" role="banner">{s.today}{s.banner}<nav>{s.items(s.menu)}</nav></header><main id="content"
class="column main-content" role="main"><h1 class="title page-title"><span class="field field--name-title">{c.title}</span></h1><article
role="article" class="node node--type-article node--view-mode-full"><footer class="node__meta"><div class="node__submitted">By <span
class="field field--name-uid"><span class="username">{c.author}</span></span>, <span class="field field--name-created">Sun, {c.date[5:7]}/{c.date[8:]}/{c.date[:4]} -
08:00</span></div></footer><div class="node__content clearfix"><div class="clearfix text-formatted field field--name-body
field--type-text-with-summary field__item">{c.body(ad=s.advert())}</div><div class="links">{s.views} reads</div><section
class="field field--name-comment comment-wrapper"><h2>Comments</h2>{comments}</section></div></article></main><div
class="sidebar"><aside>{s.boxes()}</aside></div><footer>{s.items(s.related)} {s.year} {s.built}</footer></div></body></html>"""


UNSEEN = {
    "XenForo": Template(_xenforo, "https://ropes.example/threads/t.7/"),
    "names by a machine": Template(_hashed, "https://slow.example/a/the-story"),
    "JSON-LD": Template(_linked_data, "https://canal.example/2026/the-story"),
    "Drupal": Template(_drupal, "https://mill.example/node/5"),
}

Rewrite = Callable[[str], str]


def _late(page: str) -> str:
    return re.sub(
        r'<img src="(/pictures/[^"]+)"', r'<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="\1"', page
    )


LATE_REWRITTEN: dict[str, Rewrite] = {
    "images that load late": _late,
    "another version of an image's address": lambda page: re.sub(r'(src="/pictures/[^"]+)"', r'\1?ver=99"', page),
    "a campaign in a link of the text": lambda page: re.sub(
        r'(href="https://reports[^"]+)"', r'\1?utm_source=x&amp;fbclid=1f"', page
    ),
    "a session in a link of the text": lambda page: re.sub(
        r'(href="https://reports[^"]+)"', r'\1?PHPSESSID=0cc175b9c0f1b6a831c399e269772661"', page
    ),
    "a dot that counts readers": lambda page: page.replace(
        "</p>", '</p><img src="https://count.example/p.gif?n=7719" width="1" height="1">', 1
    ),
    "an advertisement in the text": lambda page: page.replace(
        "which is long.", 'which is long.<ins class="adsbygoogle" data-ad-slot="7">Boots at half the price</ins>', 1
    ),
}

LATE_AROUND: dict[str, Around] = {
    "notes of the software on edits": lambda s: replace(s, edited=2, hours=9),
    "all comments older": lambda s: replace(s, hours=400),
    "nobody here": lambda s: replace(s, online=0, shares=0, views=0),
}

LATE_REAL: dict[str, Real] = {
    "two numbers exchanged": lambda c, _: in_paragraph(
        c, 4, lambda text: " ".join("7" if word.isdigit() else word for word in text.split(" "))
    ),
    "not": lambda c, _: in_paragraph(c, 1, lambda text: text.replace(" again", " not again", 1)),
    "a capital letter": lambda c, _: in_paragraph(c, 2, lambda text: text.replace("near the", "near The", 1)),
    "a comment signed by another": lambda c, _: in_comment(c, 2, author="Uma Reed"),
    "the first comment removed": lambda c, _: replace(c, comments=c.comments[1:]),
    "two comments exchanged for one": lambda c, rng: replace(
        c, comments=(*c.comments[:-2], Comment(c.comments[-1].number + 9, "Hal Dunn", paragraph(rng, 2)))
    ),
    "another server of the link": lambda c, _: replace(c, link=c.link.replace("reports.", "papers.")),
    "a parameter of the link": lambda c, _: replace(c, link=c.link + "?page=2"),
}
