"""Anansi: a web-archiving crawler that knows what it is crawling."""

__version__ = "0.1.0"
