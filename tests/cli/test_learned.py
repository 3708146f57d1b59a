"""`anansi kb learned`, `promote` and `forget`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anansi.archive import learned
from anansi.archive.layout import Collection
from anansi.cli.kb import app
from anansi.errors import UserError
from anansi.knowledge import shelf
from tests.archive.test_learned import NAME, ONE, TWO, entry

runner = CliRunner()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    collection = Collection(tmp_path / "c")
    collection.create()
    learned.keep(collection, NAME, lambda before: entry(ONE, TWO))
    return collection.root


def told(*words: str) -> list[dict[str, object]]:
    found = runner.invoke(app, [*words, "--json"], catch_exceptions=False)
    assert found.exit_code == 0
    answer = json.loads(found.stdout)
    return answer if isinstance(answer, list) else [answer]


def test_rules_are_listed_with_their_evidence(folder: Path) -> None:
    first, second = told("learned", str(folder))
    assert (first["rule"], second["rule"]) == ("aaaa1111", "bbbb2222")
    assert first["pages"] == ["https://boats.example/1"]
    assert first["values"] == ["Ada"]
    shown = runner.invoke(app, ["learned", str(folder)]).stdout
    assert "aaaa1111" in shown
    assert "held on 1 pages" in shown


def test_nothing_learned_is_said(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    assert "nothing was learned" in runner.invoke(app, ["learned", str(collection.root)]).stdout


SITE = """<type id="learned/forum.example" title="forum.example"><about>Learned.</about>
<level name="thread" kind="terminal"><detect><pattern>tr[contains(@id,'m')]</pattern></detect>
<extract object="post" needs="text"><each>table[contains(@class,'talk')]/tr</each>
<property name="text" as="body">div[contains(@class,'words')]</property></extract></level>
<ways site="forum.example" root="http://forum.example/" pages="305" items="84211">
<follow pages="240" items="51034">doc("http://forum.example/")/(/html/body/div[@id='nav']/a/@href{click/})+</follow>
</ways></type>"""


def test_sites_that_no_entry_describes_are_listed_too(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "c")
    collection.create()
    path = collection.knowledge / "learned" / "forum.example.xml"
    path.parent.mkdir(parents=True)
    path.write_text(SITE)
    (said,) = told("learned", str(collection.root))
    assert said["type"] == "learned/forum.example"
    assert said["objects"] == {"thread": ["post"]}
    shown = runner.invoke(app, ["learned", str(collection.root)]).stdout
    assert "nothing was learned" not in shown
    assert "learned/forum.example  1 ways to content, from 305 pages" in shown
    assert "takes post from pages of the level thread" in shown


def test_a_rule_is_promoted_to_a_folder(folder: Path, tmp_path: Path) -> None:
    (said,) = told("promote", str(folder), "aaaa", "--to", str(tmp_path / "mine"))
    assert shelf.in_file(Path(str(said["file"]))).evidence[0].rule == "aaaa1111"


def test_a_rule_is_promoted_to_the_persons_own(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    told("promote", str(folder), "aaaa1111")
    assert [each.id for each in shelf.in_folder(shelf.personal())] == [NAME]


def test_a_rule_is_forgotten(folder: Path) -> None:
    told("forget", str(folder), "aaaa1111")
    assert [each["rule"] for each in told("learned", str(folder))] == ["bbbb2222"]


def test_a_rule_that_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(UserError, match="there is no learned rule"):
        runner.invoke(app, ["forget", str(folder), "nope"], catch_exceptions=False)


def test_a_collection_that_is_crawled_forgets_nothing(folder: Path) -> None:
    with Collection(folder).lock(), pytest.raises(UserError, match="stop the crawl first"):
        runner.invoke(app, ["forget", str(folder), "aaaa1111"], catch_exceptions=False)
