"""The pages of the forum around its threads: lists, members, search, log-in, help."""

from __future__ import annotations

from html import escape

from anansi_demo.answer import Answer, Request, respond
from anansi_demo.forum import MEMBERS_A_PAGE, POSTS_A_PAGE, THREADS_A_PAGE, Board, Member, Post, Thread, forum
from anansi_demo.layout import board_link, frame, items, moment, prose, with_session
from anansi_demo.prose import Writer
from anansi_demo.thread_views import page_start, pager, post_url, strip, thread_url, trail
from anansi_demo.words import TOPICS

_NEW = 30
"""Threads on the page of new posts."""

_ECHOED = 80
"""Characters of a search that the answer repeats."""


def index_page(_: Request) -> Answer:
    """Answer the index: the boards."""
    rows = "\n".join(_board_row(board) for board in forum().boards.values())
    body = f"""{strip()}<h1>The Forum</h1>
<table class="listing boards"><tr><th>Board</th><th class="number">Threads</th><th class="number">Posts</th>
<th>Last post</th></tr>
{rows}
</table>
<p class="small">{len(forum().posts)} posts in {len(forum().threads)} threads by {len(forum().members)} members.</p>
<h2>Most read</h2>
{_most_read()}"""
    return respond("forum", frame("forum", "The Potting Shed Line: forum", body))


def _most_read() -> str:
    known = sorted(forum().threads.values(), key=lambda thread: -thread.views)[:12]
    return items(f"{board_link(thread_url(thread.number), thread.title)} ({thread.views} views)" for thread in known)


def _board_row(board: Board) -> str:
    count = sum(len(thread.posts) for thread in board.threads)
    latest = board.threads[0]
    title = board_link(f"/forum/board.php?board={board.number}", board.name, css="board-title")
    return f"""<tr class="board"><td>{title}<br>{escape(board.about)}</td>
<td class="number">{len(board.threads)}</td><td class="number">{count}</td>
<td>{_last(latest.posts[-1])}<br>in {board_link(thread_url(latest.number), latest.title)}</td></tr>"""


def _last(post: Post) -> str:
    who = board_link(f"/forum/member.php?u={post.author.number}", post.author.name)
    return f"{board_link(post_url(post), 'View')} {moment(post.date)}<br>by {who}"


def board_page(request: Request) -> Answer | None:
    """Answer `board.php`: the threads of a board, twenty a page."""
    board = forum().boards.get(request.number("board") or 0)
    start = page_start(request, len(board.threads), THREADS_A_PAGE) if board else None
    if board is None or start is None:
        return None
    descending = request.query.get("sort") == "desc"
    threads = sorted(board.threads, key=lambda thread: thread.title, reverse=True) if descending else board.threads
    address = f"/forum/board.php?board={board.number}"
    pages = pager(address + ("&sort=desc" if descending else ""), len(threads), start, THREADS_A_PAGE)
    orders = f"{board_link(address, 'By last post')} {board_link(f'{address}&sort=desc', 'By title, backwards')}"
    body = f"""{strip()}{trail()}<h1>{escape(board.name)}</h1><p>{escape(board.about)}</p>
<div class="toolbar">{orders}</div>
{pages}
{_threads(threads[start : start + THREADS_A_PAGE])}
{pages}"""
    return respond("sort" if descending else "board", frame("forum", board.name, body))


def _threads(threads: list[Thread] | tuple[Thread, ...]) -> str:
    rows = "\n".join(_thread_row(thread) for thread in threads)
    return f"""<table class="listing threads"><tr><th>Thread</th><th class="number">Replies</th>
<th class="number">Views</th><th>Last post</th></tr>
{rows}
</table>"""


