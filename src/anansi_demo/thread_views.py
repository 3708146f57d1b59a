"""The pages of a thread: as it is read, printed, sorted the other way, answered and reported."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from anansi_demo.answer import Answer, Request, respond
from anansi_demo.forum import POSTS_A_PAGE, Post, Thread, forum
from anansi_demo.layout import board_link, frame, items, moment, prose, with_session

_QUOTED = 160
"""Characters of a post that a quotation repeats."""

_REVIEWED = 5
"""Posts repeated under a reply form."""

_RELATED = 10


def thread_url(thread: int, start: int = 0) -> str:
    """Give the one address of a thread page."""
    return f"/forum/thread.php?t={thread}" + (f"&start={start}" if start else "")


def post_url(post: Post) -> str:
    """Give the permalink of a post."""
    return f"/forum/thread.php?p={post.number}#p{post.number}"


def page_of(post: Post) -> str:
    """Give the address of the thread page where a post stands."""
    return thread_url(post.thread, post.place // POSTS_A_PAGE * POSTS_A_PAGE)


def strip() -> str:
    """Write the bar of links on top of every forum page."""
    targets = (
        ("/forum/index.php", "Board index"),
        ("/forum/newposts.php", "New posts"),
        ("/forum/members.php", "Members"),
        ("/forum/search.php", "Search"),
        ("/forum/help/", "Help"),
        ("/forum/login.php", "Log in"),
    )
    return f'<div class="strip">{" ".join(board_link(href, text) for href, text in targets)}</div>'


def pager(address: str, count: int, start: int, step: int) -> str:
    """Write the page numbers of a list that is cut every `step` items."""
    if count <= step:
        return ""
    glue = "&" if "?" in address else "?"
    cells = []
    for place in range(0, count, step):
        target = f"{address}{glue}start={place}" if place else address
        label = str(place // step + 1)
        cells.append(f"<b>{label}</b>" if place == start else board_link(target, label))
    following = start + step
    if following < count:
        cells.append(board_link(f"{address}{glue}start={following}", "Next", css="next"))
    return f'<div class="pager">Page {" ".join(cells)}</div>'


def trail(*steps: tuple[str, str]) -> str:
    """Write where the reader is, from the index down."""
    links = [board_link("/forum/", "Forum"), *(board_link(href, text) for href, text in steps)]
    return f'<div class="trail">{" › ".join(links)}</div>'


def page_start(request: Request, count: int, step: int) -> int | None:
    """Read `start`, rounded down to the beginning of a page; None when it lies outside the list."""
    start = request.number("start", 0)
    if start is None or not 0 <= start < max(count, 1):
        return None
    return start // step * step


def thread_page(request: Request) -> Answer | None:
    """Answer `thread.php`: by thread and start, or by post."""
    if "p" in request.query:
        return _permalink(request)
    thread = forum().threads.get(request.number("t") or 0)
    start = page_start(request, len(thread.posts), POSTS_A_PAGE) if thread else None
    if thread is None or start is None:
        return None
    if request.query.get("view") == "print":
        return _print_page(thread, start)
    if request.query.get("sort") == "desc":
        return _sorted_page(thread, start)
    return _reading_page(thread, start, kind="thread")


def _permalink(request: Request) -> Answer | None:
    post = forum().posts.get(request.number("p") or 0)
    if post is None:
        return None
    start = post.place // POSTS_A_PAGE * POSTS_A_PAGE
    return _reading_page(forum().threads[post.thread], start, kind="permalink")


def _reading_page(thread: Thread, start: int, *, kind: str) -> Answer:
    posts = thread.posts[start : start + POSTS_A_PAGE]
    html = _reading(thread, posts, start, descending=False)
    return respond(kind, html, shows=thread_url(thread.number, start), modified=posts[-1].date)


def _sorted_page(thread: Thread, start: int) -> Answer:
    """Show the newest posts first; the page holds what a plain page holds only when there is no other page."""
    posts = thread.posts[::-1][start : start + POSTS_A_PAGE]
    html = _reading(thread, posts, start, descending=True)
    shows = thread_url(thread.number) if thread.pages == 1 else ""
    return respond("sort", html, shows=shows, modified=thread.posts[-1].date)


def _reading(thread: Thread, posts: tuple[Post, ...], start: int, *, descending: bool) -> str:
    board = forum().boards[thread.board]
    address = thread_url(thread.number) + ("&sort=desc" if descending else "")
    pages = pager(address, len(thread.posts), start, POSTS_A_PAGE)
    body = "\n".join(
        (
            strip(),
            trail((f"/forum/board.php?board={board.number}", board.name)),
            f'<h1 class="thread-title">{escape(thread.title)}</h1>',
            _toolbar(thread, start),
            pages,
            *(entry(post) for post in posts),
            pages,
            _related(thread),
        )
    )
    return frame("forum", f"{thread.title} - {board.name}", body)


def _toolbar(thread: Thread, start: int) -> str:
    here = thread_url(thread.number, start)
    links = (
        board_link(f"/forum/reply.php?mode=reply&t={thread.number}", "Reply", css="reply"),
        board_link(f"{here}&view=print", "Print view"),
        board_link(f"{thread_url(thread.number)}&sort=desc", "Newest first"),
        board_link(thread_url(thread.number), "Oldest first"),
    )
    return (
        f'<div class="toolbar">{" ".join(links)} <span>{len(thread.posts)} posts, {thread.views} views</span></div>'
    )


@lru_cache(maxsize=1024)
def entry(post: Post) -> str:
    """Write one post with its author, its links and its signature."""
    number, author = post.number, post.author
    motto = f'\n<div class="signature">{escape(author.motto)}</div>' if author.motto else ""
    links = (
        board_link(f"/forum/reply.php?mode=quote&p={number}", "Quote"),
        board_link(f"/forum/report.php?p={number}", "Report"),
        board_link(post_url(post), f"#{number}", css="permalink"),
    )
    return f"""<div class="entry" id="p{number}">
