"""Pages of known software: threads of fifteen posts and articles with fifteen comments, 28 KB each.

The markup is what the software writes (menus, profiles beside the posts, buttons under them, quotes, signatures); the
words are made up. Pages of one site share its menus and its members, as they do everywhere.
"""

# ruff: noqa: E501 - markup stands in lines as long as software writes them

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pages import SIZE, vocabulary

POSTS = 15
MEMBERS = 400
_WORDS = vocabulary(4000, random.Random(17))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a site."""

    url: str
    html: str


@dataclass(frozen=True, slots=True)
class Software:
    """How a kind of site is written."""

    type: str
    """The type that its pages are recognised as."""
    address: str
    head: str
    post: str
    quote: str
    signature: str
    foot: str
    date: Callable[[random.Random], str]


def pages(software: Software, count: int) -> Iterator[Page]:
    """Make the pages of a site, each of another thread."""
    rng = random.Random(software.type)
    members = [(number, rng.choice(_WORDS) + rng.choice(_WORDS)) for number in range(1, MEMBERS)]
    for number in range(count):
        thread = 1000 + 7 * number
        about = {"thread": thread, "title": prose(rng, 5), "board": thread % 12 + 1, "page": "2"}
        url = software.address.format(**about)
        posts = [_Post(thread * 20 + each, *rng.choice(members), software.date(rng)) for each in range(POSTS)]
        frame = len(_written(software, about, posts, [""] * POSTS, rng))
        room = max(40, (SIZE - frame) // POSTS)
        texts = [_text(rng, room * (7 + each % 7) // 10) for each in range(POSTS)]
        yield Page(url, _written(software, about, posts, texts, rng))


@dataclass(frozen=True, slots=True)
class _Post:
    id: int
    member: int
    name: str
    date: str


def _written(
    software: Software, about: dict[str, object], posts: list[_Post], texts: list[str], rng: random.Random
) -> str:
    parts = [software.head.format(**about)]
    for number, (post, text) in enumerate(zip(posts, texts, strict=True), start=1):
        quote = (
            software.quote.format(name=posts[0].name, id=posts[0].id, text=prose(rng, 9)) if number % 4 == 2 else ""
        )
        signature = software.signature.format(id=post.id, text="Slow is smooth") if number % 3 == 1 else ""
        filled = {"id": post.id, "member": post.member, "name": post.name, "date": post.date, "number": number}
        parts.append(software.post.format(**about, **filled, text=quote + text, signature=signature))
    return "".join((*parts, software.foot.format(**about)))


def prose(rng: random.Random, words: int) -> str:
    """Make up a sentence."""
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


def _text(rng: random.Random, size: int) -> str:
    """Make up what somebody wrote: a few lines, some of them with a link."""
    parts: list[str] = []
    while (left := size - sum(map(len, parts))) > 0:
        parts.append(prose(rng, max(3, min(24, left // 6))))
        if rng.random() < 0.2:
            parts.append(f' <a href="https://{rng.choice(_WORDS)}.example/{rng.choice(_WORDS)}">{prose(rng, 2)}</a>')
        parts.append("<br />\n")
    return "".join(parts[:-1])


def _long(rng: random.Random) -> str:
    return f"Mon Jan {rng.randrange(1, 29):02d}, 2017 {rng.randrange(1, 13)}:{rng.randrange(60):02d} am"


def _plain(rng: random.Random) -> str:
    return (
        f"2012-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}, {rng.randrange(24):02d}:{rng.randrange(60):02d}"
    )


def _machine(rng: random.Random) -> str:
    return f"2022-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}T{rng.randrange(24):02d}:{rng.randrange(60):02d}:00+0200"


def _american(rng: random.Random) -> str:
    return f"November {rng.randrange(1, 29):02d}, 2015, {rng.randrange(1, 13):02d}:{rng.randrange(60):02d}:00 AM"


# ── software ─────────────────────────────────────────────────────────────────────────────────────────────────────

PHPBB = Software(
    type="forum/phpbb",
    address="https://boats.example/forum/viewtopic.php?t={thread}",
    head="""<!DOCTYPE html>
