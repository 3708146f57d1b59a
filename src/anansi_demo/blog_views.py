"""The pages of the blog: articles with comments, lists of articles, the feed, and a calendar without end."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from email.utils import format_datetime
from functools import cache
from html import escape

from anansi_demo.answer import ORIGIN, Answer, Request, redirect, respond
from anansi_demo.blog import ARTICLES_A_PAGE, COMMENTS_A_PAGE, Article, Comment, articles, slug
from anansi_demo.layout import frame, items, link, moment, prose

_FEED_ITEMS = 10
_FEED_LINK = '<link rel="alternate" type="application/rss+xml" title="The blog" href="/blog/feed.xml">\n'
_NUMBERED = re.compile(r"/blog/page/([1-9][0-9]{0,3})/")
_COMMENT_PAGE = re.compile(r"(/blog/.+/)comment-page-([1-9][0-9]{0,3})/")


def article_url(article: Article, page: int = 1) -> str:
    """Give the one address of an article with a page of its comments."""
    return article.path if page == 1 else f"{article.path}comment-page-{page}/"


def category_url(name: str) -> str:
    """Give the address of a category."""
    return f"/blog/category/{slug(name)}/"


def tag_url(name: str) -> str:
    """Give the address of a tag."""
    return f"/blog/tag/{slug(name)}/"


def month_url(article: Article) -> str:
    """Give the address of the month in which an article came out."""
    return f"/blog/{article.date:%Y/%m}/"


def article_page(request: Request) -> Answer | None:
    """Answer an article: with a page of comments, printed, or with a reply form."""
    numbered = _COMMENT_PAGE.fullmatch(request.path)
    path, page = (numbered[1], int(numbered[2])) if numbered else (request.path, 1)
    article = articles().get(path)
    if article is None or page > article.pages:
        return None
    if numbered and page == 1:
        return redirect(path)
    if request.query.get("print") == "1":
        return _print_page(article)
    if "replytocom" in request.query:
        return _reply_page(article, page, request.number("replytocom"))
    html = _story(article, page, reply_to=None)
    return respond("article", html, shows=article_url(article, page), modified=article.modified)


def _print_page(article: Article) -> Answer:
    body = f"<h1>{escape(article.title)}</h1>\n{moment(article.date)}\n{prose(article.paragraphs)}"
    return respond("print", frame("blog", f"{article.title} (print view)", body), modified=article.date)


def _reply_page(article: Article, page: int, number: int | None) -> Answer | None:
    comment = next((comment for comment in article.comments if comment.number == number), None)
    if comment is None:
        return None
    html = _story(article, page, reply_to=comment)
    return respond("replytocom", html, shows=article_url(article, page), modified=article.modified)


def _story(article: Article, page: int, *, reply_to: Comment | None) -> str:
    tags = " ".join(link(tag_url(tag), tag) for tag in article.tags)
    main = f"""<article class="story">
<h1>{escape(article.title)}</h1>
<p class="byline">{moment(article.date)} in {link(category_url(article.category), article.category)}
· {link(f"{article.path}?print=1", "print")}</p>
{prose(article.paragraphs)}
<p class="byline">Tags: {tags}</p>
</article>
<section class="remarks" id="comments"><h2>{len(article.comments)} comments</h2>
{_comments(article, page)}
{_comment_pager(article, page)}
{_form(article, reply_to)}
</section>
{_neighbours(article)}"""
    head = f'{_FEED_LINK}<link rel="canonical" href="{article_url(article, page)}">\n'
    return _with_sidebar(article.title, main, head=head)


def _comments(article: Article, page: int) -> str:
    start = (page - 1) * COMMENTS_A_PAGE
    shown = article.comments[start : start + COMMENTS_A_PAGE]
    return "\n".join(_remark(article, page, comment, shown) for comment in shown if not comment.answers)


def _remark(article: Article, page: int, comment: Comment, shown: tuple[Comment, ...]) -> str:
    replies = "\n".join(_remark(article, page, other, shown) for other in shown if other.answers == comment.number)
    answer = link(f"{article_url(article, page)}?replytocom={comment.number}#respond", "Reply")
    return f"""<div class="remark" id="comment-{comment.number}">
