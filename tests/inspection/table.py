"""`python -m tests.inspection.table`: how well pages are rebuilt, as a table."""

from __future__ import annotations

import tempfile
from dataclasses import astuple, fields
from pathlib import Path

from tests.inspection.truth import BLOGS, Figures, measure


def main() -> None:
    """Measure every blog and print a row each."""
    names = [field.name.replace("_", " ") for field in fields(Figures)]
    print(f"| blog | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for name, blog in BLOGS.items():
        with tempfile.TemporaryDirectory() as folder:
            found = measure(blog, Path(folder) / "c")
        print(f"| {name} | {' | '.join(map(str, astuple(found)))} |")


if __name__ == "__main__":
    main()
