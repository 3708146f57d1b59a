"""Pages in the manner of applications and of people who write their own; each takes what it holds and its setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tests.change.content import Content, Setting

MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905 - a word list


def spoken(date: str) -> str:
    """Write a day as people say it."""
    year, month, day = date.split("-")
    return f"{MONTHS[int(month) - 1]} {int(day)}, {year}"


def _wordpress(c: Content, s: Setting) -> str:
    """WordPress with a theme of the classic kind."""
    comments = "".join(
        f"""<li id="comment-{each.number}" class="comment even thread-even depth-1"><article id="div-comment-{each.number}"
class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">{each.author}</b>
<span class="says">says:</span></div><div class="comment-metadata"><a href="/2026/the-post/#comment-{each.number}">
<time datetime="2026-11-1{each.number % 10}T09:10:00+00:00">{s.hours} hours ago</time></a></div></footer>
<div class="comment-content"><p>{each.text}</p></div><div class="reply"><a href="?replytocom={each.number}#respond">Reply</a>
</div></article></li>"""
        for each in c.comments
    )
    share = f"""<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a
href="?share=facebook&nb=1" >Facebook {s.shares}</a></li></ul></div>"""
    related = (
        f"""<div id="jp-relatedposts" class="jp-relatedposts"><h3>Related</h3><ul>{s.items(s.related)}</ul></div>"""
    )
    side = f"""<aside id="secondary" class="sidebar widget-area">{s.boxes()}<section class="widget">{s.advert()}</section>
</aside>"""
    main = f"""<div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-41" class="post-41 post
type-post status-publish format-standard hentry category-news"><header class="entry-header"><h1 class="entry-title">
{c.title}</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/2026/the-post/" rel="bookmark"><time
class="entry-date published" datetime="{c.date}T08:00:00+00:00">{spoken(c.date)}</time></a></span> <span class="byline">by
<span class="author vcard"><a class="url fn n" href="/author/x/">{c.author}</a></span></span> <span class="views">{s.views}
views</span></div></header><div class="entry-content">{c.body(ad=s.advert())}{share}{related}</div>
<footer class="entry-footer"><span class="cat-links">Filed under <a href="/category/news/">News</a></span></footer></article>
<div id="comments" class="comments-area"><h2 class="comments-title">{len(c.comments)} thoughts on this</h2><ol
class="comment-list">{comments}</ol><div id="respond" class="comment-respond"><form action="/wp-comments-post.php"
method="post"><input type="hidden" name="_wpnonce" value="{s.token}"><textarea name="comment"></textarea></form></div></div>
</main></div>"""
    body = side + main if s.skin else main + side
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{c.title} – The Gazette</title>
<meta name="generator" content="WordPress 6.4"><link rel="stylesheet" href="/wp-content/themes/g{s.skin}/style.css?ver={s.suffix}">
<script>var nonce="{s.token}";</script></head><body class="post-template-default single single-post postid-41 c-{s.suffix}">
{f'<div class="cookie-banner">{s.banner}</div>' if s.banner else ""}<header id="masthead" class="site-header"><p
class="site-title"><a href="/">The Gazette</a></p><p class="today">{s.today}</p><nav class="main-navigation"><ul
class="menu">{s.items(s.menu)}</ul></nav></header><div id="content" class="site-content">{body}</div>
<footer id="colophon" class="site-footer">© {s.year} The Gazette</footer><!-- cached in {s.built} s --></body></html>"""


def _blocks(c: Content, s: Setting) -> str:
    """WordPress with a block theme."""
    comments = "".join(
        f"""<li id="comment-{each.number}" class="comment byuser depth-1"><div class="wp-block-comment-author-name"><a
href="#">{each.author}</a></div><div class="wp-block-comment-date"><time datetime="2026-10-0{each.number % 9 + 1}T07:00:00+00:00">
{s.hours} days ago</time></div><div class="wp-block-comment-content"><p>{each.text}</p></div></li>"""
        for each in c.comments
    )
    return f"""<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>{c.title} - Notes</title>
<link rel="https://api.w.org/" href="https://notes.example/wp-json/"><style id="wp-block-library-inline-css">.x{{}}</style>
</head><body class="single single-post postid-9 wp-embed-responsive"><div class="wp-site-blocks"><header
class="wp-block-template-part"><p class="wp-block-site-title"><a href="/">Notes</a></p><p>{s.today}</p><ul>{s.items(s.menu)}</ul>
</header><main class="wp-block-group"><h1 class="wp-block-post-title">{c.title}</h1><div class="wp-block-post-author-name">
{c.author}</div><div class="wp-block-post-date"><time datetime="{c.date}T10:00:00+00:00">{spoken(c.date)}</time></div>
<div class="entry-content wp-block-post-content">{c.body(ad=s.advert())}</div><div class="post-views">{s.views} views</div>
<div class="wp-block-comments"><h2>Responses</h2><ol class="wp-block-comment-template">{comments}</ol></div>
<div class="wp-block-query related"><ul>{s.items(s.related)}</ul></div></main><aside>{s.boxes()}{s.banner}</aside><footer
class="wp-block-template-part"><p>© {s.year}</p><input type="hidden" name="nonce" value="{s.token}"></footer></div>
<!-- {s.built} --></body></html>"""


