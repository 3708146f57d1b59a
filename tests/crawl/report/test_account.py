"""What pages turned out to be is counted, bounded, and as durable as that they were settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi import config
from anansi.crawl.report import account as module
from anansi.crawl.report.account import EXAMPLES, LEARNED_SINCE, LONGEST, NAMES, OTHERS, Accounts
from anansi.crawl.report.remedies import REMEDIES
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.site import Site
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Fault, Gap, Hop, Link, Outcome, Seen, Validators, Visit, role_of

SEED = Visit("http://a.org/", "http://a.org/")
THREAD = Seen("forum/phpbb", "thread", terminal=True, objects={"post": 10, "thread": 1})


def frontier(path: Path) -> Embedded:
    """Open a frontier."""
    return Embedded(path, Policy(config.Scope(), config.Frontier(), {}), lambda host: f"address of {host}")


def page(number: int, hops: str = "L") -> Visit:
    """Make the visit to a page."""
    url = f"http://a.org/{number}"
    return Visit(url, url, hops=hops, via="http://a.org/", role=role_of(hops))


def done(seen: Seen | None = None, **more: object) -> Outcome:
    """Make how a visit ended."""
    return Outcome(Ended.DONE, **{"status": 200, "page": True, "seen": seen, **more})  # type: ignore[arg-type]


@pytest.fixture
def made(tmp_path: Path) -> Embedded:
    """Open a frontier that knows a site."""
    opened = frontier(tmp_path / "f")
    opened.discover([SEED], 0.0)
    return opened


@pytest.fixture
def site(made: Embedded) -> Site:
    """Return its site."""
    return made.store.sites["a.org"]


def test_types_levels_and_objects_are_counted(made: Embedded, site: Site) -> None:
    accounts = Accounts(made.store.memory)
    for number in range(3):
        assert accounts.note(site, page(number), done(THREAD)) == ""
    accounts.note(site, page(9), done(Seen("forum/phpbb", "board")))
    for each in (accounts.of(site), accounts.whole):
        assert each.types == {"forum/phpbb": {"thread": 3, "board": 1}}
        assert each.objects == {"post": 30, "thread": 3}
        assert not each.gaps


def test_what_is_captured_again_is_not_counted_again(made: Embedded, site: Site) -> None:
    accounts = Accounts(made.store.memory)
    accounts.note(site, page(1), done(THREAD))
    again = Visit("http://a.org/1", "http://a.org/1", hops="L", validators=Validators(digest="sha1:x"))
    accounts.note(site, again, done(THREAD))
    accounts.note(site, page(2), done(THREAD, duplicate=True))
    accounts.note(site, page(3), Outcome(Ended.RETRY, 503, seen=THREAD))
    assert accounts.of(site).objects == {"post": 10, "thread": 1}


def test_gaps_have_examples_and_the_first_of_a_kind_is_told(made: Embedded, site: Site) -> None:
    accounts = Accounts(made.store.memory)
    wall = done(Seen(gap=Gap.LOGIN.value, gap_detail="a password is asked for"))
    told = [accounts.note(site, page(number), wall) for number in range(8)]
    assert told == [Gap.LOGIN.value] + [""] * 7
    met = accounts.of(site).gaps[Gap.LOGIN.value]
    assert (met.count, len(met.examples), met.detail) == (8, EXAMPLES, "a password is asked for")
    assert met.examples[0] == "http://a.org/0"
    assert accounts.seeds == {}


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (done(status=429, page=False), Gap.RATE),
        (done(status=403, page=False), Gap.REFUSED),
        (done(status=404, page=False), Gap.ERROR),
        (done(status=500, page=False), Gap.FAILING),
        (Outcome(Ended.FAILED, -2, fault="connection refused or failed"), Gap.HOST),
        (Outcome(Ended.SKIPPED, -9998, reason="robots", detail="forbidden by robots.txt"), Gap.ROBOTS),
        (done(Seen(gap=Gap.SHELL.value)), Gap.SHELL),
    ],
)
def test_a_seed_that_brings_nothing_is_a_gap(made: Embedded, site: Site, outcome: Outcome, kind: Gap) -> None:
    accounts = Accounts(made.store.memory)
    assert accounts.note(site, SEED, outcome) == kind.value
    assert accounts.seeds == {SEED.url: kind.value}
    accounts.note(site, SEED, done())
    assert accounts.seeds == {}


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_link_is_no_gap(made: Embedded, site: Site, status: int) -> None:
    assert Accounts(made.store.memory).note(site, page(1), done(status=status, page=False)) == ""


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (done(status=500, page=False), Gap.FAILING),
        (done(status=522, page=False), Gap.FAILING),
        (Outcome(Ended.FAILED, -3, fault=Fault.RESET.value), Gap.UNANSWERED),
    ],
)
def test_a_page_at_which_the_server_fails_to_the_last_attempt_is_a_gap(
    made: Embedded, site: Site, outcome: Outcome, kind: Gap
) -> None:
    """It was counted among the answers and said nowhere else."""
    accounts = Accounts(made.store.memory)
    assert accounts.note(site, page(1), outcome) == kind.value
    assert accounts.seeds == {}


@pytest.mark.parametrize("fault", [Fault.URL, Fault.ADDRESS])
def test_a_link_that_cannot_be_requested_is_no_gap(made: Embedded, site: Site, fault: Fault) -> None:
    outcome = Outcome(Ended.FAILED, -7, fault=fault.value)
    assert Accounts(made.store.memory).note(site, page(1), outcome) == ""


def test_what_stayed_unanswered_is_forgotten_when_all_is_asked_for_again(made: Embedded, site: Site) -> None:
    """Nothing is left with such a URL by which its next visit could take the gap back."""
    accounts = Accounts(made.store.memory)
    accounts.note(site, page(1), Outcome(Ended.FAILED, -3, fault=Fault.RESET.value))
    accounts.note(site, page(2), done(status=500, page=False))
    accounts.begin_anew(made.store.by_id.values())
    made.store.commit()
    for each in (accounts.of(site), accounts.whole, Accounts(made.store.memory).whole):
        assert list(each.gaps) == [Gap.FAILING.value]


def test_redirects_of_a_seed_that_come_back_lead_nowhere(made: Embedded) -> None:
    """The circle is known after a kill, too."""
    ways = {1: 2, 2: 3, 3: 2}
    told = []
    for number in ways:
        accounts = Accounts(made.store.memory)
        link = Link(f"http://a.org/{ways[number]}", "", Hop.REDIRECT.value)
        told.append(accounts.nowhere(page(number, "R" * (number - 1)), 302, [link], []))
    assert told == ["", "", "redirects in a circle"]
    cookie = Link("http://a.org/9", "", Hop.REDIRECT.value, cookie=True)
    assert Accounts(made.store.memory).nowhere(page(9, ""), 302, [cookie], []) == ""


@pytest.mark.parametrize("hop", [Hop.EMBED, Hop.PREREQUISITE, Hop.MANIFEST])
def test_what_is_no_page_is_no_gap(made: Embedded, site: Site, hop: Hop) -> None:
    accounts = Accounts(made.store.memory)
    assert accounts.note(site, page(1, f"L{hop.value}"), done(status=403, page=False)) == ""
    assert not accounts.whole.gaps


def test_a_seed_is_a_gap_where_it_redirects_to_one(made: Embedded, site: Site) -> None:
    accounts = Accounts(made.store.memory)
    accounts.note(site, page(1, "R"), done(Seen(gap=Gap.CONSENT.value)))
    assert accounts.seeds == {"http://a.org/1": Gap.CONSENT.value}


def test_an_account_is_bounded(made: Embedded, site: Site) -> None:
    accounts = Accounts(made.store.memory)
    for number in range(3 * NAMES):
        seen = Seen(
            f"type {number}", f"level {number}", objects={f"kind {number}": 1}, doubts=(f"{number} " * LONGEST,)
        )
        accounts.note(site, page(number), done(seen))
        accounts.note(site, page(number), done(Seen("type 0", f"level {number}")))
    found = accounts.of(site)
    assert len(found.types) == len(found.objects) == len(found.doubts) == NAMES + 1
    assert len(found.types["type 0"]) == NAMES + 1
    assert found.objects[OTHERS] == 2 * NAMES
    assert max(map(len, found.doubts)) <= LONGEST


def test_accounts_rest_on_disk_beyond_a_number(made: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SITES", 3)
    accounts = Accounts(made.store.memory)
    sites = [made.store.site(f"{number}.org") for number in range(10)]
    for site in sites:
        accounts.note(site, page(1), done(THREAD))
        accounts.write()
    assert len(accounts._known) == 3
    assert [accounts.of(site).objects["post"] for site in sites] == [10] * 10


def test_an_account_becomes_durable_with_the_pages_it_tells_of(tmp_path: Path) -> None:
    """Open the frontier anew without closing it, as after a kill: both are there, or neither."""
    first = frontier(tmp_path / "f")
    first.discover([SEED, page(1)], 0.0)
    first.store.commit()
    first.join(0)
    accounts = Accounts(first.store.memory)
    [(worker, turn)] = first.claim(1.0)
    site = first.store.by_id[turn.site]
    outcome = done(Seen("blog/wordpress", "post", objects={"article": 1}, gap=Gap.PAYWALL.value))
    accounts.note(site, turn.visits[0][1], outcome)
    accounts.write()
    first.settle(worker, [Settlement(turn.visits[0][0], outcome, 0.0)], 1.0)
    accounts.note(site, turn.visits[1][1], outcome)  # never settled
    first.store.sync()
    first.store._rocks.close()
    second = frontier(tmp_path / "f")
    found = Accounts(second.store.memory)
    assert second.store.totals.pages == 1
    for each in (found.of(second.store.sites["a.org"]), found.whole):
        assert each.types == {"blog/wordpress": {"post": 1}}
        assert each.gaps[Gap.PAYWALL.value].count == 1
    assert list(found.seeds.values()) == [Gap.PAYWALL.value]
    second.close()


def test_every_gap_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Gap)
    assert all(each.means and each.do for each in REMEDIES.values())


def test_a_doubt_says_that_rules_were_learned_since(tmp_path: Path) -> None:
    words = "ant.org: thread pages of forum/x give no complete post"
    made = frontier(tmp_path / "f")
    accounts = Accounts(made.memory)
    made.discover([Visit("http://ant.org/", "http://ant.org/"), Visit("http://bee.org/", "http://bee.org/")], 0.0)
    ant, bee = made.site("ant.org"), made.site("bee.org")
    assert ant is not None and bee is not None
    for site, doubt in ((ant, words), (bee, "bee.org: something else")):
        accounts.note(site, Visit(f"http://{site.row.name}/1", "1", via="x"), done(Seen(doubts=(doubt,))))
    accounts.learned(ant)
    told = {doubt: each.detail for doubt, each in accounts.whole.doubts.items()}
    made.close()
    assert told == {words: LEARNED_SINCE, "bee.org: something else": ""}