<div class="who">{board_link(f"/forum/member.php?u={author.number}", author.name, css="author")}
<dl><dt>Posts</dt><dd>{len(forum().written[author.number])}</dd><dt>Joined</dt><dd>{author.joined:%b %Y}</dd>
<dt>From</dt><dd>{escape(author.home)}</dd></dl></div>
<div class="said"><div class="entry-head"><span>{moment(post.date)}</span><span>{" ".join(links)}</span></div>
<div class="text">
{_quotation(post)}{prose(post.paragraphs)}
</div>{motto}</div>
</div>"""


def _quotation(post: Post) -> str:
    if post.quotes < 0:
        return ""
    quoted = forum().threads[post.thread].posts[post.quotes]
    words = quoted.paragraphs[-1]
    shown = words if len(words) <= _QUOTED else words[:_QUOTED].rsplit(" ", 1)[0] + " …"
    return f"<blockquote><cite>{escape(quoted.author.name)} wrote:</cite> {escape(shown)}</blockquote>\n"


def _related(thread: Thread) -> str:
    """Point to a few threads of the same board, which differ from thread to thread."""
    own = [other for other in forum().boards[thread.board].threads if other != thread]
    turn = thread.number % len(own)
    near = (own[turn:] + own[:turn])[:_RELATED]
    rows = items(board_link(thread_url(other.number), other.title) for other in near)
    return f'<div class="related"><h3>More from this board</h3>\n{rows}</div>'


def _print_page(thread: Thread, start: int) -> Answer:
    posts = thread.posts[start : start + POSTS_A_PAGE]
    rows = (
        f"<h3>{escape(post.author.name)}, {moment(post.date)}</h3>\n{_quotation(post)}{prose(post.paragraphs)}\n<hr>"
        for post in posts
    )
    back = board_link(thread_url(thread.number, start), "Back to the thread")
    body = f"<h1>{escape(thread.title)}</h1>\n" + "\n".join(rows) + f"\n<p>{back}</p>"
    html = frame("forum", f"{thread.title} (print view)", body)
    return respond("print", html, shows=thread_url(thread.number, start), modified=posts[-1].date)


def reply_page(request: Request) -> Answer | None:
    """Answer `reply.php`: the form to reply to a thread or to quote a post."""
    quoted = forum().posts.get(request.number("p") or 0)
    number = quoted.thread if quoted else request.number("t")
    thread = forum().threads.get(number or 0)
    if thread is None:
        return None
    given = f"[quote={quoted.author.name}]{' '.join(quoted.paragraphs)}[/quote]" if quoted else ""
    last = "\n".join(entry(post) for post in thread.posts[: -_REVIEWED - 1 : -1])
    body = f"""{strip()}{trail((thread_url(thread.number), thread.title))}
<h1>Reply to: {escape(thread.title)}</h1>
<form method="post" action="{escape(with_session(f"/forum/reply.php?mode=reply&t={thread.number}"))}">
<p><label for="text">Your post</label></p>
<p><textarea id="text" name="text" rows="9" cols="70">{escape(given)}</textarea></p>
<p><button type="submit">Send</button> Only members can write; please log in first.</p></form>
<h2>The last posts</h2>
{last}"""
    return respond("reply", frame("forum", f"Reply to {thread.title}", body))


def report_page(request: Request) -> Answer | None:
    """Answer `report.php`: the form to tell the moderators about a post."""
    post = forum().posts.get(request.number("p") or 0)
    if post is None:
        return None
    back = trail((page_of(post), forum().threads[post.thread].title))
    body = f"""{strip()}{back}
<h1>Report post #{post.number}</h1>
<form method="post" action="{escape(with_session(f"/forum/report.php?p={post.number}"))}">
<p><label for="why">What is wrong?</label> <input id="why" name="why" size="50"></p>
<p><button type="submit">Tell the moderators</button></p></form>
{entry(post)}"""
    return respond("report", frame("forum", f"Report post {post.number}", body))
