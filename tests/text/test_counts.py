"""Numbers of comments and replies, by the words beside them."""

from __future__ import annotations

import pytest

from anansi.text.counts import counted


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h2>126 comments</h2>", {"comment": 126}),
        ("<h3 class='x'>Comments (1,204)</h3>", {"comment": 1204}),
        ("<span>Kommentare: 3</span>", {"comment": 3}),
        ("<b>12 réponses</b>", {"post": 13}),
        ("<h2>14 posts</h2>", {"post": 14}),
        ("<i>コメント（4）</i>", {"comment": 4}),
        ("<h2>コメント 12件</h2>", {"comment": 12}),
        ("<h2>12件のコメント</h2>", {"comment": 12}),
        ("<h3>댓글 12개</h3>", {"comment": 12}),
        ("<h3>3 条评论</h3>", {"comment": 3}),
        ("<h3>1 234 комментария</h3>", {"comment": 1234}),
        ("<h3>٢٣ تعليقات</h3>", {"comment": 23}),
    ],
)
def test_an_element_that_says_nothing_but_a_number_counts(markup: str, expected: dict[str, int]) -> None:
    assert counted(f"<body>{markup}</body>") == expected


def test_a_heading_comes_before_other_elements() -> None:
    assert counted("<h2>126 comments</h2><a>3 comments</a><a>5 comments</a>") == {"comment": 126}


@pytest.mark.parametrize(
    "markup",
    [
        "<a>3 comments</a><a>5 comments</a>",
        "<p>we had 12 comments in all of that year</p>",
        "<span>Posts: 512</span>",
        "<p>no number of comments</p>",
        "<h2>1.2K comments</h2>",
    ],
)
def test_what_does_not_agree_or_is_said_of_others_counts_nothing(markup: str) -> None:
    assert counted(markup) == {}
