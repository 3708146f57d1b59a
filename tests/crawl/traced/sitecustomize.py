"""Found first on the path of a crawl under test: every process writes down which functions a URL passes, and when.

A line is a time (one clock for all processes), a function, and a URL that it is called for: one of its arguments is
about it, or its caller's, or what it returns is. Only the functions named in the file `names` are written down, and
those of `crawl/stages` that the pipeline calls.

Mutable state: `_URLS` (token → URL, filled by turns that pass), `_NAMES` (what is known of a function). The file of a
process is opened for each line: one that is forked keeps nothing open.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

FOLDER = Path(os.environ["ANANSI_WALKS"])
WANTED = frozenset((FOLDER / "names").read_text(encoding="utf-8").split())
OURS = "anansi."

_URLS: dict[bytes, str] = {}
_NAMES: dict[CodeType, str] = {}


def about(value: Any) -> Iterator[str]:
    """Yield the URLs that a value is about."""
    kind = type(value).__name__
    if kind == "Visit":
        yield value.url
    elif kind == "Page":
        yield value.visit.url
    elif kind == "bytes":
        yield from filter(None, [_URLS.get(value)])
    elif kind == "Settlement":
        yield from about(value.token)
    elif kind == "Turn":
        _URLS.update({token: visit.url for token, visit in value.visits})
        yield from (visit.url for _, visit in value.visits)
    elif kind in {"list", "tuple"}:
        yield from (url for each in value for url in about(each))


def given(frame: FrameType) -> set[str]:
    """Return the URLs that a function's arguments are about."""
    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    return {url for name in names if name != "self" for url in about(frame.f_locals.get(name))}


def passing(frame: FrameType | None) -> set[str]:
    """Return the URLs that the nearest of a function and its callers is called for."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(OURS) and (urls := given(frame)):
            return urls
        frame = frame.f_back
    return set()


def named(frame: FrameType) -> str:
    """Return a function's name if it is to be written down, or nothing."""
    code = frame.f_code
    if (name := _NAMES.get(code)) is None:
        full = f"{frame.f_globals.get('__name__', '')}.{code.co_qualname}"
        ours = full.removeprefix(OURS) if full.startswith(OURS) else ""
        _NAMES[code] = name = ours if ours in WANTED or _is_stage(ours, code) else ""
    return name


def _is_stage(name: str, code: CodeType) -> bool:
    return name.startswith("crawl.stages.") and {"page", "found"} <= {*code.co_varnames[: code.co_argcount]}


def _note(frame: FrameType, event: str, result: Any) -> None:
    name = named(frame) if event in {"call", "return"} else ""
    if not name or (
        name not in WANTED and frame.f_back and frame.f_back.f_globals["__name__"] != "anansi.crawl.pipeline"
    ):
        return
    urls = passing(frame) if event == "call" else set(about(result)) - passing(frame)
    if urls:
        with (FOLDER / f"{os.getpid()}.walk").open("a", encoding="utf-8") as lines:
            lines.writelines(f"{time.monotonic_ns()}\t{name}\t{url}\n" for url in urls)


sys.setprofile(_note)
