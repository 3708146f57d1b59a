"""The front door: pages that are built alike in, what to take from them out."""

from __future__ import annotations

import pytest

from anansi.induce.judges import of_template
from anansi.induce.objects import objects
from anansi.text.dates import Reader
from tests.learn.unknown import Unknown, blog, forum

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("site", "folder", "kinds"),
    [(forum(), "/talk/", ["thread", "post"]), (blog(), "/walks/", ["article", "comment"])],
)
def test_objects_are_proposed_with_what_they_have_and_how_sure_that_is(
    site: Unknown, folder: str, kinds: list[str]
) -> None:
    made = objects((page for page in site.parsed() if folder in page.url), Reader(NOW).read)
    assert [each.object for each in made] == kinds
    assert {"author", "date", "text"} <= set(made[1].names)
    assert all(0.4 <= each.confidence <= 1 for each in made)


def test_one_page_proposes_nothing() -> None:
    assert objects(list(forum().parsed())[:1], Reader(NOW).read) == ()


def test_a_template_writes_what_begins_or_ends_alike_on_several_pages() -> None:
    assert of_template(
        [["cat.png seen 3 times"], ["dog.png seen 12 times"], ["a.png seen 1 times", "b seen 9 times"]]
    )
    assert not of_template([["cat.png seen 3 times"] * 9])
    assert not of_template([["one thing"], ["another one"], ["the third", "and the last"]])
