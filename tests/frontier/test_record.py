"""What is written about a URL is read back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.frontier.lifecycle import State
from anansi.frontier.record import (
    Done,
    Queued,
    Refused,
    Totals,
    decode_visit,
    encode_visit,
    read_queued,
    read_record,
)
from anansi.model import Ended, Outcome, Reason, Validators, Visit

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
validators = st.none() | st.builds(Validators, text, text, text, st.floats(0, 4e9))
urls = st.builds(
    "{}://{}/{}".format, st.sampled_from(("http", "https")), st.sampled_from(("a.org", "a.org:8", "b")), text
)
visits = st.builds(
    Visit,
    url=st.just("") | urls,
    key=urls | text,
    hops=text,
    depth=st.integers(0, 1000),
    via=st.just("") | urls,
    score=st.floats(0, 1),
    attempt=st.integers(0, 100),
    seed=st.just("") | urls,
    validators=validators,
)


@given(visits)
def test_a_visit_comes_back_whole(visit: Visit) -> None:
    again = decode_visit(encode_visit(visit))
    assert again == visit or (not visit.url and again.url == visit.key)


def test_a_url_that_is_its_own_key_is_written_once() -> None:
    url = "http://example.org/a/rather/long/path"
    assert encode_visit(Visit(url=url, key=url)).count(b"example") == 1
    assert decode_visit(encode_visit(Visit(url=url, key=url))).url == url


def test_the_pages_of_one_host_are_written_without_it() -> None:
    url, host = "http://example.org/a", "http://example.org/"
    visit = Visit(url=url, key=url, via=f"{host}list?page=2", seed=host)
    assert encode_visit(visit).count(b"example") == 1
    assert decode_visit(encode_visit(visit)) == visit


numbers = st.integers(0, 2**64 - 1)


@given(
    st.builds(
        Queued,
        state=st.sampled_from((State.SCHEDULED, State.WAITING)),
        score=st.floats(0, 100, width=32),
        times=st.integers(1, 10**6),
        depth=st.integers(0, 10**6),
        site=st.integers(0, 2**32 - 1),
        sequence=numbers,
        due=numbers,
    )
)
def test_a_queued_url_comes_back_with_its_place(queued: Queued) -> None:
    again = read_queued(queued.pack())
    due = queued.due if queued.state == State.WAITING else 0
    assert again == queued._replace(times=min(queued.times, 65535), depth=min(queued.depth, 65535), due=due)
    assert again.token == queued.token
    assert read_record(queued.pack()) == again


@given(visits, st.integers(-100, 999), text, validators, st.sampled_from((State.DONE, State.FAILED)))
def test_what_was_visited_can_be_visited_again(
    visit: Visit, status: int, fault: str, kept: Validators | None, state: State
) -> None:
    outcome = Outcome(ended=Ended.DONE, status=status, fault=fault, validators=kept)
    raw = Done.of(visit, outcome, 7, 1_700_000_000.1234).pack(state)
    assert raw[0] == state
    done = read_record(raw)
    assert isinstance(done, Done)
    assert (done.site, done.status, done.fault, done.when) == (7, status, fault, 1_700_000_000.123)
    again = done.visit(visit.key)
    assert (again.key, again.hops, again.depth) == (visit.key, visit.hops, visit.depth)
    assert again.validators == kept
    assert again.url == (visit.url or visit.key)


@given(st.sampled_from(list(Reason)), text)
def test_a_refusal_keeps_its_reason(reason: Reason, detail: str) -> None:
    raw = Refused(reason=reason, detail=detail).pack()
    assert raw[0] == State.SKIPPED
    assert read_record(raw) == Refused(reason=reason, detail=detail)


def test_totals_add_up() -> None:
    totals = Totals()
    totals.add(Outcome(Ended.DONE, 200, requests=1, page=True, size=100))
    totals.add(Outcome(Ended.RETRY, 503, requests=1, size=10))
    totals.add(Outcome(Ended.DONE, 200, requests=2, page=True, duplicate=True, size=1))
    totals.add(Outcome(Ended.FAILED, -2, fault="no answer"))
    assert (totals.requests, totals.pages, totals.bytes) == (4, 2, 111)
    assert (totals.retries, totals.duplicates, totals.failed) == (1, 1, 1)
    assert totals.statuses == {"200": 2, "503": 1}
    assert totals.faults == {"no answer": 1}
    totals.skip("trap")
    totals.skip("trap")
    totals.unskip("trap")
    assert totals.skipped == {"trap": 1}
