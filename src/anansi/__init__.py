"""Anansi: a web-archiving crawler that knows what it is crawling."""

from importlib.metadata import version

__version__ = version("anansi")
