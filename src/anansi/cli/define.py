"""`anansi define`: what might an archive be about that begins here?"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, warn
from anansi.cli.striking import struck
from anansi.config import Definition, Fetch, Politeness, Scope, load, parse
from anansi.crawl.run import Result, check_seeds
from anansi.crawl.run import crawl as run_crawl
from anansi.errors import CollectionError, ConfigError, UserError
from anansi.evaluate.source import open_crawl
from anansi.evaluate.texts import shown
from anansi.focus import names
from anansi.focus.corpus import Corpus, corpus_of
from anansi.focus.drafting import Draft, draft
from anansi.focus.proposals import Proposal, propose
from anansi.frontier import politeness

TIMEOUT = 60.0  # seconds of an exchange: somebody is waiting
PATIENCE = 15.0  # seconds of waiting for a robots.txt that cannot be had

_WORDS = "A word or phrase of what the archive is about; more than once for several."
_INTO = "The definition to write; it must not be there yet."
_PAGES = "Pages of the reference crawl."
_KEEP = "Keep the reference crawl as this collection; by default it is thrown away."
_FROM = "Propose from this collection, without crawling."
_YES = "Accept every proposal."
_NO_INPUT = "Ask nothing: write every proposal with its evidence, to be struck in an editor."
_DELAY = "A fixed wait between requests to a site instead of the adaptive one."

Seeds = Annotated[
    list[str] | None, typer.Argument(metavar="SEED…", help="Where the archive begins.", show_default=False)
]
Words = Annotated[list[str] | None, typer.Option("--words", "-w", metavar="WORDS", help=_WORDS, show_default=False)]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help=_INTO)]
Pages = Annotated[int, typer.Option("--pages", min=1, max=10_000, help=_PAGES)]
Keep = Annotated[Path | None, typer.Option("--keep", metavar="DIR", help=_KEEP, show_default=False)]
From = Annotated[Path | None, typer.Option("--from", metavar="DIR", help=_FROM, show_default=False)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=_YES)]
NoInput = Annotated[bool, typer.Option("--no-input", help=_NO_INPUT)]
Delay = Annotated[float | None, typer.Option(min=0, metavar="S", help=_DELAY, show_default=False)]


@dataclass(frozen=True, slots=True)
class Reference:
    """What proposals are made of."""

    seeds: list[str]
    corpus: Corpus
    source: str


def command(
    seeds: Seeds = None,
    words: Words = None,
    output: Output = Path("crawl.yaml"),
    pages: Pages = 60,
    keep: Keep = None,
    taken: From = None,
    yes: Yes = False,
    no_input: NoInput = False,
    delay: Delay = None,
    json: Json = False,
) -> None:
    """Help to write a definition: crawl a little from SEED…, and propose what the archive might be about.

    Keywords, names, topics and languages are proposed with the pages that speak for them, for you to accept, change
    or strike. The file says of every entry where it came from; `anansi crawl --config FILE` crawls by it.
    """
    given = [" ".join(each.split()) for each in words or []]
    _check(given, output, asks=not (yes or no_input or json))
    if taken is not None and (keep is not None or delay is not None):
        raise UserError("with `--from` nothing is crawled; leave out `--keep` and `--delay`")
    found = check_seeds(seeds or [])
    with ExitStack() as stack:
        if taken is not None:
            reference = _held(taken, found, given)
        else:
            temporary = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anansi-define-")))
            reference = _crawled(found, given, temporary, _polite(found, pages, delay), kept=keep is not None)
    proposals = propose(reference.corpus, given, names.names_in if names.is_installed() else None)
    asks = not (yes or no_input or json)
    accepted = struck(_sole(proposals), input, say) if asks else _sole(proposals)
    text = draft(Draft(reference.seeds, _sole(accepted), reference.source, accepted=asks or yes))
    _write(text, output)
    _report(accepted, proposals, output, json=json)


def _check(given: list[str], output: Path, *, asks: bool) -> None:
    """Say what is wrong before anything is fetched."""
    for each in given:
        if not any(map(str.isalnum, each)) or len(each) > 200:
            raise UserError(f"--words {each[:80]!r}: write a word or a phrase of at most 200 characters")
    if output.exists():
        raise UserError(f"{output} is there already; name another file with --output, or move it away")
    if asks and not sys.stdin.isatty():
        raise UserError(
            "there is no terminal to ask at; use --yes to accept all, or --no-input to edit the file later"
        )


def _polite(seeds: list[str], pages: int, delay: float | None) -> Definition:
    """Define the reference crawl."""
    usual = Politeness(robots_deadline=PATIENCE)
    waits: dict[str, Any] = politeness.fixed(delay, usual) if delay is not None else {}
    return Definition(
        seeds=seeds,
        scope=Scope(limit=pages, requisites=False),
        fetch=Fetch(timeout=TIMEOUT),
        politeness=msgspec.structs.replace(usual, **waits),
    )


def _crawled(seeds: list[str], given: list[str], folder: Path, definition: Definition, *, kept: bool) -> Reference:
    """Make the reference crawl."""
    if not seeds:
        raise UserError(
            "nothing to begin with: name at least one seed, as in `anansi define https://example.org/ -o crawl.yaml`"
            ", or a collection with --from"
        )
    if kept and Collection(folder).exists():
        raise UserError(f"{folder} has been crawled before; propose from it with `--from {folder}`")
    typer.echo(f"reference crawl of {definition.scope.limit:,} pages at the most …", err=True)
    result = run_crawl(definition, Collection(folder), quiet=True)
    try:
        corpus = _corpus(folder, given, seeds)
    except CollectionError:
        corpus = Corpus((), ())
    if not corpus.texts:
        raise UserError(f"the reference crawl found no text: {_why(result)}; name other seeds, or use --from DIR")
    where = f", kept in {folder}" if kept else ""
    return Reference(seeds, corpus, _source(corpus, f"a reference crawl of {', '.join(seeds)}{where}"))


def _why(result: Result) -> str:
    """Say what the web answered instead of pages."""
    parts = [f"{count:,} answers with status {code}" for code, count in result.summary["statuses"].items()]
    parts += [f"{count:,} times {name}" for name, count in result.summary["faults"].items()]
    parts += [f"{count:,} skipped ({reason})" for reason, count in result.summary["skipped"].items()]
    return ", ".join(parts) or "nothing was requested"


def _held(folder: Path, seeds: list[str], given: list[str]) -> Reference:
    """Take what another crawl has brought."""
    collection = Collection(folder)
    collection.require()
    known = seeds
    if not known and collection.definition.exists():
        known = check_seeds(load(collection.definition).seeds)
    if not known:
        raise UserError(f"{folder} does not say where its crawl began; name the seeds of the definition")
    corpus = _corpus(folder, given, known)
    if not corpus.texts:
        raise UserError(f"{folder} holds no page with text: there is nothing to propose from")
    return Reference(known, corpus, _source(corpus, f"the collection {folder}"))


def _corpus(folder: Path, given: list[str], seeds: list[str]) -> Corpus:
    pages = ((each.url, each.regions, each.language) for each in shown(open_crawl(folder)))
    return corpus_of(pages, given, seeds)


def _source(corpus: Corpus, where: str) -> str:
    return f"Proposed by `anansi define` on {date.today()} from {len(corpus.texts):,} pages of {where}."


def _sole(proposals: list[Proposal]) -> list[Proposal]:
    """Leave out what stands there twice, as after an edit."""
    kept: dict[tuple[str, str], Proposal] = {}
    for each in proposals:
        kept.setdefault((each.key, " ".join(each.name.casefold().split())), each)
    return list(kept.values())


def _write(text: str, output: Path) -> None:
    try:
        parse(text, str(output))  # what cannot be read must not be written
    except ConfigError as error:
        raise UserError(f"what was accepted is no definition: {error}") from None
    with guarded(output), replacing(output) as target:
        target.write_text(text, encoding="utf-8")


def _report(accepted: list[Proposal], proposals: list[Proposal], output: Path, *, json: bool) -> None:
    if json:
        as_json({"definition": str(output), "proposals": [_plain(each) for each in accepted]})
        return
    say(f"{len(accepted):,} of {len(proposals):,} entries written to {output}  (anansi crawl --config {output})")
    if not any(each.key != "languages" for each in accepted):
        warn("nothing is looked for: the definition crawls without focus")


def _plain(each: Proposal) -> dict[str, Any]:
    return {
        "key": each.key,
        "value": msgspec.to_builtins(each.value),
        "given": each.given,
        "pages": each.witness.pages,
        "of": each.witness.of,
        "count": each.witness.count,
        "sentence": each.witness.sentence,
        "url": each.witness.url,
    }