<html dir="ltr" lang="en-gb">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
<title>{title} - Canal boats and towpaths</title>
<link rel="canonical" href="https://boats.example/forum/viewtopic.php?t={thread}">
<link href="./assets/css/font-awesome.min.css?assets_version=24" rel="stylesheet">
<link href="./styles/prosilver/theme/stylesheet.css?assets_version=24" rel="stylesheet"></head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr ">
<div id="wrap" class="wrap"><a id="top" class="top-anchor" accesskey="t"></a><div id="page-header"><div class="headerbar">
<div class="inner"><div id="site-description" class="site-description"><a id="logo" class="logo" href="./index.php"
title="Board index"><span class="site_logo"></span></a><h1>Canal boats and towpaths</h1></div>
<div id="search-box" class="search-box search-header"><form action="./search.php" method="get" id="search"><fieldset>
<input name="keywords" id="keywords" type="search" class="inputbox search tiny" /><a href="./search.php"
class="button button-search-end" title="Advanced search">Advanced search</a></fieldset></form></div></div></div>
<div class="navbar" role="navigation"><div class="inner"><ul id="nav-main" class="nav-main linklist" role="menubar">
<li id="quick-links" class="quick-links dropdown-container"><a href="#" class="dropdown-trigger">Quick links</a>
<ul class="dropdown-contents" role="menu"><li><a href="./search.php?search_id=unanswered">Unanswered topics</a></li>
<li><a href="./search.php?search_id=active_topics">Active topics</a></li><li><a href="./memberlist.php">Members</a></li>
<li><a href="./memberlist.php?mode=team">The team</a></li></ul></li>
<li data-skip-responsive="true"><a href="/forum/app.php/help/faq" rel="help">FAQ</a></li>
<li class="rightside"><a href="./ucp.php?mode=login" title="Login" accesskey="x">Login</a></li>
<li class="rightside"><a href="./ucp.php?mode=register">Register</a></li></ul>
<ul id="nav-breadcrumbs" class="nav-breadcrumbs linklist navlinks" role="menubar"><li class="breadcrumbs">
<span class="crumb"><a href="./index.php">Board index</a></span><span class="crumb" data-forum-id="1"><a
href="./viewforum.php?f=1">On the water</a></span><span class="crumb" data-forum-id="{board}"><a
href="./viewforum.php?f={board}">Locks and bridges</a></span></li></ul></div></div></div>
<div id="page-body" class="page-body" role="main">
<h2 class="topic-title"><a href="./viewtopic.php?f={board}&amp;t={thread}">{title}</a></h2>
<div class="action-bar bar-top"><a href="./posting.php?mode=reply&amp;f={board}&amp;t={thread}" class="button"
title="Post a reply"><span>Post Reply</span></a><div class="dropdown-container topic-tools"><ul
class="dropdown-contents"><li><a href="./viewtopic.php?f={board}&amp;t={thread}&amp;view=print" title="Print view"
accesskey="p">Print view</a></li></ul></div><div class="pagination">34 posts <ul><li class="active"><span>1</span></li>
<li><a class="button" href="./viewtopic.php?f={board}&amp;t={thread}&amp;start=15">2</a></li><li><a class="button"
href="./viewtopic.php?f={board}&amp;t={thread}&amp;start=30">3</a></li><li class="arrow next"><a
href="./viewtopic.php?f={board}&amp;t={thread}&amp;start=15" rel="next">Next</a></li></ul></div></div>
""",
    post="""<div id="p{id}" class="post has-profile bg2"><div class="inner">
