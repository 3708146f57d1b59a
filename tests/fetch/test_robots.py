"""A robots.txt from its answer to its last day."""

from __future__ import annotations

import re
import time
from string import ascii_letters, ascii_uppercase

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.fetch import robots as module
from anansi.fetch.robots import (
    LIFETIME,
    LONGEST_DELAY,
    SIZE,
    WILDCARDS,
    Robots,
    allowed,
    delay,
    expired,
    fresh,
    product,
    read,
    renewal,
    sitemaps,
)
from anansi.model import Fault

ORIGIN = "https://example.org"
AGENT = "Anansi/1.0 (+https://example.org/bot)"
NOW = 1_700_000_000.0
HOUR = 3600.0


def robots(text: str | bytes) -> Robots:
    return read(ORIGIN, 200, text.encode() if isinstance(text, str) else text, NOW)


def may(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return allowed(robots(text), ORIGIN + path, agent)


SIMPLE = """User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("otherbot", "/a.gif", False),
        ("otherbot", "/a.gif?x", True),
        ("otherbot", "/example/", False),
        ("otherbot", "/publications/x", True),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/example/other.html", False),
        ("foobot", "/", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/a.gif", True),
        ("quxbot", "/example/", True),
    ],
)
def test_the_simple_example_of_rfc_9309(agent: str, path: str, expected: bool) -> None:
    assert may(SIMPLE, path, agent) is expected


def test_the_longest_match_example_of_rfc_9309() -> None:
    text = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    assert may(text, "/example/page/", "foobot")
    assert may(text, "/example/page/a.html", "foobot")
    assert not may(text, "/example/page/disallowed.gif", "foobot")


def test_groups_of_one_agent_are_merged_as_in_rfc_9309() -> None:
    text = "User-Agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-Agent: ExampleBot\nDisallow: /baz\n"
    assert [may(text, path, "ExampleBot/2.1") for path in ("/foo", "/bar", "/baz", "/qux")] == [False] * 3 + [True]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar?baz=https%3a%2f%2ffoo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
    ],
)
def test_escapes_compare_as_the_table_of_rfc_9309_says(pattern: str, path: str) -> None:
    assert not may(f"User-agent: *\nDisallow: {pattern}", path)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/fish", "/fishheads/yummy.html", True),
        ("/fish", "/Fish.asp", False),
        ("/fish*", "/fish", True),
        ("/fish/", "/fish", False),
        ("/*.php", "/folder/filename.php?parameters", True),
        ("/*.php$", "/filename.php?parameters", False),
        ("/*.php$", "/filename.php", True),
        ("/fish*.php", "/fishheads/catfish.php?p", True),
        ("/*a*b*c$", "/xaxbxc", True),
        ("/*a*b*c$", "/xaxbxcx", False),
        ("/$", "/", True),
        ("/$", "/x", False),
        ("*", "/x", True),
        ("/a%2Fb", "/a/b", False),
    ],
)
def test_patterns_match_as_rfc_9309_and_its_authors_say(pattern: str, path: str, matches: bool) -> None:
    assert may(f"User-agent: *\nDisallow: {pattern}", path) is not matches


def test_of_equal_matches_the_allowing_one_wins() -> None:
    assert may("User-agent: *\nDisallow: /p\nAllow: /p\n", "/p")
    assert may("User-agent: *\nAllow: /p\nDisallow: /\n", "/p")
    assert not may("User-agent: *\nAllow: /p\nDisallow: /page\n", "/page")


@pytest.mark.parametrize(
    ("named", "agent", "meant"),
    [
        ("anansi", AGENT, True),
        ("ANANSI", AGENT, True),
        ("Anansi/1.0", AGENT, True),
        ("Anansi", "Mozilla/5.0 (compatible; Anansi/1.0; +https://x)", True),
        ("ana", AGENT, False),
        ("anansi-images", AGENT, False),
        ("nansi", AGENT, False),
        ("mozilla", "Mozilla/5.0 (compatible; Anansi/1.0)", False),
    ],
)
def test_a_group_is_meant_for_a_product_token(named: str, agent: str, meant: bool) -> None:
    text = f"User-agent: {named}\nDisallow: /\n"
    assert may(text, "/x", agent) is not meant


def test_an_own_group_replaces_the_group_of_all() -> None:
    text = "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: anansi\nDisallow:\n"
    assert may(text, "/x")
    assert not may(text, "/x", "other")
    assert delay(robots(text), AGENT) is None


@pytest.mark.parametrize(
    "between", ["Sitemap: https://example.org/s.xml", "Crawl-delay: 5", "Noindex: /x", "", "# c"]
)
def test_other_records_do_not_end_a_group(between: str) -> None:
    text = f"User-agent: a\n{between}\nUser-agent: b\n{between}\nDisallow: /x\n{between}\nDisallow: /y\n"
    for agent in ("a", "b"):
        assert not may(text, "/x", agent)
        assert not may(text, "/y", agent)
    assert may(text, "/x", "c")


def test_rules_before_any_agent_are_nobodys() -> None:
    assert may("Disallow: /\nUser-agent: *\nAllow: /x\n", "/y")


def test_robots_txt_itself_is_always_allowed() -> None:
    assert may("User-agent: *\nDisallow: /", "/robots.txt")
    assert allowed(read(ORIGIN, 500, b"", NOW), f"{ORIGIN}/robots.txt", AGENT)
    assert not may("User-agent: *\nDisallow: /", "/robots.txt.bak")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_line_ends_and_byte_order_marks_make_no_difference(end: str, codec: str) -> None:
    text = end.join(["user-AGENT : * # all", "  DISALLOW :/x # secret", "dissallow: /y", ""])
    assert not may(text.encode(codec), "/x")
    assert not may(text.encode(codec), "/y")
    assert may(text.encode(codec), "/z")


def test_bytes_that_are_not_utf_8_match_their_escapes() -> None:
    assert not may(b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%E9")
    assert may(b"User-agent: *\nDisallow: /caf\xe9\n", "/cafe")


def test_a_line_is_not_broken_where_the_rfc_has_no_line_end() -> None:
    assert may("User-agent: *\nDisallow: /x\x0cDisallow: /\n", "/y")
    assert may("User-agent: *\nDisallow: /x\u2028Disallow: /\n", "/y")


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (200, "rules"),
        (206, "rules"),
        (301, "allow all"),
        (401, "allow all"),
        (403, "allow all"),
        (404, "allow all"),
        (410, "allow all"),
        (429, "disallow all"),
        (500, "disallow all"),
        (503, "disallow all"),
        (0, "disallow all"),
        (None, "disallow all"),
        (Fault.DNS, "disallow all"),
        (Fault.TIMEOUT, "disallow all"),
    ],
)
def test_the_answer_decides_when_there_are_no_rules(answer: int | Fault | None, rule: str) -> None:
    known = read(ORIGIN, answer, b"User-agent: *\nDisallow: /x", NOW)
    assert known.rule == rule
    assert allowed(known, f"{ORIGIN}/y", AGENT) is (rule != "disallow all")


def test_an_unreachable_file_is_asked_for_ever_later_and_given_up_at_the_deadline() -> None:
    known = read(ORIGIN, Fault.CONNECT, b"", NOW)
    waits = []
    now = NOW
    for _ in range(12):
        assert not fresh(known, renewal(known))
        assert fresh(known, renewal(known) - 1)
        waits.append(renewal(known) - now)
        now = renewal(known)
        known = read(ORIGIN, 503, b"", now, before=known)
    assert waits[:3] == [10, 20, 40]
    assert max(waits) == HOUR
    assert known.rule == "disallow all"
    assert known.since == NOW
    assert not expired(known, NOW + HOUR, HOUR)
    assert expired(known, NOW + HOUR + 1, HOUR)


def test_known_rules_hold_for_a_day_and_beyond_while_the_file_is_unreachable() -> None:
    known = robots("User-agent: *\nDisallow: /x")
    assert fresh(known, NOW + LIFETIME - 1)
    assert not fresh(known, NOW + LIFETIME)
    assert not expired(known, NOW + 99 * LIFETIME, HOUR)
    later = read(ORIGIN, 500, b"", NOW + LIFETIME, before=known)
    assert allowed(later, f"{ORIGIN}/y", AGENT)
    assert not allowed(later, f"{ORIGIN}/x", AGENT)
    assert fresh(later, NOW + LIFETIME + 9)
    assert not fresh(later, NOW + LIFETIME + 10)
    again = read(ORIGIN, 200, b"", NOW + LIFETIME + 10, before=later)
    assert again == Robots(ORIGIN, NOW + LIFETIME + 10, "allow all")


def test_half_a_mebibyte_is_read_and_the_rest_cut_at_a_line_end() -> None:
    rules = b"User-agent: *\nDisallow: /first\n" + b"Disallow: /filler\n" * 28_500
    assert 500 * 1024 < len(rules) < SIZE
    known = robots(rules + b"Disallow: /within\n" + b"Disallow: /beyond\n" * 50_000)
    assert not allowed(known, f"{ORIGIN}/first", AGENT)
    assert not allowed(known, f"{ORIGIN}/within", AGENT)
    assert known.text.rsplit("\n", 1)[-1] == "disallow: /beyond"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5.0),
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("0", 0.0),
        ("86400", LONGEST_DELAY),
        ("-1", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_crawl_delay_is_bounded_and_garbage_ignored(value: str, seconds: float | None) -> None:
    assert delay(robots(f"User-agent: *\nCrawl-delay: {value}\nDisallow: /x"), AGENT) == seconds


def test_a_crawl_delay_is_asked_of_the_agents_above_it() -> None:
    text = "User-agent: bingbot\nCrawl-delay: 10\n\nUser-agent: anansi\nDisallow: /x\n"
    assert delay(robots(text), "bingbot") == 10
    assert delay(robots(text), AGENT) is None
    assert delay(read(ORIGIN, 404, b"", NOW), AGENT) is None


def test_sitemaps_are_named_once_and_made_absolute() -> None:
    text = (
        "Sitemap: https://example.org/a.xml\nUser-agent: *\nsite-map: /b.xml\nSitemap: ftp://x/c\nSitemap: /b.xml\n"
    )
    assert sitemaps(robots(text)) == ["https://example.org/a.xml", "https://example.org/b.xml"]
    assert sitemaps(read(ORIGIN, 500, b"", NOW)) == []


def test_it_can_be_stored_and_sent() -> None:
    known = robots(SIMPLE)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(known), type=Robots) == known


def test_a_page_served_as_robots_txt_allows_all() -> None:
    page = b"<!DOCTYPE html><html><body><p>User-agent: *</p>\n<p>Disallow: /</p>\n</body></html>"
    assert robots(page).rule == "allow all"


@pytest.mark.parametrize(
    "body",
    [
        b"\x00\xff\xfe" * 3_500_000,
        b"x" * 10_000_000,
        b"User-agent: *\n" + b"Disallow: /*a*b*c*d$\n" * 500_000,
        (b"User-agent: *\nDisallow: /" + b"a" * 1_000_000 + b"\n") * 10,
        b"".join(b"User-agent: a%d\n" % i for i in range(16_000))
        + b"".join(b"Disallow: /%d\n" % i for i in range(16_000)),
        b"User-agent: *\nDisallow: /" + b"*a" * 4_000 + b"$\n",
    ],
    ids=["binary", "one line", "many rules", "long lines", "agents by rules", "wildcards"],
)
def test_garbage_and_giants_are_read_quickly(body: bytes) -> None:
    started = time.process_time()
    known = robots(body)
    assert len(known.text) <= SIZE
    assert allowed(known, f"{ORIGIN}/{'a' * 4000}", AGENT) in (True, False)
    assert time.process_time() - started < 3


def test_the_product_token_is_what_stands_first() -> None:
    assert product(AGENT) == "anansi"
    assert product("  my_bot-x2/3") == "my_bot-x"
    assert product("123") == ""


records = st.lists(
    st.tuples(
        st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "x"]),
        st.sampled_from([":", " : ", " ", ":\t"]),
        st.text(max_size=12) | st.sampled_from(["*", "/", "/*$", "anansi", "%", "%zz", "$", "//["]),
    ).map("".join),
    max_size=12,
)


@given(
    st.binary(max_size=300), st.integers(-1, 700) | st.sampled_from(Fault), st.text(max_size=40), st.text(max_size=9)
)
def test_no_answer_raises(body: bytes, answer: int | Fault, url: str, agent: str) -> None:
    known = read(ORIGIN, answer, body, NOW)
    assert allowed(known, url, agent) or known.rule != "allow all"


@given(records, st.text(max_size=30), st.sampled_from([AGENT, "x", ""]))
def test_no_record_raises(lines: list[str], path: str, agent: str) -> None:
    known = robots("\n".join(lines).encode("utf-8", "surrogatepass"))
    seconds = delay(known, agent)
    assert allowed(known, f"{ORIGIN}/{path}", agent) in (True, False)
    assert seconds is None or 0 <= seconds <= LONGEST_DELAY
    assert all(address.lower().startswith("http") for address in sitemaps(known))


# ── files made to keep their reader busy ─────────────────────────────────────────────────────────────────────────


def flood(*rules: str) -> str:
    return "User-agent: *\n" + "".join(f"Disallow: {rule}\n" for rule in rules)


ALIKE = [f"/x/*abc*{one}*{other}" for one in ascii_uppercase for other in ascii_letters]
"""Rules that all may match as soon as a path holds `abc`, with 4,056 wildcards."""


def test_wildcards_are_tried_up_to_a_bound_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = module._rules(robots(flood(*ALIKE)).text, "anansi")
    tried: list[int] = []
    matches = module._Wild.matches

    def noted(rule: module._Wild, path: str) -> bool:
        tried.append(len(rule.parts) - 1)
        return matches(rule, path)

    monkeypatch.setattr(module._Wild, "matches", noted)
    assert not rules.allow("/x/abc")
    assert 0 < sum(tried) <= WILDCARDS


def test_a_long_file_forbids_what_it_says_and_no_more() -> None:
    text = flood(*(f"/*/x{number}$" for number in range(5 * WILDCARDS)), "/private/*zzz")
    assert may(text, "/")
    assert may(text, "/article/17")
    assert not may(text, "/article/x17")
    assert may(text, "/article/x17/more")
    assert may(text, "/private/1")
    assert not may(text, "/private/1zzz")


def test_rules_beyond_the_bound_forbid_more_rather_than_less() -> None:
    text = flood(*ALIKE, "/x/*z") + "Allow: /x/*y\nAllow: /x/1\n"
    assert not may(text, "/x/abc1z")
    assert not may(text, "/x/abc-")  # more than is asked
    assert not may(text, "/x/abc-y")
    assert not may(text, "/x/1abc-1")  # whatever shorter rule allows it
    assert may(text, "/public/abc7")
    assert may(text, "/x/ab7")
    assert not may(text, "/x/7z")


def test_rules_without_wildcards_are_looked_up_and_not_tried() -> None:
    text = flood(*(f"/{number}/" for number in range(20_000)), "/a$") + "Allow: /19999/a\n"
    rules = module._rules(robots(text).text, "anansi")
    assert rules.wild == {}
    assert len(rules.lengths) <= 8
    assert not may(text, "/19999/x")
    assert may(text, "/19999/ab")
    assert may(text, "/20000/")
    assert not may(text, "/a")
    assert may(text, "/ab")


@given(st.lists(st.sampled_from(("*", "/", "a", "b", "%41", "%2f", "?", "=", "$", "ä", "%E4", "~"))).map("".join))
def test_patterns_match_as_a_regular_expression_would(pattern: str) -> None:
    rule = "/" + pattern.replace("$", "")
    for path in ("/", "/a", "/ab", "/a/b", "/b?a=b", "/aab/ba", "/A", "/ä"):
        escaped = module._normal(path, "/%")
        normal = module._normal(rule, "/%*")
        expected = re.match(".*".join(map(re.escape, normal.split("*"))), escaped) is not None
        assert may(flood(rule), path) is not expected