def _thread_row(thread: Thread) -> str:
    starts = range(POSTS_A_PAGE, len(thread.posts), POSTS_A_PAGE)
    more = " ".join(board_link(thread_url(thread.number, start), str(start // POSTS_A_PAGE + 1)) for start in starts)
    opener = thread.posts[0]
    author = board_link(f"/forum/member.php?u={opener.author.number}", opener.author.name)
    return f"""<tr class="thread"><td>{board_link(thread_url(thread.number), thread.title, css="thread-link")} {more}
<br><span class="small">by {author}, {moment(opener.date)}</span></td>
<td class="number">{len(thread.posts) - 1}</td><td class="number">{thread.views}</td>
<td>{_last(thread.posts[-1])}</td></tr>"""


def new_posts_page(_: Request) -> Answer:
    """Answer `newposts.php`: the threads written to last, over all boards."""
    threads = sorted(forum().threads.values(), key=lambda thread: thread.posts[-1].number, reverse=True)[:_NEW]
    body = f"{strip()}{trail()}<h1>New posts</h1>\n{_threads(threads)}"
    return respond("newposts", frame("forum", "New posts", body))


def members_page(request: Request) -> Answer | None:
    """Answer `members.php`: the list of members."""
    start = page_start(request, len(forum().members), MEMBERS_A_PAGE)
    if start is None:
        return None
    descending = request.query.get("sort") == "desc"
    members = sorted(forum().members.values(), key=lambda member: member.name.lower(), reverse=descending)
    address = "/forum/members.php" + ("?sort=desc" if descending else "")
    rows = "\n".join(_member_row(member) for member in members[start : start + MEMBERS_A_PAGE])
    orders = f"{board_link('/forum/members.php', 'A to Z')} {board_link('/forum/members.php?sort=desc', 'Z to A')}"
    body = f"""{strip()}{trail()}<h1>Members</h1>
<div class="toolbar">{orders}</div>
<table class="listing"><tr><th>Name</th><th>From</th><th>Joined</th><th class="number">Posts</th></tr>
{rows}
</table>
{pager(address, len(members), start, MEMBERS_A_PAGE)}"""
    return respond("sort" if descending else "members", frame("forum", "Members", body))


def _member_row(member: Member) -> str:
    name = board_link(f"/forum/member.php?u={member.number}", member.name)
    return f"""<tr><td>{name}</td><td>{escape(member.home)}</td>
<td>{moment(member.joined)}</td><td class="number">{len(forum().written[member.number])}</td></tr>"""


def profile_page(request: Request) -> Answer | None:
    """Answer `member.php`: who somebody is and what he or she wrote last."""
    member = forum().members.get(request.number("u") or 0)
    if member is None:
        return None
    own = forum().written[member.number]
    latest = items(_written(post) for post in own[:8])
    body = f"""{strip()}{trail(("/forum/members.php", "Members"))}<h1>{escape(member.name)}</h1>
<p>From {escape(member.home)}, here since {moment(member.joined)}, {len(own)} posts.</p>
<p class="signature">{escape(member.motto)}</p>
<p>{board_link(f"/forum/search.php?author={member.number}", "Search all posts of this member")}</p>
<h2>Latest posts</h2>
{latest}"""
    return respond("profile", frame("forum", f"Profile of {member.name}", body))


def _written(post: Post) -> str:
    title = board_link(post_url(post), forum().threads[post.thread].title)
    return f"{moment(post.date)} {title}<br>{escape(post.paragraphs[0])}"


def search_page(request: Request) -> Answer:
    """Answer `search.php`: the form, and what was found for a word or an author."""
    word = request.query.get("q", "")[:_ECHOED]
    found = _search(word, request.number("author"))
    rows = items(
        f"{board_link(post_url(post), forum().threads[post.thread].title)} by {escape(post.author.name)}"
        for post in found[:50]
    )
    body = f"""{strip()}{trail()}<h1>Search</h1>
<form method="get" action="/forum/search.php"><p><label for="q">Words</label>
<input id="q" name="q" value="{escape(word)}"> <button type="submit">Search</button></p></form>
<p>{len(found)} posts found.</p>
{rows}"""
    return respond("search", frame("forum", "Search", body))


def _search(word: str, author: int | None) -> list[Post]:
    if word:
        sought = word.lower()
        return [post for post in forum().posts.values() if sought in " ".join(post.paragraphs).lower()]
    return list(forum().written.get(author or 0, ()))


def login_page(_: Request) -> Answer:
    """Answer `login.php`: a form that lets nobody in."""
    body = f"""{strip()}{trail()}<h1>Log in</h1>
<form method="post" action="{escape(with_session("/forum/login.php"))}">
<p><label for="name">Name</label> <input id="name" name="name" autocomplete="username"></p>
<p><label for="word">Password</label> <input id="word" name="word" type="password"></p>
<p><button type="submit">Log in</button></p></form>
<p>New members are admitted on the first Monday of the month, with cake.</p>"""
    return respond("login", frame("forum", "Log in", body))


def help_page(request: Request) -> Answer:
    """Answer the help: every page links to a deeper one by a relative address, for ever.

    The fault is a real one: a link without its leading slash, on a server that answers any path below.
    """
    depth = request.path.count("/help")
    writer = Writer(f"help {depth}", TOPICS["languages"])
    text = prose(writer.paragraph(4) for _ in range(4))
    body = f"""{strip()}{trail()}<h1>Help, chapter {depth}</h1>
{text}
<p><a href="help/">Next chapter of the help</a></p>"""
    return respond("trap", frame("forum", f"Help, chapter {depth}", body))
