"""What comes before and after a crawl: seeds that are checked, who we say we are, how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.config import Archive, Definition, Fetch
from anansi.crawl.run import EXIT_CODES, Result, agent_of, check_seeds, crawl
from anansi.errors import CollectionError, UserError


def test_seeds_become_whole_addresses_each_once() -> None:
    seeds = ["example.org", "https://example.org/", "http://EXAMPLE.org:80/a b", "https://example.org"]
    assert check_seeds(seeds) == ["https://example.org/", "http://example.org/a%20b"]


@pytest.mark.parametrize("seed", ["", "http://", "ftp://example.org/", "https://exa mple.org/"])
def test_what_is_no_web_address_is_said(seed: str) -> None:
    with pytest.raises(UserError, match=r"is not a web address; a seed looks like https://example\.org/"):
        check_seeds([seed])


@pytest.mark.parametrize("seed", ["https://user:secret@example.org/", "user:secret@example.org", "user@example.org"])
def test_a_password_is_refused_and_not_repeated(seed: str) -> None:
    with pytest.raises(UserError, match="user name or password") as refused:
        check_seeds([seed])
    assert "secret" not in str(refused.value) and "user@" not in str(refused.value)


def test_we_say_who_we_are_and_where_our_operator_is() -> None:
    assert agent_of(Definition()).startswith("Anansi/")
    assert agent_of(Definition(archive=Archive(contact="ops@example.org"))).endswith("(+ops@example.org)")
    assert agent_of(Definition(fetch=Fetch(user_agent="Me"), archive=Archive(contact="ops@example.org"))) == "Me"


def test_how_a_crawl_ended_is_its_exit_code() -> None:
    assert {ended: Result(ended, {}).exit_code for ended in EXIT_CODES} == {
        "finished": 0,
        "limit": 10,
        "interrupted": 11,
        "failed": 12,
        "gaps": 13,
        "incomplete": 14,
    }


def test_a_crawl_of_nothing_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="name at least one seed"):
        crawl(Definition(), Collection(tmp_path / "c"), quiet=True)
    assert not (tmp_path / "c").exists()


def test_a_crawl_into_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("hello")
    with pytest.raises(CollectionError, match="not empty and not a collection"):
        crawl(Definition(seeds=["https://example.org/"]), Collection(tmp_path), quiet=True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