<dl class="postprofile" id="profile{id}"><dt class="no-profile-rank no-avatar"><div class="avatar-container"></div><a
href="./memberlist.php?mode=viewprofile&amp;u={member}" class="username">{name}</a></dt>
<dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?author_id={member}&amp;sr=posts">220</a></dd>
<dd class="profile-joined"><strong>Joined:</strong> Sun Feb 01, 2015 8:00 am</dd></dl>
<div class="postbody"><div id="post_content{id}"><h3><a href="#p{id}">Re: {title}</a></h3>
<ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;f={board}&amp;p={id}" title="Reply with quote"
class="button button-icon-only"><span>Quote</span></a></li></ul>
<p class="author"><a class="unread" href="./viewtopic.php?p={id}#p{id}" title="Post"><i class="icon fa-file"></i></a><span
class="responsive-hide">by <strong><a href="./memberlist.php?mode=viewprofile&amp;u={member}" class="username">{name}</a>
</strong> &raquo; </span>{date}</p>
<div class="content">{text}</div>{signature}</div></div>
<div class="back2top"><a href="#top" class="top" title="Top">Top</a></div></div></div><hr class="divider" />
""",
    quote="""<blockquote><div><cite>{name} wrote: <a href="./viewtopic.php?p={id}#p{id}" data-post-id="{id}">&uarr;</a>
</cite>{text}</div></blockquote>""",
    signature='<div id="sig{id}" class="signature">{text}</div>',
    foot="""<div class="action-bar actions-jump"><p class="jumpbox-return"><a href="./viewforum.php?f={board}"
class="left-box arrow-left">Return to &ldquo;Locks and bridges&rdquo;</a></p><div class="jumpbox"><ul>
<li><a href="./viewforum.php?f=1" class="jumpbox-cat-link">On the water</a></li><li><a href="./viewforum.php?f=2"
class="jumpbox-sub-link">Engines</a></li><li><a href="./viewforum.php?f=3" class="jumpbox-sub-link">Moorings</a></li>
<li><a href="./viewforum.php?f=5" class="jumpbox-sub-link">Off topic</a></li></ul></div></div></div>
<div id="page-footer" class="page-footer"><div class="navbar"><ul><li><a href="./index.php">Board index</a></li>
<li class="rightside"><a href="./ucp.php?mode=delete_cookies">Delete cookies</a></li></ul></div><div class="copyright">
Powered by <a href="https://www.phpbb.com/">phpBB</a></div></div></div></body></html>
""",
    date=_long,
)

VBULLETIN = Software(
    type="forum/vbulletin",
    address="https://tea.example/board/showthread.php?t={thread}",
    head="""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
 "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="en"><head><meta http-equiv="Content-Type"
