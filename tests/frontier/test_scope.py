"""Which URLs belong to the crawl."""

from __future__ import annotations

import pytest

from anansi.config import Scope as Settings
from anansi.frontier.scope import Scope, compile_scope
from anansi.model import Hop, Reason

SEED = "https://blog.example.org/news/today.html?a=1"


def scope(*seeds: str, **settings: object) -> Scope:
    return compile_scope(Settings(**settings), seeds or (SEED,))  # type: ignore[arg-type]


def inside(compiled: Scope, url: str, hop: Hop = Hop.LINK, depth: int = 1) -> bool:
    return compiled.refuse(url, hop.value, depth) is None


INSIDE = {
    # kind → what belongs to it, what does not
    "page": ((SEED,), ("https://blog.example.org/news/today.html", "https://blog.example.org/")),
    "prefix": (
        ("https://blog.example.org/news/", "https://blog.example.org/news/a/b"),
        ("https://blog.example.org/newsletter/", "https://blog.example.org/", "http://blog.example.org/news/"),
    ),
    "host": (
        ("https://blog.example.org/", "http://blog.example.org/x", "https://BLOG.example.org/x"),
        (
            "https://www.example.org/",
            "https://example.org/",
            "https://blog.example.org:8443/",
            "https://evil.org/?https://blog.example.org/",
        ),
    ),
    "domain": (
        ("https://example.org/", "http://shop.example.org/"),
        ("https://example.com/", "https://badexample.org/", "https://example.org.evil.net/"),
    ),
}


@pytest.mark.parametrize("kind", INSIDE)
def test_each_kind_draws_its_own_border(kind: str) -> None:
    compiled = scope(kind=kind)
    within, beyond = INSIDE[kind]
    for url in within:
        assert inside(compiled, url), url
    for url in beyond:
        assert compiled.refuse(url, Hop.LINK.value, 1) == (Reason.SCOPE, f"outside the {kind} scope"), url


def test_a_public_suffix_is_nobodys_domain() -> None:
    assert not inside(scope("https://ada.github.io/", kind="domain"), "https://bob.github.io/")
    assert not inside(scope("https://a.co.uk/", kind="domain"), "https://b.co.uk/")


def test_a_custom_scope_is_its_patterns_alone() -> None:
    compiled = scope(kind="custom", include=[r"/wiki/", r"\.pdf$"])
    assert inside(compiled, "https://any.where/wiki/Ant")
    assert inside(compiled, "https://any.where/a.pdf")
    assert not inside(compiled, SEED)


def test_include_widens_any_kind_and_exclude_beats_everything() -> None:
    compiled = scope(kind="host", include=[r"^https://cdn\."], exclude=[r"\?replytocom=", "/private/"])
    assert inside(compiled, "https://cdn.other.net/a")
    assert compiled.refuse("https://cdn.other.net/private/a", Hop.LINK.value, 1) == (
        Reason.SCOPE,
        "matches an exclude pattern",
    )
    assert not inside(compiled, "https://blog.example.org/?replytocom=5")
    assert not inside(compiled, "https://blog.example.org/private/x.png", Hop.EMBED)


def test_patterns_keep_their_own_flags_and_groups() -> None:
    compiled = scope(exclude=[r"(a)\1", r"(?i)LOGOUT", r"(?P<word>x)(?P=word)", r"(?P<word>y)(?P=word)"])
    for word in ("aa", "logout", "Logout", "xx", "yy"):
        assert not inside(compiled, f"https://blog.example.org/{word}"), word
    for word in ("a", "AA", "x", "XX", "xy"):
        assert inside(compiled, f"https://blog.example.org/{word}"), word


def test_what_a_page_shows_may_stand_elsewhere_but_links_and_redirects_may_not() -> None:
    compiled = scope()
    assert inside(compiled, "https://images.net/a.png", Hop.EMBED)
    assert not inside(compiled, "https://images.net/a.png", Hop.LINK)
    assert not inside(compiled, "https://images.net/a.png", Hop.REDIRECT)


def test_the_hop_limit_counts_links() -> None:
    compiled = scope(max_hops=2)
    assert inside(compiled, "https://blog.example.org/a", depth=2)
    assert compiled.refuse("https://blog.example.org/a", Hop.LINK.value, 3) == (Reason.HOPS, "3 links from the seed")
    assert inside(scope(max_hops=0), SEED, depth=0)


@pytest.mark.parametrize("kind", ["host", "prefix", "page", "domain"])
def test_a_seed_that_redirects_takes_the_scope_along(kind: str) -> None:
    compiled = scope("https://example.org/", kind=kind)
    target = "https://www.example.net/"
    assert not inside(compiled, target)
    assert inside(compiled.widened(target), target)
    assert inside(compiled.widened(target), "https://example.org/")


def test_www_is_another_host_until_the_seed_redirects_there() -> None:
    compiled = scope("https://example.org/")
    assert not inside(compiled, "https://www.example.org/a")
    assert inside(compiled.widened("https://www.example.org/"), "https://www.example.org/a")


def test_several_seeds_make_one_scope() -> None:
    compiled = scope("https://a.org/x/", "https://b.org/y/", kind="prefix")
    assert inside(compiled, "https://a.org/x/1")
    assert inside(compiled, "https://b.org/y/1")
    assert not inside(compiled, "https://b.org/x/1")
