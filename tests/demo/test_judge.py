from hypothesis import given
from hypothesis import strategies as st

from anansi_demo.judge import judge
from anansi_demo.site import contents


def test_asking_for_each_content_url_once_is_perfect() -> None:
    verdict = judge(contents().urls)
    assert verdict.coverage == 1
    assert verdict.content == verdict.requests == len(contents().urls)
    assert (verdict.missed, verdict.wasted_on) == ((), ())


def test_no_request_covers_nothing() -> None:
    verdict = judge([])
    assert verdict.coverage == 0
    assert verdict.missed == contents().urls


def test_each_request_is_put_where_it_belongs() -> None:
    verdict = judge(
        [
            "/",
            "/style.css",
            "/forum/thread.php?t=1&sid=0123456789abcdef0123456789abcdef",
            "/forum/thread.php?t=1",
            "/forum/thread.php?t=1&view=print",
            "/blog/calendar?month=1&year=1",
            "/private/minutes",
            "/nowhere",
        ]
    )
    assert (verdict.content, verdict.repeated, verdict.navigation, verdict.furniture) == (1, 2, 1, 1)
    assert (verdict.waste, verdict.forbidden) == (3, 1)
    assert dict(verdict.wasted_on) == {"thread": 1, "print": 1, "calendar": 1, "private": 1, "missing": 1}


def test_a_permalink_brings_its_thread_page() -> None:
    (page,) = set(contents().urls) - set(judge(["/forum/thread.php?p=345"]).missed)
    assert page.startswith("/forum/thread.php?t=")


@given(
    st.lists(st.sampled_from([*contents().urls, "/", "/logo.png", "/old", "/forum/help/", "/forum/search.php?q=a"]))
)
def test_the_counts_add_up_to_the_requests(paths: list[str]) -> None:
    verdict = judge(paths)
    parts = verdict.content + verdict.repeated + verdict.navigation + verdict.furniture + verdict.waste
    assert parts == verdict.requests == len(paths)
    assert sum(count for _, count in verdict.wasted_on) == verdict.repeated + verdict.waste
    assert verdict.content + len(verdict.missed) == len(contents().urls)
