"""A forum as a blind crawl records it: lists, threads, and views that say nothing new."""

from __future__ import annotations

from random import Random

from tests.evaluate.collections import Made

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lamda", "omega")


def prose(seed: int, count: int = 120) -> str:
    rng = Random(seed)
    return " ".join(rng.choice(WORDS) + "abcdefghij"[rng.randrange(10)] for _ in range(count))


def forum(threads: int = 24) -> dict[str, str | Made]:
    """Make a forum: lists, threads, and a print view of each thread."""
    menu = '<div id="menu"><a href="/">home</a> <a href="/login">log in</a></div>'
    lists = 3
    pages: dict[str, str | Made] = {"/": f'{menu}<p>welcome to all<p><a href="/list/0">threads</a>'}
    for number in range(lists):
        listed = "".join(f'<li><a href="/t/{each}">thread</a></li>' for each in range(number, threads, lists))
        flip = f'<div id="pages"><a href="/list/{number + 1}">next</a></div>' if number + 1 < lists else ""
        pages[f"/list/{number}"] = f'{menu}<ul id="threads">{listed}</ul>{flip}'
    for each in range(threads):
        view = f'<div id="tools"><a href="/print/{each}">print</a><a href="/gone/{each}">gone</a></div>'
        abroad = f'<a href="http://other{each}.example/">see</a>'
        pages[f"/t/{each}"] = f'{menu}<div id="post-{each}">{prose(each)} {abroad}</div>{view}'
        pages[f"/print/{each}"] = f"<p>{prose(each)}</p>"
    pages["/login"] = f"{menu}<p>name and password please"
    return {
        path: text if isinstance(text, Made) else f"<html><body>{text}</body></html>" for path, text in pages.items()
    }
