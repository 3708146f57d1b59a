"""A small labelled web made by hand: two subjects that link among themselves, and hubs that link to everything."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.evaluate.collections import HOST, Made, collect

RAIL, FRUIT, DULL = map(
    str.split,
    (
        "locomotive railway steam boiler engine track signal carriage gauge tunnel wagon piston",
        "apple orchard pear juice blossom harvest pip cider peel grafting pruning ripening",
        "people country century water number history place world group system name year",
    ),
)


def page(title: str, words: list[str], links: list[tuple[str, str]], rng: Random) -> str:
    """Write an article whose links stand in its text."""
    text = " ".join(rng.choice(words if rng.random() < 0.8 else DULL) for _ in range(120))
    told = "".join(
        f'<p>{rng.choice(words)} <a href="{href}">{name}</a> {rng.choice(words)}</p>' for href, name in links
    )
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p>{told}</body></html>"


def web(root: Path, *, each: int = 30) -> tuple[Path, Path]:
    """Write a collection and its labels."""
    rng = Random(7)
    names = {
        kind: [f"/{kind}/{words[number % len(words)]}_{number}" for number in range(each)]
        for kind, words in (("rail", RAIL), ("fruit", FRUIT))
    }
    hubs = [f"/hub/{DULL[number % len(DULL)]}_{number}" for number in range(each)]
    pages: dict[str, str | Made] = {}
    for kind, words in (("rail", RAIL), ("fruit", FRUIT)):
        for path in names[kind]:
            near = rng.sample(names[kind], 4)
            links = [(to, to.split("/")[-1].replace("_", " ")) for to in [*rng.sample(hubs, 4), *near]]
            pages[path] = page(path, words, links, rng)
    for path in hubs:
        far = rng.sample(names["rail"] + names["fruit"] + hubs, 6)
        pages[path] = page(path, DULL, [(to, to.split("/")[-1].replace("_", " ")) for to in far], rng)
    labels = root / "labels.tsv"
    collection = collect(root / "web", pages)
    lines = [
        f"{HOST}{path}\tThings.{kind.title()}.{'Small' if number % 2 else 'Large'}"
        for kind, paths in names.items()
        for number, path in enumerate(paths)
    ]
    labels.write_text("# who judged: nobody\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return collection, labels