<p class="byline"><b class="author">{escape(comment.author)}</b> {moment(comment.date)} {answer}</p>
<p class="text">{escape(comment.text)}</p>
{replies}</div>"""


def _comment_pager(article: Article, page: int) -> str:
    if article.pages == 1:
        return ""
    cells = (
        f"<b>{number}</b>" if number == page else link(f"{article_url(article, number)}#comments", str(number))
        for number in range(1, article.pages + 1)
    )
    return f'<div class="pager">Comments {" ".join(cells)}</div>'


def _form(article: Article, reply_to: Comment | None) -> str:
    heading = f"Reply to {escape(reply_to.author)}" if reply_to else "Leave a comment"
    return f"""<form id="respond" method="post" action="{article.path}"><h3>{heading}</h3>
<p><label for="by">Name</label> <input id="by" name="by"></p>
<p><textarea name="text" rows="6" cols="60"></textarea></p><p><button type="submit">Send</button></p></form>"""


def _neighbours(article: Article) -> str:
    every = list(articles().values())
    place = every.index(article)
    older, newer = every[place + 1 : place + 2], every[place - 1 : place] if place else []
    links = [
        link(other.path, f"{label}: {other.title}")
        for label, found in (("Older", older), ("Newer", newer))
        for other in found
    ]
    return f'<div class="pager">{" ".join(links)}</div>'


def _with_sidebar(title: str, main: str, *, head: str = _FEED_LINK) -> str:
    body = f'<div class="columns">\n<main>\n{main}\n</main>\n<aside class="sidebar">\n{_sidebar()}\n</aside></div>'
    return frame("blog", f"{title} - The Blog", body, head=head)


@cache
def _sidebar() -> str:
    every = tuple(articles().values())
    months = {month_url(article): f"{article.date:%B %Y}" for article in every}
    names = sorted({article.category for article in every})
    tags = sorted({tag for article in every for tag in article.tags})
    newest = every[0].date
    dates = link(f"/blog/calendar?month={newest.month}&year={newest.year}", "Calendar")
    return "\n".join(
        (
            "<h3>Categories</h3>",
            items(link(category_url(name), name) for name in names),
            "<h3>Tags</h3>",
            f"<p>{' '.join(link(tag_url(tag), tag) for tag in tags)}</p>",
            "<h3>Archive</h3>",
            items(link(address, name) for address, name in months.items()),
            f"<h3>Elsewhere</h3><p>{dates} · {link('/blog/feed.xml', 'Feed')}</p>",
        )
    )


def home_page(request: Request) -> Answer | None:
    """Answer the front of the blog and the numbered pages behind it."""
    numbered = _NUMBERED.fullmatch(request.path)
    page = int(numbered[1]) if numbered else 1
    every = tuple(articles().values())
    last = -(-len(every) // ARTICLES_A_PAGE)
    if page > last:
        return None
    if numbered and page == 1:
        return redirect("/blog/")
    shown = every[(page - 1) * ARTICLES_A_PAGE : page * ARTICLES_A_PAGE]
    main = f"<h1>The Blog</h1>\n{_teasers(shown)}\n{_home_pager(page, last)}"
    return respond("blog", _with_sidebar(f"Page {page}", main))


def _home_pager(page: int, last: int) -> str:
    cells = [
        f"<b>{number}</b>"
        if number == page
        else link("/blog/" if number == 1 else f"/blog/page/{number}/", str(number))
        for number in range(1, last + 1)
    ]
    return f'<div class="pager">{" ".join(cells)}</div>'


def _teasers(shown: Iterable[Article]) -> str:
    return "\n".join(
        f"""<div class="teaser"><h2>{link(article.path, article.title)}</h2>
