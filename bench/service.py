"""Pages that `anansi helper` reads in a second, each a request of its own over loopback.

The page is a phpBB thread of 28 KB with 15 posts. Four clients post it in turn under new addresses of one site, each
over one connection, as JSON and as an HTTP message. Processor time is that of the service with its processes; the
clients share the cores with it.
"""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time

from measure import children, conclude, ended, machine, middle, options, processor_time, show_machine, table

from pages import SIZE, vocabulary

PAGES, QUICK_PAGES = 4_000, 400
CLIENTS = 4
POSTS = 15


def main() -> int:
    """Measure both ways to post a page."""
    asked = options(__doc__).parse_args()
    count = QUICK_PAGES if asked.quick else PAGES
    facts = machine()
    show_machine(facts)
    run = [sys.executable, "-m", "anansi.cli", "helper", "--port", "0", "--json"]
    with ended(subprocess.Popen(run, stdout=subprocess.PIPE)) as process:
        assert process.stdout is not None
        port = int(json.loads(process.stdout.readline())["url"].rpartition(":")[2])
        found = {}
        for form in ("json", "http"):
            rounds = [_round(process.pid, port, form, count) for _ in range(asked.rounds)]
            found[form] = {
                "pages a second": middle(each[0] for each in rounds),
                "CPU ms a page": middle(each[1] for each in rounds),
            }
    table(("posted as", "pages/s", "CPU ms a page"), [(form, *each.values()) for form, each in found.items()])
    return conclude("service", facts, found, [], check=asked.check)


def _round(process: int, port: int, form: str, count: int) -> tuple[float, float]:
    page = _page()
    before, began = _processor_time(process), time.monotonic()
    threads = [
        threading.Thread(target=_post, args=(port, form, page, range(start, count, CLIENTS)))
        for start in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    return count / seconds, (_processor_time(process) - before) / count * 1000


def _processor_time(process: int) -> float:
    return sum(map(processor_time, [process, *children(process)]))


def _post(port: int, form: str, page: str, numbers: range) -> None:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number in numbers:
        url = f"https://forum.example/viewtopic.php?t={number + 1}"
        if form == "json":
            body = json.dumps({"url": url, "headers": {"Content-Type": "text/html"}, "body": page}).encode()
            headers = {"Content-Type": "application/json"}
        else:
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page.encode()
            headers = {"Content-Type": "application/http", "Page-Url": url}
        client.request("POST", "/pages", body, headers)
        response = client.getresponse()
        answer = json.loads(response.read())
        assert response.status == 200, answer
        assert len(answer["objects"]) == POSTS + 1, len(answer["objects"])


def _page() -> str:
    """Write a thread as phpBB 3 does."""
    rng = random.Random(7)
    words = vocabulary(500, rng)
    post = (
        '<div id="p{n}" class="post"><div class="inner"><div class="postbody"><h3><a href="#p{n}">Re: Bees</a></h3>'
        '<p class="author"><a href="viewtopic.php?p={n}#p{n}"></a> by '
        '<a href="memberlist.php?mode=viewprofile&amp;u={n}" class="username">{name}</a> » '
        '<time datetime="2024-05-03T10:{n:02d}:00+00:00">Fri May 03, 2024</time></p>'
        '<div class="content">{text}</div></div></div></div>'
    )
    head = '<!doctype html><html><head><title>Bees</title></head><body id="phpbb" class="section-viewtopic">'
    title = '<h2 class="topic-title"><a href="viewtopic.php?t=1">Bees</a></h2>'
    room = (SIZE - len(head) - len(title)) // POSTS - len(post)
    posts = []
    for number in range(10, 10 + POSTS):
        text = ""
        while len(text) < room:
            text += rng.choice(words) + " "
        posts.append(post.format(n=number, name=rng.choice(words), text=text))
    return head + title + "".join(posts) + "</body></html>"


if __name__ == "__main__":
    sys.exit(main())
