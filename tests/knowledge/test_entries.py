"""Every built-in entry against pages of the software it describes (`anansi.inspection.story` has their form)."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.inspection import story
from anansi.inspection.look import Inspector
from anansi.knowledge import shelf
from anansi.knowledge.addresses import place

PAGES = Path(__file__).parent / "pages"
ALL = story.pages(PAGES)

inspector = Inspector(shelf.catalogue())


def names(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", ALL, ids=names)
def test_a_page_is_what_is_expected_of_it(path: Path) -> None:
    told, document = story.read(path)
    look = inspector.look(document, story.NOW)
    assert story.differences(story.type_of(path), told, look) == []


def test_every_application_is_described_by_pages() -> None:
    described = {story.type_of(path) for path in ALL}
    applications = {name.replace(".", "/") for name, entry in shelf.catalogue().types.items() if entry.detection}
    assert applications <= described


BOARD = "/viewforum.php?f=2"
ADDRESSES = {
    # what `keep` leaves out may be another list of the same: it must be refused, so that it can be sampled
    ("forum/phpbb", f"{BOARD}&sk=s&sd=a&start=50"): ("", False),
    ("forum/phpbb", f"{BOARD}&st=7&sk=t&sd=d"): ("", False),
    ("forum/phpbb", f"{BOARD}&topicdays=30&start=50"): ("", False),
    ("forum/phpbb", f"{BOARD}&st=0&sk=t&sd=d&start=50"): (f"{BOARD}&start=50", False),
    ("forum/phpbb", f"{BOARD}&topicdays=0&start=50"): (f"{BOARD}&start=50", False),
    # whoever visits a member does nothing
    ("blog/drupal", "/club/user/12"): ("", False),
    ("blog/drupal", "/club/user/12/edit"): ("", True),
    ("blog/drupal", "/user/logout"): ("", True),
}


@pytest.mark.parametrize(("name", "target"), ADDRESSES)
def test_what_is_refused_can_be_sampled_unless_it_does_something(name: str, target: str) -> None:
    known = place(shelf.catalogue()[name].addresses, f"http://a.org{target}")
    assert known is not None
    followed, never = ADDRESSES[name, target]
    assert (known.skip == "", known.never) == (followed != "", never)
    assert not followed or known.key == f"http://a.org{followed}"


PARTS = {
    "/archives/25/3/": "/archives/25/",
    "/archives/25/3": "/archives/25",
    "/25/3/": "/25/",
    "/notes/on-tides/3/": "/notes/on-tides/",
}


@pytest.mark.parametrize("target", PARTS)
def test_a_part_of_a_post_is_of_the_post_whatever_its_name(target: str) -> None:
    known = place(shelf.catalogue()["blog/wordpress"].addresses, f"http://a.org{target}")
    assert known is not None and (known.leads, known.whole) == ("post", f"http://a.org{PARTS[target]}")


@pytest.mark.parametrize("target", ["/2005/03/12/", "/archives/2005/03/12/", "/2005/3/", "/blog/2005/03/"])
def test_days_are_no_parts_of_posts(target: str) -> None:
    known = place(shelf.catalogue()["blog/wordpress"].addresses, f"http://a.org{target}")
    assert known is not None and known.skip == "date archive"
