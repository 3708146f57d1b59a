"""What happens to a URL from the text of a link to the keys it is stored under."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable

import ada_url
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pywb.utils.canonicalize import canonicalize  # type: ignore[import-untyped]

from anansi import url as urls
from anansi.errors import UserError
from anansi.url import Rules, canonical, has_credentials, host_of, origin_of, pattern, resolve, site_of, surt

BASE = "http://example.org/forum/index.php?a=1"
HASH = "0123456789abcdef0123456789abcdef"

# Text that is nearly a URL finds more than text at random: what matters is how the pieces stand together.
PIECES = [
    *"/.?&=#;:@%\\ []()+-_~\"'<>{}|^`*,!$\t\n\0é\u3002",
    *("//", "..", "./", "%2e", "%2E", "%7e", "%41", "%25", "%3f", "%2f", "%zz", "%%34%31", "%d0%9f", "%D0"),
    *("http:", "https:", "http://", "HTTPS://", "javascript:", "user:pw@", ":80", ":443", ":8080", ":0"),
    *(
        "example.org",
        "EXAMPLE.org.",
        "www.",
        "www2.",
        "xn--e1afmkfd",
        "xn--a",
        "bücher.de",
        "1.2.3.4",
        "0x7f.1",
        "[::1]",
    ),
    *(";jsessionid=1A2B", "(S(abcdefghijklmnopqrstuvwx))", "a.aspx", "(abcdefghijklmnopqrstuvwx)", "index.php"),
    *(
        f"sid={HASH}",
        f"PHPSESSID={HASH}",
        "s=",
        "utm_source=x",
        "cfid=1&cftoken=2",
        "b=2",
        "a=1",
        "a=2",
        "a",
        "Z",
        "0",
    ),
]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))
tails = st.lists(st.sampled_from(PIECES)).map("".join)
resolved = st.one_of(
    tails.map(lambda tail: resolve(tail, BASE)),
    tails.map(lambda tail: resolve(f"http://{tail}")),
    tails.map(lambda tail: resolve(f"https://www.example.org/{tail}")),
).filter(lambda url: url is not None)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("viewtopic.php?t=5#p9", "http://example.org/forum/viewtopic.php?t=5"),
        ("./viewtopic.php?t=5", "http://example.org/forum/viewtopic.php?t=5"),
        ("../a/./b/../c", "http://example.org/a/c"),
        ("/top", "http://example.org/top"),
        ("//cdn.example.net/x.png", "http://cdn.example.net/x.png"),
        ("?b=2", "http://example.org/forum/index.php?b=2"),
        ("#top", "http://example.org/forum/index.php?a=1"),
        ("", "http://example.org/forum/index.php?a=1"),
        (" \t\nHTTP://Example.ORG:80/a\n/b \r\n", "http://example.org/a/b"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("http:relative", "http://example.org/forum/relative"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("http://user:secret@example.org/a@b", "http://example.org/a@b"),
        ("http://user@example.org:8080?x", "http://example.org:8080/?x"),
        ("http://web.example.org/a b/http://user@x.org/", "http://web.example.org/a%20b/http://user@x.org/"),
        ("http://bücher.de/ä?ö", "http://xn--bcher-kva.de/%C3%A4?%C3%B6"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://example.org/a/%2e%2E/b", "http://example.org/b"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/?", "http://example.org/?"),
    ],
)
def test_a_link_becomes_the_url_a_browser_would_open(raw: str, expected: str) -> None:
    assert resolve(raw, BASE) == expected


@pytest.mark.parametrize(
    "raw",
    [
        *("javascript:void(0)", "mailto:a@b.org", "data:text/html,x", "tel:+1", "ftp://example.org/", "about:blank"),
        *("http://", "http:///", "http://exa mple.org/", "http://256.1.1.1/", "http://[::1/", "http://a:99999/"),
        *("http://a..b/", "http://.example.org/", "http://./", "http://xn--é/", f"http://{'a' * 64}.org/"),
        *("http://example.org/" + "a" * 4096, "http://example.org/" + "é" * 1000, "\ud800"),
    ],
)
def test_what_cannot_be_crawled_is_none(raw: str) -> None:
    assert resolve(raw, BASE) is None


@pytest.mark.parametrize("base", [None, "", "about:blank", "not a base", "mailto:a@b.org"])
def test_a_relative_link_needs_a_base(base: str | None) -> None:
    assert resolve("page.html", base) is None
    assert resolve("http://example.org/page.html", base) == "http://example.org/page.html"
    assert resolve("http://EXAMPLE.org/page.html", base) == "http://example.org/page.html"


def test_the_longest_url_accepted_has_the_limit() -> None:
    longest = "http://example.org/".ljust(urls.LIMIT, "a")
    assert resolve(longest) == longest
    assert resolve(longest + "a") is None
    assert resolve("a" * (urls.LIMIT - 10), "http://example.org/") is None


@settings(max_examples=500)
@given(texts, st.one_of(st.none(), texts, resolved, st.just(BASE)))
@example("a:b", BASE)
@example("//x.org", BASE)
@example("/%2e%2E/a", BASE)
@example(".//a", BASE)
def test_shortcuts_agree_with_the_parser(raw: str, base: str | None) -> None:
    assert resolve(raw, base) == urls._parse(raw, base)


@given(resolved)
def test_a_resolved_url_is_clean_and_stays_as_it_is(url: str) -> None:
    parsed = ada_url.URL(url)
    assert (parsed.username, parsed.password, parsed.hash) == ("", "", "")
    assert parsed.protocol in ("http:", "https:")
    assert resolve(url) == url == resolve(url, "https://elsewhere.net/x/y?z")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("http://user:secret@example.org/", True),
        ("http://user@example.org/", True),
        ("//:secret@example.org/", True),
        (" ht\ntp://user@example.org/", True),
        ("http://example.org/@user", False),
        ("http://@example.org/", False),
        ("mailto:a@b.org", False),
        ("http://a@[", False),
        ("\ud800@", False),
    ],
)
def test_credentials_are_noticed(raw: str, expected: bool) -> None:
    assert has_credentials(raw) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org/", "http://example.org/"),
        ("https://example.org/", "https://example.org/"),
        ("HTTP://Example.ORG:80/a/../b#c", "http://example.org/b"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://example.org.:8080/a", "http://example.org:8080/a"),
        ("http://example.org/%7Euser/%41%2d%e4?%7e=%2f", "http://example.org/~user/A-%E4?~=%2F"),
        ("http://example.org/100%/%zz?%", "http://example.org/100%25/%25zz?%25"),
        ("http://example.org/%2541", "http://example.org/%2541"),
        ("http://example.org/%%34%31", "http://example.org/%2541"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org/a?&&b=1&", "http://example.org/a?b=1"),
        ("http://example.org/?b=2&a=2&a=1&A=3", "http://example.org/?A=3&a=2&a=1&b=2"),
        ("http://example.org/a;jsessionid=1F.n1?b=1", "http://example.org/a?b=1"),
        ("http://example.org/a;JSESSIONID=1F;x=2/b", "http://example.org/a;x=2/b"),
        ("http://example.org/a/..;jsessionid=1/b", "http://example.org/b"),
        ("http://example.org/(S(abcdefghijklmnopqrstuvwx))/a.aspx", "http://example.org/a.aspx"),
        ("http://example.org/a(b)/c", "http://example.org/a(b)/c"),
        ("http://xn--bcher-kva.de./?utm_source=x", "http://xn--bcher-kva.de/"),
        ("mailto:a@b.org", "mailto:a@b.org"),
    ],
)
def test_spellings_of_one_resource_meet(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "noise",
    [
        *(
            f"sid={HASH}",
            f"s={HASH}",
            "s=",
            f"PHPSESSID={HASH}",
            "phpsessid=short",
            "osCsid=1",
            "zenid=1",
            "XTCsid=2",
        ),
        *("CFID=12", "CFTOKEN=34", "ASPSESSIONIDABCDEFGH=XYZ", "sid=4f6h8kq2m1n3b5v7c9x0z2l4p6", f"%73id={HASH}"),
        *(
            "utm_source=feed",
            "UTM_Medium=rss",
            "fbclid=x",
            "gclid",
            "_ga=1.2",
            "mtm_campaign=a",
            f"PHPSESSID={HASH};",
        ),
    ],
)
@pytest.mark.parametrize("query", ["{noise}&t=5", "t=5&{noise}", "t=5&{noise}&{noise}"])
def test_session_and_tracking_parameters_are_dropped(noise: str, query: str) -> None:
    assert canonical(f"http://example.org/a?{query.format(noise=noise)}") == "http://example.org/a?t=5"
    assert canonical(f"http://example.org/a?{noise}") == "http://example.org/a"


@pytest.mark.parametrize(
    "content",
    [
        *("s=spider", "s=deadbeef", "sid=57", "sid=02/11/16/0145214", "session_id=12", "session=spring-2019"),
        *("sid=averylongstorytitlewithoutdigits", "position=1", "utmost=1", "sids=1", "id=" + HASH),
    ],
)
def test_parameters_that_only_resemble_a_session_are_kept(content: str) -> None:
    assert canonical(f"http://example.org/a?{content}") == f"http://example.org/a?{content}"


def test_a_session_joined_by_a_semicolon_leaves_the_topic() -> None:
    assert canonical(f"http://example.org/?PHPSESSID={HASH};topic=5.0") == "http://example.org/?topic=5.0"
    assert canonical(f"http://example.org/?action=x;sesc={HASH};u=1") == "http://example.org/?action=x;u=1"


def test_rules_extend_and_replace_what_is_noise() -> None:
    url = "http://example.org/a?z=1&sid=57&Highlight=x&hl_a=1&fbclid=2"
    assert canonical(url, Rules(drop=("highlight", "HL_*", "sid"))) == "http://example.org/a?z=1"
    assert canonical(url, Rules(sort_query=False)) == "http://example.org/a?z=1&sid=57&Highlight=x&hl_a=1"
    bare = Rules(session_parameters=frozenset({"z"}), tracking_parameters=frozenset())
    assert canonical(url, bare) == "http://example.org/a?Highlight=x&fbclid=2&hl_a=1&sid=57"
    assert canonical(url, Rules(drop=("*",))) == "http://example.org/a"


def test_rules_travel_to_other_processes() -> None:
    rules = Rules(drop=("x",), rewrites=((r"/print/", "/"),))
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules
    assert canonical("http://example.org/print/a?x=1", copy) == "http://example.org/a"


def test_rewrites_see_the_canonical_url_and_give_one() -> None:
    rules = Rules(rewrites=((r"viewtopic\.php\?f=\d+&(t=\d+)$", r"viewtopic.php?\1"), (r"^http://m\.", "http://")))
    assert canonical(f"http://m.x.org/viewtopic.php?t=5&sid={HASH}&f=3", rules) == "http://x.org/viewtopic.php?t=5"
    untidy = Rules(rewrites=((r"/old/", "/new/../%7e/"),))
    assert canonical("http://x.org/old/a?b=1&a=2", untidy) == "http://x.org/~/a?a=2&b=1"


@pytest.mark.parametrize(
    "rewrite", [("a", "aa"), ("^http", "ftp"), (".+", ""), ("$", "x" * urls.LIMIT), ("//", "//[")]
)
def test_a_rewrite_that_does_not_settle_on_a_url_is_not_applied(rewrite: tuple[str, str]) -> None:
    assert canonical("http://example.org/a", Rules(rewrites=(rewrite,))) == "http://example.org/a"


@pytest.mark.parametrize("rewrite", [("(", ""), ("a", r"\1"), ("a", r"\g<name>"), ("a", "\\")])
def test_a_rewrite_that_cannot_work_is_refused_when_it_is_given(rewrite: tuple[str, str]) -> None:
    with pytest.raises(UserError, match=r"rewrite .* correct the regular expression"):
        Rules(rewrites=(rewrite,))


rule_sets = st.sampled_from(
    [
        urls.DEFAULT,
        Rules(sort_query=False),
        Rules(drop=("a", "%*")),
        Rules(rewrites=(("[0-9]+", "7"), ("/a", "/../b"))),
        Rules(rewrites=(("a", "ab"),)),
    ]
)


@settings(max_examples=500)
@given(resolved, rule_sets)
@example("http://example.org/" + "%" * 4000, urls.DEFAULT)
@example("http://example.org/.;jsessionid=1", urls.DEFAULT)
@example("http://example.org/(S(abcdefghijklmnopqrstuvwx));jsessionid=1/a", urls.DEFAULT)
@example("http://example.org/%2E;jsessionid=1/..;jsessionid=2/x", urls.DEFAULT)
@example("http://example.org/a?;;sid=&s=;&;utm_=", urls.DEFAULT)
def test_a_canonical_url_is_stable_and_join_safe(url: str, rules: Rules) -> None:
    key = canonical(url, rules)
    assert canonical(key, rules) == key
    assert resolve(key) == key == resolve(key, "https://elsewhere.net/x/y?z")


@given(texts, rule_sets)
def test_any_text_has_a_stable_key(text: str, rules: Rules) -> None:
    key = canonical(text, rules)
    assert canonical(key, rules) == key
    if (url := resolve(text)) is not None:
        assert key == canonical(url, rules) or len(text) > urls.LIMIT


names = st.text("abcxyzAB_[]", min_size=1, max_size=4)
pairs = st.lists(st.tuples(names, st.text("ab01%+", max_size=4)), max_size=6, unique_by=lambda pair: pair[0])


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_parameters_does_not_matter(
    parameters: list[tuple[str, str]], random: Callable[..., None]
) -> None:
    written = [f"{name}={value}" for name, value in parameters]
    shuffled = list(written)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert canonical(f"http://x.org/?{'&'.join(shuffled)}") == canonical(f"http://x.org/?{'&'.join(written)}")


@given(pairs, st.integers(0, 6), st.sampled_from(["sid", "SID", "s", "PHPSESSID", "jsessionid"]), st.uuids())
def test_a_session_id_anywhere_changes_nothing(
    parameters: list[tuple[str, str]], place: int, name: str, session: object
) -> None:
    written = [f"{name}={value}" for name, value in parameters]
    with_session = [*written[:place], f"{name}={str(session).replace('-', '')}", *written[place:]]
    assert canonical(f"http://x.org/?{'&'.join(with_session)}") == canonical(f"http://x.org/?{'&'.join(written)}")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://www.example.org/a", "example.org"),
        ("https://a.b.example.co.uk:8080/", "example.co.uk"),
        ("http://me.github.io/", "me.github.io"),
        ("http://a.me.blogspot.com/", "me.blogspot.com"),
        ("http://github.io/", "github.io"),
        ("http://co.uk/", "co.uk"),
        ("http://localhost:8000/", "localhost"),
        ("http://127.0.0.1:8000/a", "127.0.0.1"),
        ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
        ("http://www.example.org./", "example.org"),
        ("http://a.xn--bcher-kva.xn--p1ai/", "xn--bcher-kva.xn--p1ai"),
        ("HTTP://user@WWW.Example.org?x@y.net", "example.org"),
        ("mailto:a@b.org", ""),
    ],
)
def test_a_site_is_the_registered_domain(url: str, site: str) -> None:
    assert site_of(url) == site


@pytest.mark.parametrize(
    ("url", "host", "origin"),
    [
        ("http://example.org/a:b@c", "example.org", "http://example.org"),
        ("https://example.org:8443/?x", "example.org", "https://example.org:8443"),
        ("http://[::1]:8080/", "[::1]", "http://[::1]:8080"),
        ("nothing", "", ""),
    ],
)
def test_host_and_origin_are_read_from_the_url(url: str, host: str, origin: str) -> None:
    assert (host_of(url), origin_of(url)) == (host, origin)


@given(resolved)
def test_origins_agree_with_the_parser(url: str) -> None:
    parsed = ada_url.URL(url)
    assert (host_of(url), origin_of(url)) == (parsed.hostname, parsed.origin)
    assert parsed.hostname.rstrip(".").endswith(site_of(url))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/", "org,example)/"),
        ("https://www2.Example.org/A/B/?Q=2&b=1", "org,example)/a/b?b=1&q=2"),
        (f"http://example.org/viewtopic.php?t=5&sid={HASH}", "org,example)/viewtopic.php?&t=5"),
        (f"http://example.org/?PHPSESSID={HASH}&a=1", "org,example)/?a=1"),
        ("http://example.org/?cfid=1&cftoken=2&b=1", "org,example)/?b=1"),
        ("http://example.org/(S(abcdefghijklmnopqrstuvwx))/a.aspx", "org,example)/a.aspx"),
        ("http://example.org:8080//a//b//?", "org,example:8080)/a/b"),
        ("https://ru.wikipedia.org/wiki/%D0%9F", "org,wikipedia,ru)/wiki/%d0%9f"),
        ("http://example.org/%2525/%252e%252e/x?a=%26b", "org,example)/x?a=&b"),
        ("http://127.0.0.1:8000/a", "1,0,0,127:8000)/a"),
        ("http://[::1]:8000/a", "::1:8000)/a"),
        ("http://www.awww.example.org/", "org,example,awww)/"),
    ],
)
def test_a_surt_key_is_the_one_that_replay_looks_up(url: str, key: str) -> None:
    assert surt(url) == key == canonicalize(url)


@settings(max_examples=500)
@given(resolved)
def test_surt_keys_agree_with_pywb(url: str) -> None:
    assert surt(url) == canonicalize(url)


def test_what_is_no_url_is_its_own_surt_key() -> None:
    assert surt("urn:uuid:1") == "urn:uuid:1"


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://x.org/cal.php?year=2031&month=3", "x.org/cal.php?month=#&year=#"),
        ("http://x.org/cal.php?day=2031-03-01T00:00Z&to=1%2F2%2F2031", "x.org/cal.php?day=#&to=#"),
        ("https://x.org:8080/2019/05/post-17.html#c", "x.org:8080/#/#/post-#.html"),
        ("http://x1.org/a", "x1.org/a"),
        ("http://x.org/posting.php?mode=reply&t=5", "x.org/posting.php?mode=reply&t=#"),
        ("http://x.org/?q=Two+words&l=averyveryverylongword", "x.org/?l=*&q=*"),
        ("http://x.org/?b=&a&12-title", "x.org/?#-title&a&b="),
        ("http://x.org/?f[1]=a&f[2]=a&f[33]=a", "x.org/?f[#]=a"),
        (f"http://x.org/img/{HASH}.png", "x.org/img/*.png"),
        ("http://x.org/123e4567-e89b-12d3-a456-426614174000/a", "x.org/*/a"),
        ("http://x.org/t/dQw4w9WgXcQ7hT3kLmN0pZ/", "x.org/t/*/"),
        ("http://x.org/20310301123456789012/", "x.org/#/"),
        ("http://x.org/wiki/SomeRatherLongPageName2", "x.org/wiki/SomeRatherLongPageName#"),
        ("http://x.org/%D0%9F2019/caf%C3%A9", "x.org/%D0%9F#/caf%C3%A9"),
        ("http://x.org/deadbeef/h1", "x.org/deadbeef/h#"),
        ("mailto:a1", "mailto:a#"),
    ],
)
def test_a_pattern_keeps_the_kind_and_forgets_the_number(url: str, shape: str) -> None:
    assert pattern(url) == shape


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.dates(), st.dates())
def test_all_pages_of_a_calendar_have_one_pattern(page: int, other: int, day: object, later: object) -> None:
    def shape(number: int, date: object) -> str:
        return pattern(f"http://x.org/cal/{number}/list.php?day={date}&offset={number}&view=week")

    assert shape(page, day) == shape(other, later) == "x.org/cal/#/list.php?day=#&offset=#&view=week"


@given(texts)
@example("\ud800")
@example("http://example.org/\ud800?\udfff")
@example("http://\ud800@example.org/#\udfff")
def test_every_function_answers_any_text(text: str) -> None:
    answers = [one(text) for one in (site_of, host_of, origin_of, surt, pattern, canonical)]
    assert all(isinstance(answer, str) for answer in answers)
    assert isinstance(has_credentials(text), bool)


@pytest.mark.parametrize(
    "filling",
    ["a", "1", "%", "%25", "/", "/..", "&a=1", ";sid=", "(S(", "a.", "A1", "?", "=", "-", "cfid=1&", "/(a)/.aspx"],
)
@pytest.mark.parametrize("start", ["http://x.org/", "http://x.org/?", "http://", ""])
def test_no_text_takes_long(start: str, filling: str) -> None:
    text = (start + filling * urls.LIMIT)[: urls.LIMIT]
    begun = time.process_time()
    for one in (resolve, canonical, site_of, surt, pattern, has_credentials):
        one(text)
    assert time.process_time() - begun < 0.5