content="text/html; charset=UTF-8" /><meta name="generator" content="vBulletin 3.8.4" />
<script type="text/javascript" src="clientscript/vbulletin_global.js?v=384"></script><title>{title} - Tea</title></head>
<body><a name="top"></a><div align="center"><div class="page" style="width:100%; text-align:left">
<table class="tborder" width="100%"><tr><td class="alt1"><table cellpadding="0"><tr valign="bottom"><td width="100%">
<span class="navbar"><a href="index.php" accesskey="1">Tea and Kettles</a></span> <span class="navbar">&gt; <a
href="forumdisplay.php?f=1">Leaves</a></span> <span class="navbar">&gt; <a href="forumdisplay.php?f={board}">Black
tea</a></span></td></tr><tr><td class="navbar" style="font-size:10pt" colspan="3"><a href="showthread.php?t={thread}"><img
class="inlineimg" src="images/misc/navbits_finallink_ltr.gif" alt="Reload" border="0" /></a> <strong> {title} </strong>
</td></tr></table></td><td class="alt2"><form action="login.php?do=login" method="post"><input type="text" class="bginput"
name="vb_login_username" id="navbar_username" size="10" /></form></td></tr></table>
<table class="tborder"><tr align="center"><td class="vbmenu_control"><a href="register.php" rel="nofollow">Register</a></td>
<td class="vbmenu_control"><a rel="help" href="faq.php" accesskey="5">FAQ</a></td><td class="vbmenu_control"><a
href="memberlist.php">Members List</a></td><td class="vbmenu_control"><a href="calendar.php">Calendar</a></td><td
class="vbmenu_control"><a href="search.php" accesskey="4" rel="nofollow">Search</a></td><td class="vbmenu_control"><a
href="search.php?do=getdaily" accesskey="2">Today's Posts</a></td><td class="vbmenu_control"><a
href="forumdisplay.php?do=markread" rel="nofollow">Mark Forums Read</a></td></tr></table>
<table width="100%"><tr valign="bottom"><td class="smallfont"><a href="newreply.php?do=newreply&amp;noquote=1&amp;t={thread}"
rel="nofollow"><img src="images/buttons/reply.gif" alt="Reply" border="0" /></a></td><td align="right"><div class="pagenav"
align="right"><table class="tborder"><tr><td class="vbmenu_control">Page 1 of 3</td><td class="alt2"><strong>1</strong></td>
<td class="alt1"><a class="smallfont" href="showthread.php?t={thread}&amp;page=2">2</a></td><td class="alt1"><a
class="smallfont" href="showthread.php?t={thread}&amp;page=3">3</a></td></tr></table></div></td></tr></table><div id="posts">
""",
    post="""<div class="page"><div id="edit{id}" style="padding:0px 0px 6px 0px">
<table id="post{id}" class="tborder" cellpadding="6" width="100%" align="center"><tr><td class="thead"
style="font-weight:normal"><a name="post{id}"><img class="inlineimg" src="images/statusicon/post_old.gif" alt="Old"
border="0" /></a> {date}</td><td class="thead" align="right">&nbsp; #<a href="showpost.php?p={id}&amp;postcount={number}"
target="new" rel="nofollow" id="postcount{id}" name="{number}"><strong>{number}</strong></a> &nbsp;</td></tr>
<tr valign="top"><td class="alt2" width="175"><div id="postmenu_{id}"><a class="bigusername"
href="member.php?u={member}">{name}</a></div><div class="smallfont">Senior Member</div><div class="smallfont"><div>Join Date:
Jan 2008</div><div>Posts: 512</div></div></td>
<td class="alt1" id="td_post_{id}"><div id="post_message_{id}">{text}</div>{signature}</td></tr>
<tr><td class="alt2"><img class="inlineimg" src="images/statusicon/user_offline.gif" alt="offline" border="0" /></td><td
class="alt1" align="right"><a href="newreply.php?do=newreply&amp;p={id}" rel="nofollow"><img src="images/buttons/quote.gif"
alt="Reply With Quote" border="0" /></a></td></tr></table></div></div>
""",
    quote="""<div style="margin:20px; margin-top:5px; "><div class="smallfont" style="margin-bottom:2px">Quote:</div><table
cellpadding="6" width="100%"><tr><td class="alt2" style="border:1px inset"><div>Originally Posted by <strong>{name}</strong>
<a href="showthread.php?p={id}#post{id}" rel="nofollow"><img class="inlineimg" src="images/buttons/viewpost.gif" alt="View
Post" /></a></div><div style="font-style:italic">{text}</div></td></tr></table></div>""",
    signature="<div>__________________<br />{text}</div>",
    foot="""</div><div class="smallfont"><strong>&laquo;</strong> <a href="showthread.php?t={thread}&amp;goto=nextoldest"
rel="nofollow">Previous Thread</a> | <a href="showthread.php?t={thread}&amp;goto=nextnewest" rel="nofollow">Next Thread</a>
</div><div class="vbmenu_popup" id="threadtools_menu"><a href="printthread.php?t={thread}" rel="nofollow">Show Printable
Version</a> <a href="sendmessage.php?do=sendtofriend&amp;t={thread}" rel="nofollow">Email this Page</a></div>
<div class="smallfont" align="center">All times are GMT. <a href="archive/index.php">Archive</a> - <a href="#top">Top</a>
</div></div></div></body></html>
""",
    date=_plain,
)

