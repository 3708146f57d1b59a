"""What changes by itself is told from what people write."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.noise import byline, is_noise, is_relative, plain, said
from anansi.feeds.settings import SETTINGS


@pytest.mark.parametrize(
    "line",
    [
        "3 hours ago",
        "about 2 days ago",
        "vor 3 Stunden",
        "il y a 5 minutes",
        "hace 2 horas",
        "Yesterday at 10:22",
        "1,204 views",
        "Views: 12.345",
        "No comments",
        "5 Kommentare",
        "Read 12 times",
        "Share 12 Tweet 5",
        "Posted 3 hours ago | 17 comments",
        "Reply",
        "Like (4)",
        "Last edited by Ada on Mon Nov 16, 2026 9:30 am, edited 2 times in total.",
        "This post was last edited on 16 November 2026",
        "Today is Monday, 16 November 2026",
    ],
)
def test_lines_that_nobody_wrote(line: str) -> None:
    assert is_noise(line)


@pytest.mark.parametrize(
    "line",
    [
        "It was 3 hours ago that the ferry left.",
        "The post had 1,204 views by noon.",
        "12 votes",
        "Updated: 12 people were hurt",
        "Reply by return of post, please",
        "No",
        "17",
        "May 2026",
        "Last edited volume of the series",
    ],
)
def test_lines_that_someone_wrote(line: str) -> None:
    assert not is_noise(line)


def test_noise_inside_a_text_is_part_of_what_is_told() -> None:
    paragraphs = [f"Paragraph {number} tells something." for number in range(14)]
    inside = "\n".join([*paragraphs[:7], "1,204 views", *paragraphs[7:]])
    around = "\n".join(["1,204 views", *paragraphs, "3 hours ago", "Reply"])
    assert "1,204 views" in plain(inside)
    assert plain(around) == " ".join(paragraphs)
    assert "1,204 views" not in said(inside)


def test_the_time_behind_a_name_is_left_out() -> None:
    assert plain("Ada Lind 3 hours ago\nI saw it 3 hours ago") == "Ada Lind I saw it 3 hours ago"
    assert byline("Ada Lind | 3 hours ago | 12 comments") == "Ada Lind | |"


def test_a_date_without_its_year_is_seen_from_today() -> None:
    assert is_relative("Yesterday, 10:15 AM")
    assert is_relative("Nov 3")
    assert not is_relative("3 Nov 2026")
    assert not is_relative("03/11/26")


@given(st.text(alphabet="0123456789 ,.|-()kKviewsagohurdays", max_size=SETTINGS.short))
def test_no_line_takes_long(line: str) -> None:
    begin = time.process_time()
    is_noise(line)
    byline(line)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    "piece", ["like 1 ", "share 1 view ", "1 like ", "reply ", "1 ", "1, ", "on 1-1 ", "a ", "posted "]
)
def test_repeated_pieces_take_no_time(piece: str) -> None:
    begin = time.process_time()
    for line in (f"{piece * 80}x", f"edited {piece * 80}!", f"1 {piece * 80}"):
        is_noise(line[: SETTINGS.short])
        byline(line)
        said(line[:60])
    assert time.process_time() - begin < 1
