"""Crawls that are about something: what is relevant comes first, and what turns out so corrects the rest."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.crawl.case import Crawled, begin, crawl, finish
from tests.web import Reply, ScriptedWeb
from tests.web.replies import HTML
from tests.web.wire import soon

ABOUT = {
    "bees": "bee hive honey beekeeper swarm nectar pollen queen apiary drone wax colony",
    "cars": "engine gearbox tyre petrol clutch exhaust brake chassis motor wheel piston valve",
    "bread": "flour dough oven yeast loaf crust bake sourdough rye kneading baker wheat",
}
PAGES = 30


def text_about(subject: str, chance: random.Random) -> str:
    return " ".join(chance.choices([*ABOUT[subject].split(), "the", "and", "with", "of"], k=120)).capitalize() + "."


def page(title: str, text: str, links: list[tuple[str, str]], lang: str = "en") -> Reply:
    anchors = "".join(f"<li><a href='{url}'>{words}</a></li>" for url, words in links)
    body = f"<html lang='{lang}'><title>{title}</title><body><div><p>{text}</p></div><ul>{anchors}</ul></body></html>"
    return Reply(200, (HTML,), body.encode())


def site(web: ScriptedWeb, seed: int = 1) -> None:
    """A site of three subjects: each page leads on to pages of its own subject and to some of others."""
    chance = random.Random(seed)
    every = [(subject, number) for subject in ABOUT for number in range(PAGES)]
    web.add("/", page("Start", "Welcome to all of it.", [(f"/{s}-0", s) for s in ABOUT]))
    for subject, number in every:
        own = [(f"/{subject}-{(2 * number + more) % PAGES}", "read on") for more in (1, 2)]
        others = [(f"/{s}-{n}", "read on") for s, n in chance.sample(every, 3)]
        web.add(f"/{subject}-{number}", page(f"Page {number}", text_about(subject, chance), own + others))


def focused(folder: Path, web: ScriptedWeb, focus: dict[str, Any], *, limit: int = 40, **more: Any) -> Crawled:
    settings = {"focus": focus, "strategy": "blind", "frontier": {"per_turn": 1}, **more}
    return crawl(folder, web.url + "/", settings=settings, options=("--limit", str(limit)))


def share(web: ScriptedWeb, subject: str) -> float:
    asked = [path for path in web.paths() if "-" in path]
    return sum(path.startswith(f"/{subject}-") for path in asked) / len(asked)


def test_pages_about_what_is_sought_come_first(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        focused(tmp_path, web, {"keywords": ["bee", "honey", "hive", "swarm"]}, limit=32)
        assert share(web, "bees") > 0.6


def test_without_a_subject_they_do_not(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        crawl(tmp_path, web.url + "/", settings={"strategy": "blind"}, options=("--limit", "32"))
        assert share(web, "bees") < 0.5


def test_a_subject_that_stands_nowhere_harms_nothing(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        crawled = focused(tmp_path, web, {"keywords": ["quasar", "neutrino"]}, limit=500)
        assert crawled.code == 0
        assert len({path for path in web.paths() if "-" in path}) == 3 * PAGES


def test_what_is_on_the_blacklist_is_never_fetched(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        crawled = focused(tmp_path, web, {"keywords": ["bee"], "blacklist": ["/cars-"]}, limit=500)
        assert share(web, "cars") == 0
        assert crawled.skipped[web.url + "/cars-0"][0] == "blacklisted"


def test_entities_count_however_they_are_written(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", page("Start", "Two ways.", [("/a", "one"), ("/b", "two")]))
        for name, words in (("a", "Monsieur Émile Zola wrote here. " * 5), ("b", "Nobody wrote anything here. " * 5)):
            web.add(f"/{name}", page(name, words, [(f"/{name}-{number}", "more") for number in range(12)]))
        web.add("/*", page("end", "Nothing else.", []))
        entity = {"name": "Emile Zola", "kind": "person", "aliases": ["Zola"]}
        focused(tmp_path, web, {"entities": [entity]}, limit=12)
        assert share(web, "a") > 0.8


@pytest.mark.parametrize(("reach", "asked"), [(0, 0), (1, 1), (2, 2)])
def test_a_crawl_reaches_out_of_its_scope_as_far_as_it_may(tmp_path: Path, reach: int, asked: int) -> None:
    with ScriptedWeb() as web, ScriptedWeb(address="127.0.0.2") as other:
        web.add("/", page("Start", "All about bees and honey.", [(other.url + "/0", "honey")]))
        for number in range(4):
            other.add(f"/{number}", page("More", "All about bees and honey.", [(f"/{number + 1}", "honey")]))
        settings = {"focus": {"keywords": ["honey"], "reach": reach}, "fetch": {"private_addresses": "allow"}}
        crawl(tmp_path, web.url + "/", settings=settings)
        assert len([path for path in other.paths() if path != "/robots.txt"]) == asked


def test_a_definition_that_is_edited_turns_the_crawl(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        settings = {
            "focus": {"keywords": ["bee", "honey", "hive"]},
            "strategy": "blind",
            "frontier": {"per_turn": 1},
            "politeness": {"floor": 0.15, "ceiling": 0.15, "factor": 0},
        }
        running = begin(tmp_path, web.url + "/", settings=settings, options=("--limit", "60"), delay=None)
        assert soon(lambda: len(web.log) >= 20)
        path = running.collection.definition
        edited = yaml.safe_load(path.read_text())
        edited["focus"]["keywords"] = ["dough", "flour", "oven", "bread"]
        path.write_text(yaml.safe_dump(edited))
        finish(running)
        asked = [each for each in web.paths() if "-" in each]
        early, late = asked[:15], asked[25:]
        assert sum(each.startswith("/bees") for each in early) > sum(each.startswith("/bread") for each in early)
        assert sum(each.startswith("/bread") for each in late) > sum(each.startswith("/bees") for each in late)
        events = (running.collection.root / "logs" / "events.jsonl").read_text()
        assert '"rescored"' in events


def test_a_page_stuffed_with_words_is_worth_nothing(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", page("Start", "Two ways.", [("/a", "one"), ("/b", "two")]))
        chance = random.Random(3)
        for name, words in (("a", "honey " * 3000), ("b", text_about("bees", chance))):
            web.add(f"/{name}", page(name, words, [(f"/{name}-{number}", "more") for number in range(12)]))
        web.add("/*", page("end", "Nothing else.", []))
        focused(tmp_path, web, {"keywords": ["honey", "bee"]}, limit=12)
        assert share(web, "a") < 0.3


HOSTILE = {
    "links": b"".join(b"<a href=/to-%d>x</a> " % number for number in range(300_000)),
    "meta": b"<head><meta name=keywords content='" + b"honey bee " * 800_000 + b"'></head><p>Nothing of it.",
    "title": b"<head><title>" + b"honey " * 1_300_000 + b"</title></head><p>Nothing of it.",
    "stuffed": b"<p>" + b"honey bee " * 800_000,
    "deep": b"<div class=a>" * 2_000 + b"<a href=/deeper>honey</a>" * 20_000,
    "nested": b"<a href=/deeper><b>" * 1_000 + b"<img>" * 200_000,
    "hidden": b"<div hidden>" * 1_000 + b"<i hidden>honey</i>" * 100_000,
    "garbage": bytes(random.Random(1).choices(range(256), k=4_000_000)),
    "anchor": b"<a href=/deeper>" + b"honey " * 1_300_000,
    "address": b"<a href=/" + b"x" * 8_000_000 + b">honey</a>",
}


def test_hostile_pages_hold_up_nobody_and_do_not_lead_the_crawl(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        site(web)
        web.add("/", page("Start", "All of it.", [(f"/{name}", "honey") for name in HOSTILE] + [("/bees-0", "bees")]))
        for name, body in HOSTILE.items():
            web.add(f"/{name}", Reply(200, (HTML,), b"<html lang=en>" + body))
        web.add("/to-*", page("End", "Nothing else.", []))
        web.add("/deeper", page("End", "Nothing else.", []))
        crawled = focused(tmp_path, web, {"keywords": ["honey", "bee", "hive"]}, limit=45)
        assert crawled.code == 10
        assert sum(crawled.statuses(f"{web.url}/{name}") == [200] for name in HOSTILE) >= 8
        asked = [path for path in web.paths() if "-" in path]
        assert sum(path.startswith("/bees-") for path in asked) >= 20
        assert sum(path.startswith("/to-") for path in asked) <= 5
        assert crawled.memory < 700 << 20
