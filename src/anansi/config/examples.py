"""The texts that topics name as examples: files are read here, URLs are left to who can fetch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from anansi.config.focus import Topic
from anansi.config.sections import Definition
from anansi.errors import ConfigError
from anansi.markup import bounded

LONGEST: Final = 4 * 1024**2
"""Bytes of an example that are read."""

_URL: Final = re.compile(r"https?://", re.IGNORECASE)
_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|\?xml|head|body|div|p)\b", re.IGNORECASE)


def urls_of(topics: Iterable[Topic]) -> list[str]:
    """List the examples that must be fetched, each once."""
    return list(dict.fromkeys(each for each in _examples(topics) if _URL.match(each)))


def texts_of(topics: Iterable[Topic]) -> dict[str, str]:
    """Read the examples that are files: name → text, without markup where it is HTML."""
    return {each: _text(Path(each)) for each in dict.fromkeys(_examples(topics)) if not _URL.match(each)}


def anchored(definition: Definition, folder: Path) -> Definition:
    """Name files by their whole paths, so that the collection's copy of a definition finds them, too."""
    focus = definition.focus
    if not any(topic.examples for topic in focus.topics):
        return definition
    topics = [
        msgspec.structs.replace(
            topic, examples=[each if _URL.match(each) else str((folder / each).absolute()) for each in topic.examples]
        )
        for topic in focus.topics
    ]
    return msgspec.structs.replace(definition, focus=msgspec.structs.replace(focus, topics=topics))


def _examples(topics: Iterable[Topic]) -> Iterator[str]:
    return (each for topic in topics for each in topic.examples)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"`focus.topics.examples`: {path} cannot be read: {what}; name a text file or a URL"
        ) from None
    return _without_markup(text) if _MARKUP.match(text) else text


def _without_markup(text: str) -> str:
    from lxml import etree  # every command reads its definition, and few have such examples

    parser = etree.HTMLParser(recover=True, no_network=True, remove_comments=True, remove_pis=True)
    tree: Any = etree.fromstring(bounded(text.replace("\0", "").encode(), "utf-8").data, parser)
    if tree is None:
        return ""
    etree.strip_elements(tree, "script", "style", "noscript", with_tail=False)
    return " ".join(tree.itertext())