def _phpbb(c: Content, s: Setting) -> str:
    """A thread of phpBB with the style prosilver."""

    def post(number: int, author: str, body: str, at: int, when: str) -> str:
        edited = (
            f'<div class="notice">Last edited by <a href="./memberlist.php?u=2">{author}</a> on Mon Nov 16, 2026 9:3{at} am, '
            f"edited {s.edited} times in total.</div>"
            if s.edited
            else ""
        )
        return f"""<div id="p{number}" class="post has-profile bg{at % 2 + 1}"><div class="inner"><dl class="postprofile"
id="profile{number}"><dt><a href="./memberlist.php?mode=viewprofile&amp;u={at + 2}&amp;sid={s.token}" class="username">{author}</a>
</dt><dd class="profile-posts"><strong>Posts:</strong> {s.views + at}</dd></dl><div class="postbody"><div id="post_content{number}">
<h3><a href="#p{number}">Re: {c.title}</a></h3><p class="author"><a class="unread"
href="./viewtopic.php?p={number}&amp;sid={s.token}#p{number}"></a><span class="responsive-hide">by <strong><a
href="./memberlist.php?mode=viewprofile&amp;u={at + 2}" class="username">{author}</a></strong> » </span><time
datetime="{when}T08:0{at}:00+00:00">{when} 08:0{at}</time></p><div class="content">{body}</div>{edited}<div
id="sig{number}" class="signature">Keep {s.ad} oars dry</div></div></div></div></div>"""

    first = post(c.comments[0].number - 2, c.author, c.body(lambda text: f"{text}<br><br>"), 0, c.date)
    rest = "".join(
        post(each.number, each.author, each.text, at, "2026-10-1" + str(at)) for at, each in enumerate(c.comments, 1)
    )
    return f"""<!DOCTYPE html><html lang="en-gb"><head><meta charset="utf-8"><title>Harbour talk - View topic - {c.title}</title>
<link href="./styles/prosilver/theme/stylesheet.css?assets_version={s.suffix}" rel="stylesheet"></head><body id="phpbb"
class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><h1>Harbour talk
</h1><p>It is currently {s.today}</p></div><div class="navbar"><ul id="nav-main">{s.items(s.menu)}</ul><ul id="nav-breadcrumbs"><li
class="breadcrumbs"><span class="crumb"><a href="./viewforum.php?f=2&amp;sid={s.token}">Boats</a></span></li></ul></div></div>
{s.advert()}<div id="page-body" class="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=7&amp;sid={s.token}">{c.title}</a>
</h2><p>{s.banner}</p><div class="pagination">{len(c.comments) + 1} posts</div>{first}{rest}<h3>Who is online</h3><p>Users browsing
this forum: No registered users and {s.online} guests</p></div><div id="page-footer"><div class="copyright">Powered by
<a href="https://www.phpbb.com/">phpBB</a>® Forum Software © phpBB Limited {s.year}<br>Time: {s.built}s</div></div></div></body></html>"""


def _vbulletin(c: Content, s: Setting) -> str:
    """A thread of vBulletin 3."""

    def post(number: int, author: str, body: str, at: int, when: str) -> str:
        year, month, day = when.split("-")
        return f"""<table id="post{number}" class="tborder" width="100%"><tr><td class="thead"><a name="post{number}"><img
src="images/statusicon/post_old.gif"></a> {day}-{month}-{year}, 0{at}:15 PM</td><td class="thead" align="right">#<a
href="showpost.php?p={number}&amp;s={s.token}" id="postcount{number}">{at + 1}</a></td></tr><tr><td class="alt2" width="175"><div
id="postmenu_{number}"><a class="bigusername" href="member.php?u={at + 3}">{author}</a></div><div class="smallfont">Posts:
{s.views + at}</div></td><td class="alt1" id="td_post_{number}"><div id="post_message_{number}">{body}</div>
{f'<div class="smallfont"><em>Last edited by {author}; 16-11-2026 at 0{s.edited}:10 PM..</em></div>' if s.edited else ""}</td></tr>
</table>{s.advert() if at == 0 else ""}"""

    first = post(c.comments[0].number - 1, c.author, c.body(lambda text: f"{text}<br /><br />"), 0, c.date)
    rest = "".join(
        post(each.number, each.author, each.text, at, f"2026-10-1{at}") for at, each in enumerate(c.comments, 1)
    )
    return f"""<html><head><title>{c.title} - The Boatyard</title><meta name="generator" content="vBulletin 3.8.4">
<script>var SECURITYTOKEN = "{s.token}";</script></head><body><table class="tborder"><tr><td class="navbar"><a
href="forumdisplay.php?f=2&amp;s={s.token}">Boats</a> <strong>{c.title}</strong></td></tr><tr><td>{s.items(s.menu)} {s.banner}</td>
</tr></table><div id="posts">{first}{rest}</div><table><tr><td>Currently Active Users Viewing This Thread: {s.online} (0 members and
{s.online} guests)</td></tr></table><div class="smallfont">All times are GMT. The time now is 0{s.hours % 9}:15 PM. {s.today}</div><div>Powered by
vBulletin Copyright {s.year}</div><ul>{s.items(s.related)}</ul></body></html>"""


