"""`python -m anansi_lab`."""

from anansi_lab.cli import main

main()
