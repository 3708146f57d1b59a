"""What a scripted page holds, and what stands around it; both can be changed without the other."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final

WORDS: Final = """harbour ferry lantern orchard granite council budget river bridge teacher market winter engine
letter garden window valley doctor museum archive station kitchen forest captain village signal copper bicycle library
festival painter weather mountain factory newspaper meadow carpenter island tunnel compass barley theatre clock
stove""".split()  # noqa: SIM905 - a word list
VERBS: Final = "crossed repaired opened counted painted measured described carried found closed visited sold".split()  # noqa: SIM905
NAMES: Final = (
    "Ada Lind",
    "Boris Keel",
    "Cleo Marsh",
    "Dora Finch",
    "Emil Stone",
    "Fay Rook",
    "Gus Heron",
    "Ida Vale",
)


def sentence(rng: random.Random) -> str:
    """Write a sentence that means little."""
    one, two, three, four = rng.sample(WORDS, 4)
    return (
        f"The {one} of the {two} {rng.choice(VERBS)} {rng.randint(2, 950)} times near the {three}, and the {four} "
        f"{rng.choice(VERBS)} it again before {rng.choice(('noon', 'dusk', 'spring', 'the rain'))}."
    )


def paragraph(rng: random.Random, sentences: int = 3) -> str:
    return " ".join(sentence(rng) for _ in range(sentences))


@dataclass(frozen=True)
class Comment:
    """What a reader said."""

    number: int
    author: str
    text: str


@dataclass(frozen=True)
class Content:
    """What people wrote: whatever differs here is a change."""

    title: str
    author: str
    date: str
    """ISO 8601, a day."""
    paragraphs: tuple[str, ...]
    link: str
    image: str
    comments: tuple[Comment, ...]

    def body(self, mark: Callable[[str], str] = lambda text: f"<p>{text}</p>", ad: str = "") -> str:
        """Write the text with its link and image, an advertisement in the middle."""
        parts = [mark(escape(each, quote=False)) for each in self.paragraphs]
        linked = mark(f'More is told in <a href="{self.link}">the report of the year</a>, which is long.')
        picture = mark(f'<img src="{self.image}" alt="A view" width="640" height="420">')
        return "\n".join([parts[0], picture, linked, ad, *parts[1:]])

    def about(self) -> str:
        """Return what a feed says of it: the first words."""
        return " ".join(self.paragraphs[0].split()[:30]) + " […]"


@dataclass(frozen=True)
class Setting:
    """What the software puts around it: whatever differs here is none."""

    ad: int = 1
    recent: tuple[str, ...] = ("Twelve ways to dry apples", "The lock of the old canal")
    remarks: tuple[str, ...] = ("Ida on Twelve ways", "Gus on The lock")
    menu: tuple[str, ...] = ("Home", "About", "Archive")
    today: str = "Monday, 16 November 2026"
    views: int = 1204
    shares: int = 17
    hours: int = 3
    token: str = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
    related: tuple[str, ...] = ("Stoves compared", "A tunnel for geese")
    built: str = "0.412"
    year: int = 2026
    suffix: str = "a1b2"
    banner: str = ""
    turned: bool = False
    """Whether the boxes at the side stand in another order."""
    online: int = 14
    campaign: str = "utm_source=feed&utm_medium=rss"
    skin: int = 0
    """Which theme is around the text."""
    edited: int = 0
    """How often the software says that a post was edited."""

    def advert(self) -> str:
        return (
            f'<div class="ad-slot ad-{self.ad}" id="ad{self.ad}"><a href="https://ads.example/c/{self.ad}?r={self.token}">'
            f'<img src="https://ads.example/i/{self.ad}.gif" alt=""></a><p>Advertisement {self.ad}: buy '
            f"{WORDS[self.ad % len(WORDS)]} boots at half the usual price, today only</p></div>"
        )

    def items(self, titles: tuple[str, ...]) -> str:
        return "".join(f'<li><a href="/{slug(each)}">{each}</a></li>' for each in titles)

    def boxes(self) -> str:
        """Write the boxes at the side."""
        found = [
            f'<div class="widget recent-{self.suffix} recent-posts"><h3>Recent posts</h3>'
            f"<ul>{self.items(self.recent)}</ul></div>",
            f'<div class="widget recent-comments"><h3>Recent comments</h3><ul>{self.items(self.remarks)}</ul></div>',
            '<div class="widget online"><h3>Who is here</h3>'
            f"<p>{self.online} guests and 2 members are reading now</p></div>",
        ]
        return "".join(reversed(found) if self.turned else found)


def slug(title: str) -> str:
    return "-".join(title.lower().split())


def sample(seed: int, comments: int = 4, paragraphs: int = 6) -> Content:
    """Make up a page."""
    rng = random.Random(seed)
    one, two, three = rng.sample(WORDS, 3)
    number = rng.randint(100, 900)
    said = tuple(
        Comment(number + at * 3, rng.choice(NAMES), paragraph(rng, rng.choice((1, 2)))) for at in range(comments)
    )
    return Content(
        title=f"How the {one} came to the {two} of {three} valley",
        author=rng.choice(NAMES),
        date=f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
        paragraphs=tuple(paragraph(rng, rng.choice((2, 3, 4))) for _ in range(paragraphs)),
        link=f"https://reports.example/{rng.randint(1000, 9999)}/full",
        image=f"/pictures/{one}-{rng.randint(10, 99)}.jpg",
        comments=said,
    )


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────────


def edit(text: str, rng: random.Random, at: int | None = None) -> str:
    """Change one word."""
    words = text.split(" ")
    place = rng.randrange(len(words) - 1) if at is None else at
    words[place] = "otherwise" if words[place] != "otherwise" else "likewise"
    return " ".join(words)


def in_paragraph(content: Content, at: int, change: Callable[[str], str]) -> Content:
    paragraphs = list(content.paragraphs)
    paragraphs[at] = change(paragraphs[at])
    return replace(content, paragraphs=tuple(paragraphs))


def in_comment(content: Content, at: int, **fields: object) -> Content:
    comments = list(content.comments)
    comments[at] = replace(comments[at], **fields)  # type: ignore[arg-type]
    return replace(content, comments=tuple(comments))


def _number(text: str) -> str:
    digits = next(word for word in text.split() if word.isdigit())
    return text.replace(digits, str(int(digits) + 1), 1)


def _moved(content: Content) -> Content:
    first, second, *rest = content.paragraphs
    return replace(content, paragraphs=(first, *rest, second))


Real = Callable[[Content, random.Random], Content]
REAL: dict[str, Real] = {
    "a word": lambda c, rng: in_paragraph(c, 2, lambda text: edit(text, rng)),
    "a word at the beginning": lambda c, rng: in_paragraph(c, 0, lambda text: edit(text, rng, 2)),
    "a number": lambda c, rng: in_paragraph(c, 3, _number),
    "a sign": lambda c, _: in_paragraph(c, 1, lambda text: text[:-1] + "?"),
    "a letter at the very end": lambda c, _: in_paragraph(c, -1, lambda text: text[:-2] + "s."),
    "a paragraph added": lambda c, rng: replace(c, paragraphs=(*c.paragraphs, paragraph(rng))),
    "a paragraph removed": lambda c, _: replace(c, paragraphs=c.paragraphs[:2] + c.paragraphs[3:]),
    "a paragraph moved": lambda c, _: _moved(c),
    "a short addition": lambda c, _: replace(c, paragraphs=(*c.paragraphs, "Correction: it was a Tuesday.")),
    "the target of a link": lambda c, _: replace(c, link=c.link.replace("/full", "/short")),
    "an image": lambda c, _: replace(c, image=c.image.replace(".jpg", "b.jpg")),
    "the title": lambda c, _: replace(c, title=c.title.replace("How the", "Why the")),
    "the author": lambda c, _: replace(c, author="Zoe Quill"),
    "the date": lambda c, _: replace(c, date=c.date[:-1] + str((int(c.date[-1]) + 1) % 10)),
    "a comment added": lambda c, rng: replace(
        c, comments=(*c.comments, Comment(c.comments[-1].number + 5, "Hal Dunn", paragraph(rng, 1)))
    ),
    "a comment removed": lambda c, _: replace(c, comments=(c.comments[0], *c.comments[2:])),
    "a comment edited": lambda c, rng: in_comment(c, 1, text=edit(c.comments[1].text, rng)),
    "a short comment added": lambda c, _: replace(
        c, comments=(*c.comments, Comment(c.comments[-1].number + 5, "Hal Dunn", "So it was, I saw it as well."))
    ),
}

Around = Callable[[Setting], Setting]
AROUND: dict[str, Around] = {
    "another advertisement": lambda s: replace(s, ad=7),
    "recent posts": lambda s: replace(s, recent=("A gate for the meadow", *s.recent)),
    "recent comments": lambda s: replace(s, remarks=("Fay on A gate", *s.remarks[:1])),
    "a menu item": lambda s: replace(s, menu=(*s.menu, "Podcast")),
    "the date of today": lambda s: replace(s, today="Tuesday, 17 November 2026"),
    "view counters": lambda s: replace(s, views=1377),
    "share counts": lambda s: replace(s, shares=112),
    "times ago": lambda s: replace(s, hours=27),
    "tokens": lambda s: replace(s, token="00112233445566778899aabbccddeeff"),
    "related posts": lambda s: replace(s, related=("Ropes and their knots", "Stoves compared")),
    "how long it took": lambda s: replace(s, built="0.097"),
    "the year at the foot": lambda s: replace(s, year=2027),
    "names of classes": lambda s: replace(s, suffix="zz9x"),
    "a banner": lambda s: replace(s, banner="We use cookies to make this page work; please accept them all"),
    "boxes in another order": lambda s: replace(s, turned=True),
    "who is online": lambda s: replace(s, online=233),
    "campaigns in links": lambda s: replace(s, campaign="utm_source=home&utm_campaign=autumn"),
    "another theme": lambda s: replace(s, skin=1),
    "everything around": lambda s: replace(
        s, ad=9, recent=("One more", *s.recent), views=5, shares=0, hours=50, token="ff" * 16, year=2027, online=1
    ),
}


@dataclass(frozen=True)
class Case:
    """A pair of pages."""

    template: str
    change: str
    real: bool
    feed: bool
    before: str
    after: str
    content: Content = field(repr=False)
    url: str = ""