XENFORO = Software(
    type="forum/xenforo",
    address="https://clay.example/community/threads/a-long-firing.{thread}/",
    head="""<!DOCTYPE html>
<html id="XF" lang="en-US" dir="LTR" data-app="public" data-template="thread_view" data-container-key="node-{board}"
data-cookie-prefix="xf_" class="has-no-js template-thread_view"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title} | Kiln</title>
<meta property="og:title" content="{title}" />
<link rel="canonical" href="https://clay.example/community/threads/a-long-firing.{thread}/" />
<link rel="stylesheet" href="/community/css.php?css=public%3Anormalize.css&amp;s=1&amp;l=1&amp;d=1690000000" />
<script src="/community/js/xf/preamble.min.js?_v=0a1b2c3d"></script></head>
<body data-template="thread_view"><div class="p-pageWrapper" id="top"><nav class="p-nav"><div class="p-nav-inner"><ul
class="p-nav-list js-offCanvasNavSource"><li><div class="p-navEl is-selected"><a href="/community/" class="p-navEl-link"
data-nav-id="forums">Forums</a><div class="menu menu--structural"><div class="menu-content"><a
href="/community/whats-new/posts/" class="menu-linkRow">New posts</a><a href="/community/search/?type=post"
class="menu-linkRow">Search forums</a></div></div></div></li><li><a href="/community/whats-new/"
class="p-navEl-link">What's new</a></li><li><a href="/community/members/" class="p-navEl-link">Members</a></li><li><a
href="/glazes/recipes.html" class="p-navEl-link">Glaze recipes</a></li></ul><a href="/community/login/"
class="p-navgroup-link">Log in</a><a href="/community/register/" class="p-navgroup-link">Register</a></div></nav>
<div class="p-body"><div class="p-body-inner"><ul class="p-breadcrumbs"><li><a href="/community/"><span>Forums</span></a>
</li><li><a href="/community/forums/firing.{board}/"><span>Firing</span></a></li></ul><div class="p-body-header"><div
class="p-title"><h1 class="p-title-value">{title}</h1></div></div><div class="p-body-main"><div class="block
block--messages"><nav class="pageNavWrapper"><div class="pageNav"><ul class="pageNav-main"><li class="pageNav-page
pageNav-page--current"><a href="/community/threads/a-long-firing.{thread}/">1</a></li><li class="pageNav-page"><a
href="/community/threads/a-long-firing.{thread}/page-2">2</a></li></ul><a
href="/community/threads/a-long-firing.{thread}/page-2" class="pageNav-jump pageNav-jump--next">Next</a></div></nav><div
class="block-body js-replyNewMessageContainer">
""",
    post="""<article class="message message--post js-post js-inlineModContainer" data-author="{name}" data-content="post-{id}"
id="js-post-{id}"><span class="u-anchorTarget" id="post-{id}"></span><div class="message-inner"><div class="message-cell
message-cell--user"><section class="message-user"><div class="message-userDetails"><h4 class="message-name"><a
href="/community/members/{name}.{member}/" class="username" dir="auto" data-user-id="{member}">{name}</a></h4><h5
class="userTitle message-userTitle">Potter</h5></div></section></div><div class="message-cell message-cell--main"><div
class="message-main js-quickEditTarget"><header class="message-attribution message-attribution--split"><ul
class="message-attribution-main listInline"><li><a href="/community/threads/a-long-firing.{thread}/post-{id}"
rel="nofollow"><time class="u-dt" dir="auto" datetime="{date}" title="then">then</time></a></li></ul><ul
class="message-attribution-opposite"><li><a href="/community/threads/a-long-firing.{thread}/post-{id}"
rel="nofollow">#{number}</a></li></ul></header><div class="message-content js-messageContent"><div
class="message-userContent lbContainer"><article class="message-body js-selectToQuote"><div
class="bbWrapper">{text}</div></article></div>{signature}</div><footer class="message-footer"><div class="actionBar"><a
href="/community/posts/{id}/report" class="actionBar-action">Report</a></div></footer></div></div></div></article>
""",
    quote="""<blockquote data-quote="{name}" data-source="post: {id}" class="bbCodeBlock bbCodeBlock--quote"><div
class="bbCodeBlock-title"><a href="/community/goto/post?id={id}" class="bbCodeBlock-sourceJump">{name} said:</a></div><div
class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">{text}</div></div></blockquote>""",
    signature='<aside class="message-signature"><div class="bbWrapper">{text}</div></aside>',
    foot="""</div></div></div></div></div><footer class="p-footer" id="footer"><ul class="p-footer-linkList"><li><a
href="/community/misc/contact">Contact us</a></li><li><a href="/community/help/terms/">Terms and rules</a></li><li><a
href="/community/help/">Help</a></li><li><a href="/community/forums/-/index.rss">RSS</a></li></ul><div
class="p-footer-copyright"><a href="https://xenforo.com" class="u-concealed">Community platform by XenForo</a></div>
</footer></div></body></html>
""",
    date=_machine,
)

