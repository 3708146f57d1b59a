"""`anansi demo`: see the crawler work, with no network."""

from __future__ import annotations

import shutil
import tempfile
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import typer

from anansi.archive.check import check
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, summary_lines
from anansi.config import Definition, Politeness
from anansi.crawl.run import crawl
from anansi_demo.judge import judge
from anansi_demo.server import DemoServer


def command(
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where to keep the collection.", show_default=False),
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Follow every link, as a crawler does that knows nothing of the site.")
    ] = False,
    json: Json = False,
) -> None:
    """Serve the bundled example site (a forum and a blog) on loopback, crawl it, and show what was kept.

    The two applications behind it are made up; what is known about them is in the collection's `knowledge` folder.
    """
    folder = output or Path(tempfile.mkdtemp(prefix="anansi-demo-")) / "collection"
    collection = Collection(folder)
    with DemoServer() as server:
        if not json:
            say(f"serving the example site at {server.url}, crawling it into {folder} …")
        hurry = Politeness(floor=0.0, ceiling=0.0, factor=0.0)
        strategy: Literal["blind", "auto"] = "blind" if blind else "auto"
        # one worker: what two fetch at the same time differs from run to run, and so would what the demo shows
        definition = Definition(seeds=[server.url + "/"], workers=1, politeness=hurry, strategy=strategy)
        if not blind:
            collection.create()
            describe(collection)
        result = crawl(definition, collection, quiet=json)
        verdict = judge(path for _, path in server.log)
    report = check(collection)
    if json:
        as_json(
            {**result.summary, "content_coverage": verdict.coverage, "sound": report.ok, "collection": str(folder)}
        )
    else:
        summary_lines(result.summary)
        say(
            f"content    {verdict.content:,} of {verdict.content + len(verdict.missed):,} content pages; "
            f"of {verdict.requests:,} requests {verdict.waste:,} brought nothing new"
        )
        sound = "all sound" if report.ok else "with problems: run `anansi check`"
        say(f"archive    {report.records:,} records, {sound}")
        if not blind:
            say("compare    with `anansi demo --blind`, which follows every link")
        _where_to_look(folder)
    raise typer.Exit(result.exit_code or (0 if report.ok else 4))


def describe(collection: Collection) -> None:
    """Put what is known about the example's applications into a collection, as a person would."""
    collection.knowledge.mkdir(exist_ok=True)
    for entry in resources.files("anansi_demo").joinpath("knowledge").iterdir():
        with resources.as_file(entry) as path:
            shutil.copy(path, collection.knowledge / path.name)


def _where_to_look(folder: Path) -> None:
    say("")
    say("where to look:")
    say(f"  {folder}/archive              every byte, as WARC")
    say(f"  {folder}/objects              every post, comment and article, as RDF")
    say(f"  {folder}/logs/crawl.log       every visit")
    say(f"  {folder}/reports/skipped.jsonl  every URL not visited, and why")
    say("try next:")
    say(f"  anansi status {folder}")
    say(f"  anansi objects {folder} --type post")
    say(f"  anansi check {folder}")
    say(f"  anansi pack {folder}")
