"""The service, explained to people: its start page."""

from __future__ import annotations

from html import escape
from typing import Final

from anansi import __version__
from anansi.service.posted_page import LARGEST_BODY
from anansi.service.problem import KINDS

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#23262d;--soft:#5d6370;--ground:#fbf9f4;--line:#ded7c8;--mark:#2f7a72;--box:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#a6abb6;--ground:#15171c;--line:#33363f;--mark:#63b8ae;
--box:#1e2128}}
body{margin:0 auto;max-width:52rem;padding:2.5rem 1.25rem;font:16px/1.55 system-ui,sans-serif;color:var(--ink);
background:var(--ground)}
h1{font-size:1.7rem;margin:0}h2{font-size:1.1rem;margin:2.2rem 0 .6rem}p{max-width:44rem}a{color:var(--mark)}
pre{background:var(--box);border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;overflow:auto;
font-size:.86rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}td,th{text-align:left;vertical-align:top;
padding:.35rem .8rem .35rem 0;border-top:1px solid var(--line)}th{color:var(--soft);font-weight:500}
tr:target{background:var(--box)}.soft{color:var(--soft)}
"""

_EXAMPLES: Final = """
curl -si https://forum.example/viewtopic.php?t=7 |
  curl -s {url}/pages -H 'Content-Type: application/http' \\
       -H 'Page-Url: https://forum.example/viewtopic.php?t=7' --data-binary @-

curl -s {url}/pages --json \\
  '{{"url": "https://forum.example/viewtopic.php?t=7", "headers": {{}}, "body": "<!doctype html>…"}}'

curl -s {url}/pages --data-binary @page.html -H 'Content-Type: text/html; charset=utf-8' \\
     -H 'Page-Url: https://forum.example/viewtopic.php?t=7'
"""


def start_page(url: str, types: int, *, guarded: bool) -> bytes:
    """Write the start page of the service at a URL."""
    token = "<p>A token is asked for: add <code>-H 'Authorization: Bearer TOKEN'</code>.</p>" if guarded else ""
    rows = "".join(
        f'<tr id="{name}"><td>{kind.status}</td><td>{name}</td><td>{escape(kind.title)}</td>'
        f"<td>{escape(kind.cure)}</td></tr>"
        for name, kind in KINDS.items()
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Anansi helper</title><style>{_STYLE}</style></head><body>
<h1>Anansi helper</h1>
<p class="soft">version {escape(__version__)} · {types:,} types of applications known ·
<a href="/health">health</a> · <a href="/openapi.json">OpenAPI</a></p>
<p>POST a page that your crawler fetched to <code>/pages</code>. The answer says which application made the page and
what kind of page it is, which of its links lead to content and which do not, and what posts, articles or comments
stand on it. What a site is made with is remembered for its next page.</p>{token}
<h2>Three ways to post a page</h2>
<pre>{escape(_EXAMPLES.format(url=url).strip())}</pre>
<p>A request has at most {LARGEST_BODY:,} bytes.</p>
<h2>Problems</h2>
<p>They come as <code>application/problem+json</code> (RFC 9457), with a <code>cure</code>.</p>
<table><tr><th>status</th><th>type</th><th>what is wrong</th><th>what to do</th></tr>{rows}</table>
</body></html>
""".encode()