<p class="byline">{moment(article.date)} in {link(category_url(article.category), article.category)},
{len(article.comments)} comments</p>
<p>{escape(article.paragraphs[0])} {link(article.path, "Read on")}</p></div>"""
        for article in shown
    )


def category_page(request: Request) -> Answer | None:
    """Answer the articles of a category."""
    found = [article for article in articles().values() if category_url(article.category) == request.path]
    return _list("category", f"Category: {found[0].category}", found) if found else None


def tag_page(request: Request) -> Answer | None:
    """Answer the articles with a tag."""
    found = [article for article in articles().values() if request.path in map(tag_url, article.tags)]
    name = request.path.split("/")[3]
    return _list("tag", f"Tag: {name}", found) if found else None


def month_page(request: Request) -> Answer | None:
    """Answer the articles of a month."""
    found = [article for article in articles().values() if month_url(article) == request.path]
    return _list("archive", f"{found[0].date:%B %Y}", found) if found else None


def _list(kind: str, title: str, found: list[Article]) -> Answer:
    main = f"<h1>{escape(title)}</h1>\n{_teasers(found)}"
    return respond(kind, _with_sidebar(title, main), modified=max(article.date for article in found))


def calendar_page(request: Request) -> Answer | None:
    """Answer a month of the calendar: there is always one before and one after it."""
    newest = next(iter(articles().values())).date
    month, year = request.number("month", newest.month), request.number("year", newest.year)
    if month is None or year is None or not 1 <= month <= 12:
        return None
    months = year * 12 + month - 1
    main = f"""<h1>{calendar.month_name[month]} {year}</h1>
<p class="pager">{_month_link(months - 1, "Previous month")} {_month_link(months + 1, "Next month")}</p>
{_grid(year, month)}"""
    return respond("calendar", _with_sidebar(f"{calendar.month_name[month]} {year}", main))


def _month_link(months: int, text: str) -> str:
    return link(f"/blog/calendar?month={months % 12 + 1}&year={months // 12}", text)


def _grid(year: int, month: int) -> str:
    written = {
        article.date.day: article
        for article in articles().values()
        if (article.date.year, article.date.month) == (year, month)
    }
    # The pattern of weekdays comes back every 400 years, which keeps the years inside what datetime knows.
    first, days = calendar.monthrange(2000 + year % 400, month)
    cells = ["<td></td>"] * first + [_day(day, written.get(day)) for day in range(1, days + 1)]
    rows = "\n".join(f"<tr>{''.join(cells[place : place + 7])}</tr>" for place in range(0, len(cells), 7))
    names = "".join(f"<th>{name}</th>" for name in calendar.day_abbr)
    return f'<table class="listing month"><tr>{names}</tr>\n{rows}\n</table>'


def _day(day: int, article: Article | None) -> str:
    return f'<td class="busy">{day}<br>{link(article.path, article.title)}</td>' if article else f"<td>{day}</td>"


def feed(_: Request) -> Answer:
    """Answer the feed: the ten newest articles."""
    newest = tuple(articles().values())[:_FEED_ITEMS]
    entries = "\n".join(_feed_item(article) for article in newest)
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>The Potting Shed Line: blog</title><link>{ORIGIN}/blog/</link>
<description>Slow things, written down.</description><language>en</language>
<lastBuildDate>{format_datetime(newest[0].date)}</lastBuildDate>
{entries}
</channel></rss>
"""
    return respond("feed", text, mime="application/rss+xml; charset=utf-8", modified=newest[0].date)


def _feed_item(article: Article) -> str:
    return f"""<item><title>{escape(article.title)}</title><link>{ORIGIN}{article.path}</link>
<guid isPermaLink="true">{ORIGIN}{article.path}</guid><category>{article.category}</category>
<pubDate>{format_datetime(article.date)}</pubDate><description>{escape(article.paragraphs[0])}</description></item>"""
