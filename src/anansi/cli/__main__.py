"""`python -m anansi.cli`."""

from anansi.cli import main

main()
