"""Sites of software that nobody knows, made up: a forum of tables, a blog with comments, a shop."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lxml import etree

from anansi.induce.outline import SitePage

HOST = "http://unknown.example"
PEOPLE = ("Ada", "Brook", "Cleo P.", "Dorian", "Edda", "Finn", "Greta K", "Hollis")
_SYLLABLES = ("ba", "ker", "lo", "mi", "nu", "pra", "so", "ti", "vel", "wen", "yu", "zor")


@dataclass(frozen=True, slots=True)
class Said:
    """What stands in one object of a page."""

    text: str
    author: str = ""
    date: str = ""
    """As the page writes it."""


@dataclass(slots=True)
class Unknown:
    """A site: its pages, and what stands on those that are content."""

    pages: dict[str, str] = field(default_factory=dict)
    said: dict[str, list[Said]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def parsed(self) -> list[SitePage]:
        """Parse all pages."""
        return [SitePage(HOST + path, etree.HTML(text)) for path, text in self.pages.items()]


def sentence(rng: Random, words: int) -> str:
    """Make a sentence of words that nobody used before."""
    made = ("".join(rng.choice(_SYLLABLES) for _ in range(rng.randrange(1, 4))) for _ in range(words))
    return " ".join(made).capitalize() + "."


def _date(rng: Random) -> str:
    day = f"{rng.randrange(1, 29)}.{rng.randrange(1, 13)}.20{rng.randrange(10, 24)}"
    return f"{day} {rng.randrange(24)}:{rng.randrange(10, 60)}"


def forum(threads: int = 30, seed: int = 1, *, prefix: str = "") -> Unknown:
    """Make a forum whose posts are rows of a table, between rows that are none."""
    rng, site = Random(seed), Unknown()
    menu = f'<div class="{prefix}top"><a href="/">Start</a> <a href="/rules">Rules</a></div>'
    foot = f'<div id="{prefix}foot">Run by volunteers since the beginning of all things</div>'
    titles = [sentence(rng, 4) for _ in range(threads)]

    def page(title: str, body: str) -> str:
        return f"<html><head><title>{title} | The Quiet Board</title></head><body>{menu}{body}{foot}</body></html>"

    for board in range(3):
        rows = "".join(
            f'<tr><td class="{prefix}topic"><a href="/talk/{each}">{titles[each]}</a></td>'
            f'<td class="{prefix}by">{rng.choice(PEOPLE)}</td><td class="{prefix}n">{rng.randrange(99)}</td></tr>'
            for each in range(board, threads, 3)
        )
        body = f'<table class="{prefix}topics"><tr><th>Topic</th><th>By</th><th>Answers</th></tr>{rows}</table>'
        site.pages[f"/board/{board}"] = page(f"Board {board}", body)
    for number, title in enumerate(titles):
        posts = [
            Said(sentence(rng, rng.randrange(8, 40)), rng.choice(PEOPLE), _date(rng))
            for _ in range(rng.randrange(1, 7))
        ]
        rows = "".join(
            f'<tr id="m{seed}{number}{place}"><td class="{prefix}who"><a href="/people/{PEOPLE.index(each.author)}">'
            f"<b>{each.author}</b></a><br>Rank: regular</td><td><div class='{prefix}when'>{each.date}</div>"
            f'<div class="{prefix}words">{each.text}</div></td></tr>'
            f'<tr><td colspan="2" class="{prefix}tools"><a href="/quote/{number}/{place}">Quote</a></td></tr>'
            for place, each in enumerate(posts)
        )
        path = f"/talk/{number}"
        site.pages[path] = page(
            title, f'<h2 class="{prefix}head">{title}</h2><table class="{prefix}talk">{rows}</table>'
        )
        site.said[path], site.titles[path] = posts, title
    return site


def blog(posts: int = 24, seed: int = 2) -> Unknown:
    """Make a blog: posts with comments that answer each other, and lists that show their beginnings."""
    rng, site = Random(seed), Unknown()
    side = "<aside><h3>About</h3><p>Notes of someone who walks a lot and writes about it at night.</p></aside>"
    made = []
    for number in range(posts):
        title, date = sentence(rng, 5), _date(rng)
        paragraphs = [sentence(rng, rng.randrange(30, 60)) for _ in range(rng.randrange(2, 5))]
        comments = [
            Said(sentence(rng, rng.randrange(6, 20)), rng.choice(PEOPLE), _date(rng)) for _ in range(number % 4)
        ]
        made.append((title, date, paragraphs, comments))
        path = f"/walks/{2000 + number}/{title.lower().replace(' ', '-').strip('.')}"
        inner = ""
        for place in reversed(range(len(comments))):
            each = comments[place]
            inner = (
                f'<li class="remark" id="remark-{seed}{number}{place}"><span class="remark-by">{each.author}</span>'
                f'<span class="remark-at">{each.date}</span><div class="remark-says">{each.text}</div>'
                f"{f'<ol>{inner}</ol>' if inner else ''}</li>"
            )
        body = "".join(f"<p>{each}</p>" for each in paragraphs)
        site.pages[path] = (
            f"<html><head><title>{title} - Night Walks</title></head><body><h1>{title}</h1>"
            f'<div class="stamp">On <time datetime="20{10 + number % 9}-03-{1 + number:02}T10:00">spring</time>'
            f' by <a rel="author" href="/me">Wanda</a></div><div class="story">{body}</div>'
            f"{f'<ol class=remarks>{inner}</ol>' if inner else ''}{side}</body></html>"
        )
        site.titles[path] = title
        site.said[path] = [Said(" ".join(paragraphs), "Wanda"), *comments]
    paths = list(site.pages)
    for page in range(4):
        shown = "".join(
            f'<div class="teaser"><h2><a href="{paths[each]}">{made[each][0]}</a></h2><p>{made[each][2][0]}</p></div>'
            for each in range(page, posts, 4)
        )
        site.pages[f"/page/{page + 1}"] = (
            f"<html><head><title>Night Walks</title></head><body>{shown}{side}</body></html>"
        )
    return site


def shop(things: int = 24, seed: int = 3) -> Unknown:
    """Make a shop: things with a description, and shelves that list them."""
    rng, site = Random(seed), Unknown()
    bar = '<ul class="bar"><li><a href="/">Shop</a></li><li><a href="/basket">Basket</a></li></ul>'
    names = [sentence(rng, 3).strip(".") for _ in range(things)]
    for number, name in enumerate(names):
        text = sentence(rng, rng.randrange(50, 90))
        site.pages[f"/thing/{number}"] = (
            f"<html><head><title>{name}, {number} pieces left</title></head><body>{bar}<div class='thing'>"
            f"<h1>{name}</h1><span class='price'>{rng.randrange(5, 900)} coins</span>"
            f"<div class='described'>{text}</div><button>Buy</button></div></body></html>"
        )
        site.said[f"/thing/{number}"], site.titles[f"/thing/{number}"] = [Said(text)], name
    for shelf in range(4):
        rows = "".join(
            f'<div class="card"><a class="name" href="/thing/{each}">{names[each]}</a>'
            f" <i>{rng.randrange(900)} coins</i></div>"
            for each in range(shelf, things, 4)
        )
        site.pages[f"/shelf/{shelf}"] = (
            f"<html><head><title>Shelf {shelf}</title></head><body>{bar}<div class='cards'>{rows}</div></body></html>"
        )
    return site
