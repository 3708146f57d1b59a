"""An entry as a mould for another item."""

from __future__ import annotations

from lxml import etree

from anansi.feeds.channel import Listing, Shown, listings, parse
from anansi.feeds.mould import Filled, Mould, common, fill, plain
from anansi.feeds.timeline import Fact, When

FACTS = {
    "a.example/1": Fact(
        "a.example/1", "http://a.example/1", "First light", "Herons stood in the grey water of the harbour.",
        author="Ada", categories=("birds",), published=1_614_772_800.0,
    ),
    "a.example/2": Fact("a.example/2", "http://a.example/2", "Second", "x", author="Ben", published=1_614_859_200.0),
}  # fmt: skip
NEW = Fact(
    "a.example/9", "http://a.example/9", "A <b> & c", "<p>Nine <script>alert(1)</script> boats &lt;i&gt; left.</p>",
    author="Ben", categories=("boats",), published=1_614_945_600.0,
)  # fmt: skip


def entry(number: int, title: str, author: str, tag: str, text: str) -> str:
    return (
        f'<div class="post p{number} {tag}" id="n{number}"><h2><a href="/{number}">{title}</a></h2>'
        f'<img src="{number}.png"><p>{text}</p>'
        f'<p>By <a href="/by/{author}">{author}</a> on March {number + 2}, 2021, filed in '
        f'<a href="/in/{tag}">{tag}</a>, <span>{number} likes</span> <a href="/{number}#c">Comments</a></p></div>'
    )


def listing() -> Listing:
    text = "Herons stood in the grey water of the harbour."
    boats = "Boats of all kinds lay there for a while and then left."
    page = entry(2, "Second", "Ben", "boats", boats) + entry(1, "First light", "Ada", "birds", text)
    tree = parse(f"<html><body><div>{page}</div></body></html>".encode(), "utf-8")
    (found,) = listings([Shown("http://a.example/", 1_615_000_000.0, tree)], FACTS)
    return found


def made(fact: Fact) -> tuple[str, Filled]:
    found = listing()
    own = found.entries[1]
    known = FACTS[own.key]
    at = known.published or 0.0
    mould = Mould(own, known, When(at, at, at, ""), "http://a.example/", common(found.entries))
    filled = fill(mould, fact)
    return "".join(etree.tostring(node, method="html", encoding="unicode") for node in filled.nodes), filled


def test_a_mould_takes_what_is_known_and_leaves_the_rest_empty() -> None:
    text, filled = made(NEW)
    assert '<h2><a href="http://a.example/9">A &lt;b&gt; &amp; c</a></h2>' in text
    assert "<p>Nine boats &lt;i&gt; left.</p>" in text
    assert '<a href="/by/Ben">Ben</a> on March 5, 2021' in text
    assert '<a href="/in/boats">boats</a>' in text
    assert '<a href="http://a.example/9#c">Comments</a>' in text
    assert '<div class="post">' in text
    for other in ("First light", "Herons", "Ada", "birds", "1 likes", "1.png", "n1", "script"):
        assert other not in text
    assert filled.missing == ("counts and other texts", "pictures and media")


def test_what_is_not_known_is_said() -> None:
    text, filled = made(Fact("a.example/8", "http://a.example/8", "Eight"))
    assert "Eight" in text
    assert "March" not in text
    assert set(filled.missing) >= {"author", "date", "summary", "pictures and media"}


def test_markup_becomes_text() -> None:
    assert plain("<p>a&amp;b</p><style>x</style><b>c") == "a&b c"
    assert len(plain("x " * 100_000)) <= 20_000
