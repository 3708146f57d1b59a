"""Payloads seen before."""

from __future__ import annotations

from anansi.archive.dedup import Dedup, Original
from anansi.archive.settings import SETTINGS
from anansi.model import Cut, Validators
from tests.archive.exchanges import NOW, answer

DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
BIG = SETTINGS.smallest_revisit


def test_a_payload_is_found_at_another_url() -> None:
    dedup = Dedup()
    first, second = answer("http://a.example/"), answer("http://b.example/")
    assert dedup.find(first, DIGEST, BIG) is None
    dedup.remember(first, DIGEST, BIG)
    assert dedup.find(second, DIGEST, BIG) == Original("http://a.example/", NOW, DIGEST, chunked=False)


def test_small_and_cut_payloads_are_not_deduplicated() -> None:
    dedup = Dedup()
    dedup.remember(answer(), DIGEST, SETTINGS.smallest_revisit - 1)
    dedup.remember(answer(cut=Cut.LENGTH), DIGEST, BIG)
    assert dedup.find(answer(), DIGEST, BIG) is None
    dedup.remember(answer(), DIGEST, BIG)
    assert dedup.find(answer(), DIGEST, SETTINGS.smallest_revisit - 1) is None
    assert dedup.find(answer(cut=Cut.TIME), DIGEST, BIG) is None


def test_memory_is_bounded_and_keeps_what_is_used() -> None:
    dedup = Dedup(entries=10)
    dedup.remember(answer(), "sha1:USED", BIG)
    for number in range(100):
        dedup.remember(answer(), f"sha1:{number}", BIG)
        assert dedup.find(answer(), "sha1:USED", BIG) is not None
    assert dedup.find(answer(), "sha1:99", BIG) is not None
    assert dedup.find(answer(), "sha1:0", BIG) is None
    assert len(dedup._young) <= 10
    assert len(dedup._old) <= 10


def test_an_earlier_run_is_known_through_the_validators() -> None:
    earlier = Validators(digest=DIGEST, date=NOW - 1000)
    page = answer(validators=earlier)
    assert Dedup().find(page, DIGEST, BIG) == Original(page.visit.url, NOW - 1000, DIGEST)
    assert Dedup().find(page, "sha1:OTHER", BIG) is None


def test_an_unmodified_page_is_traced_to_the_capture_that_holds_its_payload() -> None:
    dedup = Dedup()
    dedup.remember(answer("http://a.example/"), DIGEST, BIG)
    page = answer("http://b.example/", b"", status="304 Not Modified", validators=Validators(digest=DIGEST, date=NOW))
    found = dedup.find(page, "", 0)
    assert found is not None
    assert found.url == "http://a.example/"
    assert Dedup().find(page, "", 0) == Original("http://b.example/", NOW, DIGEST)
