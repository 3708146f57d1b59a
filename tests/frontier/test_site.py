"""A site: what it has left, and when it is given up."""

from __future__ import annotations

from anansi.frontier.site import REST, STRIKES, Site, SiteRow
from anansi.model import Ended, Outcome

FAULT = Outcome(Ended.FAILED, -2, fault="connection refused", strike=True)
GOOD = Outcome(Ended.DONE, 200)
ELSEWHERE = Outcome(Ended.FAILED, -7)


def site() -> Site:
    return Site(1, SiteRow(name="a.org", queued=5))


def test_what_is_claimed_cannot_be_claimed_again() -> None:
    found = site()
    found.claims.update({b"one": None, b"two": None})
    assert (found.claimed, found.unclaimed) == (2, 3)


def test_faults_in_a_row_give_a_site_up_and_an_answer_begins_anew() -> None:
    found = site()
    for _ in range(STRIKES - 1):
        found.note_health(FAULT, 0.0, patient=False)
    found.note_health(ELSEWHERE, 0.0, patient=False)  # neither an answer nor the host's fault
    assert (found.strikes, found.given_up) == (STRIKES - 1, "")
    found.note_health(GOOD, 0.0, patient=False)
    for _ in range(STRIKES - 1):
        found.note_health(FAULT, 0.0, patient=False)
    assert found.given_up == ""
    found.note_health(FAULT, 0.0, patient=False)
    assert found.given_up == "connection refused"


def test_who_watches_a_site_leaves_it_alone_for_a_while_and_tries_again() -> None:
    found = site()
    for _ in range(STRIKES):
        found.note_health(FAULT, 100.0, patient=True)
    assert (found.given_up, found.strikes, found.row.not_before) == ("", 0, 100.0 + REST)
