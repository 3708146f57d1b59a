"""Found first on the path of a crawl under test: the wall clock differs from ours by what a file says."""

from __future__ import annotations

import os
import time
from pathlib import Path

_FILE = Path(os.environ["ANANSI_TEST_CLOCK"])
_time, _gmtime, _time_ns = time.time, time.gmtime, time.time_ns


def _shift() -> float:
    try:
        return float(_FILE.read_text() or 0)
    except (OSError, ValueError):
        return 0.0


vars(time)["time"] = lambda: _time() + _shift()
vars(time)["time_ns"] = lambda: _time_ns() + int(_shift() * 1e9)
vars(time)["gmtime"] = lambda seconds=None: _gmtime(_time() + _shift() if seconds is None else seconds)
