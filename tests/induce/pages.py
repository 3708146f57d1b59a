"""A page with two posts."""

from __future__ import annotations

from typing import Any

from lxml import html

PAGE = """<html><head><title>Kilns - Clay</title></head><body><h1>Kilns</h1>
<div class="post odd" id="p1"><b class="who">Ada</b> <i class="when">2020-03-01 10:20</i>
  <div class="body">One <blockquote>quoted words</blockquote> and the answer to it, which is long.</div></div>
<div class="post even" id="p2"><b class="who">Bo</b> <i class="when">2020-03-02 11:30</i>
  <div class="body">Another answer, which is quite as long as that.</div><a class="perm" href="#p2">#2</a></div>
</body></html>"""


def parsed() -> Any:
    return html.document_fromstring(PAGE)
