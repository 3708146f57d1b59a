"""The definition a crawl runs by, read from `crawl.yaml` and checked before anything starts.

1. `sections` declares what can be set, one frozen struct a stage; `focus` what the archive is about; `setting` has
   what both are made of. Command-line help, `docs/reference/settings.md` and error messages derive from them.
2. `reading` makes a definition of YAML, or says the line, the key and what was expected there.
3. `faults` finds what a schema cannot say: settings that contradict each other.
4. `examples` reads the files that topics name.
5. `writing` writes a definition down, without its secrets.
"""

from anansi.config.examples import texts_of, urls_of
from anansi.config.faults import doubts
from anansi.config.focus import Address, Entity, Event, Focus, Keyword, Topic, Weights
from anansi.config.reading import convert, load, parse
from anansi.config.sections import (
    LED,
    Archive,
    Definition,
    Fetch,
    Frontier,
    Override,
    Politeness,
    Scope,
    Watch,
    sections,
)
from anansi.config.setting import about
from anansi.config.writing import LEFT_OUT, dump

__all__ = [
    "LED",
    "LEFT_OUT",
    "Address",
    "Archive",
    "Definition",
    "Entity",
    "Event",
    "Fetch",
    "Focus",
    "Frontier",
    "Keyword",
    "Override",
    "Politeness",
    "Scope",
    "Topic",
    "Watch",
    "Weights",
    "about",
    "convert",
    "doubts",
    "dump",
    "load",
    "parse",
    "sections",
    "texts_of",
    "urls_of",
]