SMF = Software(
    type="forum/smf",
    address="https://kilns.example/index.php?topic={thread}.0",
    head="""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
 "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" type="text/css"
href="https://kilns.example/Themes/default/css/index.css?fin20" /><script type="text/javascript"
src="https://kilns.example/Themes/default/scripts/script.js?fin20"></script><title>{title}</title></head><body><div
id="wrapper"><div id="header"><div class="frame"><div id="top_section"><h1 class="forumtitle"><a
href="https://kilns.example/index.php">Clay</a></h1></div><div id="main_menu"><ul class="dropmenu" id="menu_nav"><li
id="button_home"><a class="active firstlevel" href="https://kilns.example/index.php"><span
class="last firstlevel">Home</span></a></li><li><a class="firstlevel"
href="https://kilns.example/index.php?action=help"><span>Help</span></a></li><li><a class="firstlevel"
href="https://kilns.example/index.php?action=search"><span>Search</span></a></li><li><a class="firstlevel"
href="https://kilns.example/index.php?action=calendar"><span>Calendar</span></a></li><li><a class="firstlevel"
href="https://kilns.example/index.php?action=login"><span>Login</span></a></li><li><a class="firstlevel"
href="https://kilns.example/index.php?action=register"><span>Register</span></a></li></ul></div></div></div>
<div id="content_section"><div class="navigate_section"><ul><li><a
href="https://kilns.example/index.php"><span>Clay</span></a> &#187;</li><li><a
href="https://kilns.example/index.php#c1"><span>Kilns</span></a> &#187;</li><li><a
href="https://kilns.example/index.php?board={board}.0"><span>Wood firing</span></a> &#187;</li><li class="last"><a
href="https://kilns.example/index.php?topic={thread}.0"><span>{title}</span></a></li></ul></div><a id="top"></a><div
class="pagesection"><div class="nextlinks"><a
href="https://kilns.example/index.php?topic={thread}.0;prev_next=prev#new">&laquo; previous</a> <a
href="https://kilns.example/index.php?topic={thread}.0;prev_next=next#new">next &raquo;</a></div><div
class="buttonlist"><ul><li><a class="button_strip_print"
href="https://kilns.example/index.php?action=printpage;topic={thread}.0"><span class="last">Print</span></a></li></ul></div>
<div class="pagelinks floatleft">Pages: [<strong>1</strong>] <a class="navPages"
href="https://kilns.example/index.php?topic={thread}.15">2</a> <a class="navPages"
href="https://kilns.example/index.php?topic={thread}.30">3</a></div></div><div id="forumposts"><div class="cat_bar"><h3
class="catbg"><img src="normal_post.gif" align="bottom" alt="" /><span id="author">Author</span>Topic: {title} &nbsp;(Read
400 times)</h3></div><form action="https://kilns.example/index.php?action=quickmod2;topic={thread}.0" method="post"
name="quickModForm" id="quickModForm">
""",
    post="""<a id="msg{id}"></a><div class="windowbg"><span class="topslice"><span></span></span><div
class="post_wrapper"><div class="poster"><h4><img src="useroff.gif" alt="Offline" /> <a
href="https://kilns.example/index.php?action=profile;u={member}" title="View the profile of {name}">{name}</a></h4><ul
class="reset smalltext" id="msg_{id}_extra_info"><li class="postgroup">Newbie</li><li class="postcount">Posts: 4</li></ul>
</div><div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="xx.gif" alt="" />
</div><h5 id="subject_{id}"><a href="https://kilns.example/index.php?topic={thread}.msg{id}#msg{id}" rel="nofollow">Re:
{title}</a></h5><div class="smalltext">&#171; <strong>Reply #{number} on:</strong> {date} &#187;</div><div
id="msg_{id}_quick_mod"></div></div></div><div class="post"><div class="inner" id="msg_{id}">{text}</div></div></div><div
class="moderatorbar"><div class="smalltext reportlinks"><a
href="https://kilns.example/index.php?action=reporttm;topic={thread}.0;msg={id}">Report to moderator</a></div>{signature}
</div></div><span class="botslice"><span></span></span></div><hr class="post_separator" />
""",
    quote="""<div class="quoteheader"><div class="topslice_quote"><a
href="https://kilns.example/index.php?topic=9.msg{id}#msg{id}">Quote from: {name} on November 02, 2015</a></div></div>
<blockquote class="bbc_standard_quote">{text}</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>""",
    signature='<div class="signature" id="msg_{id}_signature">{text}</div>',
    foot="""</form></div></div><div id="footer_section"><ul class="reset"><li class="copyright"><span class="smalltext"><a
href="https://kilns.example/index.php?action=credits" title="Simple Machines Forum">SMF 2.0</a></span></li></ul></div></div>
</body></html>
""",
    date=_american,
)

