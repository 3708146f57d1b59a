"""The values that flow between the stages."""

from __future__ import annotations

import io

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from anansi.model import (
    APART,
    HOPS_SHOWN,
    Body,
    Corner,
    CornerKind,
    Ended,
    Fault,
    Hop,
    Link,
    Outcome,
    Page,
    Reason,
    Role,
    Skip,
    Validators,
    Visit,
    extend,
    parted,
    role_of,
)

VISIT = Visit("http://a.org/", "http://a.org/", hops="L", depth=1, seed="http://a.org/", score=0.9, attempt=3)


def test_a_link_makes_a_visit_one_step_further() -> None:
    child = VISIT.child(Link("http://b.org/", "http://b.org/#key", score=0.25))
    assert (child.url, child.key, child.via, child.seed) == (
        "http://b.org/",
        "http://b.org/#key",
        VISIT.url,
        VISIT.seed,
    )
    assert (child.hops, child.depth, child.score, child.attempt) == ("LL", 2, 0.25, 0)


def test_redirects_and_embeds_are_free() -> None:
    for hop in (Hop.REDIRECT, Hop.EMBED):
        child = VISIT.child(Link("http://b.org/", "k", hop=hop.value))
        assert (child.hops, child.depth) == (f"L{hop.value}", 1)


def test_what_a_visit_was_for_is_told_by_its_hop_path() -> None:
    told = {
        Role.SEED: ("", "R", "RR"),
        Role.PAGE: ("L", "ML", "MLR", "S", "12+LLL"),
        Role.REQUISITE: ("E", "LLE", "LEE", "ER"),
        Role.SHORTCUT: ("M", "LLM", "MR", "MRR"),
        Role.ROBOTS: ("P", "LPR"),
    }
    assert {role: {role_of(hops) for hops in paths} for role, paths in told.items()} == {
        each: {each} for each in told
    }


def test_a_visit_is_known_by_its_key_and_where_it_may_be_a_page_too_by_its_role() -> None:
    for role in Role:
        link = Link("http://b.org/feed", "http://b.org/feed", role=role)
        assert (link.identity == link.key) is (role not in APART)
        assert VISIT.child(link).identity == link.identity
        assert parted(link.identity) == (link.key, role if role in APART else None)
    assert parted("http://b.org/#key") == ("http://b.org/#key", None)


def test_what_is_found_on_a_sample_remembers_its_corner() -> None:
    corner = Corner(CornerKind.SAMPLES, "/members/*", "Agora: a member")
    sample = VISIT.child(Link("http://b.org/", "k", role=Role.PROBE, corner=corner))
    assert sample.child(Link("http://b.org/1", "l")).behind == corner
    assert sample.child(Link("http://b.org/2", "m", role=Role.PROBE, corner=corner)).behind is None
    assert VISIT.child(Link("http://b.org/3", "n")).behind is None


@given(st.text(st.sampled_from("LREP"), max_size=300))
def test_a_long_hop_path_keeps_its_length_and_its_end(path: str) -> None:
    hops = ""
    for hop in path:
        hops = extend(hops, hop)
    count, _, shown = hops.rpartition("+")
    assert int(count or 0) + len(shown) == len(path)
    assert path.endswith(shown)
    assert len(shown) == min(len(path), HOPS_SHOWN)


text = st.text(max_size=20)


@given(st.builds(Outcome, ended=st.sampled_from(list(Ended)), status=st.integers(-100, 999), detail=text))
def test_values_cross_process_borders_unchanged(outcome: Outcome) -> None:
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(outcome), type=Outcome)
    assert again == outcome
    assert again.ended == outcome.ended


def test_a_visit_with_validators_crosses_process_borders_unchanged() -> None:
    visit = msgspec.structs.replace(VISIT, validators=Validators('"e"', "Mon", "sha1:X", 5.0), address="::1")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(visit), type=Visit) == visit
    skip = Skip("u", "k", Reason.TRAP, "why")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(skip), type=Skip) == skip


def test_a_body_reads_the_same_from_memory_and_from_a_file() -> None:
    data = bytes(range(256)) * 4
    for body in (Body(len(data), data=data), Body(len(data), file=io.BytesIO(data))):
        assert body.read() == data
        assert body.read(10) == data[:10]
        assert body.read() == data, "reading does not use it up"
        assert body.read(0) == b""


def test_a_page_is_ok_when_a_server_sent_content() -> None:
    assert Page(VISIT, 0.0, 0.0, status=204).ok
    assert not Page(VISIT, 0.0, 0.0, status=304).ok
    assert not Page(VISIT, 0.0, 0.0, status=200, fault=Fault.RESET).ok


def test_the_first_header_of_a_name_counts() -> None:
    page = Page(VISIT, 0.0, 0.0, headers=(("set-cookie", "a"), ("set-cookie", "b")))
    assert page.header("set-cookie") == "a"
    assert page.header("location") == ""
    assert page.header("location", "x") == "x"