def _news(c: Content, s: Setting) -> str:
    """A newspaper whose software is its own."""
    comments = "".join(
        f"""<div class="reader-comment" data-n="{each.number}"><div class="rc-head"><b>{each.author}</b> <span>{s.hours} hours
ago</span></div><div class="rc-text">{each.text}</div><a class="rc-like" href="/like/{each.number}?t={s.token}">Like ({s.shares})</a>
</div>"""
        for each in c.comments
    )
    side = f"""<div class="col-side">{s.boxes()}{s.advert()}<div class="most-read"><h4>Most read</h4><ol>{s.items(s.related)}</ol></div>
</div>"""
    main = f"""<div class="col-main {s.suffix}"><h1 class="headline">{c.title}</h1><div class="by">By {c.author}, {spoken(c.date)} |
{s.views} views | {len(c.comments)} comments</div><div class="share-bar">Share {s.shares} Tweet {s.shares // 2}</div><div
class="story-text">{c.body(ad=s.advert())}</div><div class="talk"><h3>What readers say</h3>{comments}</div></div>"""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{c.title} | Valley Post</title><meta name="description"
content="{escape(c.about())}"></head><body><div class="top"><a href="/">Valley Post</a> <span class="clock">{s.today}</span><ul>
{s.items(s.menu)}</ul></div>{f'<div class="notice-bar"><p>{s.banner}</p></div>' if s.banner else ""}<div class="page">{side + main if s.skin else main + side}</div><div class="bottom">Valley Post
© {s.year}, page made in {s.built} s</div></body></html>"""


def _blogger(c: Content, s: Setting) -> str:
    """A blog at Blogger with the template of the years around 2012."""
    comments = "".join(
        f"""<li class="comment" id="c{each.number}00"><div class="avatar-image-container"><img src="//img.example/a{s.ad}.png" alt=""/>
</div><div class="comment-block"><div class="comment-header"><cite class="user"><a href="https://people.example/{each.number}"
rel="nofollow">{each.author}</a></cite><span class="datetime secondary-text"><a rel="nofollow"
href="https://boats.blogspot.example/2026/05/a.html?showComment={each.number}#c{each.number}00">{spoken(c.date)} at 10:0{each.number % 10}
AM</a></span></div><p class="comment-content">{each.text}</p><span class="comment-actions"><a class="comment-reply">Reply</a></span>
</div></li>"""
        for each in c.comments
    )
    return f"""<!DOCTYPE html><html class="v2" dir="ltr"><head><meta content="blogger" name="generator"/><title>Boats and ropes:
{c.title}</title><link href="https://www.blogger.com/static/v1/widgets/{s.suffix}-css_bundle_v2.css" rel="stylesheet"/></head><body
class="loading"><div class="header section" id="header"><h1 class="title">Boats and ropes</h1><p class="description">{s.today}
{s.banner}</p></div><div class="main section" id="main"><div class="widget Blog" id="Blog1"><div class="blog-posts hfeed"><div
class="date-outer"><h2 class="date-header"><span>{spoken(c.date)}</span></h2><div class="post hentry uncustomized-post-template"><a
name="88"></a><h3 class="post-title entry-title">{c.title}</h3><div class="post-body entry-content" id="post-body-88">
{c.body(lambda text: f"<div>{text}</div><br />", s.advert())}<div style="clear: both;"></div></div><div class="post-footer"><span
class="post-author vcard">Posted by <span class="fn">{c.author}</span></span> <span class="post-timestamp">at <a
class="timestamp-link" href="https://boats.blogspot.example/2026/05/a.html" rel="bookmark"><abbr class="published"
title="{c.date}T08:30:00Z">8:30 AM</abbr></a></span> <div class="post-share-buttons"><a href="/share?{s.token}">{s.shares}</a></div></div>
</div></div></div><div class="comments" id="comments"><h4>{len(c.comments)} comments:</h4><div class="comments-content"><ol
id="top-ra">{comments}</ol></div></div></div></div><div class="sidebar section" id="sidebar">{s.boxes()}<ul>{s.items(s.menu)}</ul>
<div class="widget Stats"><span class="counter">{s.views}</span></div></div><div class="footer">© {s.year}. Powered by Blogger.
<!-- {s.built} --></div></body></html>"""


def _discourse(c: Content, s: Setting) -> str:
    """A topic of Discourse, as crawlers are shown it."""

    def post(number: int, author: str, body: str, when: str) -> str:
        return f"""<div id="post_{number}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body
crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope
itemtype="http://schema.org/Person"><a itemprop="url" href="https://talk.example/u/{author.split()[0].lower()}"><span itemprop="name">
{author}</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{when}T11:02:0{number}Z"
class="post-time">{when}, 11:02am</time><meta itemprop="dateModified" content="2026-11-1{s.hours % 9}T11:02:00Z"><span
itemprop="position">{number}</span></span></div><div class="post" itemprop="text">{body}</div><div itemprop="interactionStatistic"
itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="interactionType"
content="http://schema.org/LikeAction"/><meta itemprop="userInteractionCount" content="{s.shares}"/><span class="post-likes">
{s.shares} Likes</span></div></div>"""

    first = post(1, c.author, c.body(), c.date)
    rest = "".join(
        post(at, each.author, f"<p>{each.text}</p>", "2026-10-11") for at, each in enumerate(c.comments, 2)
    )
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{c.title} - Boats - Talk</title><meta name="generator"
content="Discourse 3.2.0 - https://github.com/discourse/discourse version {s.suffix}"><meta name="csrf-token" content="{s.token}">
</head><body class="crawler"><header><a href="/">Talk</a> {s.today}</header><div id="main-outlet" class="wrap"><div id="topic-title"><h1>
<a href="/t/the-topic/77">{c.title}</a></h1><div class="topic-category"><a href="/c/boats/5">Boats</a></div></div><div itemscope
itemtype="http://schema.org/DiscussionForumPosting">{first}{rest}</div><div id="related-topics"><table><tr><td>{s.items(s.related)}
</td><td>{s.views}</td></tr></table></div>{s.banner}</div><footer class="container">{s.items(s.menu)} {s.year} {s.built}</footer>
</body></html>"""


def _tables(c: Content, s: Setting) -> str:
    """A page as people made them before there were styles."""
    comments = "".join(f"<p><b>{each.author}</b> writes: {each.text}</p><hr>" for each in c.comments)
    return f"""<HTML><HEAD><TITLE>{c.title}</TITLE></HEAD><BODY BGCOLOR="#ffffff"><TABLE WIDTH="100%"><TR><TD COLSPAN="3"
ALIGN="right"><FONT SIZE="1">{s.today}</FONT></TD></TR><TR><TD WIDTH="120" VALIGN="top"><UL>{s.items(s.menu)}</UL><P>{s.online} online</P>
<A HREF="/c?{s.token}"><IMG SRC="/count.cgi?{s.views}" WIDTH="88" HEIGHT="31" ALT="{s.views}"></A></TD><TD VALIGN="top"><H1>{c.title}</H1>
<FONT SIZE="2"><I>{c.author}, {spoken(c.date)}</I></FONT>{c.body()}<H3>Letters</H3>{comments}</TD><TD WIDTH="150"
VALIGN="top"><A HREF="https://ads.example/{s.ad}"><IMG SRC="https://ads.example/{s.ad}.gif"></A><UL>{s.items(s.recent)}</UL>{s.banner}</TD></TR>
</TABLE><CENTER>Copyright {s.year}. {s.built}</CENTER></BODY></HTML>"""


@dataclass(frozen=True)
class Template:
    """A kind of page."""

    write: Callable[[Content, Setting], str]
    url: str


TEMPLATES = {
    "WordPress, classic": Template(_wordpress, "https://gazette.example/2026/05/the-post/"),
    "WordPress, blocks": Template(_blocks, "https://notes.example/2026/05/the-post/"),
    "phpBB": Template(_phpbb, "https://harbour.example/viewtopic.php?t=7"),
    "vBulletin": Template(_vbulletin, "https://boatyard.example/showthread.php?t=7"),
    "Blogger": Template(_blogger, "https://boats.blogspot.example/2026/05/a.html"),
    "Discourse": Template(_discourse, "https://talk.example/t/the-topic/77"),
    "a newspaper": Template(_news, "https://valleypost.example/news/2026/the-story"),
    "tables": Template(_tables, "https://old.example/story.html"),
}