WORDPRESS = Software(
    type="blog/wordpress",
    address="https://garden.example/2016/05/a-bed-of-{thread}-beans/",
    head="""<!DOCTYPE html><html lang="en-US" class="no-js"><head><meta charset="UTF-8"><meta name="viewport"
content="width=device-width"><link rel="profile" href="https://gmpg.org/xfn/11"><title>{title} &#8211; The Garden</title>
<link rel="alternate" type="application/rss+xml" title="Feed" href="https://garden.example/feed/" />
<link rel='stylesheet' id='twentyfifteen-style-css' href='https://garden.example/wp-content/themes/twentyfifteen/style.css' />
<script src='https://garden.example/wp-includes/js/jquery/jquery.js'></script><link rel='https://api.w.org/'
href='https://garden.example/wp-json/' /><meta name="generator" content="WordPress 4.5.2" /><link rel="canonical"
href="https://garden.example/2016/05/a-bed-of-{thread}-beans/" /></head><body class="single single-post postid-{thread}
single-format-standard"><div id="page" class="hfeed site"><a class="skip-link screen-reader-text" href="#content">Skip to
content</a><div id="sidebar" class="sidebar"><header id="masthead" class="site-header"><div class="site-branding"><p
class="site-title"><a href="https://garden.example/" rel="home">The Garden</a></p></div></header><div id="secondary"
class="secondary"><nav id="site-navigation" class="main-navigation"><ul class="nav-menu"><li class="page_item
page-item-2"><a href="https://garden.example/about/">About</a></li><li class="page_item page-item-4"><a
href="https://garden.example/seeds/">Seeds</a></li></ul></nav><div id="widget-area" class="widget-area"><aside
id="recent-posts-2" class="widget widget_recent_entries"><h2 class="widget-title">Recent Posts</h2><ul><li><a
href="https://garden.example/2016/05/peas/">Peas</a></li><li><a href="https://garden.example/2016/04/leeks/">Leeks</a></li>
<li><a href="https://garden.example/2016/03/frost/">Frost</a></li></ul></aside><aside id="archives-2" class="widget
widget_archive"><ul><li><a href='https://garden.example/2016/05/'>May 2016</a></li><li><a
href='https://garden.example/2016/04/'>April 2016</a></li><li><a href='https://garden.example/2016/03/'>March 2016</a></li>
</ul></aside><aside id="categories-2" class="widget widget_categories"><ul><li class="cat-item cat-item-{board}"><a
href="https://garden.example/category/beds/">Beds</a></li></ul></aside></div></div></div><div id="content"
class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-{thread}"
class="post-{thread} post type-post status-publish format-standard hentry category-beds"><header class="entry-header"><h1
class="entry-title">{title}</h1></header><div class="entry-content"><p>It has rained for a week, and nothing grows. The
beans stand as they stood.</p><p>Next week we sow again, and this time <a href="https://seeds.example/runner">runners</a>.</p>
</div><footer class="entry-footer"><span class="posted-on"><a href="https://garden.example/2016/05/a-bed-of-{thread}-beans/"
rel="bookmark"><time class="entry-date published" datetime="2016-05-04T10:00:00+00:00">May 4, 2016</time></a></span><span
class="byline"><span class="author vcard"><a class="url fn n" href="https://garden.example/author/ann/">Ann</a></span></span>
<span class="cat-links"><a href="https://garden.example/category/beds/" rel="category tag">Beds</a></span></footer></article>
<div id="comments" class="comments-area"><h2 class="comments-title">15 thoughts on &ldquo;{title}&rdquo;</h2><ol
class="comment-list">
""",
    post="""<li id="comment-{id}" class="comment even thread-even depth-1"><article id="div-comment-{id}"
class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><img alt=''
src='https://secure.gravatar.com/avatar/{member}?s=56&amp;d=mm' class='avatar avatar-56 photo' height='56' width='56' /><b
class="fn"><a href='https://{name}.example/' rel='external nofollow' class='url'>{name}</a></b> <span
class="says">says:</span></div><div class="comment-metadata"><a
href="https://garden.example/2016/05/a-bed-of-{thread}-beans/#comment-{id}"><time datetime="{date}">May 4, 2016 at 10:00
am</time></a></div></footer><div class="comment-content"><p>{text}</p>{signature}</div><div class="reply"><a rel='nofollow'
class='comment-reply-link' href='https://garden.example/2016/05/a-bed-of-{thread}-beans/?replytocom={id}#respond'>Reply</a>
</div></article></li>
""",
    quote="<blockquote><p>{name}: {text}</p></blockquote>",
    signature="",
    foot="""</ol><div id="respond" class="comment-respond"><h3 id="reply-title" class="comment-reply-title">Leave a
Reply</h3><form action="https://garden.example/wp-comments-post.php" method="post" id="commentform"><textarea id="comment"
name="comment"></textarea><input name="submit" type="submit" id="submit" class="submit" value="Post Comment" /></form></div>
</div><nav class="navigation post-navigation"><div class="nav-links"><div class="nav-previous"><a
href="https://garden.example/2016/04/leeks/" rel="prev">Leeks</a></div></div></nav></main></div></div><footer id="colophon"
class="site-footer"><a href="https://wordpress.org/">Proudly powered by WordPress</a></footer></div></body></html>
""",
    date=_machine,
)

EVERY = (PHPBB, VBULLETIN, XENFORO, SMF, WORDPRESS)
