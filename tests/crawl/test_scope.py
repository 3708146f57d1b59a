"""What belongs to a crawl: kinds of scope, patterns, depths, limits, budgets, and which addresses are off limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from anansi.url import resolve
from tests.crash.crawling import wait_until
from tests.crawl.case import begin, crawl, finish, in_letters
from tests.web import PNG, Behaviour, Reply, ScriptedWeb, delayed, html, in_turn, whole_site
from tests.web.replies import HTML

NAMES = ("www.site.test", "blog.site.test", "other.test")


@pytest.fixture(scope="module")
def web() -> Iterator[ScriptedWeb]:
    """Serve three names on one address: two of one registered domain and a stranger."""
    with ScriptedWeb(address="127.0.0.41") as web:
        _, blog, other = (f"http://{name}:{web.port}" for name in NAMES)
        web.add(
            "/docs/start", html("Start", ["/docs/more", "/docs/deep/er", "/about", f"{blog}/post", f"{other}/far"])
        )
        for path in ("/docs/more", "/docs/deep/er", "/about", "/post", "/far"):
            web.add(path, html(path, ["/docs/start"]))
        yield web


def resolved(web: ScriptedWeb) -> list[str]:
    """Return the options that give the names their address."""
    return [part for name in NAMES for part in ("--resolve", f"{name}:{web.port}:{web.address}")]


KINDS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "page": (("--scope", "page"), {"/docs/start"}),
    "prefix": (("--scope", "prefix"), {"/docs/start", "/docs/more", "/docs/deep/er"}),
    "host": ((), {"/docs/start", "/docs/more", "/docs/deep/er", "/about"}),
    "domain": (("--scope", "domain"), {"/docs/start", "/docs/more", "/docs/deep/er", "/about", "/post"}),
    "custom": (("--scope", "custom", "--include", "/(docs/m|far)"), {"/docs/start", "/docs/more", "/far"}),
    "include": (("--include", "blog[.]site"), {"/docs/start", "/docs/more", "/docs/deep/er", "/about", "/post"}),
    "exclude": (("--exclude", "more$", "--exclude", "about"), {"/docs/start", "/docs/deep/er"}),
    "exclude beats include": (
        ("--include", "/(post|far)", "--exclude", "/(about|far|docs/[md])"),
        {"/docs/start", "/post"},
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_scope_holds_what_it_says_and_explains_the_rest(name: str, web: ScriptedWeb, tmp_path: Path) -> None:
    options, inside = KINDS[name]
    before = len(web.log)
    crawled = crawl(tmp_path, f"http://{NAMES[0]}:{web.port}/docs/start", options=[*resolved(web), *options])
    asked = {request.path for request in web.log[before:]} - {"/robots.txt"}
    assert asked == inside == {"/" + url.split("/", 3)[3] for url in crawled.titles}
    explained = {
        "/" + url.split("/", 3)[3] for url, (reason, _) in crawled.skipped.items() if reason == "out of scope"
    }
    everything = {"/docs/start", "/docs/more", "/docs/deep/er", "/about", "/post", "/far"}
    assert everything <= inside | explained
    assert crawled.summary["skipped"] == {"out of scope": len(crawled.skipped)}


def test_what_a_page_shows_may_stand_outside_though_it_is_linked_too(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.48") as web:
        picture, page = (f"http://other.test:{web.port}{path}" for path in ("/picture.png", "/page"))
        shown = f'<a href="{picture}"><img src="{picture}"></a><a href="{page}">elsewhere</a>'
        web.add("/", Reply(200, (HTML,), shown.encode()))
        web.add("/picture.png", Reply(200, {"Content-Type": "image/png"}, PNG))
        seed = f"http://{NAMES[0]}:{web.port}/"
        crawled = crawl(tmp_path, seed, options=[*resolved(web), "--requisites", "--max-hops", "0"])
    assert crawled.one(picture).body == PNG
    assert set(crawled.skipped) == {page}


# ── what is ruled out later ──────────────────────────────────────────────────────────────────────────────────


def numbered(web: ScriptedWeb, *folders: str) -> None:
    """Serve a page that links to ten in each folder, none of them quickly."""
    paths = [f"/{folder}/{number}" for number in range(10) for folder in folders]
    web.add("/", html("Home", paths))
    for path in paths:
        web.add(path, delayed(0.05, in_letters))


def test_a_pattern_that_is_added_while_the_crawl_runs_holds_for_what_is_scheduled(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        numbered(web, "keep", "drop")
        running = begin(tmp_path, web.url + "/", settings={"frontier": {"per_turn": 1}})
        assert wait_until(lambda: web.count("/keep/*") >= 2)
        definition = yaml.safe_load(running.collection.definition.read_text())
        definition["scope"]["exclude"] = ["/drop/"]
        running.collection.definition.write_text(yaml.safe_dump(definition))
        crawled = finish(running)
        dropped = {web.url + f"/drop/{number}" for number in range(10)} - {web.url + path for path in web.paths()}
        assert web.count("/keep/*") == 10 and len(dropped) >= 5
    assert {url: reason for url, (reason, _) in crawled.skipped.items()} == dict.fromkeys(dropped, "blacklisted")
    assert crawled.summary["skipped"] == {"blacklisted": len(dropped)}
    assert {line[1] for line in crawled.log if line[3] in dropped} == {"-5001"}


def test_a_pattern_that_is_given_when_a_crawl_goes_on_holds_for_what_is_scheduled(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        numbered(web, "keep", "drop")
        crawl(tmp_path, web.url + "/", options=("--limit", "3"))
        before = web.count("/drop/*")
        crawled = crawl(tmp_path, options=("--exclude", "/drop/"), settings={"seeds": [web.url + "/"]})
        assert (web.count("/drop/*"), web.count("/keep/*")) == (before, 10)
    assert crawled.summary["skipped"] == {"blacklisted": 10 - before}


def test_a_seed_that_is_excluded_is_a_mistake(tmp_path: Path) -> None:
    crawled = finish(begin(tmp_path, "http://127.0.0.1:9/a", options=("--exclude", "/a$")), sound=False)
    assert crawled.code == 2 and "would never be fetched: it matches --exclude '/a$'" in crawled.errors


# ── depth ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("hops", [0, 2])
def test_links_are_followed_so_far_from_the_seed(hops: int, tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        for depth in range(5):
            web.add(f"/{depth}", html(f"Depth {depth}", [f"/{depth + 1}"]))
        crawled = crawl(tmp_path, web.url + "/0", options=("--max-hops", str(hops)))
        assert web.paths() == ["/robots.txt", *(f"/{depth}" for depth in range(hops + 1))]
    assert crawled.skipped == {f"{web.url}/{hops + 1}": ("hop limit", f"{hops + 1} links from the seed")}


def test_a_page_found_too_deep_first_is_fetched_when_found_nearer(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/a", "/slow"]))
        web.add("/a", html("A", ["/b"]))
        web.add("/b", html("B", ["/wanted"]))  # three links away: too deep
        web.add("/slow", delayed(0.5, html("Slow", ["/wanted"])))  # two links away
        web.add("/wanted", html("Wanted"))
        options = ("--max-hops", "2")
        crawled = crawl(tmp_path, web.url + "/", options=options, settings={"politeness": {"connections": 3}})
        assert web.count("/wanted") == 1
    assert crawled.titles[web.url + "/wanted"] == "Wanted"
    assert crawled.summary["skipped"] == {}


@pytest.mark.parametrize("state", ["visited", "under way", "put off"])
def test_what_a_page_links_to_is_fetched_when_the_page_is_found_nearer_later(state: str, tmp_path: Path) -> None:
    """Three links away the page is at the limit; two links away, what it links to is within it."""
    page = html("Page", ["/wanted"])
    states: dict[str, Behaviour] = {
        "visited": page,
        "under way": delayed(1.0, page),
        "put off": in_turn(Reply(503, (("Retry-After", "1"),)), page),
    }
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/a", "/late"]))
        web.add("/a", html("A", ["/b"]))
        web.add("/b", html("B", ["/page"]))
        web.add("/page", states[state])
        web.add("/late", delayed(0.5, html("Late", ["/page"])))
        web.add("/wanted", html("Wanted"))
        options = ("--max-hops", "3")
        crawled = crawl(tmp_path, web.url + "/", options=options, settings={"politeness": {"connections": 3}})
        assert web.count("/wanted") == 1 and web.count("/page") <= 2
    assert crawled.titles[web.url + "/wanted"] == "Wanted"
    assert crawled.summary["skipped"] == {}


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_of_pages_is_exact(workers: int, tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.42") as one, ScriptedWeb(address="127.0.0.43") as two:
        seeds = [web.url + "/" for web in (one, two) if whole_site(web, 30, embeds=False)]
        limited = crawl(tmp_path, *seeds, options=("--limit", "17"), workers=workers)
        assert limited.code == 10
        assert limited.summary["pages"] == 17 == len(limited.titles)
        assert len(one.log) + len(two.log) == 17 + 2 == limited.summary["requests"]
        assert limited.summary["queued"] > 0
        whole = crawl(tmp_path, *seeds, workers=workers)
        assert (whole.code, whole.summary["pages"], len(whole.titles)) == (0, 60, 60)
        assert len(one.log) + len(two.log) == 60 + 2 == whole.summary["requests"]


def test_a_limit_that_is_not_reached_is_no_limit(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        whole_site(web, 5)
        crawled = crawl(tmp_path, web.url + "/", options=("--limit", "5"))
    assert (crawled.code, crawled.summary["pages"]) == (0, 5)


def test_a_budget_bounds_the_requests_to_a_site_and_is_explained(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.44") as small, ScriptedWeb(address="127.0.0.45") as large:
        whole_site(small, 4, embeds=False)
        everything = whole_site(large, 30, embeds=False)
        crawled = crawl(tmp_path, small.url + "/", large.url + "/", settings={"scope": {"site_budget": 10}})
        assert (len(small.log), len(large.log)) == (5, 10)
        fetched = {large.url + target for target in large.paths()}
        left = {url for url, (reason, _) in crawled.skipped.items() if reason == "budget"}
        assert left and left <= everything - fetched
        assert crawled.summary["skipped"]["budget"] == len(left)
        crawl(tmp_path, small.url + "/", large.url + "/", settings={"scope": {"site_budget": 100}})
        assert everything <= {large.url + target for target in large.paths()}
        assert len(large.log) == len(everything) + 1


# ── addresses ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_public_page_cannot_send_us_into_the_private_network(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.9") as inside, ScriptedWeb(address="127.0.0.46") as outside:
        secret = inside.add("/secret", html("Secret"))
        outside.add("/", html("Home", [secret, "/on", "/jump"]))
        outside.add("/on", html("On"))
        outside.add("/jump", Reply(302, (("Location", inside.url + "/jumped"),)))
        options = ["--include", ".*", "--resolve", f"public.test:{outside.port}:{outside.address}"]
        crawled = crawl(tmp_path, f"http://public.test:{outside.port}/", options=options)
        assert (inside.log, inside.connections) == ([], 0)
        assert outside.count("/on") == 1
    assert crawled.summary["skipped"] == {"private address": 2}
    assert {crawled.skipped[url][0] for url in (secret, inside.url + "/jumped")} == {"private address"}


def test_a_seed_that_redirects_there_does_not_open_it_however_often_the_crawl_goes_on(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.9") as inside, ScriptedWeb(address="127.0.0.48") as outside:
        inside.add("/*", html("Secret"))
        outside.add("/", Reply(302, (("Location", inside.url + "/jumped"),)))
        outside.add("/more", html("More", [inside.url + "/secret"]))
        options = ["--include", ".*", "--resolve", f"public.test:{outside.port}:{outside.address}"]
        public = f"http://public.test:{outside.port}"
        crawl(tmp_path, public + "/", options=options)
        crawled = crawl(tmp_path, public + "/more", options=options)
        assert (inside.log, inside.connections) == ([], 0)
    assert {crawled.skipped[inside.url + path][0] for path in ("/jumped", "/secret")} == {"private address"}


SPELLINGS = ("127.1", "2130706433", "0x7f.0.0.9", "0177.0.0.9", "[::ffff:127.0.0.9]", "[::127.0.0.9]", "localhost")


def test_no_spelling_of_a_private_address_is_asked(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.49") as web:
        targets = [f"http://{host}:{web.port}/secret" for host in SPELLINGS]
        web.add("/", html("Home", [*targets, "/jump"]))
        web.add("/jump", Reply(307, (("Location", targets[3]),)))
        crawled = crawl(tmp_path, web.url + "/", options=["--include", "."])
        assert web.paths() == ["/robots.txt", "/", "/jump"]
    assert crawled.summary["skipped"] == {"private address": len({*map(_at, targets)})}


def _at(url: str) -> str:
    found = resolve(url)
    assert found is not None
    return found


def test_where_a_seed_is_private_addresses_are_crawled(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.9") as inside, ScriptedWeb(address="127.0.0.47") as outside:
        secret = inside.add("/secret", html("Not so secret"))
        outside.add("/", html("Home", [secret]))
        inside.add("/", Reply(200, (HTML,), b"<title>Seed</title>"))
        crawled = crawl(tmp_path, outside.url + "/", inside.url + "/")
    assert crawled.titles[secret] == "Not so secret"
