"""`anansi version`."""

from __future__ import annotations

import platform

import pycurl

from anansi import __version__
from anansi.cli.output import Json, as_json, say


def command(json: Json = False) -> None:
    """Print the version of Anansi and of what it stands on."""
    versions = {"anansi": __version__, "python": platform.python_version(), "libcurl": pycurl.version}
    if json:
        as_json(versions)
    else:
        say(f"anansi {__version__}  (Python {versions['python']}, {pycurl.version.split()[1]})")
