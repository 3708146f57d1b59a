"""Reading texts: words, terms, languages, dates and names, in milliseconds of processor time.

The texts have 10,000 characters: prose of made-up words in the form of English (also with typographic quotes) and of
French, and sentences in Chinese, Japanese and Thai from `tests/text/sentences.txt`, by which the quality of
cutting them is measured, too (F1 over words, against cutting by hand). Names are those of 10,000 entities with an
alias each. Each text was read once before, so that stems are remembered, as they are on the second page of a crawl.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from measure import Floor, conclude, machine, middle, options, show_machine, table

from anansi.focus import names as model
from anansi.focus.entities import mentions, names_of
from anansi.text.language import identify
from anansi.text.prose_dates import spans
from anansi.text.segments import segmented
from anansi.text.terms import terms
from pages import vocabulary

SIZE = 10_000
TIMES, QUICK_TIMES = 300, 30
SENTENCES = Path(__file__).resolve().parents[1] / "tests" / "language" / "sentences.txt"
MOST_TERMS = 0.3  # milliseconds for the terms of an English text


def main() -> int:
    """Measure each kind of text, and judge."""
    asked = options(__doc__).parse_args()
    times = QUICK_TIMES if asked.quick else TIMES
    facts = machine()
    show_machine(facts)
    names = names_of([[f"{first} {second}", f"{second} of {first}"] for first, second in _pairs(10_000)])
    rows: list[tuple[str, list[float]]] = []
    for name, (language, text) in _texts().items():
        work: dict[str, Callable[[], object]] = {
            "terms": lambda text=text, language=language: terms(text, language),  # type: ignore[misc]
            "language": lambda text=text: identify(text),  # type: ignore[misc]
            "dates": lambda text=text: spans(text),  # type: ignore[misc]
            "names": lambda text=text: mentions(names, text),  # type: ignore[misc]
        }
        rows.append(
            (name, [middle(_milliseconds(each, times) for _ in range(asked.rounds)) for each in work.values()])
        )
    table(
        ("10,000 characters of", "terms, ms", "language, ms", "dates, ms", "names, ms"),
        [(name, *each) for name, each in rows],
    )
    quality = {code: _quality(code) for code in ("zh", "ja", "th")}
    table(("word-less", "F1 of words"), list(quality.items()))
    numbers = {"ms": dict(rows), "F1": quality, "model, ms": _model_time()}
    print(f"names by the model: {numbers['model, ms'] or 'not installed'}")
    floors = [Floor("terms of an English text, ms", rows[0][1][0], MOST_TERMS, most=True)]
    return conclude("language", facts, numbers, floors, check=asked.check)


def _milliseconds(work: Callable[[], object], times: int) -> float:
    work()
    began = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - began) / times * 1000


def _model_time() -> float:
    """Return milliseconds for 10,000 characters by the model of `anansi[names]`, 0 when it is not installed."""
    if not model.is_installed():
        return 0.0
    text = ("Angela Merkel met Barack Obama in Berlin, said the European Central Bank. " * 200)[:SIZE]
    return _milliseconds(lambda: model.names_in(text), 3)


def _pairs(count: int) -> list[tuple[str, str]]:
    rng = random.Random(3)
    words = vocabulary(2_000, rng)
    return [(rng.choice(words), f"{rng.choice(words)}{number}") for number in range(count)]


def _texts() -> dict[str, tuple[str, str]]:
    rng = random.Random(4)
    words = [*vocabulary(1_500, rng), *["the", "of", "and", "in", "a"] * 150, "2013", "June"]
    prose = " ".join(rng.choice(words) for _ in range(SIZE))[:SIZE]
    texts = {
        "English, ASCII": ("en", prose),
        "English, with quotes": ("en", prose.replace(" a ", " “a” ")),
        "French": ("fr", prose.replace("e", "é")),
    }
    for code, name in (("zh", "Chinese"), ("ja", "Japanese"), ("th", "Thai")):
        joined = "。".join("".join(words) for words in _sentences(code))
        texts[name] = (code, (joined * 100)[:SIZE])
    return texts


def _sentences(language: str) -> list[list[str]]:
    lines = [line.partition("\t") for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    return [words.split("|") for code, _, words in lines if code == language]


def _quality(language: str) -> float:
    right = every = 0
    for words in _sentences(language):
        ours, hand = _spans(segmented(["".join(words)], japanese=language == "ja")[0]), _spans(words)
        right, every = right + 2 * len(ours & hand), every + len(ours) + len(hand)
    return right / every


def _spans(words: list[str]) -> set[tuple[int, int]]:
    ends = list(accumulate(map(len, words)))
    return set(zip([0, *ends], ends, strict=False))


if __name__ == "__main__":
    raise SystemExit(main())
